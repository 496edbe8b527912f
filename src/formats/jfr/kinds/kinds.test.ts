/** Events in the models against what other readers have of the same files. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { before, describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { memorySource } from '../../../bytes/byte-source.js';
import { commandLineText } from '../../../cli/render/spelling.js';
import { ALLOCATION_EVENTS } from '../../../models/events/allocation.js';
import { NATIVE_MEMORY_EVENTS, OLD_OBJECT_EVENTS } from '../../../models/events/memory.js';
import { STACK } from '../../../models/events/shared-fields.js';
import { WAIT_EVENTS, WAIT_REASONS } from '../../../models/events/wait.js';
import { REFERENCES } from '../../../models/heap/references.js';
import { eventTable, type Metric, metricColumn, threadName } from '../../../models/profile/profile.js';
import { functionName } from '../../../models/program/names.js';
import type { Recording } from '../../../models/recording.js';
import { column, columnOf, type Table } from '../../../models/table.js';
import { ROOT, sharedData } from '../../../testing/shared-data.js';
import { readJfr } from '../read.js';
import { jfrBytes, type WrittenType } from '../testing/jfr-writer.js';

function unpacked(path: string): Buffer {
  const bytes = readFileSync(path);
  return bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes;
}

const read = (path: string): Promise<Recording> => readJfr(memorySource(basename(path), unpacked(path)));

/** A metric of a recording, with its table. */
function measured({ profile }: Recording, id: string): { metric: Metric; table: Table } {
  const metric = profile?.metrics.find((candidate) => candidate.id === id);
  const table = profile && metric && eventTable(profile, metric.table);
  ok(metric && table, id);
  return { metric, table };
}

function total(values: Iterable<number>): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum;
}

/** Without a field, each row counts 1. */
function valuesOf({ metric, table }: ReturnType<typeof measured>): Int32Array | Float64Array {
  return metricColumn(metric, table) ?? new Int32Array(table.length).fill(1);
}

function sumOf(recording: Recording, id: string): number {
  return total(valuesOf(measured(recording, id)));
}

/** What allocation samples stand for that is older than the recording, which other readers count. */
function earlierSum({ profile }: Recording, type: string): number {
  const samples = ALLOCATION_EVENTS.of(profile);
  return type === 'jdk.ObjectAllocationSample' ? total(samples?.earlier ?? []) : 0;
}

function stackedEarlierSum({ profile }: Recording): number {
  const samples = ALLOCATION_EVENTS.of(profile);
  return total(samples?.earlier?.filter((_, row) => samples.stack[row] >= 0) ?? []);
}

/** Of the events with a stack. */
function stackedSum(recording: Recording, id: string): number {
  const { metric, table } = measured(recording, id);
  const stacks = columnOf(table, STACK);
  return total(valuesOf({ metric, table }).map((value, row) => ((stacks?.[row] ?? -1) < 0 ? 0 : value)));
}

/** Values of a metric by the text that `key` makes of a row; rows of 0 are left out. */
function sumsBy(recording: Recording, id: string, key: (row: number, table: Table) => string): Map<string, number> {
  const { metric, table } = measured(recording, id);
  const sums = new Map<string, number>();
  for (const [row, value] of valuesOf({ metric, table }).entries())
    if (value !== 0) sums.set(key(row, table), (sums.get(key(row, table)) ?? 0) + value);
  return sums;
}

/** Methods of a stack, root first. */
function methods({ program, profile }: Recording, stack: number): string {
  const names: string[] = [];
  for (let at = stack; at >= 0; at = profile?.stacks.parent[at] ?? -1)
    names.push(functionName(program, program.locations.function[profile?.stacks.location[at] ?? 0]));
  return names.reverse().join(';');
}

const sorted = (sums: Map<string, number>): [string, number][] =>
  [...sums].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));

/** Lines of jfrconv, whose last frame is the class of the object or monitor: by stack without it. */
function jfrconv(path: string): Map<string, number> {
  const sums = new Map<string, number>();
  for (const line of unpacked(path).toString('utf8').trim().split('\n')) {
    const [, stack = '', value = ''] = /^(.*);[^;]* (\d+)$/.exec(line) ?? [];
    const names = stack.split(';').map((frame) =>
      frame
        .replace(/_\[.\]$/, '')
        .replaceAll('/', '.')
        .replace(/\.(?=0x[0-9a-f]+)/, '/'),
    );
    sums.set(names.join(';'), (sums.get(names.join(';')) ?? 0) + Number(value));
  }
  return sums;
}

/** Sums of the values in brackets of a golden of the Go parser. */
function golden(path: string): number[] {
  const sums: number[] = [];
  for (const line of unpacked(path).toString('utf8').trim().split('\n')) {
    const values = /\[([\d ]+)\]$/.exec(line)?.[1]?.split(' ') ?? [];
    for (const [i, value] of values.entries()) sums[i] = (sums[i] ?? 0) + Number(value);
  }
  return sums;
}

describe('the recording that is there in several formats', () => {
  test('has the sums of all readers, and the stacks of jfrconv', async (t) => {
    const folder = sharedData(t, 'interop/jfr');
    if (folder === undefined) return;
    const recording = await read(join(folder, 'ap44-warehouse.jfr.gz'));
    equal(sumOf(recording, 'samples'), 384);
    equal(sumOf(recording, 'tlab-bytes'), 1_936_384_264);
    equal(sumOf(recording, 'contention'), 1_306_114_371);
    equal(sumOf(recording, 'blocked') + sumOf(recording, 'parked'), 1_306_114_371);
    for (const [id, tool] of [
      ['tlab-bytes', 'alloc-total'],
      ['contention', 'lock-total'],
    ] as const) {
      const stacks = sumsBy(recording, id, (row, table) => methods(recording, columnOf(table, STACK)?.[row] ?? -1));
      deepEqual(
        sorted(stacks),
        sorted(jfrconv(join(folder, 'expected', `ap44-warehouse.jfrconv-${tool}.collapsed.gz`))),
      );
    }
  });
});

/** Metrics by type of event: of the weights of the JDK's reader, or of its counts. */
const WEIGHTS: Readonly<Record<string, string>> = {
  'jdk.ObjectAllocationSample': 'allocated',
  'jdk.JavaMonitorEnter': 'blocked',
  'jdk.JavaMonitorWait': 'object-wait',
  'jdk.ThreadPark': 'parked',
  'jdk.ThreadSleep': 'slept',
  'jdk.CPUTimeSample': 'cpu-time',
  'profiler.WallClockSample': 'wall-samples',
};
const COUNTS: Readonly<Record<string, string>> = {
  'jdk.ExecutionSample': 'samples',
  'jdk.NativeMethodSample': 'native-samples',
  'jdk.CPUTimeSample': 'cpu-samples',
  'jdk.JavaExceptionThrow': 'exceptions',
  'jdk.JavaErrorThrow': 'errors',
  'jdk.OldObjectSample': 'old-objects',
};

/** By type: sums of the JDK's reader over the stacks that events have. */
function expectedSums(path: string): Map<string, { count: number; weight: number }> {
  const sums = new Map<string, { count: number; weight: number }>();
  for (const [type = '', count, weight] of linesOf(path)) {
    const sum = sums.get(type) ?? { count: 0, weight: 0 };
    sums.set(type, { count: sum.count + Number(count), weight: sum.weight + Number(weight) });
  }
  return sums;
}

/** Lines of a table without head and end, as fields. */
function linesOf(path: string): string[][] {
  const lines = unpacked(path).toString('utf8').split('\n').slice(1);
  return lines.filter((line) => line !== '' && !line.startsWith('#')).map((line) => line.split('\t'));
}

describe('files of the collection', () => {
  test('have the sums of the JDK', async (t) => {
    const folder = sharedData(t, 'interop/jfr');
    if (folder === undefined) return;
    const compared = new Set<string>();
    for (const file of readdirSync(folder).filter((name) => /\.jfr(?:\.gz)?$/.test(name))) {
      const name = file.replace(/\.jfr(?:\.gz)?$/, '');
      if (name === 'jmc-8u60' || name === 'truncated-jdk17') continue;
      const recording = await read(join(folder, file));
      const all = new Map(linesOf(join(folder, 'expected', `${name}.types.tsv`)).map(([type, count]) => [type, count]));
      for (const [type, { count, weight }] of expectedSums(join(folder, 'expected', `${name}.stacks.tsv.gz`))) {
        // Events without a stack are in no sum of theirs.
        if (all.get(type) !== String(count)) continue;
        if (WEIGHTS[type] !== undefined)
          equal(sumOf(recording, WEIGHTS[type]) + earlierSum(recording, type), weight, `${name} ${type}`);
        if (COUNTS[type] !== undefined) equal(sumOf(recording, COUNTS[type]), count, `${name} ${type}`);
        compared.add(type);
      }
    }
    for (const type of [...Object.keys(WEIGHTS), ...Object.keys(COUNTS)]) ok(compared.has(type), type);
  });

  // Its times of locks are ticks of the recording's clock, not nanoseconds, so those are compared with the JDK's only.
  test('have the sums of the Go parser', async (t) => {
    const folder = sharedData(t, 'interop/jfr');
    if (folder === undefined) return;
    for (const [file, end, ids] of [
      [
        'cpool-uint64-constant-index',
        '3_memory_alloc_sample_objects__count_alloc_sample_bytes__bytes',
        ['allocation-samples', 'allocated'],
      ],
      ['nativemem', '0_memory_malloc_objects__count_malloc_bytes__bytes', ['native-allocations', 'native-bytes']],
    ] as const) {
      const recording = await read(join(folder, `${file}.jfr.gz`));
      const sums = golden(join(folder, 'expected', `${file}_${end}_expected_collapsed.txt.gz`));
      for (const [i, id] of ids.entries())
        if (id !== undefined)
          equal(
            stackedSum(recording, id) + (id === 'allocated' ? stackedEarlierSum(recording) : 0),
            sums[i],
            `${file} ${id}`,
          );
    }
    // New and outside buffers are one kind here, two profiles there.
    for (const [file, first] of [
      ['cpool-uint64-constant-index', 1],
      ['example', 0],
    ] as const) {
      const path = (at: number, where: string): string =>
        `${file}_${at}_memory_alloc_${where}_tlab_objects__count_alloc_${where}_tlab_bytes__bytes_expected_collapsed.txt.gz`;
      const fresh = golden(join(folder, 'expected', path(first, 'in_new')));
      const outside = golden(join(folder, 'expected', path(first + 1, 'outside')));
      const recording = await read(join(folder, `${file}.jfr.gz`));
      deepEqual(
        ['tlab-events', 'tlab-bytes'].map((id) => stackedSum(recording, id)),
        [0, 1].map((i) => (fresh[i] ?? 0) + (outside[i] ?? 0)),
      );
    }
  });
});

const FIXTURES = join(ROOT, 'src/formats/jfr/fixtures');

const OWNERS = `  ${'packer-0 '.repeat(3)}${'packer-1 '.repeat(5)}${'packer-2 '.repeat(4)}`.trimEnd();

describe('a recording of JDK 25', () => {
  test('has periods, losses and limits of its samplers', async () => {
    const { profile, metadata } = await read(join(FIXTURES, 'warehouse-jdk25.jfr.gz'));
    const metric = (id: string) => profile?.metrics.find((candidate) => candidate.id === id);
    // As wh25.jfc had them: `jfr print --events ActiveSetting`.
    deepEqual(
      ['samples', 'native-samples', 'cpu-time', 'cpu-samples'].map((id) => metric(id)?.period?.value),
      [10e6, 20e6, 10e6, 10e6],
    );
    // `jfr print --events CPUTimeSamplesLost`: 8 events of 1 sample.
    ok(metric('cpu-time')?.notes?.some(({ text }) => commandLineText(text).startsWith('8 CPU-time samples')));
    equal(metric('allocated')?.period, undefined);
    equal(metadata.find(({ key }) => key === 'command')?.value, 'shop.bench.Warehouse 3');
  });

  test('has owners, notifiers, classes and timeouts of waits', async () => {
    const recording = await read(join(FIXTURES, 'warehouse-jdk25.jfr.gz'));
    const { program, profile } = recording;
    const waits = WAIT_EVENTS.of(profile);
    ok(waits && profile);
    const of = (reason: string): number[] =>
      Array.from(waits.reason.keys()).filter((row) => WAIT_REASONS[waits.reason[row]] === reason);
    // `jfr view contention-by-thread` and `jfr print --events JavaMonitorWait`.
    const [wait] = of('object-wait');
    const name = (thread: number | undefined) => threadName(profile, program, thread ?? -1);
    equal(of('enter').length, 14);
    // `jfr print --events JavaMonitorEnter`.
    deepEqual(
      of('enter')
        .map((row) => name(waits.other?.[row]) ?? '')
        .sort()
        .join(' '),
      OWNERS,
    );
    equal(waits.timeout?.[wait], 0);
    equal(waits.waited[wait], 60_345_932);
    ok(of('sleep').every((row) => (waits.timeout?.[row] ?? 0) > 0 && waits.waited[row] >= (waits.timeout?.[row] ?? 0)));
    ok(of('sleep').every((row) => waits.slept?.[row] === waits.waited[row]));
    ok(of('park').every((row) => waits.blocked?.[row] === 0 && waits.parked?.[row] === waits.contended?.[row]));
  });
});

test('native memory is live until its address is freed', async () => {
  const { profile } = await read(join(FIXTURES, 'nativemem.jfr.gz'));
  const memory = NATIVE_MEMORY_EVENTS.of(profile);
  ok(memory);
  const { length, time, address, allocations, bytes, live } = memory;
  const order = Array.from({ length }, (_, row) => row).sort((a, b) => (time?.[a] ?? 0) - (time?.[b] ?? 0));
  const blocks = new Map<number, number>();
  for (const row of order)
    if (allocations[row] === 1) blocks.set(address[row], bytes[row]);
    else blocks.delete(address[row]);
  const expected = total(blocks.values());
  equal(total(live), expected);
  ok(expected > 0);
});

describe('a recording of JDK 25 with all calls of some methods timed', () => {
  let recording: Recording;
  before(async () => {
    recording = await read(join(ROOT, 'examples', 'jfr', 'leak.jfr.gz'));
  });

  test('has as many calls and as much time as the last counts say', () => {
    const ofStack = (row: number, table: Table): string => {
      const { program, profile } = recording;
      const stack = column(table, STACK.key)[row];
      return functionName(program, program.locations.function[profile?.stacks.location[stack] ?? 0]);
    };
    // `jfr view method-timing`: calls, and the average in ms with three digits.
    deepEqual(Object.fromEntries(sumsBy(recording, 'timed-calls', ofStack)), { 'Leak.waste': 510, 'Leak.keep': 24 });
    const times = sumsBy(recording, 'timed', ofStack);
    for (const [name, calls, average] of [
      ['Leak.waste', 510, 0.347],
      ['Leak.keep', 24, 0.108],
    ] as const)
      ok(Math.abs((times.get(name) ?? 0) / 1e6 / calls - average) < 0.0005, name);
  });

  test('has the classes that were loaded', () => {
    // `jfr print --events ClassLoad`: 85 events, all with stacks, 90.764322 ms.
    equal(stackedSum(recording, 'classes-loaded'), 85);
    ok(Math.abs(sumOf(recording, 'class-loading') - 90_764_322) < 200);
  });
});

test('old objects that were written twice count once, at the last time; chains that end in themselves end', async () => {
  const pooled = (name: string, type: string) => ({ name, type, pooled: true });
  const types: readonly WrittenType[] = [
    {
      name: 'jdk.OldObjectSample',
      event: true,
      fields: [
        { name: 'startTime', type: 'long', content: ['Timestamp', 'TICKS'] },
        pooled('object', 'jdk.types.OldObject'),
      ],
    },
    {
      name: 'jdk.types.OldObject',
      fields: [{ name: 'address', type: 'long' }, pooled('referrer', 'jdk.types.Reference')],
    },
    {
      name: 'jdk.types.Reference',
      fields: [pooled('object', 'jdk.types.OldObject'), { name: 'skip', type: 'int' }],
    },
  ];
  const at = (startTime: bigint, object: bigint) => ({ type: 'jdk.OldObjectSample', values: { startTime, object } });
  const bytes = jfrBytes([
    {
      types,
      startTicks: 1000n,
      records: [
        ...[at(1010n, 1n), at(1010n, 2n), at(1020n, 1n), at(1020n, 2n), at(1020n, 3n)],
        {
          checkpoint: [
            {
              type: 'jdk.types.OldObject',
              constants: [
                [1n, { address: 16, referrer: 1n }],
                [2n, { address: 32, referrer: 2n }],
                [3n, { address: 48, referrer: 3n }],
              ],
            },
            {
              type: 'jdk.types.Reference',
              // 1 is held by 2, which is held by 1; 3 by itself.
              constants: [
                [1n, { object: 2n, skip: 7 }],
                [2n, { object: 1n, skip: 0 }],
                [3n, { object: 3n, skip: 0 }],
              ],
            },
          ],
        },
      ],
    },
  ]);
  const { profile, references, problems } = await readJfr(memorySource('x.jfr', bytes));
  const old = OLD_OBJECT_EVENTS.of(profile);
  deepEqual(Array.from(old?.dump ?? []), [0, 0, 1, 1, 1]);
  const rows = references && REFERENCES.rows(references);
  // From 1: up to 2, and no further.
  deepEqual(Array.from(rows?.address ?? []), [32, 16, 48]);
  deepEqual(Array.from(rows?.above ?? []), [-1, 0, -1]);
  deepEqual(Array.from(rows?.skipped ?? []), [0, 7, 0]);
  deepEqual(Array.from(old?.reference ?? []), [1, 0, 1, 0, 2]);
  deepEqual(problems.list, []);
});
