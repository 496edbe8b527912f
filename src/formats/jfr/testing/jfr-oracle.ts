/** What must be seen in a recording, by its second reading: events by type, and the stacks of those that the models have. */
import { isDeepStrictEqual } from 'node:util';
import { stringAt } from '../../../base/text.js';
import { ALLOCATION_EVENTS } from '../../../models/events/allocation.js';
import { SAMPLE_EVENTS } from '../../../models/events/sample.js';
import { type Profile, STACK_ENDINGS, threadName } from '../../../models/profile/profile.js';
import { lineOf } from '../../../models/program/places.js';
import type { Program } from '../../../models/program/program.js';
import type { Recording } from '../../../models/recording.js';
import type { Column } from '../../../models/table.js';
import type { Judge } from '../../../testing/fuzz/fuzzed-reader.js';
import {
  type PlainChunk,
  type PlainFile,
  PlainReference,
  type PlainStruct,
  type PlainValue,
  plainJfr,
} from './plain-jfr.js';

const KNOWN = new Map([
  ['jdk.ExecutionSample', { kind: SAMPLE_EVENTS, thread: 'sampledThread' }],
  ['jdk.ObjectAllocationSample', { kind: ALLOCATION_EVENTS, thread: 'eventThread' }],
]);

/** The stack of an event: lines and method names, outermost first. */
function stacksIn({ program, profile }: { program: Program; profile: Profile }, stack: number): string {
  const frames: string[] = [];
  for (let at = stack; at >= 0; at = profile.stacks.parent[at]) {
    const location = profile.stacks.location[at];
    const name = stringAt(program.names, program.functions.name[program.locations.function[location]]);
    frames.push(`${name}:${Math.max(0, lineOf(program, location))}`);
  }
  if (stack >= 0) frames.push(STACK_ENDINGS[profile.stacks.ending[stack]] === 'cut' ? '…' : '');
  return frames.reverse().join(';');
}

function seenBy({ program, profile }: Recording): string[] {
  if (profile === undefined) return [];
  const rows: string[] = [];
  for (const [type, { kind }] of KNOWN) {
    const table = kind.of(profile);
    const { length = 0, stack, thread } = table ?? {};
    const value = (column: Column | undefined, row: number): number => column?.[row] ?? -1;
    for (let row = 0; row < length; row++) {
      const name = threadName(profile, program, value(thread, row)) ?? '';
      rows.push(`${type} ${name} ${stacksIn({ program, profile }, value(stack, row))}`);
    }
  }
  return rows.sort();
}

const structOf = (value: PlainValue | undefined): PlainStruct | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof PlainReference)
    ? value
    : undefined;

/** Undefined if the field is of another type: its name alone makes it no stack. */
function constant({ pools }: PlainChunk, type: string, value: PlainValue | undefined): PlainStruct | undefined {
  if (!(value instanceof PlainReference) || value.type !== type) return undefined;
  return structOf(pools.get(type)?.get(value.key));
}

/** The text of a value, which may be in the pool of strings. */
function textOf({ pools }: PlainChunk, value: PlainValue | undefined): string | undefined {
  const key = value instanceof PlainReference && value.type === 'java.lang.String' ? value.key : value;
  const text = typeof key === 'bigint' ? pools.get('java.lang.String')?.get(key) : key;
  return typeof text === 'string' ? text : undefined;
}

function wantedStack(chunk: PlainChunk, key: PlainValue | undefined): string {
  const trace = constant(chunk, 'jdk.types.StackTrace', key);
  const frames = trace?.frames;
  if (!Array.isArray(frames) || frames.length === 0) return '';
  const texts = frames.map((element) => {
    const frame = structOf(element);
    const method = constant(chunk, 'jdk.types.Method', frame?.method);
    const symbol = constant(chunk, 'jdk.types.Symbol', method?.name);
    const name = textOf(chunk, symbol?.string) ?? '<unknown>';
    const line = frame?.lineNumber;
    const number = typeof line === 'number' || typeof line === 'bigint' ? Number(line) : 0;
    return `${name}:${Math.max(0, number)}`;
  });
  return [trace?.truncated === 1 ? '…' : '', ...texts.reverse()].join(';');
}

function wantedOf({ chunks }: PlainFile): string[] {
  const rows: string[] = [];
  for (const chunk of chunks)
    for (const { type, values } of chunk.events) {
      const known = KNOWN.get(type);
      if (known === undefined || values === undefined) continue;
      const thread = constant(chunk, 'java.lang.Thread', values[known.thread]);
      const name = textOf(chunk, thread?.javaName) ?? textOf(chunk, thread?.osName) ?? '';
      rows.push(`${type} ${name} ${wantedStack(chunk, values.stackTrace)}`);
    }
  return rows.sort();
}

/** What differs between a recording and the second reading of its file, which is sound; undefined if nothing. */
export function difference(plain: PlainFile, recording: Recording): string | undefined {
  const counts = new Map<string, number>();
  for (const { events } of plain.chunks) for (const { type } of events) counts.set(type, (counts.get(type) ?? 0) + 1);
  for (const { name, entries } of recording.sections)
    if (counts.get(name) !== entries) return `${entries} events ${name}, not ${counts.get(name) ?? 0}`;
  if (recording.sections.length !== counts.size) return `${recording.sections.length} types, not ${counts.size}`;
  const [seen, wanted] = [seenBy(recording), wantedOf(plain)];
  const at = wanted.findIndex((row, i) => row !== seen[i]);
  return isDeepStrictEqual(seen, wanted) ? undefined : `row ${at} is ${seen[at]}, not ${wanted[at]}`;
}

/** Sound files must be read as they are; where one is broken, that must show. */
export function jfrOracle(): Judge {
  return (mutated, outcome) => {
    const plain = plainJfr(mutated);
    const isWhole = plain.broken < 0;
    const unread = plain.chunks.some(({ events }) => events.some(({ values }) => values === undefined));
    if (outcome.kind === 'refused')
      return {
        input: isWhole ? 'sound' : 'damaged',
        ...(plain.chunks.length > 0 && { fault: { code: 'refused', detail: outcome.message } }),
      };
    if (!isWhole) {
      // Constants are not read where no event of a known type needs them.
      if (outcome.problems.list.length === 0 && seenBy(outcome.recording).length === 0) return { input: 'ambiguous' };
      const shown = outcome.problems.list.length > 0;
      return {
        input: 'damaged',
        ...(!shown && { fault: { code: 'silent', detail: `nothing is said of the chunk at ${plain.broken}` } }),
      };
    }
    // Values that do not match the metadata: which of them are read depends on what is asked for.
    if (unread) return { input: 'ambiguous' };
    // Of names that are no UTF-8, JVMs write some, which the second reading does not know.
    if (plain.chunks.some(({ events }) => events.some(({ type }) => type.includes('\uFFFD'))))
      return { input: 'ambiguous' };
    const detail = difference(plain, outcome.recording);
    return { input: 'sound', ...(detail !== undefined && { fault: { code: 'content', detail } }) };
  };
}

/** Beginnings of events and the fields of the header. */
export function jfrEdges(bytes: Uint8Array): number[] {
  const header = [0, 4, 6, 8, 16, 24, 32, 40, 48, 56, 64, 67, 68];
  return [...header, ...plainJfr(bytes).edges].filter((at) => at < bytes.length);
}
