/**
 * A second reading of tables: strings and maps, by the rules of docs/formats/call-tree.md, without any code of the reader. It says whether
 * something is wrong with them and, if nothing is, which calls they have.
 */
import { isDeepStrictEqual } from 'node:util';
import { decodeUtf8 } from '../../../base/text.js';
import type { Fault, Judge, Outcome } from '../../../testing/fuzz/fuzzed-reader.js';
import { wordedGraph } from './compare-graphs.js';
import { bundledFiles } from './table-files.js';

const METHODS = 'Id,Name,Type,Parameters,Return,Display,Flags';
const HEADINGS: Record<string, readonly string[]> = {
  'new methods': [`${METHODS},IsEntryPoint`],
  invokes: ['Id,MethodId,BytecodeIndexes,TargetId,IsDirect', 'Id,MethodId,BytecodeIndexes,IsDirect'],
  targets: ['InvokeId,TargetId'],
  vm: ['Id,Name'],
  methods: [METHODS],
  virtual_methods: [METHODS],
  entry_points: ['Id'],
  direct_edges: ['StartId,EndId,BytecodeIndexes'],
  virtual_edges: ['StartId,EndId,BytecodeIndexes'],
  override_by_edges: ['StartId,EndId'],
};
const NEW = ['methods', 'invokes', 'targets'];
const OLD = ['methods', 'virtual_methods', 'entry_points', 'direct_edges', 'virtual_edges', 'override_by_edges'];
const BCIS = /^-?\d{1,9}(?:->-?\d{1,9})*$/;
const TYPE = /^[^,;()[\]]+(?:\[\])*$/s;
/** No type of a parameter; of these a method may only return `void`. */
const VOID = /^void(?:\[\])*$/;

/** Something is wrong with the tables. */
class Wrong extends Error {}

function demand(holds: boolean): asserts holds {
  if (!holds) throw new Wrong();
}

/** The rows of a table by cells; `count` cells each, with those of names joined where `count` is negative. */
function rowsOf(text: string, key: string): string[][] {
  demand(text.endsWith('\n'));
  const lines = text
    .slice(0, -1)
    .split('\n')
    .map((line) => line.replace(/\r$/, ''));
  const isBare = key === 'virtual_methods' && /^\d/.test(lines[0] ?? '');
  if (!isBare) demand(HEADINGS[key]?.includes(lines.shift() ?? '') === true);
  return lines.map((line) => line.split(','));
}

function idOf(cell = ''): number {
  demand(/^\d+$/.test(cell) && Number(cell) <= 0x7fffffff);
  return Number(cell);
}

/** Name, and the method in words. */
function methodOf(cells: string[], behind: number): string {
  const usual = 6 + behind;
  const words = (name: string, type: string, parameters = '', returns = ''): string => {
    const types = parameters === 'empty' ? [] : parameters.split(' ');
    const text = `${type}.${name}(${types.join(', ')}):${returns}`;
    // What the report does not quote is read from the end of this text.
    const open = text.lastIndexOf('(', text.lastIndexOf('):'));
    const dot = text.lastIndexOf('.', open);
    demand(dot > 0 && dot + 1 < open && [...types, returns].every((each) => TYPE.test(each)));
    demand(!types.some((each) => VOID.test(each)) && (returns === 'void' || !VOID.test(returns)));
    return text;
  };
  if (cells.length === usual) return words(cells[1] ?? '', cells[2] ?? '', cells[3], cells[4]);
  demand(cells.length > usual && cells.length <= 64);
  const inner = cells.slice(1, -behind);
  for (let names = 1; names * 2 + 3 <= inner.length; names++) {
    const name = inner.slice(0, names).join(',');
    const display = inner.slice(-names).join(',');
    const between = inner.slice(names, -names);
    for (let types = 1; types < between.length - 1; types++) {
      const type = between.slice(0, types).join(',');
      if (display === `${type.match(/\b[a-zA-Z]|[A-Z]|\./g)?.join('') ?? ''}.${name}`)
        return words(name, type, between[types], between.slice(types + 1).join(','));
    }
  }
  throw new Wrong();
}

interface PlainTables {
  readonly entries: string[];
  readonly calls: string[];
}

function addOnce(map: Map<number, string>, id: number, value: string): void {
  demand(!map.has(id));
  map.set(id, value);
}

function named(map: ReadonlyMap<number, string>, id: number): string {
  const name = map.get(id);
  demand(name !== undefined);
  return name;
}

function plainThree(table: (key: string) => string[][]): PlainTables {
  const methods = new Map<number, string>();
  const entries: string[] = [];
  for (const cells of table('new methods')) {
    const text = methodOf(cells, 2);
    addOnce(methods, idOf(cells[0]), text);
    demand(cells.at(-1) === 'true' || cells.at(-1) === 'false');
    if (cells.at(-1) === 'true') entries.push(text);
  }
  demand(entries.length > 0);
  const calls = new Map<number, { words: string; declared: string; isDirect: boolean; targets: string[] }>();
  for (const cells of table('invokes')) {
    const last = cells.at(-1);
    demand((cells.length === 4 || cells.length === 5) && (last === 'true' || last === 'false'));
    demand(!calls.has(idOf(cells[0])) && BCIS.test(cells[2] ?? ''));
    const isKnown = cells.length === 5 && cells[3] !== '';
    const declared = isKnown ? named(methods, idOf(cells[3])) : '';
    const words = `${named(methods, idOf(cells[1]))} @${(cells[2] ?? '').split('->').map(Number).join('->')}`;
    calls.set(idOf(cells[0]), { words, declared, isDirect: last === 'true', targets: [] });
  }
  for (const cells of table('targets')) {
    demand(cells.length === 2);
    const call = calls.get(idOf(cells[0]));
    const target = named(methods, idOf(cells[1]));
    demand(call !== undefined && (!call.isDirect || call.declared === '' || call.declared === target));
    call.targets.push(target);
  }
  const kept = [...calls.values()].filter(({ isDirect, targets }) => !isDirect || targets.length > 0);
  const textOf = ({ words, declared, isDirect, targets }: (typeof kept)[number]) =>
    `${words} ${isDirect ? '' : declared} -> ${targets.sort().join('; ')}`;
  return { entries: entries.sort(), calls: kept.map(textOf).sort() };
}

function plainSeven(table: (key: string) => string[][], hasVm: boolean): PlainTables {
  if (hasVm) demand(isDeepStrictEqual(table('vm'), [['0', 'VM']]) || table('vm').every((row) => row.join() === '0,VM'));
  const [methods, declared] = ['methods', 'virtual_methods'].map((key) => {
    const rows = new Map<number, string>();
    for (const cells of table(key)) addOnce(rows, idOf(cells[0]), methodOf(cells, 1));
    return rows;
  });
  demand(methods !== undefined && declared !== undefined);
  const entries = table('entry_points').map((cells) => {
    demand(cells.length === 1);
    return named(methods, idOf(cells[0]));
  });
  demand(entries.length > 0);
  const overrides = new Map<number, string[]>();
  for (const cells of table('override_by_edges')) {
    demand(cells.length === 2);
    named(declared, idOf(cells[0]));
    const known = overrides.get(idOf(cells[0])) ?? [];
    overrides.set(idOf(cells[0]), [...known, named(methods, idOf(cells[1]))]);
  }
  const edge = (cells: string[], ends: ReadonlyMap<number, string>) => {
    demand(cells.length === 3 && BCIS.test(cells[2] ?? ''));
    const bcis = (cells[2] ?? '').split('->').map(Number).join('->');
    return { from: `${named(methods, idOf(cells[0]))} @${bcis}`, id: idOf(cells[1]), to: named(ends, idOf(cells[1])) };
  };
  const direct = table('direct_edges').map((cells) => edge(cells, methods));
  const virtual = table('virtual_edges').map((cells) => edge(cells, declared));
  const calls = [
    ...direct.map(({ from, to }) => `${from}  -> ${to}`),
    ...virtual.map(({ from, id, to }) => `${from} ${to} -> ${(overrides.get(id) ?? []).sort().join('; ')}`),
  ];
  return { entries: entries.sort(), calls: calls.sort() };
}

/** What sound tables have; undefined if something is wrong with them. */
export function plainTables(bundle: Uint8Array): PlainTables | undefined {
  const texts = new Map<string, string>();
  for (const [name, bytes] of bundledFiles(bundle)) {
    const key = name.slice('call_tree_'.length, -'.csv'.length);
    // Files of other names are no tables.
    if (key in HEADINGS) texts.set(key, decodeUtf8(bytes, 0, bytes.length));
  }
  const table = (key: string): string[][] => rowsOf(texts.get(key.replace('new ', '')) ?? '', key);
  const heading = texts.get('methods')?.split(/\r?\n/, 1)[0] ?? '';
  const isNew = heading === HEADINGS['new methods']?.[0] || (texts.has('invokes') && !texts.has('direct_edges'));
  try {
    const tables = isNew ? NEW : OLD;
    demand(tables.every((key) => texts.has(key)));
    demand([...texts.keys()].every((key) => tables.includes(key) || (!isNew && key === 'vm')));
    return isNew ? plainThree(table) : plainSeven(table, texts.has('vm'));
  } catch (error) {
    if (error instanceof Wrong) return undefined;
    throw error;
  }
}

export function tablesOracle(): Judge {
  return (mutated, outcome) => {
    const wanted = plainTables(mutated);
    const input = wanted === undefined ? 'damaged' : 'sound';
    const fault = judge(wanted, outcome);
    return fault === undefined ? { input } : { input, fault };
  };
}

function judge(wanted: PlainTables | undefined, outcome: Outcome): Fault | undefined {
  if (outcome.kind === 'refused')
    return wanted === undefined ? undefined : { code: 'refused', detail: `sound tables: ${outcome.message}` };
  const first = outcome.problems.list.find(({ severity }) => severity !== 'info');
  if (wanted === undefined)
    return first === undefined
      ? { code: 'silent', detail: 'the tables are damaged and nothing was reported' }
      : undefined;
  if (first !== undefined) return { code: 'false alarm', detail: first.message };
  const { entries, calls } = wordedGraph(outcome.recording);
  if (isDeepStrictEqual({ entries, calls }, wanted)) return undefined;
  const at = wanted.calls.findIndex((call, i) => call !== calls[i]);
  return {
    code: 'differs',
    detail: `${calls.length} calls, entries ${entries.join()}; ${wanted.calls[at]}: ${calls[at]}`,
  };
}

/** Offsets at which rows begin. */
export function tablesEdges(bytes: Uint8Array): number[] {
  return Array.from(bytes.keys()).filter((at) => at === 0 || bytes[at - 1] === 10);
}
