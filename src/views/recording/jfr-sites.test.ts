/** Allocation sites of recordings of JFR against `jfr view`, and old objects against `jfr print`. */
import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { memorySource } from '../../bytes/byte-source.js';
import { ALLOCATION_EVENTS } from '../../models/events/allocation.js';
import { className, functionName } from '../../models/program/names.js';
import type { Recording } from '../../models/recording.js';
import type { ScopeStep } from '../../models/scope.js';
import { ask, openSession, type Session } from '../../session/session.js';
import { ROOT, sharedData } from '../../testing/shared-data.js';
import { unpacked } from '../events/testing/printed-events.js';
import { printedTable } from '../testing/jfr-tables.js';

const open = (path: string): Promise<Session> => openSession([memorySource('x.jfr', unpacked(path))]);
const WAREHOUSE = join(ROOT, 'src', 'formats', 'jfr', 'fixtures', 'warehouse-jdk25.jfr.gz');

const sites = (session: Session, by: 'site' | 'class' | 'method', scope: readonly ScopeStep[] = []) =>
  ask(session, { view: 'sites', options: { by }, scope, page: { limit: 0 } });

/** `java.util.Arrays.copyOf(char[], int)` as `java.util.Arrays.copyOf`: the JDK shortens parameters. */
const shortName = (method: string): string => method.replace(/\(.*$/, '').replace(/[/+.](0x[0-9a-f]+).*/, '');

/** The sum of the shares of each name, in hundredths of percents. */
function sums(rows: readonly (readonly [string, number])[]): Map<string, number> {
  const shareSums = new Map<string, number>();
  for (const [name, share] of rows) shareSums.set(name, (shareSums.get(name) ?? 0) + share);
  return shareSums;
}

/** The share of each name in the sum of all. */
function sharesOf(rows: readonly (readonly [string, number])[]): Map<string, number> {
  const all = rows.reduce((sum, [, bytes]) => sum + bytes, 0);
  return sums(rows.map(([name, bytes]) => [name, bytes / all]));
}

/** What allocation samples stand for that is older than the recording: `jfr view` counts it, too. */
function earlierWeights({ profile, program }: Recording) {
  const samples = ALLOCATION_EVENTS.of(profile);
  const rows = Array.from(samples?.earlier ?? [], (weight, row) => ({ weight, row })).filter(
    ({ weight }) => weight > 0,
  );
  ok(profile !== undefined && samples !== undefined && rows.length > 0);
  const methodOf = (row: number): string => {
    const location = profile.stacks.location[samples.stack[row]];
    return functionName(program, program.locations.function[location]);
  };
  return {
    byClass: rows.map(({ weight, row }) => [shortName(className(program, samples.class[row])), weight] as const),
    byMethod: rows.map(({ weight, row }) => [shortName(methodOf(row)), weight] as const),
  };
}

function compare(expected: readonly string[][], ours: Map<string, number>): void {
  ok(expected.length > 5);
  for (const [name, share] of sums(
    expected.map(([name = '', share = '']) => [shortName(name), Number.parseFloat(share)]),
  )) {
    const ownShare = ours.get(name === 'N/A' ? '<unknown>' : name);
    ok(ownShare !== undefined && Math.abs(ownShare * 100 - share) < 0.02, `${name}: ${ownShare}, printed ${share}`);
  }
}

/** Class, events, and the longest `objectAge` in milliseconds, of `jfr print --events OldObjectSample`: 247 events. */
const OLD = [
  ['byte[]', 197, 2165.029],
  ['boolean[]', 33, 64.888],
  ['jdk.internal.vm.StackChunk', 8, 64.522],
  ['java.lang.Object[]', 5, 2980.029],
  ['java.util.concurrent.ConcurrentHashMap$Node[]', 1, 3041.589],
  ['java.lang.Class', 1, 3010.88],
  ['java.lang.String', 1, 2990.58],
  ['java.lang.Class[]', 1, 65.613],
] as const;

describe('sites of recordings of JFR', () => {
  for (const name of ['multichunk-jdk21.jfr.gz', 'warehouse-jdk17.jfr', 'warehouse-jdk25.jfr.gz'])
    test(`${name}: the shares of jfr view`, async (t) => {
      const folder = sharedData(t, 'interop/jfr');
      if (folder === undefined) return;
      const session = await open(join(folder, name));
      const base = name.replace(/\.jfr.*$/, '');
      const earlier = earlierWeights(session.recordings[0]);
      const byClass = await sites(session, 'class');
      const ofClasses = byClass.rows.map(
        ({ class: name, allocated_bytes: bytes }) => [shortName(name ?? ''), bytes ?? 0] as const,
      );
      compare(printedTable(folder, base, 'allocation-by-class'), sharesOf([...ofClasses, ...earlier.byClass]));
      const byMethod = await sites(session, 'method');
      const ofMethods = byMethod.rows.map(
        ({ method, allocated_bytes: bytes }) => [shortName(method ?? ''), bytes ?? 0] as const,
      );
      compare(printedTable(folder, base, 'allocation-by-site'), sharesOf([...ofMethods, ...earlier.byMethod]));
      await session.close();
    });

  test('old objects by class, with the age of the oldest', async () => {
    const session = await open(WAREHOUSE);
    const all = await sites(session, 'class');
    const old = new Map(all.rows.map((row) => [row.class, row]));
    equal(all.old_objects, 247);
    for (const [name, count, oldest] of OLD) {
      equal(old.get(name)?.old_objects, count, name);
      ok(Math.abs((old.get(name)?.oldest ?? 0) / 1e6 - oldest) < 0.001, `${name}: ${old.get(name)?.oldest}`);
    }
    await session.close();
  });

  test('each allocation and each old object is in one site, whatever they are grouped by', async () => {
    const session = await open(WAREHOUSE);
    const [one, ...others] = await Promise.all((['site', 'class', 'method'] as const).map((by) => sites(session, by)));
    for (const other of others)
      deepEqual([other.allocated_bytes, other.old_objects], [one?.allocated_bytes, one?.old_objects]);
    const texts = one?.rows.map(({ class: type, frames }) => [type, ...frames].join('\n')) ?? [];
    ok(texts.length > 20);
    equal(one?.live_bytes, null);
    await session.close();
  });

  test('a scope selects allocations; levels of dumps need dumps', async () => {
    const session = await open(WAREHOUSE);
    const whole = await sites(session, 'class');
    const early = await sites(session, 'class', [{ kind: 'time', from: 0, to: 1e9 }]);
    ok((early.allocated_bytes ?? 0) > 0 && (early.allocated_bytes ?? 0) < (whole.allocated_bytes ?? 0));
    await rejects(sites(session, 'class', [{ kind: 'dump', number: 1 }]), /no dump 1/);
    await session.close();
  });
});
