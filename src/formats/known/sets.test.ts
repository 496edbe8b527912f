/** Which recordings a directory or an archive holds. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { list } from 'tar';
import { claimCallTrees } from './call-tree-set.js';
import { claimExperiments } from './experiment-set.js';

const DATA = process.env.KANSOKU_DATA;

function tree(...paths: string[]) {
  const members = { members: paths.map((path) => ({ path })) };
  const experiments = claimExperiments(members);
  if (experiments !== undefined) return { id: 'experiment', ...experiments };
  const callTrees = claimCallTrees(members);
  return callTrees && { id: 'call-tree-csv', ...callTrees };
}

describe('an experiment', () => {
  test('the folder itself, or a folder in an archive', () => {
    const itself = tree('log.xml', 'map.xml', 'profile', 'archives/libc.so.6_x');
    assert.equal(itself?.id, 'experiment');
    assert.deepEqual(
      itself?.recordings.map(({ folder }) => folder),
      [''],
    );
    const inside = tree('./test.1.er/', './test.1.er/log.xml', './test.1.er/overview');
    assert.deepEqual(
      inside?.recordings.map(({ folder }) => folder),
      ['test.1.er'],
    );
    assert.equal(inside?.recordings[0]?.parts.get('overview'), 'test.1.er/overview');
    assert.equal(tree('C\\test.er\\log.xml', 'C\\test.er\\map.xml')?.recordings[0]?.folder, 'C/test.er');
  });

  test('descendants belong to their founder; adjacent experiments are separate', () => {
    const files = (folder: string) => ['log.xml', 'map.xml', 'overview'].map((file) => `${folder}/${file}`);
    const family = tree(...files('b.er'), ...files('b.er/_f1.er'), ...files('b.er/_f1_x1.er'), ...files('a.er'));
    assert.deepEqual(
      family?.recordings.map(({ folder }) => folder),
      ['a.er', 'b.er'],
    );
    assert.match(family?.because ?? '', /2 descendant/);
  });
});

describe('tables of a call tree', () => {
  const named = (names: string[], end: string) => names.map((name) => `reports/call_tree_${name}${end}`);
  test('of both versions, with the drafts before them', () => {
    const today = tree(
      ...named(['methods', 'invokes', 'targets'], '_demo_20260101_101010.csv'),
      'reports/used_methods.txt',
    );
    assert.equal(today?.id, 'call-tree-csv');
    assert.deepEqual([...(today?.recordings[0]?.parts.keys() ?? [])], ['methods', 'invokes', 'targets']);
    assert.match(today?.because ?? '', /24\.1 or later/);
    const old = tree(
      ...named(
        ['vm', 'methods', 'virtual_methods', 'entry_points', 'direct_edges', 'virtual_edges', 'override_by_edges'],
        '_a_b_1.csv.gz',
      ),
    );
    assert.match(old?.because ?? '', /before 24\.1/);
    assert.equal(old?.recordings[0]?.parts.size, 7);
    assert.equal(
      tree('csv_call_tree_methods_x.csv', 'csv_call_tree_direct_edges_x.csv', 'csv_call_tree_virtual_edges_x.csv')?.id,
      'call-tree-csv',
    );
  });

  test('links without image and time do not count twice; several reports are several', () => {
    const names = ['methods', 'invokes', 'targets'];
    const twice = tree(...named(names, '.csv'), ...named(names, '_a_1.csv'), ...named(names, '_b_2.csv'));
    assert.deepEqual(
      twice?.recordings.map(({ parts }) => parts.get('methods')),
      ['reports/call_tree_methods_a_1.csv', 'reports/call_tree_methods_b_2.csv'],
    );
    assert.equal(tree(...named(names, '.csv'))?.recordings.length, 1);
  });
});

test('other folders are neither', () => {
  for (const paths of [
    [],
    ['log.xml'],
    ['a/log.xml', 'b/map.xml'],
    ['call_tree_methods_a.csv', 'call_tree_targets_a.csv'],
    ['README.md', 'src/main.c'],
  ]) {
    assert.equal(tree(...paths), undefined, paths.join());
  }
});

test('the experiments and reports of the test data', async (t) => {
  if (DATA === undefined) return t.skip('set KANSOKU_DATA to the folder of the test data');
  const archives = readdirSync(join(DATA, 'experiments')).filter((name) => name.endsWith('.er.tar.gz'));
  assert.ok(archives.length >= 20);
  for (const name of archives) {
    const paths: string[] = [];
    await list({ file: join(DATA, 'experiments', name), onReadEntry: (entry) => paths.push(entry.path) });
    const found = tree(...paths);
    assert.equal(found?.id, 'experiment', name);
    assert.deepEqual(
      found?.recordings.map(({ folder }) => folder),
      [name.replace('.tar.gz', '')],
    );
  }
  for (const folder of [
    'csv-forge-demo',
    'genuine/hello-23.0.6/csv',
    'genuine/hello-25.0.2/csv',
    'genuine/medium-25.0.2/csv',
  ]) {
    const found = tree(...readdirSync(join(DATA, 'points-to', folder)));
    assert.equal(found?.id, 'call-tree-csv', folder);
    assert.equal(found?.recordings.length, 1);
    assert.equal(found?.recordings[0]?.parts.size, folder.includes('23.0.6') ? 7 : 3);
  }
});
