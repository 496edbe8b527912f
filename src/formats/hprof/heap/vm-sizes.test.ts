/** Sizes of objects as the virtual machine itself has them: a dump and a class histogram of one process. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { jdkHomes, jdkTool } from '../../../code/java/testing/jdks.js';
import { openInputs } from '../../../session/open.node.js';
import { ask } from '../../../session/session.js';
import { amount } from '../../../testing/amount.js';
import { ROOT } from '../../../testing/shared-data.js';

const PROGRAM = join(ROOT, 'src/formats/hprof/testing/programs/Shapes.java');

/** Major version, options, and the layout: header, reference, alignment. */
type Machine = readonly [number, readonly string[], readonly [number, number, number]];
const COMPACT = '-XX:+UseCompactObjectHeaders';
const MACHINES: readonly Machine[] = [
  [17, [], [12, 4, 8]],
  [25, [COMPACT], [8, 4, 8]],
  [17, ['-XX:-UseCompressedOops'], [12, 8, 8]],
  [17, ['-XX:-UseCompressedOops', '-XX:-UseCompressedClassPointers'], [16, 8, 8]],
  [17, ['-XX:ObjectAlignmentInBytes=16'], [12, 4, 16]],
  [25, [], [12, 4, 8]],
  [25, ['-XX:-UseCompressedOops'], [12, 8, 8]],
  [25, [COMPACT, '-XX:-UseCompressedOops'], [8, 8, 8]],
  [25, ['-XX:ObjectAlignmentInBytes=16'], [12, 4, 16]],
];

function homeOf(t: TestContext, version: number): string | undefined {
  const homes = jdkHomes(t);
  const isThis = (home: string): boolean =>
    readFileSync(join(home, 'release'), 'utf8').includes(`JAVA_VERSION="${version}`);
  const home = homes.find(isThis);
  if (home === undefined && homes.length > 0) t.skip(`JDK ${version} is not installed`);
  return home;
}

/** Runs the program and lets its VM write both files into `folder`. */
async function record(home: string, options: readonly string[], folder: string): Promise<void> {
  // Else the collector leaves what is not worth moving, as arrays that differ between the two files.
  const usual = ['-Xmx64m', '-XX:+UseSerialGC', '-XX:MarkSweepAlwaysCompactCount=1', '-XX:TieredStopAtLevel=1'];
  const words = [...usual, ...options, '-cp', folder, 'Shapes'];
  const program = spawn(join(home, 'bin/java'), words, { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(program, 'exit');
  try {
    const ready = Promise.race([once(program.stdout, 'data'), ended]);
    equal(String((await ready)[0]).trim(), 'ready');
    const commands = join(folder, 'commands');
    writeFileSync(commands, `GC.heap_dump ${join(folder, 'x.hprof')}\nGC.class_histogram\n`);
    const done = spawnSync(join(home, 'bin/jcmd'), [`${program.pid}`, '-f', commands], { encoding: 'utf8' });
    equal(done.status, 0, done.stderr);
    writeFileSync(join(folder, 'x.txt'), done.stdout.slice(done.stdout.indexOf(' num ')));
  } finally {
    program.stdin.end();
    await ended;
  }
}

type Row = { readonly class: string; readonly objects: number; readonly bytes: number };

async function histogramOf(path: string): Promise<{ rows: Map<string, Row>; layout: unknown }> {
  const session = await openInputs([path], { cache: false, announce: () => undefined, work: {} });
  const { rows } = await ask(session, { view: 'heap-histogram', page: { limit: 0 } });
  const layout = session.recordings[0].heaps?.[0]?.sizes.layout;
  await session.close();
  return { rows: new Map(rows.map((row) => [row.class, { ...row, bytes: row.bytes ?? NaN }])), layout };
}

/** Gaps in the heap, which dumps have as arrays of integers: both together. */
const FILLERS = ['int[]', 'jdk.internal.vm.FillerElement[]'];

/** Classes whose objects have another size than in the VM; where the count differs, the mean size is compared. */
function differences(vm: ReadonlyMap<string, Row>, dump: ReadonlyMap<string, Row>): string[] {
  const found: string[] = [];
  for (const { class: name, objects, bytes } of vm.values()) {
    const ours = dump.get(name);
    if (FILLERS.includes(name)) continue;
    const isSame = objects === ours?.objects || name.endsWith('[]') ? ours?.bytes === bytes : false;
    if (isSame || (ours !== undefined && ours.bytes / ours.objects === bytes / objects)) continue;
    found.push(`${name}: ${objects} objects, ${bytes} bytes; ours ${ours?.objects}, ${ours?.bytes}`);
  }
  return found;
}

function fillers(rows: ReadonlyMap<string, Row>): number[] {
  const all = FILLERS.flatMap((name) => rows.get(name) ?? []);
  return [all.reduce((sum, { objects }) => sum + objects, 0), all.reduce((sum, { bytes }) => sum + bytes, 0)];
}

/** The VM puts fields of subclasses behind the padding of `Thread`, which is in no dump. */
const THREADS = /^(java\.lang\.ref\.Finalizer\$FinalizerThread|jdk\.internal\.misc\.InnocuousThread): /;

describe('sizes are those of the virtual machine', () => {
  for (const [version, options, [header, reference, alignment]] of amount(MACHINES, MACHINES.slice(0, 2)))
    test(`JDK ${[version, ...options].join(' ')}`, async (t) => {
      const home = homeOf(t, version);
      if (home === undefined) return;
      const folder = mkdtempSync(join(tmpdir(), 'kansoku-'));
      try {
        jdkTool(home, 'javac', ['-d', folder, PROGRAM]);
        await record(home, options, folder);
        const [vm, dump] = [await histogramOf(join(folder, 'x.txt')), await histogramOf(join(folder, 'x.hprof'))];
        ok(vm.rows.size > 250 && vm.rows.get('Shapes$Mixed')?.objects === 40, `${vm.rows.size} classes`);
        const found = differences(vm.rows, dump.rows).filter((line) => !THREADS.test(line));
        // Dumps of newer machines lack classes of the archive that are not loaded yet.
        const classes = version > 17 ? found.filter((line) => !line.startsWith('java.lang.Class: ')) : found;
        deepEqual(classes, []);
        deepEqual(fillers(dump.rows), fillers(vm.rows));
        const { layout } = dump;
        ok(typeof layout === 'object' && layout !== null);
        deepEqual({ ...layout, header, reference, alignment, from: 'gaps' }, layout);
      } finally {
        rmSync(folder, { recursive: true });
      }
    });
});
