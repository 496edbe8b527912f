/** Real files against what the JDK's own reader says of them: counts, stacks with weights, threads. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { type ByteSource, memorySource } from '../../bytes/byte-source.js';
import type { EventsRead } from '../../models/event-types.js';
import { STACK, THREAD } from '../../models/events/shared-fields.js';
import { STACK_ENDINGS, threadName } from '../../models/profile/profile.js';
import { functionName, loadObjectName } from '../../models/program/names.js';
import { lineOf } from '../../models/program/places.js';
import { FUNCTION_KINDS } from '../../models/program/program.js';
import { column, type Table } from '../../models/table.js';
import { sharedData } from '../../testing/shared-data.js';
import { outlineOfJfr, readEvents } from './read.js';
import { plainJfr } from './testing/plain-jfr.js';

function unpacked(path: string): Buffer {
  const bytes = readFileSync(path);
  return bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes;
}

function sourceOf(path: string): ByteSource {
  return memorySource(basename(path), unpacked(path));
}

const isJfr = (name: string): boolean => /\.jfr(?:\.gz)?$/.test(name);
const nameOf = (file: string): string => file.replace(/\.jfr(?:\.gz)?$/, '');
/** As our reader spells types of JDK 9. */
const typeOf = (name: string): string => name.replace(/^com\.oracle\./, '');

/** Files that the JDK cannot read, or not to their end, and one of another format. */
const BEYOND_THE_JDK = new Set(['truncated-jdk17', 'growing-jdk17']);
const REFUSED = new Set(['jmc-8u60']);

/** Lines of a table of the collection without head and end, as fields. */
function rowsIn(path: string): string[][] {
  const lines = unpacked(path).toString('utf8').split('\n').slice(1);
  return lines.filter((line) => line !== '' && !line.startsWith('#')).map((line) => line.split('\t'));
}

function countsIn(path: string): Record<string, number> {
  return Object.fromEntries(rowsIn(path).map(([type = '', count]) => [typeOf(type), Number(count)]));
}

/** Sums by text: how many, and their weight. */
class Sums {
  readonly #sums = new Map<string, { count: number; weight: number }>();

  add(text: string, count: number, weight: number): void {
    const sum = this.#sums.get(text) ?? { count: 0, weight: 0 };
    sum.count += count;
    sum.weight += weight;
    this.#sums.set(text, sum);
  }

  lines(): string[] {
    // The JDK adds up whole numbers.
    return [...this.#sums].map(([text, { count, weight }]) => `${text}\t${count}\t${Math.trunc(weight)}`).sort();
  }
}

const WORDS = ['', 'Interpreted', 'C1 compiled', 'JIT compiled', 'Inlined'];

/** The frames of a stack as the tables of the collection have them. */
function stackText({ program, profile }: EventsRead, stack: number): string {
  const { locations, functions, units } = program;
  const frames: string[] = [];
  for (let at = stack; at >= 0; at = profile.stacks.parent[at]) {
    const location = profile.stacks.location[at];
    const of = locations.function[location];
    const kind = FUNCTION_KINDS[functions.kind[of]];
    const unit = functions.unit?.[of] ?? -1;
    const library = unit < 0 ? '' : `${loadObjectName(program, units?.loadObject[unit] ?? 0)}.`;
    const line = lineOf(program, location);
    const word = kind === 'kernel' ? 'Kernel' : WORDS[locations.mode?.[location] ?? 0];
    frames.push(`${library}${functionName(program, of)}${line > 0 ? `:${line}` : ''}_[${word}]`);
  }
  if (STACK_ENDINGS[profile.stacks.ending[stack]] === 'cut') frames.push('[truncated]');
  return frames.reverse().join(';');
}

/** Expected frames in the spelling of this house: names of hidden classes, and no word for native code, which methods of Java may be, too. */
function expectedStack(text: string): string {
  return text
    .replace(/\+(0x[0-9a-f]+)\.\d+/g, '/$1')
    .replace(/\.(0x[0-9a-f]+)/g, '/$1')
    .replace(/\.(\d{5,})(?=\.)/g, '/$1')
    .replace(/_\[(?:C\+\+|Native)\]/g, '_[]');
}

const WEIGHTS = ['weight', 'tlabSize', 'allocationSize', 'size', 'samples', 'duration', 'samplingPeriod'];

function weights(table: Table): ArrayLike<number> | undefined {
  const key = WEIGHTS.find((word) => table.columns[word] !== undefined);
  return key === undefined ? undefined : table.columns[key];
}

function stacksOf(read: EventsRead, table: Table): string[] {
  const sums = new Sums();
  const field = table.fields.find(({ holds }) => holds === STACK.holds);
  const stacks = field && column(table, field.key);
  const weight = weights(table);
  for (let row = 0; row < table.length; row++)
    if (stacks !== undefined && stacks[row] >= 0) sums.add(stackText(read, stacks[row]), 1, weight?.[row] ?? 0);
  return sums.lines();
}

/** Numbers and weights of the events with a stack by the name of the thread, as the tables of the collection have them. */
function threadsOf({ program, profile }: EventsRead, table: Table): string[] {
  const sums = new Sums();
  const [threads, stacks] = [THREAD, STACK].map(({ key }) => column(table, table.shared?.[key] ?? key));
  const weight = weights(table);
  for (let row = 0; row < table.length; row++)
    if (threads[row] >= 0 && stacks[row] >= 0)
      sums.add(threadName(profile, program, threads[row]) ?? '', 1, weight?.[row] ?? 0);
  return sums.lines();
}

const HEADER_BYTES = 68;

/** A compressed integer of less than 2^31, and where it ends. */
function varint(bytes: Uint8Array, at: number): { value: number; end: number } {
  let value = 0;
  for (let end = at, shift = 0; ; end++, shift += 7) {
    value |= (bytes[end] & 0x7f) << shift;
    if (bytes[end] < 0x80) return { value, end: end + 1 };
  }
}

function recordType(bytes: Uint8Array, at: number): number {
  return varint(bytes, varint(bytes, at).end).value;
}

describe('files of the collection', () => {
  test('have the counts of the JDK', async (t) => {
    const folder = sharedData(t, 'interop/jfr');
    if (folder === undefined) return;
    for (const file of readdirSync(folder).filter(isJfr)) {
      const name = nameOf(file);
      if (REFUSED.has(name) || name === 'truncated-jdk17') continue;
      const { recording } = await outlineOfJfr(sourceOf(join(folder, file)));
      const { sections, problems, complete } = recording;
      const counts = Object.fromEntries(sections.map((section) => [section.name, section.entries]));
      deepEqual(counts, countsIn(join(folder, 'expected', `${name}.types.tsv`)), name);
      if (BEYOND_THE_JDK.has(name)) continue;
      deepEqual(problems.list, [], name);
      ok(complete);
    }
  });

  test('have the stacks of the JDK, with their weights', async (t) => {
    const folder = sharedData(t, 'interop/jfr');
    if (folder === undefined) return;
    for (const file of readdirSync(folder).filter(isJfr)) {
      const name = nameOf(file);
      if (REFUSED.has(name) || name === 'truncated-jdk17') continue;
      const expected = new Map<string, Sums>();
      for (const [type = '', count, weight, stack = ''] of rowsIn(join(folder, 'expected', `${name}.stacks.tsv.gz`))) {
        // A stack without frames is none.
        if (stack === '') continue;
        const sums = expected.get(typeOf(type)) ?? new Sums();
        expected.set(typeOf(type), sums);
        sums.add(expectedStack(stack), Number(count), Number(weight));
      }
      const read = await readEvents(sourceOf(join(folder, file)), [...expected.keys()]);
      for (const [type, sums] of expected) {
        const table = read.profile.events.find(({ kind }) => kind === type);
        ok(table, `${name} ${type}`);
        deepEqual(stacksOf(read, table), sums.lines(), `${name} ${type}`);
      }
    }
  });

  test('have the threads of the JDK', async (t) => {
    const folder = sharedData(t, 'interop/jfr');
    if (folder === undefined) return;
    let files = 0;
    for (const file of readdirSync(folder).filter(isJfr)) {
      const name = nameOf(file);
      if (REFUSED.has(name) || name === 'truncated-jdk17') continue;
      const expected = new Map<string, Sums>();
      // The JDK distinguishes no stack from one without frames, and counts threads of the latter.
      const stacks = rowsIn(join(folder, 'expected', `${name}.stacks.tsv.gz`));
      const frameless = new Set(stacks.flatMap(([type = '', , , stack]) => (stack === '' ? [type] : [])));
      for (const [type = '', thread = '', count, weight] of rowsIn(join(folder, 'expected', `${name}.threads.tsv`))) {
        if (frameless.has(type)) continue;
        const sums = expected.get(typeOf(type)) ?? new Sums();
        expected.set(typeOf(type), sums);
        sums.add(thread, Number(count), Number(weight));
      }
      const read = await readEvents(sourceOf(join(folder, file)), [...expected.keys()]);
      for (const [type, sums] of expected) {
        const table = read.profile.events.find(({ kind }) => kind === type);
        ok(table, `${name} ${type}`);
        deepEqual(threadsOf(read, table), sums.lines(), `${name} ${type}`);
      }
      if (expected.size > 0) files++;
    }
    ok(files > 10);
  });

  test('truncated-jdk17 has the events of the whole file that end before the cut', async (t) => {
    const folder = sharedData(t, 'interop/jfr');
    if (folder === undefined) return;
    const whole = unpacked(join(folder, 'warehouse-jdk17.jfr'));
    const cut = unpacked(join(folder, 'truncated-jdk17.jfr.gz'));
    deepEqual(whole.subarray(0, cut.length), cut);
    const { chunks, edges } = plainJfr(whole);
    const events = chunks.flatMap((chunk) => chunk.events);
    // The second reader has the offset of each record, metadata and checkpoints among them.
    const records = edges.filter((at) => at >= HEADER_BYTES && recordType(whole, at) > 1);
    equal(records.length, events.length);
    const expected: Record<string, number> = {};
    for (const [i, at] of records.entries())
      if (at + varint(whole, at).value <= cut.length) expected[events[i].type] = (expected[events[i].type] ?? 0) + 1;
    const source = sourceOf(join(folder, 'truncated-jdk17.jfr.gz'));
    const { sections, problems, complete } = (await outlineOfJfr(source)).recording;
    deepEqual(Object.fromEntries(sections.map((section) => [section.name, section.entries])), expected);
    deepEqual(
      problems.list.map(({ code, offset }) => [code, offset]),
      [
        ['jfr-gap', 612_341],
        ['jfr-cut', 612_345],
      ],
    );
    ok(!complete);
  });
});
