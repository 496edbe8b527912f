/** Which tables of a folder are one report. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { claimCallTrees, tableFileName, tableFileOf, tableLinkName } from './set-names.js';

const DATA = process.env.KANSOKU_DATA;
const NEW = ['methods', 'invokes', 'targets'];
const OLD = ['vm', 'methods', 'virtual_methods', 'entry_points', 'direct_edges', 'virtual_edges', 'override_by_edges'];

const claim = (...paths: string[]) => claimCallTrees({ members: paths.map((path) => ({ path })) });
const named = (names: string[], end: string) => names.map((name) => `reports/call_tree_${name}${end}`);
const methodsOf = (...paths: string[]) => claim(...paths)?.recordings.map(({ parts }) => parts.get('methods'));

describe('the tables of a report', () => {
  test('of each generation', () => {
    const today = claim(...named(NEW, '_demo_20260101_101010.csv'), 'reports/used_methods.txt');
    assert.deepEqual([...(today?.recordings[0]?.parts.keys() ?? [])].sort(), ['invokes', 'methods', 'targets']);
    assert.match(today?.because ?? '', /24\.1 or later/);
    const old = claim(...named(OLD, '_a_b_1.csv.gz'));
    assert.match(old?.because ?? '', /before 24\.1/);
    assert.equal(old?.recordings[0]?.parts.size, 7);
    const draft = claim('csv_call_tree_methods_x.csv', 'csv_call_tree_direct_edges_x.csv');
    assert.equal(draft?.recordings[0]?.parts.size, 2);
  });

  test('links without image and time do not count twice; several reports are several', () => {
    assert.deepEqual(methodsOf(...named(NEW, '.csv'), ...named(NEW, '_a_1.csv'), ...named(NEW, '_b_2.csv')), [
      'reports/call_tree_methods_a_1.csv',
      'reports/call_tree_methods_b_2.csv',
    ]);
    assert.deepEqual(methodsOf(...named(NEW, '.csv')), ['reports/call_tree_methods.csv']);
  });

  test('may have times some seconds apart, but no minutes', () => {
    const at = (table: string, time: string) => `call_tree_${table}_app_20260101_${time}.csv`;
    const run = claim(at('methods', '115958'), at('targets', '120003'), at('invokes', '120000'));
    assert.deepEqual(
      run?.recordings.map(({ parts }) => parts.size),
      [3],
    );
    const runs = claim(at('methods', '115958'), at('invokes', '120300'), at('targets', '120300'));
    assert.deepEqual(
      runs?.recordings.map(({ parts }) => [...parts.keys()]),
      [['methods']],
    );
    const whole = claim(...NEW.map((table) => at(table, '120000')), at('invokes', '120005'));
    assert.deepEqual(
      whole?.recordings.map(({ parts }) => parts.get('invokes')),
      [at('invokes', '120000')],
    );
  });

  test('without methods are no report', () => {
    assert.equal(claim('call_tree_targets_a.csv', 'call_tree_invokes_a.csv'), undefined);
    assert.equal(claim('call_tree_main_a.csv', 'call_tree.csv'), undefined);
  });

  test('of the test data', (t) => {
    if (DATA === undefined) return t.skip('set KANSOKU_DATA to the folder of the test data');
    const folders = ['hello-23.0.6', 'hello-25.0.2', 'medium-25.0.2'].map((name) => `genuine/${name}/csv`);
    for (const folder of ['csv-forge-demo', ...folders]) {
      const found = claim(...readdirSync(join(DATA, 'points-to', folder)));
      assert.deepEqual(
        found?.recordings.map(({ parts }) => parts.size),
        [folder.includes('23.0.6') ? 7 : 3],
        folder,
      );
    }
  });
});

test('names of tables have image and time; images may have underscores', () => {
  assert.deepEqual(tableFileOf('call_tree_virtual_methods_my_app_20261121_100609.csv.gz'), {
    table: 'virtual_methods',
    prefix: '',
    image: 'my_app',
    time: '20261121_100609',
  });
  assert.equal(tableFileOf('csv_call_tree_vm.csv')?.prefix, 'csv_');
  assert.equal(tableFileOf('call_tree_hello.txt'), undefined);
});

test('written sets are named as the builder names them', () => {
  assert.equal(
    tableFileName('methods', 'reports/call_tree_hello_20261121_094728.csv'),
    'reports/call_tree_methods_hello_20261121_094728.csv',
  );
  assert.equal(tableFileName('vm', '/x.csv.gz'), '/call_tree_vm_x.csv.gz');
  assert.equal(tableFileName('vm', 'a/call_tree.csv'), 'a/call_tree_vm.csv');
  assert.equal(tableLinkName('vm', 'a/call_tree_x.csv.gz'), 'a/call_tree_vm.csv.gz');
});
