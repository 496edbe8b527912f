/**
 * Functions of a compile unit and the calls that were inlined into them, by address ("DWARF Debugging Information Format", version 5, section 3.3).
 * The entries of a unit are walked once, when its first address is asked for.
 */
import { AT, TAG } from './constants.js';
import { type Entry, type EntryPlace, walkBelow } from './entries.js';
import { type AddressRange, rangesOf } from './ranges.js';
import type { UnitReader } from './units.js';

/** A function as the compiler knows it. */
export interface DwarfFunction {
  /** As the linker knows it, else as the source spells it; undefined if it has none, or it is in a file that is not there. */
  readonly name: string | undefined;
  /** Path of the file that declares it. */
  readonly file: string | undefined;
  readonly line: number | undefined;
  /** Equal for all copies of one function of the source. */
  readonly origin: EntryPlace;
  /** Of copies, the name in the entry that they are copies of, without what that refers to. */
  readonly plainName?: string;
}

/** Code of a function, or of a call that was inlined into the code of `parent`. */
export interface Scope {
  readonly ranges: readonly AddressRange[];
  readonly entry: EntryPlace;
  /** Index of the scope around it; -1 of functions. */
  readonly parent: number;
  /** The call that it replaces; undefined for the function itself. */
  readonly call: { readonly file: number; readonly line: number } | undefined;
}

/** A scope around an address: innermost last. */
export interface ScopeAt {
  readonly entry: EntryPlace;
  readonly call: { readonly file: number; readonly line: number } | undefined;
  /** The address at which the code of the function begins, the first of its ranges. */
  readonly start: number;
  readonly ranges: readonly AddressRange[];
}

export class UnitFunctions {
  readonly #scopes: Scope[] = [];
  /** Functions by their ranges, in the order of addresses. */
  readonly #ranges: { readonly from: number; readonly to: number; readonly scope: number }[] = [];
  /** By function, the scopes that are inlined somewhere in it, outer ones first. */
  readonly #inlined = new Map<number, number[]>();

  constructor(reader: UnitReader) {
    this.#walk(reader);
    for (const [id, { ranges, call }] of this.#scopes.entries())
      if (call === undefined) for (const range of ranges) this.#ranges.push({ ...range, scope: id });
    this.#ranges.sort((a, b) => a.from - b.from || b.to - a.to);
  }

  /** All of them in the order of the entries: outer ones first. */
  get scopes(): readonly Scope[] {
    return this.#scopes;
  }

  /** The function around an address and the calls inlined there, outermost first; none if no function has it. */
  at(address: number): ScopeAt[] {
    const found = this.#functionAt(address);
    if (found === undefined) return [];
    const chain = [found];
    // Outer scopes come first, so each next one is inside of the last one found.
    for (const id of this.#inlined.get(found) ?? []) {
      const scope = this.#scopes[id];
      const isHere = scope?.ranges.some(({ from, to }) => address >= from && address < to);
      if (isHere && scope?.parent === chain.at(-1)) chain.push(id);
    }
    return chain.flatMap((id) => {
      const scope = this.#scopes[id];
      if (scope === undefined) return [];
      const { entry, call, ranges } = scope;
      return [{ entry, call, ranges, start: ranges[0]?.from ?? 0 }];
    });
  }

  #functionAt(address: number): number | undefined {
    let [low, high] = [0, this.#ranges.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#ranges[middle]?.from ?? 0) <= address) low = middle + 1;
      else high = middle;
    }
    const range = this.#ranges[low - 1];
    return range !== undefined && address < range.to ? range.scope : undefined;
  }

  /** The place of an entry: the scope that it lies in, and the function of it. */
  #walk(reader: UnitReader): void {
    const outside = { scope: -1, function: -1 };
    walkBelow(reader.unit, reader.root, outside, (entry, here) => this.#scope(reader, entry, here));
  }

  /** Notes the scope of an entry, if it is one with code; returns the scope that its children lie in. */
  #scope(reader: UnitReader, entry: Entry, here: { scope: number; function: number }) {
    const isFunction = entry.tag === TAG.subprogram;
    const isInlined = entry.tag === TAG.inlinedSubroutine && here.function >= 0;
    if (!isFunction && !isInlined) return here;
    const ranges = rangesOf(reader, entry);
    if (ranges.length === 0) return isFunction ? { scope: -1, function: -1 } : here;
    const id = this.#scopes.length;
    const number = (attribute: number): number => entry.values.get(attribute)?.number ?? 0;
    const call = isFunction ? undefined : { file: number(AT.callFile), line: number(AT.callLine) };
    const place = { file: reader.unit.file, offset: entry.offset };
    this.#scopes.push({ ranges, entry: place, parent: here.scope, call });
    if (isFunction) return { scope: id, function: id };
    const known = this.#inlined.get(here.function);
    if (known === undefined) this.#inlined.set(here.function, [id]);
    else known.push(id);
    return { scope: id, function: here.function };
  }
}
