/**
 * What must be seen in a damaged trace: a second reading with the JSON parser of the engine counts events and the time of counters, ranges and
 * spans. Where spans end out of order only events are counted: docs/formats/chrome-trace.md says what is made of them.
 */
import type { Recording } from '../../../models/recording.js';
import { column } from '../../../models/table.js';
import type { Judge } from '../../../testing/fuzz/fuzzed-reader.js';
import { faultOf, hasDuplicateKeys, mustShow, parse } from '../../iprof/testing/iprof-oracle.js';

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);

interface PlainTrace {
  readonly events: number;
  readonly counters: number;
  /** Time in which some span of a thread is open, all threads, in microseconds; undefined if begins and ends do not match. */
  readonly spanned: number | undefined;
}

/** Undefined if an event breaks a rule. */
export function plainTrace(root: unknown): PlainTrace | undefined {
  const list = isObject(root) ? root.traceEvents : root;
  if (!Array.isArray(list)) return undefined;
  let [events, counters] = [0, 0];
  const spans = new Map<string, [number, number][]>();
  const open = new Map<string, { readonly name: unknown; readonly time: number }[]>();
  // Of begins and ends, by thread.
  const latest = new Map<string, number>();
  let isMatched = true;
  for (const event of list) {
    if (!isObject(event) || typeof event.ph !== 'string') return undefined;
    events++;
    if (event.ph === 'M') continue;
    if (!isNumber(event.ts)) return undefined;
    const key = `${String(event.pid ?? '')} ${String(event.tid ?? '')}`;
    const [closed, begun] = [spans.get(key) ?? [], open.get(key) ?? []];
    spans.set(key, closed);
    open.set(key, begun);
    const last = begun.at(-1);
    if (event.ph === 'C' && isObject(event.args)) counters += Object.values(event.args).filter(isNumber).length;
    if (event.ph === 'X') {
      const duration = isNumber(event.dur) ? event.dur : isNumber(event.tdur) ? event.tdur : 0;
      if (duration < 0) return undefined;
      closed.push([event.ts, event.ts + duration]);
      if (last !== undefined && event.ts < last.time) isMatched = false;
    }
    if (event.ph === 'B' || event.ph === 'E') {
      if (event.ts < (latest.get(key) ?? event.ts)) isMatched = false;
      latest.set(key, event.ts);
    }
    if (event.ph === 'B') {
      begun.push({ name: event.name, time: event.ts });
    }
    if (event.ph === 'E') {
      begun.pop();
      if (last === undefined || last.name !== event.name) isMatched = false;
      else closed.push([last.time, event.ts]);
    }
  }
  if ([...open.values()].some((begun) => begun.length > 0)) isMatched = false;
  return { events, counters, spanned: isMatched ? coveredBy([...spans.values()]) : undefined };
}

function coveredBy(threads: readonly (readonly [number, number][])[]): number {
  let covered = 0;
  for (const spans of threads) {
    let reached = Number.NEGATIVE_INFINITY;
    for (const [begin, end] of [...spans].sort((a, b) => a[0] - b[0])) {
      covered += Math.max(0, end - Math.max(begin, reached));
      reached = Math.max(reached, end);
    }
  }
  return covered;
}

/** The same figures of a recording; `spanned` only where spans do not overlap. */
export function traceFigures({ sections, profile }: Recording): PlainTrace {
  const times = profile?.events.find(({ kind }) => kind === 'time');
  const spent = times === undefined ? [] : [...column(times, 'spent')];
  return {
    events: sections.find(({ name }) => name === 'events')?.entries ?? 0,
    counters: profile?.counters?.length ?? 0,
    spanned: spent.reduce((all, value) => all + value, 0) / 1e3,
  };
}

export function traceOracle(): Judge {
  return (mutated, outcome) => {
    const value = parse(mutated);
    if (value === undefined)
      return { input: 'damaged', ...faultOf(mustShow(mutated, outcome, 'JSON.parse refuses the text')) };
    if (hasDuplicateKeys(value.text, value.root)) return { input: 'ambiguous' };
    const plain = plainTrace(value.root);
    if (plain === undefined || plain.events === 0) return { input: 'ambiguous' };
    if (outcome.kind === 'refused') return { input: 'sound', fault: { code: 'refused', detail: outcome.message } };
    const figures = traceFigures(outcome.recording);
    const isOverlapping = outcome.recording.problems.counts['chrome-trace-overlap'] !== undefined;
    const isSpanned =
      plain.spanned === undefined ||
      isOverlapping ||
      Math.abs((figures.spanned ?? 0) - plain.spanned) <= 1e-6 * Math.max(1, plain.spanned);
    return plain.events === figures.events && plain.counters === figures.counters && isSpanned
      ? { input: 'sound' }
      : {
          input: 'sound',
          fault: { code: 'differs', detail: `${JSON.stringify(plain)}, read ${JSON.stringify(figures)}` },
        };
  };
}
