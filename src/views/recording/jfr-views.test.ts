/** Questions about a recording of several kinds of events; expectations are what `jfr view` and `jfr print` of JDK 25 say of it. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { memorySource } from '../../bytes/byte-source.js';
import { ask, openSession, type Session } from '../../session/session.js';
import { ROOT } from '../../testing/shared-data.js';

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
        ['blocked', 'shop.bench.Warehouse.pack(int)'],
      ],
    );
    const [cpu, , blocked] = findings;
    ok(cpu?.low !== null && cpu?.high !== null && (cpu?.low ?? 1) < (cpu?.share ?? 0));
    // 14 events of jdk.JavaMonitorEnter, all of them there.
    deepEqual([blocked?.value, blocked?.share, blocked?.low], [854_342_554, 1, null]);
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
  });

  test('has contention by site, with the thread that held the monitor before', async () => {
    const { rows, total } = await ask(session, { view: 'monitors', options: { contention: true } });
    const pack = rows.find(({ site }) => site?.startsWith('shop.bench.Warehouse.pack'));
    // Previous owners by time, from `jfr print --json --events JavaMonitorEnter`.
    deepEqual(
      [pack?.monitor, pack?.count, pack?.time, pack?.longest, pack?.owner],
      ['java.lang.Object', 14, 854_342_554, 111_722_691, 'packer-1'],
    );
    equal(
      rows.reduce((sum, { count }) => sum + (count ?? 0), 0),
      14 + 226,
    );
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

  test('differs from itself in nothing, by any metric', async () => {
    const two = await openSession([source(), source()]);
    for (const metric of ['cpu-time', 'allocated', 'contention']) {
      const { rows, sum, base } = await ask(two, {
        ...{ view: 'diff', recording: 1, base: 0 },
        options: { metric, same: true },
        page: { limit: 1000, offset: 0 },
      });
      ok(rows.length > 0);
      ok(rows.every(({ delta }) => delta === 0));
      equal(sum, base.sum);
    }
  });
});
