/** Events of recordings of JFR as `jfr print --json` writes them, compared with ours, field by field. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { memorySource } from '../../../bytes/byte-source.js';
import { ask, openSession, type Session } from '../../../session/session.js';

export function unpacked(path: string): Buffer {
  const bytes = readFileSync(path);
  return bytes[0] === 0x1f ? gunzipSync(bytes) : bytes;
}

export interface Printed {
  readonly type: string;
  readonly values: Readonly<Record<string, unknown>>;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Integers behind the name of a field. */
const INTEGERS = /(?<=": )-?\d{16,}(?=[,\s}])/g;

/** Whether an integer is a number in our results, too; larger ones are texts. */
function isExact(integer: string): boolean {
  return Number.isSafeInteger(Number(integer));
}

/** The events in the output of `jfr print --json`. */
export function printedEvents(json: string): readonly Printed[] {
  const read: unknown = JSON.parse(json.replace(INTEGERS, (integer) => (isExact(integer) ? integer : `"${integer}"`)));
  const recording = isRecord(read) ? read.recording : undefined;
  const events = isRecord(recording) && Array.isArray(recording.events) ? recording.events : [];
  return events.flatMap((event: unknown) =>
    isRecord(event) && typeof event.type === 'string' && isRecord(event.values)
      ? [{ type: event.type.replace(/^com\.oracle\.(?=jdk\.)/, ''), values: event.values }]
      : [],
  );
}

/** A time, which is converted from ticks: printed ones are rounded. */
class Nanos {
  constructor(readonly nanos: number) {}

  check(actual: unknown, where: string): void {
    const most = Math.max(1000, Math.abs(this.nanos) * 1e-15);
    assert.ok(Math.abs(Number(actual) - this.nanos) <= most, `${where}: ${String(actual)}, printed ${this.nanos}`);
  }
}

/** A span without an end. */
class ForEver extends Nanos {
  override check(actual: unknown, where: string): void {
    assert.equal(actual, Infinity, `${where}: ${String(actual)}, printed as for ever`);
  }
}

/** A point in time: ours is relative to the recording, or that of the calendar in milliseconds. */
class Instant extends Nanos {
  constructor(
    nanos: number,
    readonly millis: number,
  ) {
    super(nanos);
  }

  override check(actual: unknown, where: string): void {
    if (Math.abs(Number(actual) - this.millis) >= 1) super.check(actual, where);
  }
}

const INSTANT = /^(\d{4}-\d\d-\d\dT[\d:]+)(?:\.(\d+))?(Z|[-+]\d\d:\d\d)$/;

/** Nanoseconds of `2026-11-21T09:35:41.566486526Z` after `start`, a time in milliseconds. */
function nanosOf(text: string, start: number): number {
  const [, seconds = '', fraction = '', zone = ''] = INSTANT.exec(text) ?? [];
  return (Date.parse(seconds + zone) - start) * 1e6 + Number(fraction.padEnd(9, '0'));
}

/** 2^63 milliseconds. */
const FOREVER_HOURS = 2_562_047_788_015;

/** Nanoseconds of `PT1M2.5S`; null for one that is none. */
function spanOf(text: string): number | null {
  const [, hours = '0', minutes = '0', seconds = '0'] =
    /^PT(?:([-\d]+)H)?(?:([-\d]+)M)?(?:([-\d.]+)S)?$/.exec(text) ?? [];
  // For ever: the largest number of milliseconds (JDK 17), or that of seconds in its place.
  if (Number(hours) >= FOREVER_HOURS) return Infinity;
  const nanos = Math.round((Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1e9);
  return nanos < -(2 ** 62) ? null : nanos;
}

/** With dots, and the suffix of a hidden class as `Class.getName()` has it. */
const dotted = (name: unknown): string =>
  String(name)
    .replaceAll('/', '.')
    .replace(/[.+](0x[0-9a-f]+)(?:\.\d+)?$/, '/$1')
    // JDK 9
    .replace(/(\$\$Lambda\$\d+)\.(\d+)$/, '$1/$2');

/** `[Ljava/lang/String;` as in Java. */
function classOf(name: unknown): string {
  const [, brackets = '', element = '', letter = ''] = /^(\[+)(?:L(.*);|(.))$/.exec(dotted(name)) ?? [];
  return brackets === '' ? dotted(name) : (element || (ELEMENTS[letter] ?? letter)) + '[]'.repeat(brackets.length);
}

const ELEMENTS: Readonly<Record<string, string>> = {
  ...{ Z: 'boolean', B: 'byte', C: 'char', S: 'short' },
  ...{ I: 'int', J: 'long', F: 'float', D: 'double' },
};

const NATIVE = new Set<unknown>(['Native', 'C++', 'Kernel']);

/** async-profiler writes `()L;` for functions that are not methods. */
const descriptorOf = ({ descriptor }: Readonly<Record<string, unknown>>): string =>
  descriptor === '()L;' ? '' : String(descriptor);

/** A printed value as our cell should be; undefined if it is compared by its parts, or not at all. */
function expectedCell(value: unknown, start: number, offset: number): unknown {
  if (typeof value === 'string') {
    if (INSTANT.test(value)) return new Instant(nanosOf(value, start) + offset, Date.parse(value));
    if (value.startsWith('-999999999-')) return null;
    const span = /^PT[-\d]/.test(value) ? spanOf(value) : undefined;
    return span === undefined ? value : span === null ? null : span === Infinity ? new ForEver(span) : new Nanos(span);
  }
  if (!isRecord(value)) return value;
  if ('javaName' in value) {
    const name = value.javaName ?? value.osName;
    return name === '' ? `#${String(value.javaThreadId)}` : name;
  }
  if (Array.isArray(value.frames)) {
    const frames = value.frames.filter(isRecord).map(({ method, lineNumber, type: how }) => {
      const { type, name } = isRecord(method) ? method : { type: undefined, name: '' };
      const owner = classOf(isRecord(type) ? type.name : '');
      // Native functions are named without their library.
      const isAlone = owner === '' || (NATIVE.has(how) && isRecord(method) && !/^\(.*\)./.test(descriptorOf(method)));
      return { name: isAlone ? String(name) : `${owner}.${String(name)}`, line: Number(lineNumber) };
    });
    return frames.length === 0 ? null : frames;
  }
  if ('descriptor' in value) return `${classOf(isRecord(value.type) ? value.type.name : '')}.${String(value.name)}`;
  // Modules and packages are shown by their names.
  if ('location' in value) return value.name;
  if ('exported' in value) return value.name;
  return 'modifiers' in value ? classOf(value.name) : undefined;
}

const WIDTHS = [8, 16, 32, 64];

/** The unsigned integer of some bits that is printed with a sign. */
function withoutSign(printed: unknown, width: number): string {
  return String(BigInt.asUintN(width, BigInt(String(printed))));
}

/** Compares a cell; true if there was something to compare. */
function compareCell(expected: unknown, actual: unknown, where: string): boolean {
  if (expected === undefined) return false;
  if (Array.isArray(expected)) {
    assert.ok(Array.isArray(actual), where);
    for (const [i, { name, line }] of expected.entries()) {
      assert.ok(String(actual[i]).startsWith(name), `${where}: ${String(actual[i])} is not in ${name}`);
      if (line > 0) assert.match(String(actual[i]), new RegExp(`[: ]${line}\\)$|:\\d+$`), where);
    }
  } else if (expected instanceof Nanos) expected.check(actual, where);
  else if (typeof expected === 'string' && typeof actual === 'string' && actual.includes('('))
    assert.ok(actual === expected || actual.startsWith(`${expected}(`), `${where}: ${actual}, printed ${expected}`);
  // JDK 17 prints unsigned numbers with a sign; later ones tell whether a field has one.
  else if (Number(expected) < 0 && Number(actual) > 0)
    assert.ok(
      WIDTHS.some((width) => withoutSign(expected, width) === String(actual)),
      `${where}: ${String(actual)}`,
    );
  else assert.deepEqual(actual, expected, where);
  return true;
}

/** Each value of an event with its path; those of structures have dots. */
function valuesOf(
  values: Readonly<Record<string, unknown>>,
  start: number,
  offset: number,
  prefix = '',
): [string, unknown][] {
  return Object.entries(values).flatMap(([key, value]): [string, unknown][] => {
    const cell = expectedCell(value, start, offset);
    if (cell === undefined && isRecord(value)) return valuesOf(value, start, offset, `${prefix}${key}.`);
    return [[prefix + key, cell]];
  });
}

export async function opened(path: string): Promise<Session> {
  return openSession([memorySource('x.jfr', unpacked(path))], { extent: 'outline' });
}

/** Its numbers are bits a second; ours are bytes. */
const BIT_RATES = 'jdk.NetworkUtilization';
const BITS = 8;

/** Rows in the order of `times`, which is theirs; those of equal times by duration. */
function withTiesByDuration<Row extends Readonly<Record<string, unknown>>>(
  rows: readonly Row[],
  times: readonly number[],
): readonly Row[] {
  const place = new Map(rows.map((row, i) => [row, times[i] ?? 0]));
  return [...rows].sort(
    (a, b) => (place.get(a) ?? 0) - (place.get(b) ?? 0) || Number(a.duration ?? 0) - Number(b.duration ?? 0),
  );
}

/** Compares all printed events with ours, which must be as many of each type; returns the number of compared values. */
export async function comparePrinted(session: Session, expected: readonly Printed[]): Promise<number> {
  const start = Date.parse(session.recordings[0]?.metadata.find(({ key }) => key === 'started')?.value ?? '');
  let compared = 0;
  for (const type of new Set(expected.map((event) => event.type))) {
    const { rows } = await ask(session, {
      view: 'events',
      options: { types: [type], stack_depth: 2, secrets: true },
      page: { limit: 0 },
    });
    // Printed in the order of the file, and times are rounded: those that are equal then are compared in the order of their durations.
    const order = expected
      .filter((event) => event.type === type)
      .map(({ values }) => ({
        values,
        time: nanosOf(String(values.startTime), start),
        duration: spanOf(String(values.duration)) ?? 0,
      }))
      .sort((a, b) => a.time - b.time || a.duration - b.duration);
    assert.equal(rows.length, order.length, type);
    // The metadata has the start in milliseconds.
    const offset = Number(rows[0]?.startTime) - (order[0]?.time ?? 0);
    assert.ok(Math.abs(offset) < 1e6, `${type} begins ${offset} ns off`);
    const ours = withTiesByDuration(
      rows,
      order.map(({ time }) => time),
    );
    for (const [i, { values }] of order.entries())
      for (const [key, cell] of valuesOf(values, start, offset)) {
        const actual = ours[i]?.[key];
        // Class loaders are shown by their names, not by their fields.
        assert.ok(actual !== undefined || /lassLoader\./.test(key), `${type} has no ${key}`);
        const expected = type === BIT_RATES && typeof cell === 'number' ? cell / BITS : cell;
        if (actual !== undefined && compareCell(expected, actual, `${type}#${i + 1} ${key}`)) compared++;
      }
  }
  return compared;
}
