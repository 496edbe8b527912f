/** Lists of what an analysis reached. */
import { deepEqual, equal, rejects } from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { stringAt } from '../../base/text.js';
import { memorySource } from '../../bytes/byte-source.js';
import { faultsOf } from '../../models/callgraph/call-graph.js';
import { className, functionSignature } from '../../models/program/names.js';
import type { Recording } from '../../models/recording.js';
import { ROOT } from '../../testing/shared-data.js';
import { headOf } from '../capabilities/probe.js';
import { listKindOf } from './probe.js';
import { readReachedList } from './read.js';
import { plainList } from './testing/list-oracle.js';

const FIXTURES = join(ROOT, 'src/formats/reached-list/testing/fixtures');
const GENUINE = process.env.KANSOKU_DATA && join(process.env.KANSOKU_DATA, 'points-to/genuine');

const read = (bytes: Uint8Array | string, name = 'list'): Promise<Recording> =>
  readReachedList(memorySource(name, typeof bytes === 'string' ? Buffer.from(bytes) : bytes));
const fixture = (name: string): Uint8Array => readFileSync(join(FIXTURES, name));

describe('a list of methods', () => {
  it('has them as functions and as methods of a graph without calls, which is partial', async () => {
    const { program, callGraph, sections, problems } = await read(fixture('methods.txt'));
    deepEqual([sections, problems.list], [[{ name: 'methods', entries: 26 }], []]);
    const names = Array.from(program.functions.name, (_, id) => functionSignature(program, id)).sort();
    deepEqual(
      [names.length, names.includes('shop.Odd.a, b(int[][])'), names.includes('java.lang.String.größe()')],
      [26, true, true],
    );
    deepEqual(callGraph && faultsOf(callGraph, program.functions.length, program.classes.length), []);
    deepEqual([callGraph?.methods.length, callGraph?.sites.length, callGraph?.partial], [26, 0, true]);
    const loaders = new Set(
      Array.from(program.functions.class, (id) => stringAt(program.names, program.classes.module?.[id] ?? -1)),
    );
    deepEqual([...loaders].sort(), ['app', 'com.oracle.svm.hosted.NativeImageClassLoader', 'null', 'platform']);
  });

  it('with flags has roots as entries', async () => {
    const { callGraph, sections } = await read(fixture('methods-with-flags.txt'));
    const lines = Buffer.from(fixture('methods-with-flags.txt')).toString().split('\n');
    const roots = lines.filter((line) => /\t.*[rv]/.test(line)).length;
    deepEqual(sections, [
      { name: 'methods', entries: 26 },
      { name: 'entries', entries: roots },
    ]);
    equal(callGraph?.entries.length, roots);
  });
});

it('a list of classes has them as classes', async () => {
  const { program, sections } = await read(fixture('classes-crlf.txt'));
  deepEqual(sections, [{ name: 'classes', entries: 12 }]);
  const names = Array.from(program.classes.name, (_, id) => className(program, id));
  deepEqual(
    ['shop.Book$Page', 'java.lang.Integer[]', 'int[]'].filter((name) => !names.includes(name)),
    [],
  );
});

it('damaged lines are reported with their offset, and skipped', async () => {
  const text = Buffer.from(fixture('methods.txt')).toString();
  const at = text.indexOf('app:shop.Odd');
  const faults = async (list: string) =>
    (await read(list)).problems.list.map(({ code, offset }) => `${code} ${offset}`);
  deepEqual(await faults(text.replace('(int[][])', '[int[][])')), [`list-line ${at}`]);
  deepEqual(await faults(`${text}${text.split('\n', 1)[0]}\n`), [`list-line ${Buffer.byteLength(text)}`]);
  const last = Buffer.byteLength(text.slice(0, text.lastIndexOf('\n', text.length - 2) + 1));
  deepEqual(await faults(text.slice(0, -1)), [`list-cut ${last}`]);
  await rejects(read('\n\n'), /expected a name on each line/);
});

it('real lists have a name for each line', async (t) => {
  if (GENUINE === undefined) return t.skip('set KANSOKU_DATA to the folder of the test data');
  let lists = 0;
  for (const build of ['hello-25.0.2/txt', 'hello-25.0.2/csv', 'hello-23.0.6/txt'])
    for (const name of readdirSync(join(GENUINE, build)).filter((each) => /^(?:used_|reachable-)/.test(each))) {
      const raw: Buffer = readFileSync(join(GENUINE, build, name));
      const bytes: Uint8Array = name.endsWith('.gz') ? gunzipSync(raw) : raw;
      const { sections, problems, complete } = await read(bytes, name);
      const kind = listKindOf(headOf(name, bytes.subarray(0, 1 << 16), false))?.kind ?? {
        listed: 'fields',
        flags: true,
      };
      deepEqual([problems.list, complete], [[], true], name);
      equal(sections[0]?.entries, plainList(bytes, kind).names.size, name);
      equal(sections[0]?.entries, Buffer.from(bytes).toString('latin1').split('\n').length - 1, name);
      equal(
        sections[0]?.name,
        /types/.test(name) ? 'classes' : /(?:methods|classes|packages|fields)/.exec(name)?.[0],
        name,
      );
      lists++;
    }
  equal(lists, 12);
});
