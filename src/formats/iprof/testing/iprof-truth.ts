/**
 * A second reader of `.iprof` files: `JSON.parse` and plain maps, as simple as possible. Tests compare the product with
 * it; it shares no code with the reader.
 */
import { readFileSync } from 'node:fs';

interface Json {
  readonly types: readonly { id: number; name?: string; typeName?: string }[];
  readonly methods: readonly { id: number; name?: string; methodName?: string; signature: number[] }[];
  readonly [section: string]: unknown;
}

interface Entry {
  readonly ctx?: string;
  readonly methodBciList?: string;
  readonly records: readonly number[];
}

export interface Frame {
  /** Two methods may share a name and parameters: bridges differ in the return type only. */
  readonly id: number;
  readonly method: string;
  readonly bci: number;
}

export interface TrueEntry {
  /** Leaf first. */
  readonly frames: readonly Frame[];
  readonly records: readonly number[];
}

export interface IprofTruth {
  readonly json: Readonly<Record<string, unknown>>;
  readonly typeName: (id: number) => string;
  /** Names with parameters of all methods by id, those that no context has included. */
  readonly methods: ReadonlyMap<number, string>;
  readonly entries: (...keys: readonly string[]) => TrueEntry[];
}

const PRIMITIVES: Record<string, string> = {
  Z: 'boolean',
  B: 'byte',
  C: 'char',
  S: 'short',
  I: 'int',
  J: 'long',
  F: 'float',
  D: 'double',
};

function javaName(name: string): string {
  let dimensions = 0;
  while (name[dimensions] === '[') dimensions++;
  if (dimensions === 0) return name;
  const rest = name.substring(dimensions);
  const element = rest.length === 1 ? (PRIMITIVES[rest] ?? rest) : rest.substring(1, rest.length - 1);
  return element + '[]'.repeat(dimensions);
}

export function iprofTruth(path: string): IprofTruth {
  const json: Json = JSON.parse(readFileSync(path, 'utf8'));
  const types = new Map<number, string>();
  for (const type of json.types) types.set(type.id, javaName(type.name ?? type.typeName ?? ''));
  const typeName = (id: number): string => types.get(id) ?? `<type ${id}>`;
  const methods = new Map<number, string>();
  for (const method of json.methods) {
    const [declaring, , ...parameters]: number[] = method.signature;
    if (declaring === undefined) continue;
    methods.set(
      method.id,
      `${typeName(declaring)}.${method.name ?? method.methodName}(${parameters.map(typeName).join(', ')})`,
    );
  }
  const frames = (context: string): Frame[] =>
    context.split(/[<,]/).map((part) => {
      const [id, bci] = part.split(':').map(Number);
      return { id: id ?? NaN, method: methods.get(id ?? -1) ?? `<method ${id}>`, bci: bci ?? NaN };
    });
  const entries = (...keys: readonly string[]): TrueEntry[] => {
    // The truth trusts the file: a test would fail loudly on anything else.
    const found = keys.flatMap((key) => (json[key] ?? []) as Entry[]);
    return found.map((entry) => ({ frames: frames(entry.ctx ?? entry.methodBciList ?? ''), records: entry.records }));
  };
  return { json, typeName, methods, entries };
}

/** Sums by key, largest first, ties by key. */
export function sums(pairs: Iterable<readonly [string, number]>): [string, number][] {
  const map = new Map<string, number>();
  for (const [key, value] of pairs) map.set(key, (map.get(key) ?? 0) + value);
  return [...map].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
}
