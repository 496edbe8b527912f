/** Differences of threads, sites and monitors: the sums that the groups of the file's own events have, in two parts of a recording. */
import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { memorySource } from '../../bytes/byte-source.js';
import { noteTexts } from '../../cli/render/spelling.js';
import { ALLOCATION_EVENTS } from '../../models/events/allocation.js';
import { threadLabel } from '../../models/profile/thread-label.js';
import { className } from '../../models/program/names.js';
import type { ScopeStep } from '../../models/scope.js';
import { ask, openSession } from '../../session/session.js';
import { ROOT } from '../../testing/shared-data.js';
import { unpacked } from '../events/testing/printed-events.js';

const SHOP = unpacked(join(ROOT, 'examples/jfr/shop.jfr.gz'));
const session = await openSession(['before', 'after'].map((name) => memorySource(name, SHOP)));
const HALVES: readonly (readonly ScopeStep[])[] = [[{ kind: 'time', from: 0, to: 2e9 }], [{ kind: 'time', from: 2e9 }]];
const [BASE_SCOPE, SCOPE] = HALVES;

type By = 'thread' | 'site' | 'site-class' | 'monitor';

async function changes(by: By, metric?: string) {
  const options = { by, all: true, ...(metric !== undefined && { metric }) };
  const sides = { recording: 'r2', base: 'r1', scope: SCOPE, baseScope: BASE_SCOPE, page: { limit: 0 } };
  return ask(session, { view: 'diff', options, ...sides });
}

/** The sums of a number of the file's events by name in both halves. */
async function grouped(type: string, by: string, value: string, nameOf = (text: string) => text) {
  const sums = new Map<string, [number, number]>();
  for (const [half, scope] of HALVES.entries()) {
    const options = { types: [type], by: [by], value };
    const { rows } = await ask(session, { view: 'event-groups', options, scope, page: { limit: 0 } });
    for (const { [by]: name, sum } of rows) {
      const sides = sums.get(nameOf(String(name))) ?? [0, 0];
      sides[half] += Number(sum ?? 0);
      sums.set(nameOf(String(name)), sides);
    }
  }
  return sums;
}

/** The sums without the weights that are older than the recording, all of them in the first half. */
function withoutEarlier(sums: Awaited<ReturnType<typeof grouped>>, key: 'thread' | 'class'): typeof sums {
  const [first] = session.recordings;
  ok(first !== undefined);
  const { profile, program } = first;
  const samples = ALLOCATION_EVENTS.of(profile);
  ok(profile !== undefined && samples?.earlier !== undefined);
  for (const [row, weight] of samples.earlier.entries()) {
    if (weight === 0) continue;
    ok((samples.time?.[row] ?? 0) < 2e9);
    const id = samples[key]?.[row] ?? -1;
    const name = key === 'thread' ? (threadLabel(profile, program, id) ?? '') : className(program, id);
    const sides = sums.get(name);
    ok(sides !== undefined, name);
    sides[0] -= weight;
    if (sides[0] === 0 && sides[1] === 0) sums.delete(name);
  }
  return sums;
}

function same(
  rows: readonly { readonly name: string; readonly base: number; readonly value: number }[],
  sums: Awaited<ReturnType<typeof grouped>>,
): void {
  ok(rows.length > 0);
  deepEqual(new Map(rows.map(({ name, base, value }) => [name, [base, value]])), sums);
}

describe('differences by', () => {
  test('thread have the sums of its events', async () => {
    const { rows } = await changes('thread', 'allocated');
    same(rows, withoutEarlier(await grouped('ObjectAllocationSample', 'eventThread', 'weight'), 'thread'));
  });

  test('class of allocated objects have the sums of its events, and so have its sites together', async () => {
    const sums = withoutEarlier(await grouped('ObjectAllocationSample', 'objectClass', 'weight'), 'class');
    same((await changes('site-class')).rows, sums);
    const together = new Map<string, [number, number]>();
    for (const { name, base, value } of (await changes('site')).rows) {
      const type = name.split(' in ')[0] ?? '';
      const [before, after] = together.get(type) ?? [0, 0];
      together.set(type, [before + base, after + value]);
    }
    deepEqual(together, sums);
  });

  test('monitor have the sums of threads that were blocked, at the innermost function', async () => {
    const isMonitor = ({ name }: { readonly name: string }) => !name.startsWith('java.util.concurrent.');
    const { rows } = await changes('monitor');
    const monitors = await ask(session, {
      ...{ view: 'events', options: { types: ['JavaMonitorEnter'], stack_depth: 1 }, page: { limit: 0 } },
    });
    const sums = new Map<string, [number, number]>();
    for (const { startTime, duration, monitorClass, stackTrace } of monitors.rows) {
      const frame = Array.isArray(stackTrace) ? String(stackTrace[0]) : '';
      const name = `${monitorClass} in ${frame.replace(/\(line:\d+\)$|:\d+$/, '')}`;
      const sides = sums.get(name) ?? [0, 0];
      sides[Number(startTime) < 2e9 ? 0 : 1] += Number(duration);
      sums.set(name, sides);
    }
    const monitorSums = rows
      .filter(isMonitor)
      .map(({ name, base, value }) => [name.replace(/\(.*\)$/, ''), [base, value]] as const);
    deepEqual(new Map(monitorSums), sums);
  });
});

test('a run without such events counts 0', async () => {
  const CHURN = unpacked(join(ROOT, 'examples/jfr/churn-g1.jfr.gz'));
  const together = await openSession([memorySource('churn', CHURN), memorySource('shop', SHOP)]);
  const sides = { recording: 'r2', base: 'r1', page: { limit: 0 } };
  const { rows } = await ask(together, { view: 'diff', options: { by: 'monitor', all: true }, ...sides });
  ok(rows.length > 0 && rows.every(({ base, value }) => base === 0 && value > 0));
});

test('a metric that says nothing of allocations is refused', () =>
  rejects(changes('site', 'samples'), /not all recordings have the metric samples/));

test('the first note says why no row is shown', async () => {
  const sides = { recording: 'r1', base: 'r2', runs: ['r2'], baseRuns: ['r1'], page: { limit: 0 } };
  const { total, notes, runs } = await ask(session, { view: 'diff', options: { by: 'thread' }, ...sides });
  equal(total, 0);
  equal(runs.length, 4);
  match(noteTexts(notes)[0] ?? '', /^Nothing changed/);
});
