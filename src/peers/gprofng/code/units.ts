/**
 * The code of load objects as gprofng sees it: compile units with their functions, each with the lines of its code and the calls that were inlined into
 * it. Where gprofng is wrong, `strict` has its way: calls that were inlined in several ranges are unknown in most units, and so are DWARF 5 and the
 * declarations of clones.
 */
import type { OpenObject } from '../../../code/native/debug-parts.js';
import { demangler } from '../../../code/native/demangle.node.js';
import type { DwarfFunction, UnitCode, UnitScope } from '../../../code/native/dwarf/debug-info.js';
import type { FunctionAt } from '../../../code/native/functions.js';
import { addressOf, framesAt, type NativeObject, offsetOf, openNative } from '../../../code/native/object.js';
import { MANGLED } from '../../../code/native/resolve.js';
import { withEmptyPacks } from '../../../code/native/templates.js';
import type { GeneratedCode } from '../../../models/program/code.js';
import type { Demangle } from '../../../models/program/program-files.js';
import { plainPath } from '../../../session/together/marked-path.js';
import { DYNAMIC_FUNCTIONS, GENERATED } from '../peer/generated.js';
import { claimsOf, isLocal, UNREAD, type UnitClaim, type UnitClaims, unitOf } from './claims.js';
import { GeneratedUnits } from './generated-units.js';
import { JavaUnits } from './java-units.js';
import {
  baseName,
  type CodeFunction,
  type CodeSource,
  type CodeUnit,
  emptyFunction,
  type FoundCode,
  type LineCode,
  lineOfFile,
  type SourceLine,
} from './model.js';
import { peerSort } from './peer-sort.js';

export class ProgramCode {
  readonly #open: OpenObject | undefined;
  readonly #strict: boolean;
  readonly #objects = new Map<string, Promise<NativeObject | undefined>>();
  readonly #units = new Map<UnitCode, CodeUnit & { readonly byStart: ReadonlyMap<number, CodeFunction> }>();
  readonly #alone = new Map<string, CodeFunction>();
  readonly #claims = new Map<string, Promise<UnitClaims>>();
  /** Methods of Java by class. */
  readonly java: JavaUnits;
  /** Functions that were made at run time. */
  readonly generated: GeneratedUnits;

  constructor(open: OpenObject | undefined, strict: boolean, generated: readonly GeneratedCode[] = []) {
    this.#open = open;
    this.#strict = strict;
    this.java = new JavaUnits(open);
    this.generated = new GeneratedUnits(generated);
  }

  /** A load object; undefined if there is no readable copy of it. */
  object(path: string): Promise<NativeObject | undefined> {
    const known = this.#objects.get(path) ?? this.#openObject(path);
    this.#objects.set(path, known);
    return known;
  }

  async #openObject(path: string): Promise<NativeObject | undefined> {
    if (this.#open === undefined) return undefined;
    const found = await openNative(path, { copyOf: this.#open });
    return typeof found === 'string' ? undefined : found;
  }

  /** The function at an offset in a load object; undefined outside of known code. */
  async at(path: string, offset: number): Promise<FoundCode | undefined> {
    if ([GENERATED, DYNAMIC_FUNCTIONS].includes(plainPath(path))) return this.generated.at(offset);
    const object = await this.object(path);
    const symbol = object?.functions.at(offset);
    if (object === undefined || symbol === undefined || symbol.stripped) return undefined;
    const code = await this.#codeAround(path, object, symbol, offset);
    const unit = code && (this.#units.get(code) ?? (await this.#readUnit(path, object, code)));
    const found = unit?.byStart.get(symbol.start);
    if (found !== undefined) return { unit, function: found };
    const key = `${path} ${symbol.start}`;
    const { start, end } = symbol;
    const name = nameAt(object, symbol, this.#strict);
    const alone = this.#alone.get(key) ?? emptyFunction((await this.#spellerOf([name]))(name), start, end - start);
    this.#alone.set(key, alone);
    return { unit: undefined, function: alone };
  }

  async #codeAround(path: string, object: NativeObject, { name, start }: FunctionAt, offset: number) {
    if (this.#strict) return unitOf(object, await this.#claimsOf(path, object), start, name);
    const address = addressOf(object.elf, offset);
    return address === undefined ? undefined : object.debug?.unitAround(address);
  }

  #claimsOf(path: string, object: NativeObject): Promise<UnitClaims> {
    const claims = this.#claims.get(path) ?? claimsOf(object);
    this.#claims.set(path, claims);
    return claims;
  }

  async #readUnit(path: string, object: NativeObject, code: UnitCode) {
    const spell = await this.#spellerOf(code.scopes.map((scope) => scope.function?.name));
    const claims = this.#strict ? await this.#claimsOf(path, object) : undefined;
    const unit = new UnitBuilder(path, object, code, { claims, spell }).finish();
    this.#units.set(code, unit);
    return unit;
  }

  /** Spells names as sources do; the demangler is loaded if one of these needs it. */
  async #spellerOf(names: readonly (string | undefined)[]): Promise<Demangle> {
    if (!names.some((name) => name !== undefined && MANGLED.test(name))) return (name) => name;
    const demangle = await demangler();
    return this.#strict ? withEmptyPacks(demangle, 'kept') : demangle;
  }

  /** Where a place of a function is in the source. */
  async sourceOf(of: CodeFunction, offset: number): Promise<CodeSource> {
    const known = (await of.frames?.(offset)) ?? [];
    const frames = known.length > 0 ? known : peerFrames(of, offset);
    const [outer, ...calls] = frames;
    const inner = frames.at(-1);
    const own = { file: inner?.file, line: inner?.line ?? 0 };
    if (outer === undefined || calls.length === 0) return { ...own, innermost: own, inlined: undefined };
    const spell = await this.#spellerOf(calls.map((call) => call.function?.name));
    const inlined = calls.map((call) => named(call.function?.name && spell(call.function.name), call)).join(' <-- ');
    return { file: outer.file, line: outer.line, innermost: own, inlined };
  }

  async close(): Promise<void> {
    for (const object of this.#objects.values()) await (await object)?.close();
    this.#objects.clear();
  }
}

/** The name of a function: gprofng takes the shortest of several, Kansoku the last one in the alphabet. */
function nameAt({ functions }: NativeObject, { name, start }: FunctionAt, strict: boolean): string {
  return strict ? shortestName(name, functions.namesAt(start)) : name;
}

/** The shortest of several names; the name itself if they are those of another function. */
export function shortestName(name: string, names: readonly string[]): string {
  if (!names.includes(name)) return name;
  return names.reduce((least, each) => (each.length < least.length ? each : least), name);
}

/** The outermost inlined code around a place, -1 if there is none. gprofng stops at the first one that begins behind the place. */
function outermost({ inlined }: CodeFunction, offset: number): number {
  for (const [i, { level, from, to }] of inlined.entries()) {
    if (level > 0) continue;
    if (offset >= from && offset < to) return i;
    if (offset < from) break;
  }
  return -1;
}

/** The last row at or before an offset; the declaring file without a line if there is none. */
function lineAt({ rows, file }: CodeFunction, offset: number): SourceLine {
  const row = rows.findLast((each) => each.offset <= offset);
  return row ?? { file, line: 0 };
}

type SourceFrame = SourceLine & { readonly function: Pick<DwarfFunction, 'name'> | undefined };

/** A function and the calls that gprofng finds inlined into it at an offset, outermost first, each with the line in it. */
function peerFrames(of: CodeFunction, offset: number): readonly SourceFrame[] {
  const frames: SourceFrame[] = [];
  const first = outermost(of, offset);
  let name: string | undefined;
  for (let i = first; i >= 0 && i < of.inlined.length; i++) {
    const each = of.inlined[i];
    if (each === undefined || (each.level === 0 && i > first)) break;
    if (offset < each.from || offset >= each.to) continue;
    frames.push({ ...each.call, function: { name } });
    name = each.name;
  }
  return [...frames, { ...lineAt(of, offset), function: { name } }];
}

function named(name: string | undefined, { file, line }: SourceLine): string {
  return `${name === undefined ? '' : `${name} `}${baseName(file)}:${line}`;
}

/** The code of a line, which is new if the line had none: it begins at its first row that is not at the begin of the function. */
function lineCode({ lines }: CodeFunction, { file, line }: SourceLine, offset: number): LineCode {
  const key = lineOfFile(file, line);
  const known = lines.get(key);
  const made = known === undefined || (known.offset === 0 && offset > 0) ? { offset, size: known?.size ?? 0 } : known;
  lines.set(key, made);
  return made;
}

class UnitBuilder {
  readonly #path: string;
  readonly #object: NativeObject;
  readonly #code: UnitCode;
  readonly #strict: boolean;
  readonly #claims: UnitClaims | undefined;
  readonly #spell: Demangle;
  readonly #byStart = new Map<number, CodeFunction>();
  readonly #onLine = new Map<string, Map<number, CodeFunction[]>>();
  /** Whose inlined calls were read last. */
  #inlining: CodeFunction | undefined;

  /** `claims`: the functions that gprofng takes for those of units; undefined without `strict`. */
  constructor(
    path: string,
    object: NativeObject,
    code: UnitCode,
    { claims, spell }: { readonly claims: UnitClaims | undefined; readonly spell: Demangle },
  ) {
    this.#spell = spell;
    this.#path = path;
    this.#object = object;
    this.#code = code;
    this.#claims = claims;
    this.#strict = claims !== undefined;
  }

  finish(): CodeUnit & { readonly byStart: ReadonlyMap<number, CodeFunction> } {
    const { version, source, scopes } = this.#code;
    const isUnread = this.#strict && version >= UNREAD;
    if (!isUnread) {
      if (this.#claims === undefined) {
        for (const scope of scopes) if (scope.call === undefined) this.#declare(scope);
      } else {
        for (const [start, claim] of this.#claims) if (claim.unit === this.#code) this.#claim(start, claim);
        for (const scope of scopes) if (scope.call !== undefined) this.#inline(scope);
      }
      this.#lines();
    }
    return {
      source: isUnread ? undefined : source,
      object: this.#path,
      functions: [...this.#byStart.values()],
      onLine: this.#onLine,
      byStart: this.#byStart,
    };
  }

  /** A function with what entries say of it. */
  #claim(start: number, { declared }: UnitClaim): void {
    const code = this.#function(start);
    for (const { file, line } of declared) {
      if (code === undefined) return;
      code.file = file;
      code.firstLine = line;
      this.#add(code, 0, { file, line });
    }
  }

  #declare({ function: of, ranges }: UnitScope): void {
    const offset = offsetOf(this.#object.elf, ranges[0]?.from ?? -1);
    const symbol = offset === undefined ? undefined : this.#object.functions.at(offset);
    if (symbol === undefined || symbol.stripped) return;
    const found = this.#function(symbol.start);
    if (found === undefined || of?.line === undefined || of.line <= 0) return;
    found.file = of.file;
    found.firstLine = of.line;
    this.#add(found, 0, { file: of.file, line: of.line });
  }

  #function(start: number): CodeFunction | undefined {
    const known = this.#byStart.get(start);
    if (known !== undefined) return known;
    const symbol = this.#object.functions.at(start);
    if (symbol === undefined || symbol.stripped || !this.#isOwn(symbol)) return undefined;
    const made = emptyFunction(this.#spell(nameAt(this.#object, symbol, this.#strict)), start, symbol.end - start);
    made.file = this.#code.source;
    if (!this.#strict) made.frames = (offset) => framesAt(this.#object, start + offset);
    this.#byStart.set(start, made);
    return made;
  }

  /** Whether gprofng takes a function for one of this unit. */
  #isOwn({ start, name }: FunctionAt): boolean {
    if (this.#claims === undefined) return true;
    const claim = this.#claims.get(start);
    return claim === undefined ? isLocal(name) : claim.unit === this.#code;
  }

  /** The function of an address, and the address in it. */
  #at(address: number): { readonly function: CodeFunction; readonly offset: number } | undefined {
    const offset = offsetOf(this.#object.elf, address);
    const symbol = offset === undefined ? undefined : this.#object.functions.at(offset);
    if (offset === undefined || symbol === undefined) return undefined;
    const known = this.#function(symbol.start);
    return known && { function: known, offset: offset - symbol.start };
  }

  #inline({ ranges, call, function: of, parent }: UnitScope): void {
    if (call === undefined || (ranges.length > 1 && this.#code.base !== 0)) return;
    let level = 0;
    for (let at = parent; this.#code.scopes[at]?.call !== undefined; at = this.#code.scopes[at]?.parent ?? -1) level++;
    for (const { from, to } of ranges) {
      const found = this.#at(from);
      if (found === undefined) continue;
      // gprofng forgets the calls before another function came.
      if (found.function !== this.#inlining) found.function.inlined.length = 0;
      this.#inlining = found.function;
      found.function.inlined.push({
        from: found.offset,
        to: found.offset + to - from,
        level,
        call,
        name: of?.plainName,
      });
    }
  }

  #lines(): void {
    const byAddress = (a: { readonly address: number }, b: { readonly address: number }): number =>
      a.address - b.address;
    const { rows: unsorted } = this.#code;
    // Of several rows at an address the last one counts.
    const rows = this.#strict ? peerSort(unsorted, byAddress) : [...unsorted].sort(byAddress);
    for (const { address, file, line } of rows) {
      const found = this.#at(address);
      if (found !== undefined && line > 0 && file !== undefined)
        this.#add(found.function, found.offset, { file, line });
    }
  }

  #add(of: CodeFunction, offset: number, { file, line }: SourceLine): void {
    if (offset >= of.size) return;
    const { rows } = of;
    const at = rows.findLastIndex((row) => row.offset <= offset);
    const before = rows[at];
    const code = lineCode(of, { file, line }, offset);
    if (before?.offset === offset) {
      // gprofng counts its bytes for the line that was there before.
      if (!this.#strict) {
        lineCode(of, before, offset).size -= before.size;
        code.size += before.size;
      }
      rows[at] = { offset, file, line, size: before.size };
    } else {
      const size = (rows[at + 1]?.offset ?? of.size) - offset;
      code.size += size;
      if (before !== undefined) {
        const changed = offset - before.offset - before.size;
        lineCode(of, before, before.offset).size += changed;
        before.size += changed;
      }
      rows.splice(at + 1, 0, { offset, file, line, size });
      this.#settle(of, file);
      if (of.firstLine <= 0 && file === of.file) of.firstLine = line;
    }
    this.#note(of, { file, line });
  }

  /** gprofng takes a function that no entry declares for one of the first other file that it has lines of. */
  #settle(code: CodeFunction, file: string | undefined): void {
    if (!this.#strict || code.firstLine > 0 || file === this.#code.source) return;
    if (code.file === this.#code.source) code.file = file;
  }

  #note(of: CodeFunction, { file = '', line }: SourceLine): void {
    const lines = this.#onLine.get(file) ?? new Map<number, CodeFunction[]>();
    this.#onLine.set(file, lines);
    const known = lines.get(line) ?? [];
    lines.set(line, known);
    if (!known.includes(of)) known.push(of);
  }
}
