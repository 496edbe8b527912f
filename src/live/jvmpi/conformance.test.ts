/** The tables of docs/jvmpi-conformance.md against constants, types, the header for C, what the agent can switch on, and the tests. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import * as document from '../../formats/jvmpi/document/index.js';
import { EVENTS } from '../../formats/jvmpi/document/index.js';
import { ROOT } from '../../testing/shared-data.js';
import { RULES } from './rules.js';
import { CONTENTS } from './testing/contents.js';

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const PAGE = read('docs/jvmpi-conformance.md');
const HEADER = read('agent/include/jvmpi.h').replace(/\/\*.*?\*\//gs, '');

type Row = Readonly<Record<string, string>>;

/** The rows of the table whose first column has this heading, each by the headings of its columns. */
function table(heading: string): Row[] {
  const lines = PAGE.split(`\n| ${heading} |`)[1]?.split('\n\n')[0]?.trimEnd().split('\n') ?? [];
  const cells = (line: string): string[] => line.split('|').map((cell) => cell.trim());
  const headings = [heading, ...cells(lines[0] ?? '')];
  return lines.slice(2).map((line) => {
    const all = cells(line).slice(1);
    return Object.fromEntries(headings.map((name, place) => [name === '' ? 'end' : name, all[place] ?? '']));
  });
}

/** What is between backquotes. */
const quoted = (text = ''): string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
/** Names of the first column. */
const namesOf = (rows: readonly Row[], heading: string): string[] =>
  rows.map((row) => (row[heading] ?? '').replaceAll('`', ''));

const FUNCTIONS = table('function');
const EVENT_ROWS = table('event');
const CONSTANTS = table('constants');
const STRUCTURES = table('structure');
const LAYOUTS = table('layout');
/** Constants with their values, as the page has them. */
const VALUES = CONSTANTS.flatMap((row) =>
  [...(row['names and values'] ?? '').matchAll(/`(\w+)` ([-\w]+)/g)].map(
    ([, name = '', value]) => [name, Number(value)] as const,
  ),
);

/** The text of each test that rows name. */
const TESTS = new Map(
  table('tests').map(({ tests = '', files }) => {
    const sources = quoted(files).flatMap((path) =>
      statSync(join(ROOT, path)).isDirectory() ? readdirSync(join(ROOT, path)).map((file) => join(path, file)) : [path],
    );
    return [tests, sources.map(read).join('\n')] as const;
  }),
);

describe('the conformance tables', () => {
  it('have each function and event once', () => {
    deepEqual(namesOf(FUNCTIONS, 'function').sort(), ['NotifyEvent', ...Object.keys(RULES)].sort());
    deepEqual(namesOf(EVENT_ROWS, 'event').sort(), Object.keys(EVENTS).sort());
  });

  it('have each constant once, with the values of the module and of the header', () => {
    const exported = Object.entries(document).filter(([name]) => /^(?:JVMPI|JNI|NATIVE)_/.test(name));
    deepEqual(VALUES.toSorted(), exported.toSorted());
    const defined = new Map(
      [...HEADER.matchAll(/^#define (JVMPI_\w+) (?:\(\(jint\)([-\w]+)\)|(\w+))$/gm)].map(
        ([, name = '', value, other]) => [name, other ?? Number(value)],
      ),
    );
    for (const [name, value] of defined) if (typeof value === 'string') defined.set(name, defined.get(value) ?? '');
    deepEqual([...defined].toSorted(), VALUES.filter(([name]) => name.startsWith('JVMPI_')).toSorted());
  });

  it('have each structure once, with the fields of the header and of the types', () => {
    const fields = new Map(STRUCTURES.map((row) => [(row.structure ?? '').replaceAll('`', ''), quoted(row.fields)]));
    equal(fields.size, STRUCTURES.length);
    deepEqual(fieldsOfHeader(), new Map([...fields].sort()));
    for (const content of Object.values(CONTENTS))
      for (const [name, value] of Object.entries<object>(content)) {
        const own = (fields.get(name) ?? []).filter((field) => field !== 'begin' && field !== 'end');
        deepEqual(new Set(Object.keys(value).filter((field) => !isData(name, field))), new Set(own), name);
      }
    const types = `${read('src/formats/jvmpi/document/types.ts')}${read('src/live/jvmpi/interface.ts')}`;
    for (const [name, own] of fields) {
      const [, body] = new RegExp(`export interface ${name} \\{\\n(.*?)\\n\\}`, 's').exec(types) ?? [];
      if (body === undefined) continue;
      const typed = [...body.matchAll(/^ {2}(?:readonly )?(\w+)[?:(]/gm)].map(([, field = '']) => field);
      deepEqual(typed.sort(), [...own].sort(), name);
    }
  });

  it('have each layout of dumps once', () => {
    const records = Object.keys(document).filter((name) => /^JVMPI_(?:GC|MONITOR)_/.test(name));
    // The header's only record without a layout.
    const expected = records.filter((name) => name !== 'JVMPI_GC_ROOT_THREAD_OBJ').sort();
    const names = namesOf(LAYOUTS, 'layout');
    deepEqual(names.filter((name) => name.startsWith('JVMPI_')).sort(), expected);
    const levels = [0, 1, 2].map((level) => `HEAP_DUMP level ${level}`);
    deepEqual(names.filter((name) => !name.startsWith('JVMPI_')).sort(), [...levels, 'MONITOR_DUMP', 'OBJECT_DUMP']);
  });

  it('say missing of the events that neither the agent nor the interface sends', () => {
    const source = read('agent/switches.c');
    const rows = source.split('} ROWS[] = {')[1]?.split('};')[0] ?? '';
    const sent = new Set([...rows.matchAll(/^ +\{JVMPI_EVENT_([A-Z0-9_]+),/gm)].map(([, name]) => name));
    // Dumps are made when they are requested.
    for (const [, name] of read('agent/functions.c').matchAll(/type == JVMPI_EVENT_([A-Z]+_DUMP)\b/g)) sent.add(name);
    const missing = EVENT_ROWS.filter((row) => row['on HotSpot'] === 'missing').map(({ event }) => event);
    const expected = Object.keys(EVENTS).filter((name) => !sent.has(name) && !name.startsWith('RAW_MONITOR_'));
    deepEqual(missing, expected);
  });

  it('have a fidelity and tests for each row, which these tests have', () => {
    const rows = [
      ...FUNCTIONS.map((row) => [row, [row.function]] as const),
      ...EVENT_ROWS.map((row) => [row, [row.event]] as const),
      // Tests name events without their prefix.
      ...CONSTANTS.map(
        (row) => [row, quoted(row['names and values']).map((name) => name.replace('JVMPI_EVENT_', ''))] as const,
      ),
      ...STRUCTURES.map((row) => [row, quoted(row.fields).filter((field) => !isData('', field))] as const),
      ...LAYOUTS.map((row) => [row, [row.layout]] as const),
    ];
    for (const [row, names] of rows) {
      const [first = ''] = Object.values(row);
      const fidelity = row['on HotSpot'] ?? row.fidelity ?? '';
      ok(['exact', 'near', 'missing'].includes(fidelity), `${first}: ${fidelity}`);
      if (fidelity === 'near') ok(row.remark !== '', `${first}: the difference`);
      const tests = row.tests?.split(', ') ?? [];
      for (const test of tests) ok(TESTS.has(test), `${first}: ${test}`);
      const text = tests.map((test) => TESTS.get(test)).join('\n');
      const untested = names.filter((name) => !new RegExp(`(?:\\b|_)${name}\\b`).test(text));
      deepEqual(untested, [], first);
      // What a JVM does is tested in a JVM. Raw monitors are in Kansoku's process.
      const inJvm = tests.some((test) => !['functions', 'events', 'monitors', 'dumps'].includes(test));
      if ('event' in row && fidelity !== 'missing' && !first.startsWith('RAW_')) ok(inJvm, first);
    }
  });
});

/** Bytes of dumps: \`begin\` and \`end\` in C. */
function isData(structure: string, field: string): boolean {
  return (field === 'data' && structure !== 'object_dump') || field === 'begin' || field === 'end';
}

/** The structures of the header with their fields, by name. */
function fieldsOfHeader(): Map<string, string[]> {
  const found = new Map<string, string[]>();
  let text = HEADER.replace(/^#.*$/gm, '').replace(/^#endif$/m, '');
  // From the innermost braces outwards; what is inside becomes a field.
  for (;;) {
    const inner = /(?:typedef )?(struct|union) \{([^{}]*)\} (\w+);/.exec(text);
    if (inner === null) break;
    const [whole, kind, body = '', name = ''] = inner;
    const fields = body.split(';').flatMap((line) => /\(\*(\w+)\)|(\w+)\s*$/.exec(line)?.slice(1).find(Boolean) ?? []);
    if (kind === 'struct') found.set(name, fields);
    text = text.replace(whole, `int ${name};`);
  }
  return new Map([...found].sort());
}
