/** Durations along stacks against the plain list of the events, in `functions` and both kinds of trees; a drawn example; refusals. */
import { deepEqual, ok, rejects } from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { UsageError } from '../../base/errors.js';
import { commandLineText } from '../../cli/render/spelling.js';
import { SAMPLE_EVENTS } from '../../models/events/sample.js';
import { STACK } from '../../models/events/shared-fields.js';
import { WAIT_EVENTS, WAIT_REASONS } from '../../models/events/wait.js';
import { column } from '../../models/table.js';
import { ask, sessionOf } from '../../session/session.js';
import { runs } from '../../testing/amount.js';
import type { Picture } from '../../testing/pictures/picture.js';
import { drawn, type PlainEvent, plainEvents, signatureOf } from '../../testing/pictures/random-picture.js';
import { drawnRecording } from '../../testing/recordings.js';

const BLOCKED = WAIT_EVENTS.metric('blocked', { id: 'blocked', title: 'Blocked' });
const PARKED = WAIT_EVENTS.metric('parked', { id: 'parked', title: 'Parked' });
const SAMPLES = SAMPLE_EVENTS.metric('count', { id: 'samples', title: 'Samples' });
const NO_WAITS = { contended: 0, blocked: 0, parked: 0, unnotified: 0, slept: 0 };

/** The events as waits for a monitor of as many nanoseconds as their count, and as samples; one wait that parked. */
function waiting(source: Picture) {
  const waits = WAIT_EVENTS.having(['stack', 'contended', 'blocked', 'parked', 'unnotified', 'slept']).builder();
  const samples = SAMPLE_EVENTS.builder();
  const [metric] = source.profile.metrics;
  const table = source.profile.events.find(({ kind }) => kind === metric?.table);
  if (table === undefined) throw new Error('a picture has events');
  const [stacks, counts] = [column(table, STACK.key), column(table, 'count')];
  for (let row = 0; row < table.length; row++) {
    const [stack, waited] = [stacks[row] ?? -1, counts[row] ?? 0];
    const rest = { stack, thread: 0, waited };
    waits.add({ ...rest, ...NO_WAITS, reason: WAIT_REASONS.indexOf('enter'), blocked: waited });
    waits.add({ ...rest, ...NO_WAITS, reason: WAIT_REASONS.indexOf('park'), waited: 77, parked: 77 });
    samples.add({ stack, count: 1 });
  }
  const profile = {
    ...source.profile,
    events: [waits.finish(), samples.finish()],
    metrics: [SAMPLES, BLOCKED, PARKED],
  };
  return sessionOf([drawnRecording({ program: source.program, profile })]);
}

/** What `jfr view` says of these durations: at place share × (count + 1), between two in proportion. */
function plainly(durations: readonly number[]) {
  const sorted = [...durations].sort((a, b) => a - b);
  const at = (place: number): number => sorted[Math.max(1, Math.min(sorted.length, place)) - 1] ?? NaN;
  const upTo = (share: number): number => {
    const place = share * (sorted.length + 1);
    const low = Math.max(1, Math.min(sorted.length, Math.floor(place)));
    return place <= 1 ? at(1) : at(low) + (place - low) * (at(low + 1) - at(low));
  };
  if (sorted.length === 0) return { events: null, longest: null, p50: null, p90: null, p99: null };
  return { events: sorted.length, longest: at(sorted.length), p50: upTo(0.5), p90: upTo(0.9), p99: upTo(0.99) };
}

interface Row {
  readonly events?: number | null | undefined;
  readonly longest?: number | null | undefined;
  readonly p50?: number | null | undefined;
  readonly p90?: number | null | undefined;
  readonly p99?: number | null | undefined;
}

function close({ events, longest, p50, p90, p99 }: Row, expected: Row, of: string): void {
  deepEqual({ events, longest }, { events: expected.events, longest: expected.longest }, of);
  for (const [one, other] of [
    [p50, expected.p50],
    [p90, expected.p90],
    [p99, expected.p99],
  ])
    ok(one === other || Math.abs((one ?? NaN) - (other ?? NaN)) < 1e-9, `${of}: ${one} instead of ${other}`);
}

/** The durations of the events that fit. */
function of(events: readonly PlainEvent[], fits: (path: readonly string[]) => boolean): number[] {
  return events.flatMap(({ frames, count }) => (count > 0 && fits(frames.map(signatureOf)) ? [count] : []));
}

describe('durations', () => {
  test('of functions are those of the events with the function on their stack, each once', async () => {
    await fc.assert(
      fc.asyncProperty(plainEvents, async (events) => {
        const options = { metric: 'blocked', durations: true };
        const { rows } = await ask(waiting(drawn(events)), { view: 'functions', options, page: { limit: 0 } });
        for (const row of rows) close(row, plainly(of(events, (path) => path.includes(row.function))), row.function);
      }),
      runs(300),
    );
  });

  test('of nodes of a tree are those of the stacks through them', async () => {
    await fc.assert(
      fc.asyncProperty(plainEvents, fc.boolean(), async (events, inverted) => {
        const options = { metric: 'blocked', durations: true, inverted };
        const { rows } = await ask(waiting(drawn(events)), { view: 'tree', options, page: { limit: 0 } });
        const paths = new Map<number, string[]>();
        for (const row of rows) {
          const node = [...(paths.get(row.parent) ?? []), row.function];
          paths.set(row.id, node);
          const fits = (path: readonly string[]): boolean => {
            const from = inverted ? [...path].reverse() : path;
            return node.every((name, i) => from[i] === name);
          };
          close(row, plainly(of(events, fits)), node.join(' < '));
        }
      }),
      runs(300),
    );
  });

  const events: PlainEvent[] = [10, 30, 20, 0].map((count) => ({
    frames: ['a', 'C.b'],
    thread: 'main',
    time: 0,
    count,
  }));

  test('are columns and fields only if they were asked for; the usual metric is one that has them', async () => {
    const session = waiting(drawn(events));
    const { rows, columns, metric } = await ask(session, { view: 'functions', options: { durations: true } });
    deepEqual(
      rows.map(({ function: name, events: count, longest, p50 }) => [name, count, longest, p50]),
      [
        ['C.b', 3, 30, 20],
        ['a', 3, 30, 20],
      ],
    );
    deepEqual(
      [metric.id, columns.map(({ key }) => key).slice(4)],
      ['blocked', ['events', 'longest', 'p50', 'p90', 'p99', 'function']],
    );
    const without = await ask(session, { view: 'functions', options: { metric: 'blocked' } });
    ok(without.rows.every((row) => !('p50' in row)) && without.columns.every(({ key }) => key !== 'p50'));
  });

  test('of samples are refused; the metrics that have them are named', async () => {
    const session = waiting(drawn(events));
    for (const view of ['functions', 'tree'] as const)
      await rejects(
        ask(session, { view, options: { metric: 'samples', durations: true } }),
        (error) =>
          error instanceof UsageError &&
          /Samples/.test(error.message) &&
          /blocked, parked/.test(commandLineText(error.advice ?? '')),
      );
  });
});
