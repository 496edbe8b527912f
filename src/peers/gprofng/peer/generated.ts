/** Functions that a program made at run time, as gprofng names their load object. */
import type { MapEvent } from '../../../formats/experiment/index.js';
import type { GeneratedCode } from '../../../models/program/code.js';

export { GENERATED } from '../../../session/together/join-programs.js';

/** The load objects that gprofng has for them. */
export const DYNAMIC_FUNCTIONS = 'DYNAMIC_FUNCTIONS';
export const COMPILED_METHODS = 'JAVA_COMPILED_METHODS';

/** A function that was made at run time. */
export interface GeneratedRange {
  /** In the load object, where they are one after the other. */
  readonly start: number;
  readonly size: number;
  /** In memory. */
  readonly address: number;
}

/** Code in the map of a process: a function, or a compiled method of Java. */
export interface GeneratedRecord extends GeneratedRange {
  /** Of methods their ids. */
  readonly name: string;
  readonly isMethod: boolean;
  /** Number of the record that gprofng has for it: its own, or that of code at the same addresses whose name contains the new one. */
  readonly peer: number;
}

/** All code that was made at run time, in the order of its places in the load object that the reader has for it, which begin at `first`. */
export function generatedRecords(map: readonly MapEvent[], first = 0): readonly GeneratedRecord[] {
  const found: GeneratedRecord[] = [];
  const live = new Map<string, GeneratedRecord>();
  let start = first;
  for (const { kind, attributes } of map) {
    const object = attributes.get('object');
    const vaddr = attributes.get('vaddr') ?? '';
    // gprofng does not read where methods of Java were unloaded.
    if (kind === 'unmap') live.delete(vaddr);
    const name = attributes.get('name') ?? attributes.get('methodId') ?? '';
    if (kind !== 'map' || (object !== 'function' && object !== 'jcm') || name.startsWith('[')) continue;
    const size = Number(attributes.get('size') ?? 0);
    const before = live.get(vaddr);
    const isKept = before?.size === size && before.name.includes(name);
    const peer = isKept ? before.peer : found.length;
    const record = { name, isMethod: object === 'jcm', start, size, address: Number(vaddr), peer };
    found.push(record);
    if (!isKept) live.set(vaddr, record);
    start += size;
  }
  return found;
}

/** By name, the first function of it. */
export function firstByName(records: readonly GeneratedRecord[]): ReadonlyMap<string, GeneratedRange> {
  return new Map(
    records
      .filter(({ isMethod }) => !isMethod)
      .reverse()
      .map((record) => [record.name, record]),
  );
}

/** The same, as gprofng has them: code of functions begins where it is in the file dyntext, if it is there. */
export function placed(
  records: readonly GeneratedRecord[],
  codes: readonly GeneratedCode[],
): readonly GeneratedRecord[] {
  const places = new Map(codes.map(({ offset, place }) => [offset, place]));
  return records.map((record) => ({ ...record, address: places.get(record.start) ?? record.address }));
}
