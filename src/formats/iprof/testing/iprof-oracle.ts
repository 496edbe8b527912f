/**
 * The expected content of an `.iprof` file, by `JSON.parse` and the rules of the format's published schema (a context
 * is `METHOD:BCI` frames, leaf first; records have a fixed arity), without any code of the reader.
 *
 * Where our reader states a stricter rule than the schema, the rule is the reader's: ids, targets and indexes are
 * 32-bit integers.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Problems } from '../../../base/problems.js';
import type { Fault, Judge, Outcome, Verdict } from '../../../testing/fuzz/fuzzed-reader.js';
import { type Seen, seenByReader } from './iprof-seen.js';

type Kind = 'types' | 'methods' | 'call' | 'branch' | 'receiver' | 'instanceof' | 'monitor' | 'sample';

const SECTIONS: Readonly<Record<string, Kind>> = {
  types: 'types',
  methods: 'methods',
  callCountProfiles: 'call',
  hotnessPoints: 'call',
  conditionalProfiles: 'branch',
  conditionalPoints: 'branch',
  virtualInvokeProfiles: 'receiver',
  invokePoints: 'receiver',
  instanceofProfiles: 'instanceof',
  instanceOfProfiles: 'instanceof',
  monitorProfiles: 'monitor',
  monitorsProfile: 'monitor',
  samplingProfiles: 'sample',
};
const KNOWN = new Set(Object.keys(SECTIONS));
const ARITY: Readonly<Record<string, number>> = {
  call: 1,
  sample: 1,
  branch: 3,
  receiver: 2,
  instanceof: 2,
  monitor: 2,
};
const FRAME = '[0-9]+:-?[0-9]+';
const CONTEXT = new RegExp(`^${FRAME}(?:<${FRAME})*$`);
const LEGACY_CONTEXT = new RegExp(`^${FRAME}(?:,${FRAME})*$`);

/** What an independent reading of the text finds. */
interface Expected extends Seen {
  /** Entries that violate the rules: the reader must report something. */
  breaches: string[];
}

export function iprofOracle(original: Uint8Array): Judge {
  const ends = elementEnds(original);
  return (mutated, outcome, cutAt) => {
    const value = parse(mutated);
    if (value === undefined) return { input: 'damaged', ...faultOf(judgeDamaged(mutated, outcome, ends, cutAt)) };
    if (typeof value.root !== 'object' || value.root === null || Array.isArray(value.root))
      return { input: 'damaged', ...faultOf(mustShow(mutated, outcome, 'the file is JSON, but not an object')) };
    if (hasDuplicateKeys(value.text, value.root)) return { input: 'ambiguous' };
    const wanted = expected(value.root);
    return wanted === undefined ? { input: 'ambiguous' } : judgeSound(mutated, outcome, wanted);
  };
}

export function faultOf(fault: Fault | undefined): { fault?: Fault } {
  return fault === undefined ? {} : { fault };
}

/** What `JSON.parse` makes of strict UTF-8; undefined if it refuses. */
export function parse(bytes: Uint8Array): { text: string; root: unknown } | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return { text, root: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/** JSON does not define duplicate keys, and `JSON.parse` returns only the last one. */
export function hasDuplicateKeys(text: string, root: unknown): boolean {
  let written = 0;
  for (const match of text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?/g)) if (match[1] !== undefined) written++;
  let kept = 0;
  const waiting: unknown[] = [root];
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (typeof value !== 'object' || value === null) continue;
    const inner = Object.values(value);
    if (!Array.isArray(value)) kept += inner.length;
    for (const child of inner) waiting.push(child);
  }
  return written !== kept;
}

function hasErrorAt(problems: Problems, size: number): boolean {
  return problems.list.some(
    ({ severity, offset }) => severity === 'error' && offset !== undefined && offset >= 0 && offset <= size,
  );
}

/** A fault if damage is neither rejected nor reported as an error with an offset. */
export function mustShow(bytes: Uint8Array, outcome: Outcome, why: string): Fault | undefined {
  if (outcome.kind === 'refused' || hasErrorAt(outcome.recording.problems, bytes.length)) return undefined;
  const complete = outcome.recording.complete ? 'complete' : 'incomplete, but without an offset';
  return { code: 'silent', detail: `${why}; the recording is ${complete}` };
}

function judgeDamaged(
  bytes: Uint8Array,
  outcome: Outcome,
  ends: readonly ElementEnds[],
  cutAt: number | undefined,
): Fault | undefined {
  const hidden = mustShow(bytes, outcome, 'JSON.parse refuses the text');
  if (hidden !== undefined || outcome.kind === 'refused') return hidden;
  if (outcome.recording.complete && outcome.recording.problems.list.every(({ severity }) => severity !== 'error'))
    return { code: 'silent', detail: 'JSON.parse refuses the text, the recording is complete' };
  if (cutAt === undefined) return undefined;
  for (const section of ends) {
    const whole = section.ends.filter((end) => end <= cutAt).length;
    const seen = outcome.recording.sections.find(({ name }) => name === section.key)?.entries ?? 0;
    if (seen !== whole)
      return {
        code: seen < whole ? 'lost' : 'invented',
        detail: `${section.key}: ${whole} entries before the cut, ${seen} read`,
      };
  }
  return undefined;
}

interface ElementEnds {
  readonly key: string;
  readonly ends: readonly number[];
}

/** Where each element of each known section ends: brackets are counted, strings are skipped. */
function elementEnds(bytes: Uint8Array): ElementEnds[] {
  const text = new TextDecoder('latin1').decode(bytes);
  const found: { key: string; ends: number[] }[] = [];
  let depth = 0;
  let key = '';
  for (const match of text.matchAll(/"((?:[^"\\]|\\.)*)"|[{}[\]]/g)) {
    const token = match[0];
    if (token === '{' || token === '[') depth++;
    else if (token === '}' || token === ']') {
      depth--;
      const single = depth === 1 && key === 'monitorsProfile';
      if (token === '}' && (depth === 2 || single) && SECTIONS[key] !== undefined)
        found.find((section) => section.key === key)?.ends.push(match.index + 1);
    } else if (depth === 1 && /^\s*:/.test(text.slice(match.index + token.length, match.index + token.length + 8))) {
      key = match[1] ?? '';
      if (SECTIONS[key] !== undefined) found.push({ key, ends: [] });
    }
  }
  return found;
}

/** Offsets of brackets, braces and quotes, where entries, keys and values begin and end. */
export function iprofEdges(bytes: Uint8Array): number[] {
  const edges: number[] = [];
  for (let at = 0; at < bytes.length; at++) if (EDGES.has(bytes[at])) edges.push(at);
  return edges;
}

const EDGES = new Set(new TextEncoder().encode('{}[]"'));

function judgeSound(bytes: Uint8Array, outcome: Outcome, wanted: Expected): Verdict {
  const broken = wanted.breaches.length > 0;
  const input = broken ? 'damaged' : 'sound';
  if (outcome.kind === 'refused')
    return { input, fault: { code: 'refused', detail: `a JSON object was refused: ${outcome.message}` } };
  const recording = outcome.recording;
  if (broken) {
    const hidden = mustShow(bytes, outcome, wanted.breaches[0]);
    if (hidden !== undefined) return { input, fault: hidden };
  } else if (!recording.complete || recording.problems.list.some(({ severity }) => severity === 'error')) {
    const first = recording.problems.list.find(({ severity }) => severity === 'error');
    return { input, fault: { code: 'false alarm', detail: first?.message ?? 'incomplete without a problem' } };
  }
  const fault = difference(wanted, seenByReader(recording, KNOWN)) ?? danglingShown(bytes, outcome.problems, wanted);
  return { input, ...faultOf(fault) };
}

function difference(wanted: Expected, seen: Seen): Fault | undefined {
  const keys = ['sections', 'types', 'methods', 'missingTypes', 'missingMethods', 'entries'] as const;
  for (const key of keys) {
    if (isDeepStrictEqual(wanted[key], seen[key])) continue;
    const at = JSON.stringify(wanted[key]).slice(0, 300);
    return { code: 'differs', detail: `${key}: ${at} by JSON.parse, ${JSON.stringify(seen[key]).slice(0, 300)} read` };
  }
  return undefined;
}

/** Ids that nothing explains are found by the format's check. */
function danglingShown(bytes: Uint8Array, problems: Problems, wanted: Expected): Fault | undefined {
  if (wanted.missingTypes + wanted.missingMethods === 0 || hasErrorAt(problems, bytes.length)) return undefined;
  return { code: 'silent', detail: 'an id that nothing explains' };
}

type Json = Record<string, unknown>;

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isInt32(value: unknown): value is number {
  return typeof value === 'number' && value === (value | 0) && value !== -0x80000000;
}

/** Undefined if the spellings of two versions are mixed in one section: the meaning of that is undefined. */
function expected(root: object): Expected | undefined {
  const result: Expected = {
    sections: {},
    types: [],
    methods: [],
    missingTypes: 0,
    missingMethods: 0,
    entries: {},
    breaches: [],
  };
  const used = { types: new Set<number>(), methods: new Set<number>() };
  const known = { types: new Set<number>(), methods: new Set<number>() };
  const kinds = new Set<Kind>();
  for (const [key, value] of Object.entries(root)) {
    const kind = SECTIONS[key];
    if (key === 'version' && typeof value !== 'string') result.breaches.push('the version is no string');
    if (kind === undefined) continue;
    const elements: unknown = kind === 'monitor' && isObject(value) ? [value] : value;
    if (kinds.has(kind) || !Array.isArray(elements)) {
      result.breaches.push(`${key} comes twice or is no array`);
      result.sections[key] = 0;
      continue;
    }
    kinds.add(kind);
    if (mixesSpellings(elements)) return undefined;
    result.sections[key] = elements.length;
    for (const element of elements) {
      const breach = addElement(result, kind, element, value === element, used, known);
      if (breach !== undefined) result.breaches.push(`${key}: ${breach}`);
    }
  }
  result.missingTypes = [...used.types].filter((id) => !known.types.has(id)).length;
  result.missingMethods = [...used.methods].filter((id) => !known.methods.has(id)).length;
  return result;
}

function mixesSpellings(elements: readonly unknown[]): boolean {
  const uses = (keys: readonly string[]): boolean =>
    elements.some((element) => isObject(element) && keys.some((key) => key in element));
  return uses(['name', 'ctx']) && uses(['typeName', 'methodName', 'methodBciList']);
}

interface Ids {
  readonly types: Set<number>;
  readonly methods: Set<number>;
}

/** Adds one element, or returns its fault. */
function addElement(
  result: Expected,
  kind: Kind,
  element: unknown,
  single: boolean,
  used: Ids,
  known: Ids,
): string | undefined {
  if (!isObject(element)) return 'an entry is no object';
  if (kind !== 'types' && kind !== 'methods') return addEntry(result, kind, element, single, used);
  const name = element.name ?? element[kind === 'types' ? 'typeName' : 'methodName'];
  if (!isInt32(element.id) || typeof name !== 'string') return 'no id of 32 bits or no name';
  if (kind === 'types') {
    result.types.push(`${element.id} ${name}`);
    known.types.add(element.id);
    return undefined;
  }
  const signature: unknown = element.signature;
  if (!Array.isArray(signature) || !signature.every(isInt32)) return 'a signature that is no list of type ids';
  for (const id of signature) used.types.add(id);
  result.methods.push(`${element.id} ${name} ${signature.join(' ')}`);
  known.methods.add(element.id);
  return undefined;
}

function addEntry(result: Expected, kind: Kind, element: Json, single: boolean, used: Ids): string | undefined {
  const legacy = !('ctx' in element);
  const context = legacy ? element.methodBciList : element.ctx;
  const monitor = kind === 'monitor';
  if (typeof context !== 'string' && !(single && context === undefined)) return 'no context';
  const frames = monitor || typeof context !== 'string' ? [] : framesOf(context, legacy);
  if (frames === undefined) return 'a context that is none';
  const records: unknown = element.records;
  const arity = ARITY[kind];
  if (!Array.isArray(records) || !records.every((value) => typeof value === 'number')) return 'no list of numbers';
  if (records.length % arity !== 0 || (arity === 1 && records.length !== 1)) return 'arity';
  const numbers: number[] = records;
  if (!numbers.every((value, i) => i % arity === arity - 1 || value === (value | 0))) return 'beyond 32 bits';
  // Without a record there is nothing to count, nor a place where it was counted.
  if (numbers.length === 0) return undefined;
  result.entries[kind] ??= [];
  const rows = result.entries[kind];
  for (const [method] of frames) used.methods.add(method);
  const place = frames.map(([method, bci]) => `${method}:${bci}`).join('<');
  for (let i = 0; i < numbers.length; i += arity) {
    // -0 and 0 are one number.
    rows.push([place, ...numbers.slice(i, i + arity).map((value) => value + 0)]);
    if (arity === 2) used.types.add(numbers[i]);
  }
  if (monitor && !single && context !== '0:0' && !/^0+:-?0+$/.test(String(context)))
    return 'monitors of another context';
  return numbers.every((value) => Number.isInteger(value)) ? undefined : 'a count that is no whole number';
}

function framesOf(context: string, legacy: boolean): [number, number][] | undefined {
  if (!(legacy ? LEGACY_CONTEXT : CONTEXT).test(context)) return undefined;
  const frames: [number, number][] = [];
  for (const frame of context.split(legacy ? ',' : '<')) {
    const [method = Number.NaN, bci = Number.NaN] = frame.split(':').map(Number);
    if (method > 0x7fffffff || Math.abs(bci) > 0x7fffffff) return undefined;
    frames.push([method, bci]);
  }
  return frames;
}
