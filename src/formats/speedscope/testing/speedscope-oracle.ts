/**
 * The expected content of a speedscope file, by `JSON.parse` and the rules of docs/formats/speedscope.md, without any
 * code of the reader.
 */
import { isDeepStrictEqual } from 'node:util';
import { stringAt } from '../../../base/text.js';
import { threadName } from '../../../models/profile/profile.js';
import type { Program } from '../../../models/program/program.js';
import type { Recording } from '../../../models/recording.js';
import { column, hasField } from '../../../models/table.js';
import type { Fault, Judge, Outcome } from '../../../testing/fuzz/fuzzed-reader.js';
import { faultOf, hasDuplicateKeys, mustShow, parse } from '../../iprof/testing/iprof-oracle.js';
import { frameName } from '../../shared/frame-text.js';

/** A value of a stack: the kind of unit, the profile's name, frames root first, the value, and the time where there is one. */
export interface SeenRow {
  readonly kind: 'time' | 'bytes' | 'weight';
  readonly thread: string;
  readonly frames: readonly string[];
  readonly value: number;
  readonly time: number | undefined;
}

interface Expected {
  readonly rows: SeenRow[];
  /** Rows of each profile, in the order of the file. */
  readonly counts: number[];
  readonly breaches: string[];
}

type Json = Record<string, unknown>;

const SCALES: Readonly<Record<string, number>> = { nanoseconds: 1, microseconds: 1e3, milliseconds: 1e6, seconds: 1e9 };

export function speedscopeOracle(original: Uint8Array): Judge {
  const ends = profileEnds(original);
  const whole = parse(original);
  const before = isObject(whole?.root) ? naiveRows(whole.root) : undefined;
  return (mutated, outcome, cutAt) => {
    const value = parse(mutated);
    if (value === undefined || !isObject(value.root)) {
      const hidden = mustShow(mutated, outcome, 'JSON.parse refuses the text, or it is no object');
      return { input: 'damaged', ...faultOf(hidden ?? judgeCut(outcome, before, ends, cutAt)) };
    }
    if (hasDuplicateKeys(value.text, value.root)) return { input: 'ambiguous' };
    const wanted = naiveRows(value.root);
    const input = wanted.breaches.length > 0 ? 'damaged' : 'sound';
    // An object without profiles has nothing to read.
    if (outcome.kind === 'refused')
      return {
        input,
        ...faultOf(wanted.counts.length === 0 ? undefined : { code: 'refused', detail: outcome.message }),
      };
    const { recording } = outcome;
    if (input === 'damaged') {
      const hidden = mustShow(mutated, outcome, wanted.breaches[0] ?? '');
      if (hidden !== undefined) return { input, fault: hidden };
    } else if (!recording.complete || recording.problems.list.some(({ severity }) => severity === 'error'))
      return { input, fault: { code: 'false alarm', detail: recording.problems.list[0]?.message ?? 'incomplete' } };
    return { input, ...faultOf(difference(wanted.rows, seenRows(recording))) };
  };
}

function difference(wanted: readonly SeenRow[], seen: readonly SeenRow[]): Fault | undefined {
  if (isDeepStrictEqual(wanted, seen)) return undefined;
  const at = wanted.findIndex((row, i) => !isDeepStrictEqual(row, seen[i]));
  const detail = `${wanted.length} rows, ${seen.length} read; row ${at}: ${JSON.stringify(wanted[at])}, ${JSON.stringify(seen[at])} read`;
  return { code: 'differs', detail };
}

/** Of a file that was cut: the rows of all profiles that ended before, and no others than in the whole file. */
function judgeCut(
  outcome: Outcome,
  before: Expected | undefined,
  ends: readonly number[],
  cutAt: number | undefined,
): Fault | undefined {
  if (cutAt === undefined || before === undefined || before.breaches.length > 0) return undefined;
  const whole = ends.filter((end) => end <= cutAt).length;
  const least = before.counts.slice(0, whole).reduce((sum, count) => sum + count, 0);
  const seen = outcome.kind === 'read' ? seenRows(outcome.recording) : [];
  if (seen.length < least) return { code: 'lost', detail: `${least} rows before the cut, ${seen.length} read` };
  const known = new Set(before.rows.map(({ value }) => value));
  const invented = seen.find(({ value, kind }) => kind !== 'weight' && !known.has(value));
  if (invented !== undefined || seen.length > before.rows.length)
    return { code: 'invented', detail: `${JSON.stringify(invented)}, ${seen.length} rows of ${before.rows.length}` };
  return undefined;
}

/** Rows by kind (time, bytes, weight), in each by profile. */
export function naiveRows(root: Json): Expected {
  const breaches: string[] = [];
  const shared = root.shared;
  const list = isObject(shared) ? shared.frames : undefined;
  if (shared !== undefined && !isObject(shared)) breaches.push('shared');
  if (list !== undefined && !Array.isArray(list)) breaches.push('frames');
  const frames: unknown[] = Array.isArray(list) ? list : [];
  const names = frames.map((frame, index) => frameText(frame, index, breaches));
  const profiles: unknown[] = Array.isArray(root.profiles) ? root.profiles : [];
  if (!Array.isArray(root.profiles)) breaches.push('no profiles');
  const read = profiles.map((profile) => profileRows(profile, names, breaches));
  const rows: SeenRow[] = [];
  for (const kind of ['time', 'bytes', 'weight'] as const) {
    const chosen = read.filter((profile) => profile?.kind === kind);
    const origin = Math.min(...chosen.map((profile) => profile?.begin ?? Infinity));
    for (const profile of chosen)
      for (const { stack, time, value } of profile?.rows ?? [])
        rows.push({
          kind,
          thread: profile?.thread ?? '',
          frames: stack,
          value: value * (profile?.scale ?? 1),
          time: kind === 'time' ? time * (profile?.scale ?? 1) - origin : undefined,
        });
  }
  return { rows, counts: read.map((profile) => profile?.rows.length ?? 0), breaches };
}

function frameText(frame: unknown, index: number, breaches: string[]): string {
  if (!isObject(frame) || typeof frame.name !== 'string') {
    breaches.push('a frame without a name');
    return `<frame ${index}>||0`;
  }
  const file = typeof frame.file === 'string' ? frame.file : '';
  const line = typeof frame.line === 'number' && Number.isInteger(frame.line) && frame.line > 0 && frame.line < 2 ** 31;
  return `${frame.name}|${file}|${line ? Number(frame.line) : 0}`;
}

interface PlainRow {
  readonly stack: readonly string[];
  readonly time: number;
  readonly value: number;
}

function profileRows(profile: unknown, names: readonly string[], breaches: string[]) {
  if (!isObject(profile)) {
    breaches.push('a profile');
    return undefined;
  }
  const { type, unit, name } = profile;
  if (type !== 'sampled' && type !== 'evented') breaches.push('type');
  const units = ['none', 'bytes', ...Object.keys(SCALES)];
  if (typeof unit !== 'string' || !units.includes(unit)) breaches.push('unit');
  if (name !== undefined && typeof name !== 'string') breaches.push('name');
  for (const key of ['samples', 'weights', 'events'])
    if (profile[key] !== undefined && !Array.isArray(profile[key])) breaches.push(key);
  const start = number(profile.startValue);
  const rows = [
    ...eventRows(arrayOf(profile.events), names, breaches),
    ...sampleRows(profile, start ?? 0, names, breaches),
  ];
  const scale = typeof unit === 'string' && Object.hasOwn(SCALES, unit) ? SCALES[unit] : undefined;
  const kind = unit === 'bytes' ? 'bytes' : scale === undefined ? 'weight' : 'time';
  const first = rows[0]?.time ?? Infinity;
  const begin = Math.min(start ?? first, first) * (scale ?? 1);
  return { kind, thread: typeof name === 'string' ? name : '', scale: scale ?? 1, rows, begin };
}

function eventRows(events: readonly unknown[], names: readonly string[], breaches: string[]): PlainRow[] {
  const rows: PlainRow[] = [];
  const open: number[] = [];
  let now = Number.NaN;
  for (const event of events) {
    const { type, frame, at } = isObject(event) ? event : {};
    const moment = number(at);
    if ((type !== 'O' && type !== 'C') || !isFrame(frame) || moment === undefined) {
      breaches.push('an event');
      continue;
    }
    if (moment < now) breaches.push('order');
    else {
      if (open.length > 0 && moment > now)
        rows.push({ stack: open.map((each) => nameOf(each, names, breaches)), time: now, value: moment - now });
      now = moment;
    }
    if (frame >= names.length) breaches.push('dangling');
    if (type === 'O') open.push(frame);
    else {
      if (open.at(-1) !== frame) breaches.push('unbalanced');
      const depth = open.lastIndexOf(frame);
      if (depth >= 0) open.length = depth;
    }
  }
  if (open.length > 0) breaches.push('unclosed');
  return rows;
}

function sampleRows(profile: Json, start: number, names: readonly string[], breaches: string[]): PlainRow[] {
  const samples = arrayOf(profile.samples);
  const weights = arrayOf(profile.weights);
  if (samples.length !== weights.length) breaches.push('weights');
  const rows: PlainRow[] = [];
  let time = start;
  for (const [i, sample] of samples.entries()) {
    const stack = Array.isArray(sample) && sample.every(isFrame) ? sample : undefined;
    if (stack === undefined) breaches.push('a sample');
    const frames = stack?.map((frame) => nameOf(frame, names, breaches));
    if (i >= weights.length) continue;
    const weight = number(weights[i]);
    if (weight === undefined) continue;
    if (frames !== undefined && frames.length > 0) rows.push({ stack: frames, time, value: weight });
    time += weight;
  }
  if (weights.some((weight) => number(weight) === undefined)) breaches.push('a weight');
  return rows;
}

function nameOf(frame: number, names: readonly string[], breaches: string[]): string {
  const known = names[frame];
  if (known === undefined) breaches.push('dangling');
  return known ?? `<frame ${frame}>||0`;
}

function arrayOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function number(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

function isFrame(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 2 ** 31 - 2;
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const VALUES = { time: 'spent', bytes: 'bytes', weight: 'weight' } as const;

/** The rows of a recording that was read. */
export function seenRows(recording: Recording): SeenRow[] {
  const { program, profile } = recording;
  return (profile?.events ?? []).flatMap((table) => {
    const kind = (['time', 'bytes', 'weight'] as const).find((each) => each === table.kind) ?? 'weight';
    const stack = column(table, 'stack');
    return Array.from({ length: table.length }, (_, row) => {
      const frames: string[] = [];
      for (let id = stack[row]; id >= 0; id = profile?.stacks.parent[id] ?? -1)
        frames.unshift(placeText(program, profile?.stacks.location[id] ?? -1));
      const thread = profile === undefined ? '' : (threadName(profile, program, column(table, 'thread')[row]) ?? '');
      const time = hasField(table, 'time') ? column(table, 'time')[row] : undefined;
      return { kind, thread, frames, value: column(table, VALUES[kind])[row], time };
    });
  });
}

function placeText(program: Program, location: number): string {
  const file = program.functions.file?.[program.locations.function[location]] ?? -1;
  const line = program.locations.line?.[location] ?? 0;
  return `${frameName(program, location)}|${file < 0 ? '' : stringAt(program.names, file)}|${line}`;
}

/** Where each profile of the list ends: brackets are counted, strings are skipped. */
function profileEnds(bytes: Uint8Array): number[] {
  const text = new TextDecoder('latin1').decode(bytes);
  const ends: number[] = [];
  let depth = 0;
  let key = '';
  for (const match of text.matchAll(/"((?:[^"\\]|\\.)*)"|[{}[\]]/g)) {
    const token = match[0];
    if (token === '{' || token === '[') depth++;
    else if (token === '}' || token === ']') {
      depth--;
      if (token === '}' && depth === 2 && key === 'profiles') ends.push(match.index + 1);
    } else if (depth === 1 && /^\s*:/.test(text.slice(match.index + token.length, match.index + token.length + 8)))
      key = match[1] ?? '';
  }
  return ends;
}

/** Offsets at which objects and lists begin. */
export function speedscopeEdges(bytes: Uint8Array): number[] {
  const edges: number[] = [];
  for (let at = 0; at < bytes.length; at++) if (EDGES.has(bytes[at])) edges.push(at);
  return edges;
}

const EDGES = new Set(new TextEncoder().encode('{['));
