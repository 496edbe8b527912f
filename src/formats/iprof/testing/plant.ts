/** Known changes of a PGO profile, for tests that must find them again. */
import { eventTable, mapTables, type Profile } from '../../../models/profile/profile.js';
import { functionSignature } from '../../../models/program/names.js';
import { bciOf } from '../../../models/program/places.js';
import type { Program } from '../../../models/program/program.js';
import type { Recording } from '../../../models/recording.js';
import { column, selectRows, type Table } from '../../../models/table.js';

export interface Planted {
  readonly recording: Recording;
  /** Branches that go the other way: `a.B.m(int):17`. */
  readonly turned: readonly string[];
  /** Methods that ran twice as often, and not at all, in every context. */
  readonly doubled: readonly string[];
  readonly vanished: readonly string[];
}

/** Executions and calls from which something is worth to be planted in. */
const OFTEN = 200;

/** The recording with `count` changes of each kind, spread over all that is often enough. */
export function plant(recording: Recording, count: number): Planted {
  const { program, profile } = recording;
  if (profile === undefined) throw new Error('nothing to plant in');
  const placeOf = (stack: number): number => profile.stacks.location[stack];
  const functionOf = (stack: number): number => program.locations.function[placeOf(stack)];
  const turned = spread(oneSided(tableOf(profile, 'branch'), placeOf, program), count, 0);
  const methods = frequent(tableOf(profile, 'call'), functionOf, program);
  const doubled = spread(methods, count, 0);
  const vanished = spread(methods, count, 1);
  const changed = mapTables(profile, (table) => {
    if (table.kind === 'branch') return turn(table, placeOf, new Map(turned));
    return table.kind === 'call' ? multiply(table, functionOf, new Set(doubled), new Set(vanished)) : table;
  });
  const named = (ids: readonly number[]) => ids.map((id) => functionSignature(program, id));
  const { function: functions } = program.locations;
  return {
    recording: { ...recording, profile: changed },
    turned: turned.map(([place]) => `${functionSignature(program, functions[place])}:${bciOf(program, place)}`),
    doubled: named(doubled),
    vanished: named(vanished),
  };
}

function tableOf(profile: Profile, kind: string): Table {
  const table = eventTable(profile, kind);
  if (table === undefined) throw new Error(`no table ${kind} to plant in`);
  return table;
}

function spread<Item>(items: readonly Item[], count: number, from: number): Item[] {
  const step = Math.floor(items.length / count);
  if (step < 2) throw new Error(`only ${items.length} places to plant ${count} changes in`);
  return Array.from({ length: count }, (_, i) => items[from + i * step]);
}

/** Names that differ from build to build, and those that two methods have, are unsuitable for the search. */
function findable(program: Program, ids: readonly number[]): number[] {
  const names = ids.map((id) => functionSignature(program, id));
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return ids.filter((_, i) => counts.get(names[i]) === 1 && !/0x|\$\$Lambda|Proxy|_[0-9A-Za-z]{22}/.test(names[i]));
}

/** Places with two ways, one of them taken at least four times of five. */
function oneSided(table: Table, placeOf: (stack: number) => number, program: Program): [number, readonly number[]][] {
  const places = new Map<number, Map<number, number>>();
  const [stack, target, count] = ['stack', 'target', 'count'].map((key) => column(table, key));
  for (let row = 0; row < table.length; row++) {
    const ways = places.get(placeOf(stack[row])) ?? new Map<number, number>();
    places.set(placeOf(stack[row]), ways.set(target[row], (ways.get(target[row]) ?? 0) + count[row]));
  }
  const { function: functions } = program.locations;
  const known = new Set(findable(program, [...new Set([...places.keys()].map((place) => functions[place]))]));
  return [...places].flatMap(([place, ways]): [number, readonly number[]][] => {
    const sum = [...ways.values()].reduce((all, value) => all + value, 0);
    const good = ways.size === 2 && [...ways.keys()].every((way) => way >= 0) && known.has(functions[place]);
    return good && sum >= OFTEN && Math.max(...ways.values()) >= 0.8 * sum ? [[place, [...ways.keys()]]] : [];
  });
}

function frequent(table: Table, functionOf: (stack: number) => number, program: Program): number[] {
  const sums = new Map<number, number>();
  const [stack, count] = ['stack', 'count'].map((key) => column(table, key));
  for (let row = 0; row < table.length; row++)
    sums.set(functionOf(stack[row]), (sums.get(functionOf(stack[row])) ?? 0) + count[row]);
  const known = new Set(findable(program, [...sums.keys()]));
  return [...sums].filter(([id, sum]) => sum >= OFTEN && known.has(id)).map(([id]) => id);
}

/** Swaps the outcomes. */
function turn(table: Table, placeOf: (stack: number) => number, places: ReadonlyMap<number, readonly number[]>): Table {
  const stack = column(table, 'stack');
  const target = Int32Array.from(column(table, 'target'), (way, row) => {
    const [one, other] = places.get(placeOf(stack[row])) ?? [way, way];
    return way === one ? other : one;
  });
  return { ...table, columns: { ...table.columns, target } };
}

function multiply(
  table: Table,
  functionOf: (stack: number) => number,
  doubled: ReadonlySet<number>,
  vanished: ReadonlySet<number>,
): Table {
  const stack = column(table, 'stack');
  const count = Float64Array.from(column(table, 'count'), (value, row) =>
    doubled.has(functionOf(stack[row])) ? 2 * value : value,
  );
  const rows = Int32Array.from(stack.keys()).filter((row) => !vanished.has(functionOf(stack[row])));
  return selectRows({ ...table, columns: { ...table.columns, count } }, rows);
}
