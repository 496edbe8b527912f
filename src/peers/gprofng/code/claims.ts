/**
 * Which unit of debug information gprofng takes a function for: the first one with an entry of it, or of a declaration of its name. Where a later entry
 * says a line, that counts. Functions without an entry are those of the file of their symbol if they are local, else of no unit.
 */

import type { UnitCode } from '../../../code/native/dwarf/debug-info.js';
import { addressOf, type NativeObject, offsetOf } from '../../../code/native/object.js';
import type { SourceLine } from './model.js';

/** A function of a unit. */
export interface UnitClaim {
  readonly unit: UnitCode;
  /** What entries say of where it is declared, in their order. */
  readonly declared: readonly SourceLine[];
}

/** By the begin of functions. */
export type UnitClaims = ReadonlyMap<number, UnitClaim>;

/** The first version of DWARF that gprofng does not read. */
export const UNREAD = 5;
/** Functions that compilers made of others have local symbols. */
const MADE = /\.(?:cold|part|isra|constprop|lto_priv)\b/;
/** Symbols of C++ that are local: of lambdas and the like, of unnamed namespaces, of static functions. */
const LOCAL = /^_Z(?:Z|L|N[A-Z]*12_GLOBAL__N_1)|Z\d+\w+?EUl/;

/** The functions of all units of a load object that entries name. */
export async function claimsOf(object: NativeObject): Promise<UnitClaims> {
  const claims = new Map<number, { unit: UnitCode; declared: SourceLine[] }>();
  for (const { version, subprograms, code } of (await object.debug?.unitsWithSubprograms()) ?? []) {
    if (version >= UNREAD) continue;
    const unit = await code();
    if (unit === undefined) continue;
    for (const { name, start, file, line } of subprograms) {
      const begin = startOf(object, name, start);
      if (begin === undefined) continue;
      const claim = claims.get(begin) ?? { unit, declared: [] };
      claims.set(begin, claim);
      if (line > 0) claim.declared.push({ file: file ?? unit.source, line });
    }
  }
  return claims;
}

/** Where the function of an entry begins: by its address, else by its name. */
function startOf({ elf, functions }: NativeObject, name: string | undefined, address: number): number | undefined {
  const offset = address === 0 ? undefined : offsetOf(elf, address);
  const symbol = offset === undefined ? undefined : functions.at(offset);
  if (symbol !== undefined && !symbol.stripped) return symbol.start;
  return name === undefined ? undefined : functions.startOf(name);
}

/** The unit of a function; undefined if gprofng has none for it. */
export async function unitOf(object: NativeObject, claims: UnitClaims, start: number, name: string) {
  const claim = claims.get(start);
  if (claim !== undefined) return claim.unit;
  const address = addressOf(object.elf, start);
  const around = address === undefined ? undefined : await object.debug?.unitAround(address);
  if (around === undefined || around.version >= UNREAD) return around;
  return isLocal(name) ? around : undefined;
}

/** Whether a symbol is a local one, as far as its name says. */
export function isLocal(name: string): boolean {
  return MADE.test(name) || LOCAL.test(name) || !name.startsWith('_Z');
}
