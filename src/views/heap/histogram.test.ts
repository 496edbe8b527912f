/** Histograms of drawn heaps and of real class histograms: sums, moments, filters. */
import { deepStrictEqual, equal, ok, rejects } from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { MissingError, UsageError } from '../../base/errors.js';
import { memorySource } from '../../bytes/byte-source.js';
import { commandLineText, noteTexts } from '../../cli/render/spelling.js';
import { readClassHistogram } from '../../formats/class-histogram/read.js';
import { ProgramBuilder } from '../../models/program/program-builder.js';
import { ask, sessionOf } from '../../session/session.js';
import { heapPicture } from '../../testing/pictures/heap-picture.js';
import { picture } from '../../testing/pictures/picture.js';
import { drawnRecording } from '../../testing/recordings.js';
import { ROOT, sharedData } from '../../testing/shared-data.js';

const FIXTURES = join(ROOT, 'src', 'formats', 'class-histogram', 'fixtures');
const ALL = { limit: 0 };

async function fixture(name: string) {
  return sessionOf([await readClassHistogram(memorySource(name, readFileSync(join(FIXTURES, name))))]);
}

function heaps() {
  const program = new ProgramBuilder();
  const first = heapPicture(program, 'instance app.Node 24');
  const second = heapPicture(
    program,
    `instance         app.Node   24
     instance         app.Node   32
     primitive-array  byte[]   1016  1000
     primitive-array  byte[]     16  0
     object-array     app.Node[] 40  4
     class            app.Node  112
     class            byte[]     96
     instance         -           8`,
    1,
  );
  return sessionOf([drawnRecording({ program: program.finish(), heaps: [first, second] })]);
}

describe('histogram of heaps', () => {
  test('elements are blank if the file does not have the length of an array', async () => {
    const program = new ProgramBuilder();
    const heap = heapPicture(
      program,
      `primitive-array  byte[]  1000016  0
       primitive-array  byte[]     1016  1000
       primitive-array  int[]        16  0
       primitive-array  int[]        24  2`,
    );
    const session = sessionOf([drawnRecording({ program: program.finish(), heaps: [heap] })]);
    const { rows } = await ask(session, { view: 'heap-histogram' });
    deepStrictEqual(
      rows.map((row) => [row.class, row.bytes ?? NaN, row.elements]),
      [
        ['byte[]', 1001032, null],
        ['int[]', 40, 2],
      ],
    );
  });

  test('objects, bytes and elements by class; class objects listed separately', async () => {
    const result = await ask(heaps(), { view: 'heap-histogram', page: ALL });
    deepStrictEqual(
      result.rows.map((row) => [row.class, row.objects, row.bytes, row.elements]),
      [
        ['byte[]', 2, 1032, 1000],
        ['<objects of classes>', 2, 208, null],
        ['app.Node', 2, 56, null],
        ['app.Node[]', 1, 40, 4],
        ['<unknown>', 1, 8, null],
      ],
    );
    deepStrictEqual([result.objects, result.bytes, result.dump, result.dumps], [8, 1344, 2, 2]);
    equal(result.rows.at(-1)?.accum, 1);
    ok(noteTexts(result.notes).some((note) => /Dump 2 of 2, the last/.test(note)));
  });

  test('objects and bytes by package; the filter chooses classes', async () => {
    const packages = async (options: { class?: string }) => {
      const { rows, columns } = await ask(heaps(), { view: 'heap-histogram', options: { by: 'package', ...options } });
      equal(columns.find(({ key }) => key === 'class')?.title, 'Package');
      return rows.map((row) => [row.class, row.objects, row.bytes]);
    };
    deepStrictEqual(await packages({}), [
      ['<primitive arrays>', 2, 1032],
      ['java.lang', 2, 208],
      ['app', 3, 96],
      ['<no package>', 1, 8],
    ]);
    deepStrictEqual(await packages({ class: 'Node$' }), [['app', 2, 56]]);
  });

  test('of one moment', async () => {
    const one = await ask(heaps(), { view: 'heap-histogram', scope: [{ kind: 'dump', number: 1 }] });
    deepStrictEqual(
      one.rows.map((row) => [row.class, row.objects, row.bytes, row.share]),
      [['app.Node', 1, 24, 1]],
    );
    await rejects(ask(heaps(), { view: 'heap-histogram', scope: [{ kind: 'dump', number: 3 }] }), /no dump 3/);
    const both = [1, 2].map((number) => ({ kind: 'dump', number }) as const);
    await rejects(ask(heaps(), { view: 'heap-histogram', scope: both }), UsageError);
  });

  test('of a recording with heaps and a profile without dumps', async () => {
    const { recordings } = heaps();
    const drawn = picture('Main.main');
    const session = sessionOf([{ ...recordings[0], profile: drawn.profile }]);
    const one = await ask(session, { view: 'heap-histogram', scope: [{ kind: 'dump', number: 1 }] });
    equal(one.objects, 1);
  });

  test('classes that match keep their share of the total', async () => {
    const result = await ask(heaps(), { view: 'heap-histogram', options: { class: '^app' } });
    deepStrictEqual(
      result.rows.map((row) => [row.class, row.share]),
      [
        ['app.Node', 56 / 1344],
        ['app.Node[]', 40 / 1344],
      ],
    );
    await rejects(ask(heaps(), { view: 'heap-histogram', options: { class: '(' } }), /not a regular expression/);
  });

  test('a recording without objects is an error', async () => {
    const session = sessionOf([drawnRecording(picture('Main.main'))]);
    await rejects(ask(session, { view: 'heap-histogram' }), MissingError);
  });
});

describe('class histograms', () => {
  for (const name of readdirSync(FIXTURES).filter((file) => file.endsWith('.txt'))) {
    test(`${name}: rows add up to the last total of the VM`, async () => {
      const result = await ask(await fixture(name), { view: 'heap-histogram', page: ALL });
      const total = [...readFileSync(join(FIXTURES, name), 'utf8').matchAll(/Total +(\d+) +(\d+)/g)].at(-1);
      const sum = (key: 'objects' | 'bytes' | 'share') => result.rows.reduce((all, row) => all + (row[key] ?? 0), 0);
      deepStrictEqual([sum('objects'), sum('bytes')], [Number(total?.[1]), Number(total?.[2])]);
      deepStrictEqual([result.objects, result.bytes], [sum('objects'), sum('bytes')]);
      ok(Math.abs(sum('share') - 1) < 1e-9);
    });
  }

  test('sort by every column', async () => {
    const session = await fixture('jdk17-before.txt');
    const { columns } = await ask(session, { view: 'heap-histogram' });
    deepStrictEqual(
      columns.map((column) => column.key),
      ['bytes', 'share', 'accum', 'objects', 'class', 'module'],
    );
    for (const { key } of columns) await ask(session, { view: 'heap-histogram', page: { ...ALL, sort: key } });
    const { rows } = await ask(session, { view: 'heap-histogram', page: { limit: 1, sort: 'objects' } });
    equal(rows[0]?.class, 'byte[]');
  });

  test('views of stacks name the command to use instead', async () => {
    const session = await fixture('jdk17-before.txt');
    for (const view of ['functions', 'tree'] as const)
      await rejects(
        ask(session, { view }),
        (error) => error instanceof MissingError && /heap histogram/.test(commandLineText(error.advice ?? '')),
      );
    await rejects(ask(session, { view: 'callers', options: { function: 'x' } }), MissingError);
    await rejects(ask(session, { view: 'functions', options: { metric: 'live-bytes' } }), MissingError);
    for (const view of ['monitors', 'sites', 'pgo-hot', 'pgo-branches', 'pgo-receivers'] as const)
      await rejects(ask(session, { view }), MissingError);
    await rejects(ask(session, { view: 'heap-histogram', scope: [{ kind: 'focus', pattern: 'x' }] }), /no stacks/);
  });

  test('a summary has the largest classes of the last moment', async () => {
    const { classes, metrics } = await ask(await fixture('jdk17-log.txt'), { view: 'summary' });
    deepStrictEqual(metrics, []);
    deepStrictEqual([classes?.dump, classes?.dumps, classes?.objects], [2, 2, 21645]);
    deepStrictEqual(
      classes?.largest.slice(0, 2).map((one) => one.class),
      ['byte[]', 'java.lang.String'],
    );
  });
});

test('a real heap dump in text: rows add up to the OBJ, ARR and CLS lines', async (t) => {
  const path = sharedData(t, 'hprof/agent/alloc-default.txt.gz');
  if (path === undefined) return;
  const { openInputs } = await import('../../session/open.node.js');
  const session = await openInputs([path], { cache: false, announce: () => undefined, work: {} });
  const { gunzipSync } = await import('node:zlib');
  const text = gunzipSync(readFileSync(path)).toString('latin1');
  const sizes = [...text.matchAll(/^(?:OBJ|ARR) [0-9a-f]+ \(sz=(\d+),/gm)].map(([, size]) => Number(size));
  const { rows } = await ask(session, { view: 'heap-histogram', page: ALL });
  const plain = rows.filter((row) => row.class !== '<objects of classes>');
  equal(
    plain.reduce((sum, row) => sum + row.objects, 0),
    sizes.length,
  );
  equal(
    plain.reduce((sum, row) => sum + (row.bytes ?? NaN), 0),
    sizes.reduce((sum, size) => sum + size, 0),
  );
});
