/** Sites of made-up tables: one dump at a time, shares, values below the cutoff; and those of a real file. */
import { deepStrictEqual, equal, ok, rejects } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { memorySource } from '../../bytes/byte-source.js';
import { fileSource } from '../../bytes/file.node.js';
import { noteTexts } from '../../cli/render/spelling.js';
import { SITE_EVENTS } from '../../models/events/site.js';
import { rootOf, StackBuilder } from '../../models/profile/stack-builder.js';
import { TRACES } from '../../models/profile/tables.js';
import { ProgramBuilder } from '../../models/program/program-builder.js';
import type { ScopeStep } from '../../models/scope.js';
import { ask, openSession, type Session, sessionOf } from '../../session/session.js';
import { drawnRecording } from '../../testing/recordings.js';
import { ROOT } from '../../testing/shared-data.js';

const ALL = { limit: 0 };

/** Main.main calls A.a, which calls B.b … F.f; trace 300001 is A.a, 300002 the whole of it, cut. */
function drawn(): Session {
  const program = new ProgramBuilder();
  const stacks = new StackBuilder();
  const frame = (name: string) =>
    program.location(program.function(program.class(program.name(name)), program.name('run')));
  const short = stacks.add(stacks.add(rootOf('whole'), frame('Main')), frame('A'));
  let deep = rootOf('cut');
  for (const name of ['A', 'B', 'C', 'D', 'E', 'F']) deep = stacks.add(deep, frame(name));
  const traces = TRACES.builder();
  traces.add({ serial: 300002, stack: deep });
  traces.add({ serial: 300001, stack: short });
  const [text, bytes] = ['java.lang.String', 'byte[]'].map((name) => program.class(program.name(name)));
  const sites = SITE_EVENTS.having(['trace']).builder();
  for (const [stack, trace, type, dump, live, objects, allocated, all] of [
    [short, 1, text, 0, 1000, 10, 1000, 10],
    [short, 1, text, 1, 300, 3, 2000, 20],
    [deep, 0, bytes, 1, 500, 1, 900, 9],
    [-1, -1, -1, 1, 200, 0, 0, 0],
  ])
    sites.add({
      stack,
      trace,
      class: type,
      dump,
      live_bytes: live,
      live_objects: objects,
      allocated_bytes: allocated,
      allocated_objects: all,
    });
  const profile = { stacks: stacks.finish(), events: [sites.finish()], metrics: [], traces: traces.finish() };
  return sessionOf([drawnRecording({ program: program.finish(), profile })]);
}

describe('sites', () => {
  test('of the last dump, with the values below the cutoff', async () => {
    const result = await ask(drawn(), { view: 'sites', page: ALL });
    deepStrictEqual(
      result.rows.map((row) => [row.class, row.trace, row.live_bytes, row.share, row.accum, row.allocated_objects]),
      [
        ['byte[]', 300002, 500, 0.5, 0.5, 9],
        ['java.lang.String', 300001, 300, 0.3, 0.8, 20],
        ['<Below cutoff>', null, 200, 0.2, 1, null],
      ],
    );
    deepStrictEqual(
      result.rows[0]?.frames.map((frame) => frame.slice(0, 5)),
      ['F.run', 'E.run', 'D.run', 'C.run'],
    );
    deepStrictEqual(
      [result.dump, result.dumps, result.live_bytes, result.rows.reduce((sum, row) => sum + (row.live_bytes ?? 0), 0)],
      [2, 2, 1000, 1000],
    );
    ok(noteTexts(result.notes).some((note) => /no collection was forced/.test(note)));
    ok(noteTexts(result.notes).some((note) => /^1 of 2 stacks is truncated at the depth limit/.test(note)));
  });

  test('of an earlier dump, and of a missing one', async () => {
    const one = await ask(drawn(), { view: 'sites', scope: [{ kind: 'dump', number: 1 }] });
    deepStrictEqual(
      one.rows.map((row) => [row.class, row.live_bytes, row.share]),
      [['java.lang.String', 1000, 1]],
    );
    await rejects(ask(drawn(), { view: 'sites', scope: [{ kind: 'dump', number: 3 }] }), /no dump 3/);
  });

  test('within a scope: of the same dump, with the same trace', async () => {
    const inside = await ask(drawn(), { view: 'sites', scope: [{ kind: 'focus', pattern: '^Main' }] });
    deepStrictEqual(
      inside.rows.map((row) => [row.class, row.trace, row.live_bytes, row.share]),
      [['java.lang.String', 300001, 300, 1]],
    );
    const without = await ask(drawn(), { view: 'sites', scope: [{ kind: 'focus', pattern: '^F' }] });
    deepStrictEqual(
      without.rows.map((row) => [row.trace, without.dump]),
      [[300002, 2]],
    );
  });

  test('sort by every column with one value', async () => {
    const { columns } = await ask(drawn(), { view: 'sites' });
    for (const { key, unit } of columns)
      if (unit !== 'list') equal((await ask(drawn(), { view: 'sites', page: { sort: key } })).rows.length, 3);
    const { rows } = await ask(drawn(), { view: 'sites', page: { sort: 'allocated_bytes' } });
    deepStrictEqual(
      rows.map((row) => row.allocated_bytes),
      [2000, 900, null],
    );
  });

  test('of a real file: as printed in its SITES section', async () => {
    const path = join(ROOT, 'examples', 'hprof', 'alloc-sites.txt');
    const session = await openSession([await fileSource(path)]);
    const { rows, live_bytes: total } = await ask(session, { view: 'sites', page: ALL });
    const section = readFileSync(path, 'latin1').split(/^SITES (?:BEGIN.*|END)$/m)[1] ?? '';
    const expectedSites = [
      ...section.matchAll(/^ *\d+ +([\d.]+)% +[\d.]+% +(\d+) +(\d+) +(\d+) +(\d+) +(\d+) (\S+)$/gm),
    ];
    ok(expectedSites.length > 10);
    const tracedRows = rows.filter((row) => row.trace !== null);
    const key = (cells: readonly (string | number | null | undefined)[]) => cells.join(' ');
    deepStrictEqual(
      new Set(
        tracedRows.map((row) =>
          key([row.live_bytes, row.live_objects, row.allocated_bytes, row.allocated_objects, row.trace, row.class]),
        ),
      ),
      new Set(expectedSites.map((cells) => key(cells.slice(2, 8)))),
    );
    for (const cells of expectedSites)
      ok(Math.abs((100 * Number(cells[2])) / Number(total) - Number(cells[1])) < 0.006, cells[0]);
  });
});

test('a scope keeps only levels of the last dump: objects freed before are not shown', async () => {
  const dump = (bytes: number, trace: number): string =>
    `SITES BEGIN (ordered by live bytes) Sat Nov 21 01:42:25 2026\n    1 100.00% 100.00% ${bytes} 1 ${bytes} 1 ${trace} char[]\nSITES END\n`;
  const traces = 'TRACE 300001:\n\tA.old(A.java:1)\nTRACE 300002:\n\tB.now(B.java:1)\n';
  const file = memorySource('f', new TextEncoder().encode(traces + dump(1000, 300001) + dump(500, 300002)));
  const session = await openSession([file], { work: {} });
  const sumOf = async (scope: readonly ScopeStep[]) =>
    (await ask(session, { view: 'functions', options: { metric: 'live-bytes' }, scope })).metric.sum;
  equal(await sumOf([]), 500);
  equal(await sumOf([{ kind: 'focus', pattern: 'old' }]), 0);
  equal(await sumOf([{ kind: 'focus', pattern: 'now' }]), 500);
  equal(
    await sumOf([
      { kind: 'dump', number: 1 },
      { kind: 'focus', pattern: 'old' },
    ]),
    1000,
  );
  equal(
    await sumOf([
      { kind: 'focus', pattern: 'old' },
      { kind: 'dump', number: 1 },
    ]),
    1000,
  );
});
