/** Names of reports, and the links to the latest one. */
import { deepEqual, equal, match, rejects, throws } from 'node:assert/strict';
import {
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { memorySource } from '../bytes/byte-source.js';
import { callTree } from '../formats/call-tree/index.js';
import { iprof } from '../formats/iprof/index.js';
import { objectTree } from '../formats/object-tree/index.js';
import { ROOT } from '../testing/shared-data.js';
import { convertRecording } from './convert.node.js';
import { isReport, reportLink, reportPath } from './report-names.js';

const FOLDER = mkdtempSync(join(tmpdir(), 'kansoku-reports-'));
after(() => rmSync(FOLDER, { recursive: true }));

const NOW = new Date(2026, 0, 2, 3, 4, 5);
const path = (name: string, tables = false, metadata: { key: string; value: string }[] = []) =>
  reportPath('out', { name, metadata }, callTree, { tables, now: NOW });

describe('the name of a report', () => {
  it('has image and time of the report that was read', () => {
    equal(path('in/call_tree_my_app_20261121_094552.txt.gz'), 'out/call_tree_my_app_20261121_094552.txt');
    equal(path('call_tree_my_app_20261121_094552.txt', true), 'out/call_tree_my_app_20261121_094552.csv');
    const metadata = [
      { key: 'image', value: 'hello' },
      { key: 'time', value: '20261121_100609' },
    ];
    equal(
      path('x/call_tree_methods_hello_20261121_100609.csv', false, metadata),
      'out/call_tree_hello_20261121_100609.txt',
    );
  });

  it('else the name of the input and the time', () => {
    equal(path('in/shop v2.hprof.gz'), 'out/call_tree_shop_v2_20260102_030405.txt');
    equal(path('call_tree_hello.txt.gz'), 'out/call_tree_hello_20260102_030405.txt');
    equal(path('.txt'), 'out/call_tree_image_20260102_030405.txt');
  });

  it('is one of formats that have such names', () => {
    throws(() => reportPath('out', { name: 'a', metadata: [] }, iprof, { tables: false, now: NOW }), /is a directory/);
    deepEqual([isReport('a/object_tree_x.txt', objectTree), isReport('a/object_tree_x.txt', callTree)], [true, false]);
  });

  it('with a time has a link to the latest', () => {
    equal(reportLink('a/call_tree_app_20260102_030405.txt.gz', callTree), 'a/call_tree.txt.gz');
    equal(reportLink('call_tree_app_20260102_030405.txt', callTree), 'call_tree.txt');
    equal(reportLink('a/call_tree_app.txt', callTree), undefined);
    equal(reportLink('a/object_tree_app_20260102_030405.txt', callTree), undefined);
  });
});

describe('a report in a folder', () => {
  const fixture = readFileSync(join(ROOT, 'src/formats/call-tree/testing/fixtures/current.txt'));
  const tree = (name: string) => callTree.read(memorySource(name, fixture));
  const names = (): string[] => readdirSync(FOLDER).sort();

  it('is written as text or as tables, with links', async () => {
    const input = await tree('call_tree_shop_20260102_030405.txt');
    const { path: text } = await convertRecording(input, FOLDER, { format: 'call-tree' });
    equal(text, join(FOLDER, 'call_tree_shop_20260102_030405.txt'));
    deepEqual(readFileSync(text), fixture);
    equal(readlinkSync(join(FOLDER, 'call_tree.txt')), 'call_tree_shop_20260102_030405.txt');
    await convertRecording(await tree('call_tree_shop_20260102_030406.txt'), FOLDER, { version: '24.1' });
    const tables = ['invokes', 'methods', 'targets'];
    deepEqual(
      names(),
      [
        'call_tree.txt',
        'call_tree_shop_20260102_030405.txt',
        ...tables.flatMap((table) => [`call_tree_${table}.csv`, `call_tree_${table}_shop_20260102_030406.csv`]),
      ].sort(),
    );
    await convertRecording(await tree('call_tree_shop_20260102_030407.txt'), FOLDER);
    equal(readlinkSync(join(FOLDER, 'call_tree.txt')), 'call_tree_shop_20260102_030407.txt');
  });

  it('as tables has the names of its tables, also if one of these is named as output', async () => {
    const input = await tree('call_tree_shop_20260102_030405.txt');
    const newer = ['invokes', 'methods', 'targets'].map((table) => `call_tree_${table}_hello_20260102_030409.csv`);
    const older = [
      'vm',
      'methods',
      'virtual_methods',
      'entry_points',
      'direct_edges',
      'virtual_edges',
      'override_by_edges',
    ];
    for (const [version, files] of [
      ['24.1', newer],
      ['21.3', older.map((table) => `call_tree_${table}_hello_20260102_030409.csv`)],
    ] as const)
      for (const output of ['call_tree_hello_20260102_030409.csv', ...files]) {
        await convertRecording(input, join(FOLDER, output), { version });
        deepEqual(
          names().filter((name) => name.includes('hello')),
          [...files].sort(),
          output,
        );
        for (const name of files) rmSync(join(FOLDER, name));
      }
  });

  it('of objects likewise; a file with the name of the link stays', async () => {
    const objects = readFileSync(join(ROOT, 'examples/points-to/object_tree_shop.txt'));
    const input = await objectTree.read(memorySource('object_tree_shop_20260102_030405.txt', objects));
    writeFileSync(join(FOLDER, 'object_tree.txt'), 'mine');
    const { path: text } = await convertRecording(input, FOLDER);
    deepEqual(readFileSync(text), objects);
    deepEqual([lstatSync(join(FOLDER, 'object_tree.txt')).isSymbolicLink(), existsSync(text)], [false, true]);
    match(text, /object_tree_shop_20260102_030405\.txt$/);
  });

  it('a link that leads nowhere is replaced; a folder for other formats is an error', async () => {
    rmSync(join(FOLDER, 'call_tree.txt'), { force: true });
    symlinkSync('nowhere.txt', join(FOLDER, 'call_tree.txt'));
    await convertRecording(await tree('call_tree_shop_20260102_030408.txt'), FOLDER);
    equal(readlinkSync(join(FOLDER, 'call_tree.txt')), 'call_tree_shop_20260102_030408.txt');
    await rejects(convertRecording(await tree('x.txt'), FOLDER, { format: 'graphml' }), /is a directory/);
  });
});
