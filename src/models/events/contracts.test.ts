/**
 * That kinds of events have one home: every event table of every file that we have is of a kind in this folder and has
 * the fields of its contract, and no product source elsewhere reads a field by a string or makes tables of its own.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, test } from 'node:test';
import { KansokuError } from '../../base/errors.js';
import { readHead } from '../../bytes/byte-source.js';
import { fileSource } from '../../bytes/file.node.js';
import { gunzip, isGzip } from '../../bytes/gzip.node.js';
import { FORMATS } from '../../formats/registry.js';
import { LOG_FORMAT } from '../../formats/shared/logs/log-lines.js';
import { detect } from '../../session/inputs/detect.js';
import { openInputs } from '../../session/open.node.js';
import { ROOT } from '../../testing/shared-data.js';
import { ROOTS } from '../heap/heap-graph.js';
import { DEADLOCKS, LOCK_WAITS, MONITORS, SNAPSHOTS } from '../locks/locks.js';
import { ARCS, COUNTERS, RANGES, THREADS, TRACES } from '../profile/tables.js';
import type { Recording } from '../recording.js';
import type { Field, Table } from '../table.js';
import type { Contract } from '../table-kind.js';
import { EVENT_KINDS } from './index.js';

/** Kinds of all tables that are not events. */
const OTHER_KINDS: readonly Contract[] = [
  THREADS,
  TRACES,
  ARCS,
  COUNTERS,
  RANGES,
  SNAPSHOTS,
  MONITORS,
  LOCK_WAITS,
  DEADLOCKS,
  ROOTS,
];

/** The identity of a field, without its texts. */
const meaning = ({ key, holds, unit, wide, nature }: Field) => [key, holds, unit, wide === true, nature];

/** How a table breaks the contract of its kind. */
function breaches(table: Table, kinds: readonly Contract[]): string[] {
  const kind = kinds.find((candidate) => candidate.kind === table.kind);
  if (kind === undefined) return [`${table.kind}: no such kind`];
  const own = table.fields.filter(({ extension }) => extension !== true);
  const lacking = kind.fields.filter(
    ({ key, optional }) => optional !== true && own.every((field) => field.key !== key),
  );
  const foreign = own.filter((field) => {
    const known = kind.fields.find(({ key }) => key === field.key);
    return known === undefined || JSON.stringify(meaning(known)) !== JSON.stringify(meaning(field));
  });
  const hiding = table.fields.filter(
    ({ key, extension }) => extension === true && kind.fields.some((field) => field.key === key),
  );
  const unequal = table.fields.filter(({ key }) => table.columns[key]?.length !== table.length);
  const undeclared = Object.keys(table.columns).filter((key) => table.fields.every((field) => field.key !== key));
  return [
    ...lacking.map(({ key }) => `${table.kind} lacks ${key}`),
    ...foreign.map(({ key }) => `${key} is no field of ${table.kind}, and no extension`),
    ...hiding.map(({ key }) => `an extension of ${table.kind} takes the name of its ${key}`),
    ...unequal.map(({ key }) => `${table.kind}: ${key} is not as long as the table`),
    ...undeclared.map((key) => `${table.kind}: ${key} is not among its fields`),
  ];
}

function breachesOf({ profile, locks, heaps, name }: Recording): string[] {
  const { threads, traces, arcs, counters, ranges } = profile ?? {};
  const others = [threads, traces, arcs, counters, ranges, locks?.snapshots, locks?.monitors, locks?.waits];
  const tables = [...others, locks?.deadlocks, ...(heaps ?? []).map(({ recorded }) => recorded?.roots)];
  const kinds = profile?.events.map(({ kind }) => kind) ?? [];
  const metrics = profile?.metrics.filter(({ table }) => !kinds.includes(table) && table !== arcs?.kind) ?? [];
  return [
    ...(profile?.events ?? []).flatMap((table) => breaches(table, EVENT_KINDS)),
    ...tables.flatMap((table) => (table === undefined ? [] : breaches(table, OTHER_KINDS))),
    ...kinds.filter((kind, i) => kinds.indexOf(kind) < i).map((kind) => `two tables ${kind}`),
    ...metrics.map(({ id }) => `the metric ${id} is of no table`),
  ].map((fault) => `${relative(ROOT, name)}: ${fault}`);
}

/** A fixture of more bytes has no kind of table that the others lack. */
const LARGEST = 4 << 20;

/** All files below the folders, as paths relative to the clone. */
function filesBelow(...folders: string[]): string[] {
  const paths = (folder: string): string[] =>
    readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true }).flatMap((entry) =>
      entry.isFile() ? [relative(ROOT, join(entry.parentPath, entry.name))] : [],
    );
  return folders.flatMap(paths).sort();
}

function fixtures(): string[] {
  return filesBelow('src', 'examples').filter(
    (path) => /(?:^|\/)(?:fixtures|examples)\//.test(path) && statSync(join(ROOT, path)).size <= LARGEST,
  );
}

/** The recordings of a fixture; none of class files, sources, and files that are named and not read. */
async function recordingsOf(path: string): Promise<readonly Recording[]> {
  if (path.endsWith('.er.tar.gz')) {
    const session = await openInputs([path], { cache: false, announce: () => undefined, work: {} });
    await session.close();
    return session.recordings;
  }
  const file = await fileSource(path);
  const source = isGzip(await readHead(file, 3)) ? gunzip(file) : file;
  try {
    return [await (await detect(source)).read(source, {})];
  } catch (error) {
    if (!(error instanceof KansokuError)) throw error;
    return [];
  } finally {
    await file.close?.();
  }
}

test('every table of every fixture meets the contract of its kind', async () => {
  const faults: string[] = [];
  const formats = new Set<string>();
  const kinds = new Set<string>();
  for (const path of fixtures()) {
    for (const recording of await recordingsOf(join(ROOT, path))) {
      formats.add(recording.format);
      for (const { kind } of recording.profile?.events ?? []) kinds.add(kind);
      faults.push(...breachesOf(recording));
    }
  }
  assert.deepEqual(faults, []);
  // A log may hold records of several formats.
  assert.deepEqual([...formats].sort(), [...FORMATS.map(({ id }) => id), LOG_FORMAT].sort());
  assert.deepEqual([...kinds].sort(), EVENT_KINDS.map(({ kind }) => kind).sort());
});

describe('a table that breaks its contract', () => {
  const STACK: Field = { key: 'stack', title: '', holds: 'stack', unit: 'none', meaning: '' };
  const COUNT: Field = {
    key: 'count',
    title: '',
    holds: 'number',
    unit: 'count',
    meaning: '',
    wide: true,
    nature: 'site',
  };
  const table = (kind: string, fields: readonly Field[]): Table => ({
    kind,
    title: kind,
    length: 1,
    fields,
    columns: Object.fromEntries(fields.map(({ key }) => [key, Int32Array.of(0)])),
  });

  for (const [name, broken, fault] of [
    ['is of no kind', table('calls', [STACK, COUNT]), 'calls: no such kind'],
    ['lacks a field', table('call', [COUNT]), 'call lacks stack'],
    [
      'has a field of its own',
      table('call', [STACK, { ...COUNT, key: 'weight' }, COUNT]),
      'weight is no field of call',
    ],
    ['has another unit', table('call', [STACK, { ...COUNT, unit: 'ns' }]), 'count is no field of call'],
    ['hides a field', table('call', [STACK, COUNT, { ...STACK, key: 'site', extension: true }]), 'takes the name'],
    ['hides a column', { ...table('call', [STACK, COUNT]), fields: [STACK, COUNT].slice(0, 1) }, 'call lacks count'],
  ] as const)
    test(name, () => {
      assert.ok(breaches(broken, EVENT_KINDS).some((found) => found.includes(fault)));
    });

  test('is reported, one that meets it with an extension is not', () => {
    const extended = table('call', [STACK, COUNT, { ...COUNT, key: 'weight', extension: true }]);
    assert.deepEqual(breaches(extended, EVENT_KINDS), []);
  });
});

/** Keys of all fields that a contract has. */
const KEYS = [...new Set([...EVENT_KINDS, ...OTHER_KINDS].flatMap(({ fields }) => fields.map(({ key }) => key)))];

/** Finds code that spells a field, or makes a table, outside of the models. */
const SPELLED: readonly (readonly [what: string, pattern: RegExp])[] = [
  ['a field read by a string', /\b(?:column|hasField|optionalColumn|eventTable)\((?:[^()]|\([^()]*\))*,\s*['"`]/g],
  ['a column read by a string', /\.columns(?:\?\.)?\[\s*['"`]/g],
  ['a column read by its key', new RegExp(`\\.columns\\??\\.(?:${KEYS.join('|')})\\b`, 'g')],
  ['columns taken apart', /\}\s*=\s*[\w.?]*\.columns;/g],
  ['a builder of a column asked for by a string', /\.field\(\s*['"`]/g],
  ['a table of no kind', /\bnew TableBuilder\b/g],
];

function spelledIn(text: string): string[] {
  return SPELLED.flatMap(([what, pattern]) =>
    [...text.matchAll(pattern)].map(({ index }) => `${text.slice(0, index).split('\n').length}: ${what}`),
  );
}

describe('sources outside the models', () => {
  test('do not read fields by strings or make tables of their own', () => {
    const product = filesBelow('src', 'web').filter(
      (path) => path.endsWith('.ts') && !/^src\/models\/|\/(?:testing|fixtures)\/|\.test\.ts$/.test(path),
    );
    assert.ok(product.includes('src/views/threads/threads.ts'));
    assert.deepEqual(
      product.flatMap((path) => spelledIn(readFileSync(join(ROOT, path), 'utf8')).map((found) => `${path}:${found}`)),
      [],
    );
  });

  for (const line of [
    "const stack = column(table, 'stack');",
    "if (hasField(tableOf(kind), 'stack')) return;",
    "const calls = eventTable(\n  profile,\n  'call',\n);",
    "const stack = table.columns['stack'];",
    'const stack = states?.columns?.dump[row];',
    'const { stack, trace } = states.columns;',
    "const rows = builder.field('count');",
    "const table = new TableBuilder('call', 'Calls', []);",
  ])
    test(`must not contain ${JSON.stringify(line)}`, () => {
      assert.equal(spelledIn(line).length, 1);
    });

  test('may read by fields and kinds', () => {
    assert.deepEqual(
      spelledIn("columnOf(table, STACK); eventTable(profile, metric.table); listing.columns.map(f('x'));"),
      [],
    );
  });
});
