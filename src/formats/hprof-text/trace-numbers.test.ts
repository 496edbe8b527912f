/** Numbers that the file itself has, in what commands show: those of traces, and the objects of threads. */
import { deepEqual, equal } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { runCommand } from '../../cli/testing/run-command.js';
import { ROOT } from '../../testing/shared-data.js';

const FILE = join(ROOT, 'examples/hprof/cpu-samples.txt');
const TEXT = readFileSync(FILE, 'latin1');

async function rowsOf(...words: string[]): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const { status, stdout, stderr } = await runCommand([...words, '--limit', '0', '--no-cache', '--json']);
  equal(status, 0, stderr);
  return JSON.parse(stdout).rows;
}

/** Count and trace of each row of CPU SAMPLES, as printed. */
const SAMPLES = [...TEXT.matchAll(/^ *\d+ +[\d.]+% +[\d.]+% +(\d+) (\d+) /gm)].map(([, count, trace]) => [
  Number(count),
  Number(trace),
]);

test('events have the number of their trace, by which filters find them', async () => {
  deepEqual(
    (await rowsOf('events', FILE, 'sample')).map(({ count, trace }) => [count, trace]),
    SAMPLES,
  );
  const [count, trace] = SAMPLES[1] ?? [];
  const events = await rowsOf('events', FILE, 'sample', '--filter', `trace = ${trace}`);
  deepEqual(
    events.map((row) => row.count),
    [count],
  );
  const greater = SAMPLES.filter(([, other = 0]) => other > (trace ?? 0));
  equal((await rowsOf('events', FILE, 'sample', '--filter', `trace > ${trace}`)).length, greater.length);
  const frames = new RegExp(`^TRACE ${trace}:\\n\\t([^(]*)`, 'm').exec(TEXT)?.[1];
  const functions = await rowsOf('functions', FILE, '--filter', `trace = ${trace}`);
  deepEqual(
    functions.filter(({ self }) => self === count).map((row) => row.function),
    [frames],
  );
  const groups = await rowsOf('events', FILE, 'sample', '--group-by', 'trace');
  deepEqual(new Set(groups.map((row) => row.trace)), new Set(SAMPLES.map(([, each]) => each)));
});

test('threads have the ids of their objects', async () => {
  const threads = [...TEXT.matchAll(/^THREAD START \(obj=([0-9a-f]+), id = (\d+)/gm)];
  deepEqual(
    (await rowsOf('threads', FILE)).map(({ id, object }) => `${id} ${object}`).sort(),
    threads.map(([, object, id]) => `${id} ${object}`).sort(),
  );
});
