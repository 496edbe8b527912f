/** Sizes of objects as the virtual machine itself has them: a dump and a class histogram of one process. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, type TestContext, test } from 'node:test';
import { jdkHomes, jdkTool } from '../../../code/java/testing/jdks.js';
import { openInputs } from '../../../session/open.node.js';
import { ask } from '../../../session/session.js';
import { amount } from '../../../testing/amount.js';
import { ROOT } from '../../../testing/shared-data.js';

const PROGRAMS = ['Shapes', 'StackShapes'].map((name) => join(ROOT, `src/formats/hprof/testing/programs/${name}.java`));

/** Major version, collector, options, and the layout: header, reference, elements of arrays of references, alignment. */
type Layout = readonly [number, number, number, number];
type Machine = readonly [number, Collector, readonly string[], Layout];
type Collector = 'Serial' | 'Parallel' | 'G1' | 'Z' | 'Shenandoah';

const COMPACT = '-XX:+UseCompactObjectHeaders';
const WIDE_REFERENCES = '-XX:-UseCompressedOops';
const WIDE_CLASSES = '-XX:-UseCompressedClassPointers';
const ALIGNED = '-XX:ObjectAlignmentInBytes=16';

/** Options, and the layout with them on JDK 17 and 25; undefined where the VM does not have them. */
const CHOICES: readonly (readonly [readonly string[], Layout | undefined, Layout])[] = [
  [[], [12, 4, 16, 8], [12, 4, 16, 8]],
  [[WIDE_REFERENCES], [12, 8, 16, 8], [12, 8, 16, 8]],
  [[WIDE_CLASSES], [16, 4, 24, 8], [16, 4, 20, 8]],
  [
    [WIDE_REFERENCES, WIDE_CLASSES],
    [16, 8, 24, 8],
    [16, 8, 24, 8],
  ],
  [[ALIGNED], [12, 4, 16, 16], [12, 4, 16, 16]],
  [
    [ALIGNED, WIDE_CLASSES],
    [16, 4, 24, 16],
    [16, 4, 20, 16],
  ],
  [[COMPACT], undefined, [8, 4, 12, 8]],
  [[COMPACT, WIDE_REFERENCES], undefined, [8, 8, 16, 8]],
  [[COMPACT, ALIGNED], undefined, [8, 4, 12, 16]],
];

/** Machines of a version and collector; ZGC has no compressed references. */
function machinesOf(version: number, collector: Collector): Machine[] {
  return CHOICES.flatMap(([options, layout17, layout25]): Machine[] => {
    const layout = version === 17 ? layout17 : layout25;
    if (layout === undefined) return [];
    if (collector !== 'Z') return [[version, collector, options, layout]];
    // What the option would choose is so in any case.
    return options.includes(WIDE_REFERENCES)
      ? [[version, collector, options.filter((option) => option !== WIDE_REFERENCES), layout]]
      : [];
  });
}

const COLLECTORS: readonly Collector[] = ['Serial', 'Parallel', 'G1', 'Shenandoah', 'Z'];
const MACHINES: readonly Machine[] = [17, 25].flatMap((version) =>
  COLLECTORS.flatMap((collector) => machinesOf(version, collector)),
);
/** One of each version, with layouts that differ most. */
const FEW: readonly Machine[] = MACHINES.filter(
  ([version, collector, options]) =>
    collector === 'Serial' && options.length === 1 && options[0] === (version === 17 ? WIDE_CLASSES : COMPACT),
);

function homeOf(t: TestContext, version: number): string | undefined {
  const homes = jdkHomes(t);
  const isThis = (home: string): boolean =>
    readFileSync(join(home, 'release'), 'utf8').includes(`JAVA_VERSION="${version}`);
  const home = homes.find(isThis);
  if (home === undefined && homes.length > 0) t.skip(`JDK ${version} is not installed`);
  return home;
}

/** By major version: folders of classes. */
const COMPILED = new Map<number, string>();
after(() => {
  for (const folder of COMPILED.values()) rmSync(folder, { recursive: true });
});

/** The program for a version, compiled once: newer JDKs have virtual threads, whose stacks have sizes of their own. */
function programOf(home: string, version: number): { readonly classes: string; readonly program: string } {
  const classes = COMPILED.get(version) ?? mkdtempSync(join(tmpdir(), 'kansoku-'));
  const isNew = version > 17;
  if (!COMPILED.has(version)) jdkTool(home, 'javac', ['-d', classes, ...PROGRAMS.slice(0, isNew ? 2 : 1)]);
  COMPILED.set(version, classes);
  return { classes, program: isNew ? 'StackShapes' : 'Shapes' };
}

/** Runs the program and lets its VM write both files into `folder`. */
async function record(home: string, [version, collector, options]: Machine, folder: string): Promise<void> {
  const { classes, program } = programOf(home, version);
  // Else the collector leaves what is not worth moving, as arrays that differ between the two files.
  const usual = [
    ...['-Xmx128m', `-XX:+Use${collector}GC`, '-XX:MarkSweepAlwaysCompactCount=1', '-XX:TieredStopAtLevel=1'],
    // For compact headers in early versions, and for wide class pointers in late ones.
    ...['-XX:+UnlockExperimentalVMOptions', '-XX:+UnlockDiagnosticVMOptions'],
    // Warnings that an option is old, or that the archive does not fit, come before what the program prints.
    '-Xlog:disable',
  ];
  const words = [...usual, ...options, '-cp', classes, program];
  const machine = spawn(join(home, 'bin/java'), words, {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, JAVA_TOOL_OPTIONS: '' },
  });
  const ended = once(machine, 'exit');
  try {
    const ready = Promise.race([once(machine.stdout, 'data'), ended]);
    equal(String((await ready)[0]).trim(), 'ready');
    const commands = join(folder, 'commands');
    writeFileSync(commands, `GC.heap_dump -all ${join(folder, 'x.hprof')}\nGC.class_histogram -all\n`);
    const done = spawnSync(join(home, 'bin/jcmd'), [`${machine.pid}`, '-f', commands], { encoding: 'utf8' });
    equal(done.status, 0, done.stderr);
    writeFileSync(join(folder, 'x.txt'), done.stdout.slice(done.stdout.indexOf(' num ')));
  } finally {
    machine.stdin.end();
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

/** Whether objects of a class have several sizes. */
function hasSizes(name: string): boolean {
  return name.endsWith('[]') || name === 'jdk.internal.vm.StackChunk';
}

/** Classes whose objects have another size than in the VM; where the count differs, the mean size is compared. */
function differences(vm: ReadonlyMap<string, Row>, dump: ReadonlyMap<string, Row>): string[] {
  const found: string[] = [];
  for (const { class: name, objects, bytes } of vm.values()) {
    const ours = dump.get(name);
    if (FILLERS.includes(name)) continue;
    const isSame = objects === ours?.objects || hasSizes(name) ? ours?.bytes === bytes : false;
    if (isSame || (!hasSizes(name) && ours !== undefined && ours.bytes / ours.objects === bytes / objects)) continue;
    found.push(`${name}: ${objects} objects, ${bytes} bytes; ours ${ours?.objects}, ${ours?.bytes}`);
  }
  return found;
}

function fillers(rows: ReadonlyMap<string, Row>): number[] {
  const all = FILLERS.flatMap((name) => rows.get(name) ?? []);
  return [all.reduce((sum, { objects }) => sum + objects, 0), all.reduce((sum, { bytes }) => sum + bytes, 0)];
}

/** The histogram counts class objects of classes that are not loaded, or not linked: dumps have neither. */
const CLASS_OBJECTS = /^java\.lang\.Class: /;

describe('sizes are those of the virtual machine', () => {
  for (const machine of amount(MACHINES, FEW)) {
    const [version, collector, options, [header, reference, referenceArray, alignment]] = machine;
    test(`JDK ${[version, collector, ...options].join(' ')}`, async (t) => {
      const home = homeOf(t, version);
      if (home === undefined) return;
      const folder = mkdtempSync(join(tmpdir(), 'kansoku-'));
      try {
        await record(home, machine, folder);
        const [vm, dump] = [await histogramOf(join(folder, 'x.txt')), await histogramOf(join(folder, 'x.hprof'))];
        ok(vm.rows.size > 250 && vm.rows.get('Shapes$Mixed')?.objects === 40, `${vm.rows.size} classes`);
        const unequal = differences(vm.rows, dump.rows);
        // Without an archive, JDK 17 counts the same class objects.
        const isSame = version === 17 && collector !== 'G1';
        deepEqual(isSame ? unequal : unequal.filter((line) => !CLASS_OBJECTS.test(line)), []);
        deepEqual(fillers(dump.rows), fillers(vm.rows));
        const { layout } = dump;
        ok(typeof layout === 'object' && layout !== null);
        deepEqual({ ...layout, header, reference, referenceArray, alignment, from: 'gaps' }, layout);
      } finally {
        rmSync(folder, { recursive: true });
      }
    });
  }
});
