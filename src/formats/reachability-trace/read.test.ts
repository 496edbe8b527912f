/** Reachability traces: rows against a second reading, genuine files, damage. */
import { deepEqual, equal, rejects } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { stringAt } from '../../base/text.js';
import { memorySource } from '../../bytes/byte-source.js';
import type { Recording } from '../../models/recording.js';
import { ROOT } from '../../testing/shared-data.js';
import { readTrace } from './read.js';
import { plainTrace, rowsOf } from './testing/trace-oracle.js';

const FIXTURES = join(ROOT, 'src/formats/reachability-trace/testing/fixtures');
const DATA = process.env.KANSOKU_DATA && join(process.env.KANSOKU_DATA, 'points-to');

const read = (bytes: Uint8Array | string, name = 'trace'): Promise<Recording> =>
  readTrace(memorySource(name, typeof bytes === 'string' ? Buffer.from(bytes) : bytes));
const fixture = (name: string): Buffer => readFileSync(join(FIXTURES, name));

describe('a trace', () => {
  for (const name of ['types.txt', 'methods-crlf.txt', 'documented.txt', 'question-marks.txt'])
    it(`${name} has the rows of a second reading`, async () => {
      const { problems, complete, ...recording } = await read(fixture(name));
      deepEqual([problems.list, complete], [[], true]);
      const wanted = plainTrace(fixture(name));
      deepEqual([rowsOf({ ...recording, problems, complete }), wanted.faulty], [wanted.rows, false]);
    });

  it('has what was asked for, reasons with names and places, and rows that stand elsewhere', async () => {
    const { program, reasons, sections } = await read(fixture('types.txt'));
    deepEqual(sections, [
      { name: 'types', entries: 2 },
      { name: 'reasons', entries: 19 },
    ]);
    const text = (id = -1) => (id < 0 ? null : stringAt(program.names, id));
    const row = (i: number) => [
      reasons?.parent[i],
      text(reasons?.name[i]),
      text(reasons?.how[i]),
      text(reasons?.place[i]),
    ];
    deepEqual(row(1), [0, 'demo.Main.open', 'implementation invoked', 'Main.java:12']);
    deepEqual(row(4), [3, 'demo.Pool.take(int, java.lang.String)', 'inlined', null]);
    deepEqual(row(7), [6, 'reading static field demo.Pool.all', null, 'at demo.Pool.get(Pool.java:3)']);
    deepEqual(row(20), [19, 'manually triggered rescan', null, null]);
    // `demo.Start.run` is explained in row 3, and named again in rows 5 and 15.
    deepEqual([reasons?.expandedAt[5], reasons?.expandedAt[15], reasons?.expandedAt[3]], [3, 3, -1]);
  });
});

describe('damage', () => {
  const text = fixture('types.txt').toString();
  const codes = async (damaged: string): Promise<string[]> =>
    (await read(damaged)).problems.list.map(({ code, offset }) => `${code} ${offset}`);
  const offsetOf = (line: string, of = text): number =>
    Buffer.byteLength(of.slice(0, of.lastIndexOf('\n', of.indexOf(line)) + 1));

  it('is reported where it shows', async () => {
    const cut = text.slice(0, text.indexOf('        └── type demo.Main'));
    deepEqual(await codes(cut), ['trace-missing undefined']);
    const moved = text.replace('    at static method demo.Pool.get()', '   at static method demo.Pool.get()');
    deepEqual((await codes(moved))[0], `trace-tree ${offsetOf('at static method demo.Pool.get()', moved)}`);
    deepEqual(await codes(text.slice(0, -3)), [`trace-cut ${offsetOf('manually')}`]);
    const wrongBar = text.replace('│               reading', '                reading');
    deepEqual((await codes(wrongBar))[0], `trace-tree ${offsetOf('reading static', wrongBar)}`);
  });

  it('text without a heading is refused', async () => {
    await rejects(read('    at static method a.B.c(), inlined\n'), /expected a line that says what is reachable/);
  });
});

it('genuine traces have the rows of a second reading', async (t) => {
  if (DATA === undefined) return t.skip('set KANSOKU_DATA to the folder of the test data');
  const hello = (what: string): string => `genuine/hello-25.0.2/trace/trace_${what}_hello_20261121_095122.txt`;
  for (const [path, asked] of [
    [hello('types'), 'types'],
    [hello('methods'), 'methods'],
    [hello('fields'), 'fields'],
    ['trace_types-docs.sample.txt', 'types'],
  ] as const) {
    const bytes: Uint8Array = readFileSync(join(DATA, path));
    const recording = await read(bytes, path);
    deepEqual([recording.problems.list, recording.sections[0]], [[], { name: asked, entries: 1 }], path);
    deepEqual(rowsOf(recording), plainTrace(bytes).rows, path);
    const lines = Buffer.from(bytes).toString().split('\n').length - 1;
    const places =
      Buffer.from(bytes)
        .toString()
        .match(/ embedded in$|reading static field/gm)?.length ?? 0;
    equal(recording.reasons?.length, lines - places, path);
  }
});
