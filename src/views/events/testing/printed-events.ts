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

/** The events in the output of `jfr print --json`. */
export function printedEvents(json: string): readonly Printed[] {
  const read: unknown = JSON.parse(json);
  const recording = isRecord(read) ? read.recording : undefined;
  const events = isRecord(recording) && Array.isArray(recording.events) ? recording.events : [];
  return events.flatMap((event: unknown) =>
    isRecord(event) && typeof event.type === 'string' && isRecord(event.values)
      ? [{ type: event.type, values: event.values }]
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

/** Nanoseconds of `2026-11-21T09:35:41.566486526Z` after `start`, a time in milliseconds. */
function nanosOf(text: string, start: number): number {
  const [, seconds = '', fraction = ''] = /^(.*?)(?:\.(\d+))?Z$/.exec(text) ?? [];
  return (Date.parse(`${seconds}Z`) - start) * 1e6 + Number(fraction.padEnd(9, '0'));
}

/** Nanoseconds of `PT1M2.5S`; null for one that is none. */
function spanOf(text: string): number | null {
  const [, hours = '0', minutes = '0', seconds = '0'] =
    /^PT(?:([-\d]+)H)?(?:([-\d]+)M)?(?:([-\d.]+)S)?$/.exec(text) ?? [];
  const nanos = Math.round((Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1e9);
  return nanos < -(2 ** 62) ? null : nanos;
}

/** With dots, and the suffix of a hidden class as `Class.getName()` has it. */
const dotted = (name: unknown): string =>
  String(name)
    .replaceAll('/', '.')
    .replace(/[.+](0x[0-9a-f]+)(?:\.\d+)?$/, '/$1');

/** `[Ljava/lang/String;` as in Java. */
function classOf(name: unknown): string {
  const [, brackets = '', element = '', letter = ''] = /^(\[+)(?:L(.*);|(.))$/.exec(dotted(name)) ?? [];
  return brackets === '' ? dotted(name) : (element || (ELEMENTS[letter] ?? letter)) + '[]'.repeat(brackets.length);
}

const ELEMENTS: Readonly<Record<string, string>> = {
  ...{ Z: 'boolean', B: 'byte', C: 'char', S: 'short' },
  ...{ I: 'int', J: 'long', F: 'float', D: 'double' },
};

/** A printed value as our cell should be; undefined if it is compared by its parts, or not at all. */
function expectedCell(value: unknown, start: number, offset: number): unknown {
  if (typeof value === 'string') {
    if (/^\d{4}-\d\d-\d\dT.*Z$/.test(value)) return new Nanos(nanosOf(value, start) + offset);
    if (value.startsWith('-999999999-')) return null;
    const span = /^PT[-\d]/.test(value) ? spanOf(value) : undefined;
    return span === undefined ? value : span === null ? null : new Nanos(span);
  }
  if (!isRecord(value)) return value;
  if ('javaName' in value) {
    const name = value.javaName ?? value.osName;
    return name === '' ? `#${String(value.javaThreadId)}` : name;
  }
  if (Array.isArray(value.frames)) {
    const frames = value.frames.filter(isRecord).map(({ method, lineNumber }) => {
      const { type, name } = isRecord(method) ? method : { type: undefined, name: '' };
      return { name: `${classOf(isRecord(type) ? type.name : '')}.${String(name)}`, line: Number(lineNumber) };
    });
    return frames.length === 0 ? null : frames;
  }
  if ('descriptor' in value) return `${classOf(isRecord(value.type) ? value.type.name : '')}.${String(value.name)}`;
  return 'modifiers' in value ? classOf(value.name) : undefined;
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
  else if (typeof expected === 'number' && !Number.isInteger(expected))
    assert.ok(Math.abs(Number(actual) - expected) <= Math.abs(expected) * 1e-6, `${where}: ${String(actual)}`);
  else if (typeof expected === 'string' && typeof actual === 'string' && actual.includes('('))
    assert.ok(actual === expected || actual.startsWith(`${expected}(`), `${where}: ${actual}, printed ${expected}`);
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

/** Compares all printed events with ours, which must be as many of each type; returns the number of compared values. */
export async function comparePrinted(session: Session, printed: readonly Printed[]): Promise<number> {
  const start = Date.parse(session.recordings[0]?.metadata.find(({ key }) => key === 'started')?.value ?? '');
  let compared = 0;
  for (const type of new Set(printed.map((event) => event.type))) {
    const { rows } = await ask(session, {
      view: 'events',
      options: { types: [type], stack_depth: 2, secrets: true },
      page: { limit: 0 },
    });
    // Printed in the order of the file; equal times stay in it.
    const order = printed
      .filter((event) => event.type === type)
      .map(({ values }) => ({ values, time: nanosOf(String(values.startTime), start) }))
      .sort((a, b) => a.time - b.time);
    assert.equal(rows.length, order.length, type);
    // The metadata has the start in milliseconds.
    const offset = Number(rows[0]?.startTime) - (order[0]?.time ?? 0);
    assert.ok(Math.abs(offset) < 1e6, `${type} begins ${offset} ns off`);
    for (const [i, { values }] of order.entries())
      for (const [key, cell] of valuesOf(values, start, offset)) {
        const actual = rows[i]?.[key];
        // Class loaders are shown by their names, not by their fields.
        assert.ok(actual !== undefined || /lassLoader\./.test(key), `${type} has no ${key}`);
        if (actual !== undefined && compareCell(cell, actual, `${type}#${i + 1} ${key}`)) compared++;
      }
  }
  return compared;
}
