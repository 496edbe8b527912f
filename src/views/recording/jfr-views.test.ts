/** Questions about a recording of several kinds of events; expectations are what `jfr view` and `jfr print` of JDK 25 say of it. */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { formatValue } from '../../base/units.js';
import { memorySource } from '../../bytes/byte-source.js';
import { noteTexts } from '../../cli/render/spelling.js';
import { ask, openSession, type Session } from '../../session/session.js';
import { ROOT, sharedData } from '../../testing/shared-data.js';

const BYTES = gunzipSync(readFileSync(join(ROOT, 'src/formats/jfr/fixtures/warehouse-jdk25.jfr.gz')));
const source = () => memorySource('warehouse.jfr', BYTES);

describe('a recording of JDK 25', () => {
  let session: Session;
  before(async () => {
    session = await openSession([source()]);
  });

  test('has one finding each for processor, memory and waiting', async () => {
    const { findings, metrics } = await ask(session, { view: 'summary' });
    deepEqual(
      findings.map(({ metric, function: name }) => [metric, name]),
      [
        ['cpu-time', 'shop.bench.Warehouse.sieve(int)'],
        ['allocated', 'java.util.Arrays.copyOf(byte[], int)'],
        ['contention', 'shop.bench.Warehouse.pack(int)'],
      ],
    );
    const [cpu, , waited] = findings;
    ok(cpu?.low !== null && cpu?.high !== null && (cpu?.low ?? 1) < (cpu?.share ?? 0));
    // `jfr print --json`: 14 events of JavaMonitorEnter, and 34 of ThreadPark with frames of the program, 607,798,901 ns.
    deepEqual([waited?.value, waited?.sum, waited?.low], [854_342_554, 854_342_554 + 607_798_901, null]);
    equal(waited?.share, 854_342_554 / (854_342_554 + 607_798_901));
    ok(!metrics.some(({ unit, id }) => id === 'samples' && unit !== 'samples'));
  });

  test('has the same metric in a part with few samples, and another one where they are hardly any', async () => {
    const metricIn = async (seconds: number): Promise<string> => {
      const scope = [{ kind: 'time', from: 0, to: seconds * 1e9 }] as const;
      return (await ask(session, { view: 'functions', scope })).metric.id;
    };
    // `jfr print --events CPUTimeSample`: 131 events, the ninth after 0.268 s, the tenth after 0.296 s.
    equal(await metricIn(10), 'cpu-time');
    equal(await metricIn(0.3), 'cpu-time');
    equal(await metricIn(0.25), 'allocated');
    const nothing = await ask(session, { view: 'functions', scope: [{ kind: 'time', from: 1e15 }] });
    equal(nothing.metric.id, 'cpu-time', 'where a scope leaves nothing');
  });

  test('has contention by lock: the waits of each address together, wherever threads waited', async () => {
    const page = { limit: 0 };
    const { rows } = await ask(session, { view: 'monitors', options: { contention: true }, page });
    const events = await ask(session, { view: 'events', options: { types: ['jdk.JavaMonitorEnter'] }, page });
    const sums = new Map<string, { count: number; time: number }>();
    for (const event of events.rows) {
      const address = typeof event.address === 'number' ? event.address.toString(16) : String(event.address);
      const lock = `${event.monitorClass}@${address.replace(/^0x/i, '').toLowerCase()}`;
      const sum = sums.get(lock) ?? { count: 0, time: 0 };
      sums.set(lock, { count: sum.count + 1, time: sum.time + Number(event.duration) });
    }
    ok(sums.size > 0);
    for (const [lock, sum] of sums) {
      const row = rows.find(({ monitor }) => monitor === lock);
      deepEqual([row?.count, row?.time], [sum.count, sum.time], lock);
    }
    const sites = await ask(session, { view: 'monitors', options: { contention: true, by: 'site' }, page });
    const timeOf = (each: readonly { readonly time: number | null }[]): number =>
      each.reduce((sum, { time }) => sum + (time ?? 0), 0);
    equal(timeOf(rows), timeOf(sites.rows));
  });

  test('beside another one, has a note on chance where boxes are samples, not where they are times', async () => {
    const both = await openSession([source(), source()]);
    const ofChance = async (metric: string): Promise<boolean> => {
      const { notes } = await ask(both, { view: 'flame', base: 'r2', options: { metric } });
      return notes.some(({ code }) => code === 'by-chance');
    };
    deepEqual([await ofChance('samples'), await ofChance('allocated'), await ofChance('blocked')], [true, true, false]);
    await both.close();
  });

  test('has contention by site, with the threads that held the monitor before', async () => {
    const options = { contention: true, by: 'site' } as const;
    const { rows, total, notes } = await ask(session, { view: 'monitors', options });
    const pack = rows.find(({ site }) => site?.startsWith('shop.bench.Warehouse.pack'));
    // Previous owners by time, from `jfr print --json --events JavaMonitorEnter`.
    deepEqual(
      [pack?.monitor, pack?.count, pack?.time, pack?.longest, pack?.owner],
      ['java.lang.Object', 14, 854_342_554, 111_722_691, 'packer-1'],
    );
    deepEqual(
      pack?.owners.map(({ name, count, share }) => [name, count, share === null ? null : Math.round(share * 1000)]),
      [
        ['packer-1', 5, 361],
        ['packer-0', 3, 252],
        ['packer-2', 4, 212],
        ['#61', 1, 116],
        ['#46', 1, 58],
      ],
    );
    // `jfr print --json --stack-depth 64 --events ThreadPark`, summed by the innermost frame of shop.bench; 192 events have none.
    deepEqual(
      rows.slice(1).map(({ site, count, time }) => [site?.replace(/\(.*/, ''), count, time]),
      [
        ['shop.bench.Warehouse.dock', 26, 294_113_640],
        ['shop.bench.Warehouse.tryVirtual', 7, 283_238_233],
        ['shop.bench.Warehouse.waitAndNotify', 1, 30_447_028],
      ],
    );
    const [ofVirtual = '', ...others] = noteTexts(notes);
    // `jfr summary`: 464 jdk.VirtualThreadStart.
    match(ofVirtual, /^464 virtual threads: Java 25 /);
    deepEqual(others, ['Without 192 waits of idle threads, 7,903.77 ms, which only have frames of the JDK.']);
    equal(rows.length, total);
  });

  test('has processor, memory and lock time of threads', async () => {
    const { rows, metric } = await ask(session, { view: 'threads', page: { limit: 1000, offset: 0 } });
    equal(metric?.id, 'cpu-time');
    const packers = rows.filter(({ name }) => name.startsWith('packer-'));
    equal(packers.length, 3);
    ok(packers.every(({ contended, waited }) => contended !== null && (waited ?? 0) >= contended));
    const sum = rows.reduce((all, { contended }) => all + (contended ?? 0), 0);
    // Sums of the durations of JavaMonitorEnter and ThreadPark.
    equal(sum, 9_365_916_132);
  });

  test('has the durations of traced calls at the places that made them, and not at callers of these', async () => {
    const options = { metric: 'traced', durations: true };
    const { rows } = await ask(session, { view: 'functions', options });
    // `jfr print --json --events MethodTrace`: PT0.325893998S and PT0.14286588S, both called by lambda$main$4.
    deepEqual(
      rows.map(({ function: name, events, longest, p50 }) => [name, events, longest, p50]),
      [['shop.bench.Warehouse.lambda$main$4()', 2, 325_893_998, (325_893_998 + 142_865_880) / 2]],
    );
    const tree = await ask(session, { view: 'tree', options });
    deepEqual(
      tree.rows.flatMap(({ events }) => events ?? []),
      [2],
    );
  });

  test('differs from itself in nothing, by any metric', async () => {
    const two = await openSession([source(), source()]);
    for (const metric of ['cpu-time', 'allocated', 'contention']) {
      const { rows, sum, base } = await ask(two, {
        ...{ view: 'diff', recording: 'r2', base: 'r1' },
        options: { metric, same: true },
        page: { limit: 1000, offset: 0 },
      });
      ok(rows.length > 0);
      ok(rows.every(({ delta }) => delta === 0));
      equal(sum, base.sum);
    }
  });
});

test('times of the calendar are dates, fields of structures have their paths as titles', async () => {
  const session = await openSession([source()]);
  const { rows, columns } = await ask(session, { view: 'events', options: { types: ['JVMInformation'] } });
  // `jfr print --json --events JVMInformation`.
  equal(rows[0]?.jvmStartTime, Date.parse('2026-11-21T09:35:41.056Z'));
  equal(columns.find(({ key }) => key === 'jvmStartTime')?.unit, 'date');
  equal(formatValue(Number(rows[0]?.jvmStartTime), 'date'), '2026-11-21T09:35:41.056Z');
  const heap = await ask(session, { view: 'events', options: { types: ['GCHeapSummary'] } });
  equal(heap.columns.find(({ key }) => key === 'heapSpace.committedSize')?.title, 'heapSpace.committedSize');
  equal(heap.columns.find(({ key }) => key === 'heapUsed')?.title, 'Heap Used');
  await session.close();
});

describe('one recording in the formats that it is there in', () => {
  /** Samples by function, without parameter types and libraries; hidden classes as `jfrconv --norm` writes them. */
  async function samplesIn(path: string) {
    const opened = await openSession([memorySource(path, unzipped(path))]);
    const { rows, metric } = await ask(opened, { view: 'functions', page: { limit: 0 } });
    const sums = new Map<string, number>();
    for (const { function: text, self } of rows) {
      const name = text.replace(/ ?\([^()]*\)(?: \(.*\))?$/, '').replace(/[./]0x[0-9a-f]+/, '');
      if ((self ?? 0) > 0) sums.set(name, (sums.get(name) ?? 0) + (self ?? 0));
    }
    return { sum: metric.sum, sums: [...sums].sort(([a], [b]) => (a < b ? -1 : 1)) };
  }

  test('has the same samples of each function as JFR and as collapsed stacks of jfrconv', async (t) => {
    const folder = sharedData(t, 'interop');
    if (folder === undefined) return;
    const ownSamples = await samplesIn(join(folder, 'jfr/ap44-warehouse.jfr.gz'));
    deepEqual(ownSamples, await samplesIn(join(folder, 'jfr/expected/ap44-warehouse.jfrconv-cpu.collapsed.gz')));
    // What the JDK's reader counts.
    equal(ownSamples.sum, 384);
  });

  test('is the same 384 samples as pprof', async (t) => {
    const folder = sharedData(t, 'interop');
    if (folder === undefined) return;
    const recorded = await samplesIn(join(folder, 'jfr/ap44-warehouse.jfr.gz'));
    deepEqual(await samplesIn(join(folder, 'pprof/ap44-warehouse-cpu.pprof')), recorded);
  });

  test('is the same 384 samples as OTLP', async (t) => {
    const folder = sharedData(t, 'interop');
    if (folder === undefined) return;
    const recorded = await samplesIn(join(folder, 'jfr/ap44-warehouse.jfr.gz'));
    deepEqual(await samplesIn(join(folder, 'otlp/jfrconv45-warehouse-cpu.otlp')), recorded);
  });
});

function unzipped(path: string): Buffer {
  const bytes = readFileSync(path);
  return bytes[0] === 0x1f ? gunzipSync(bytes) : bytes;
}
