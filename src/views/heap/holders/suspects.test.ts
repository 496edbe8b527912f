/** Suspects of programs that say what they leak: tables of virtual machines, collectors and layouts; a healthy program has none. */
import { deepStrictEqual, equal, match, ok } from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { commandLineText } from '../../../cli/render/spelling.js';
import { summaryPage } from '../../../cli/render/summary.js';
import { jdkHomes, jdkTool } from '../../../code/java/testing/jdks.js';
import { openInputs } from '../../../session/open.node.js';
import { ask } from '../../../session/session.js';
import { inFullTier } from '../../../testing/amount.js';
import { ROOT } from '../../../testing/shared-data.js';

const LEAKS = ['list', 'sessions', 'shared', 'local', 'listeners', 'loaders', 'queue', 'chain', 'oom'] as const;

/** Collectors and layouts, which take turns from leak to leak and from JDK to JDK. */
const MACHINES = [
  ['-XX:+UseG1GC'],
  ['-XX:+UseSerialGC', '-XX:-UseCompressedOops'],
  ['-XX:+UseZGC'],
  ['-XX:+UseParallelGC'],
  ['-XX:+UseG1GC', '-XX:-UseCompressedOops'],
  ['-XX:+UseSerialGC'],
];

/** A compiled program, the JDKs, and a folder for dumps. */
function compiled(t: TestContext): { readonly folder: string; readonly homes: readonly string[] } {
  const folder = mkdtempSync(join(tmpdir(), 'kansoku-leaks-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const homes = jdkHomes(t);
  const source = join(ROOT, 'src/views/heap/holders/testing/Leaks.java');
  if (homes.length > 0) jdkTool(homes[0], 'javac', ['--release', '17', '-d', folder, source]);
  return { folder, homes };
}

/** What the program prints, and what is asked of its dump. */
async function run(folder: string, home: string, machine: readonly string[], leak: string) {
  const file = join(folder, 'dump.hprof');
  rmSync(file, { force: true });
  // The runner of tests chooses Serial for all virtual machines.
  const options = [
    '-Xmx96m',
    '-XX:-UseSerialGC',
    ...machine,
    '-XX:+HeapDumpOnOutOfMemoryError',
    `-XX:HeapDumpPath=${file}`,
  ];
  const lines = jdkTool(home, 'java', [...options, '-cp', folder, 'Leaks', leak, file]).split('\n');
  const session = await openInputs([file], { cache: false, announce: () => undefined, work: {} });
  const suspects = await ask(session, { view: 'heap-suspects' });
  const summary = await ask(session, { view: 'summary' });
  await session.close();
  return { lines, suspects, summary };
}

test('leaks are found with class, number, bytes and holder, as the programs say', async (t) => {
  if (!inFullTier(t, 'views/heap/holders')) return;
  const { folder, homes } = compiled(t);
  for (const [j, home] of homes.entries())
    for (const [i, leak] of LEAKS.entries()) {
      const machine = MACHINES[(i + j) % MACHINES.length];
      const { lines, suspects, summary } = await run(folder, home, machine, leak);
      const about = `${leak} ${machine.join(' ')} ${home}`;
      const suspectCells = lines.find((line) => line.startsWith('suspect'))?.split('\t') ?? [];
      const [, name, count, bytes, path = '', collection = ''] = suspectCells;
      equal(suspects.rows.length, 1, about);
      const [row] = suspects.rows;
      equal(row.name, name, about);
      // A dead local of a frame may hold one of them, too; an array that could not be added any more is garbage or held by the frame.
      ok(Math.abs(row.objects - Number(count)) <= 2, `${row.objects} of ${count}: ${about}`);
      ok(
        (row.retained ?? 0) >= Number(bytes) * 0.99 && (row.retained ?? 0) < Number(bytes) * 1.4,
        `${row.retained}: ${about}`,
      );
      ok(row.share > 0.5, about);
      ok(path.split('|').includes((row.held ?? '').replace(/\[\d+\]/, '[#]')), `${row.held}: ${about}`);
      ok(collection.split('|').includes(row.collection), `${row.collection}: ${about}`);
      deepStrictEqual(
        suspects.out_of_memory.map(({ thread, stack }) => [thread, stack[0]?.replace(/\(.*/, '')]),
        leak === 'oom' ? [['filler-7', 'Leaks.fill']] : [],
        about,
      );
      deepStrictEqual(
        summary.heap?.out_of_memory,
        suspects.out_of_memory.map(({ stack }) => ({ stack })),
        about,
      );
      if (leak === 'oom')
        match(commandLineText(suspects.headlines[0] ?? ''), /^Thread filler-7 threw OutOfMemoryError at Leaks\.fill/);
    }
});

test('an example: what filled the heap, and the thread that threw the error', async (t) => {
  const session = await openInputs([join(ROOT, 'examples/heap/out-of-memory.hprof.gz')], {
    cache: false,
    announce: () => undefined,
    work: {},
  });
  t.after(() => session.close());
  const { rows, headlines } = await ask(session, { view: 'heap-suspects' });
  // The program printed: 318 arrays of 30,000 bytes in Leaks.LIST.
  deepStrictEqual(
    rows.map(({ objects, name, held, collection }) => [objects, name, held, collection]),
    [[318, 'byte[]', 'Leaks.LIST', 'java.util.ArrayList']],
  );
  // With the array of the list, which has grown to 366 elements.
  equal(rows[0]?.retained, 318 * 30_016 + 16 + 366 * 4);
  match(commandLineText(headlines[0] ?? ''), /^Thread filler-7 threw OutOfMemoryError at Leaks\.fill\(/);
  match(
    summaryPage(await ask(session, { view: 'summary' })),
    /OutOfMemoryError was thrown here; `heap suspects` names the thread:\n {2}Leaks\.fill\(/,
  );
});

test('a healthy program has no suspect', async (t) => {
  if (!inFullTier(t, 'views/heap/holders')) return;
  const { folder, homes } = compiled(t);
  for (const [j, home] of homes.entries()) {
    const { suspects } = await run(folder, home, MACHINES[j], 'healthy');
    equal(suspects.rows.length, 0, home);
    deepStrictEqual(suspects.notes.map(({ code }) => code).includes('no-suspects'), true);
  }
});
