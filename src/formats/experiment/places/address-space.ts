/**
 * map.xml: what lay at which addresses, and when. Files are load objects, with offsets in them; functions made at run time, and compiled Java methods,
 * lie in load objects of generated code, one after the other. An address means what was mapped there at the time of its event.
 */
import { IntTable } from '../../../base/columns/hash.js';
import { NONE } from '../../../base/flavor.js';
import type { ProblemLog } from '../../../base/problems.js';
import { lineIn } from '../../../models/program/code.js';
import { LoadObjectBuilder } from '../../../models/program/load-object-builder.js';
import { MappingIndex } from '../../../models/program/mappings.js';
import { shownSymbol } from '../../../models/program/part-names.js';
import type {
  FunctionId,
  LoadObjectId,
  LoadObjectKind,
  LocationId,
  MappingTable,
} from '../../../models/program/program.js';
import type { ProgramBuilder } from '../../../models/program/program-builder.js';
import { address, relativeTime, type Wide } from '../log.js';
import { eachTag, type Tag } from '../markup.js';
import { type DynamicCode, DynamicCodes } from './dynamic-code.js';

/** What code at an address is, as far as stacks of Java need it. */
export const CODE_KINDS = ['file', 'generated', 'jvm', 'unmapped'] as const;
export type CodeKind = (typeof CODE_KINDS)[number];

export interface Mapped extends Wide {
  readonly size: number;
  readonly from: number;
  to: number;
  readonly loadObject: LoadObjectId;
  readonly offset: number;
  readonly function: FunctionId;
  readonly kind: CodeKind;
  /** Lines of code that was made at run time; of Java methods they are bytecode indexes. */
  readonly code?: DynamicCode | undefined;
  readonly isJava?: boolean;
}

/** The Java method of an id at a time; -1 if unknown. */
export type MethodAt = (id: Wide, time: number) => FunctionId;

/** Load object of functions that the program or the JVM made. */
const GENERATED = '[generated code]';
const JVM = /(?:^|\/)libjvm(?:_db)?\.so$/;
/** Entries of map.xml that are kept. */
const MOST_MAPPINGS = 4 << 20;

export class AddressSpace {
  readonly #program: ProgramBuilder;
  readonly #rows: Mapped[];
  readonly #index: MappingIndex;
  readonly #table: MappingTable;
  /** Addresses that events use. */
  readonly #addresses = new IntTable();
  /** By address: its location if that is the same at all times, else `VARIES`. */
  readonly #fixed: number[] = [];
  readonly #kinds: number[] = [];
  readonly #varying = new Map<number, readonly number[]>();

  constructor(program: ProgramBuilder, rows: Mapped[]) {
    this.#program = program;
    this.#rows = rows;
    const builder = new LoadObjectBuilder();
    for (const row of rows) builder.mapping(row);
    this.#table = builder.finish().mappings ?? EMPTY;
    this.#index = new MappingIndex(this.#table);
  }

  /** Native functions that were made at run time. */
  generated(): readonly Mapped[] {
    return this.#rows.filter(({ kind, isJava = false }) => kind === 'generated' && !isJava);
  }

  /** The mappings of files, for the recording. */
  record(): void {
    for (const row of this.#rows) if (row.kind !== 'generated') this.#program.mapping(row);
  }

  /** Whether an address is the same place at all times. */
  isFixed(high: number, low: number): boolean {
    return this.#fixed[this.#known(high, low)] !== VARIES;
  }

  /** The place of an address, halves of 32 bits, at a time in nanoseconds. */
  locationOf(high: number, low: number, time: number): LocationId {
    const known = this.#known(high, low);
    const fixed = this.#fixed[known] ?? VARIES;
    if (fixed !== VARIES) return fixed;
    const row = this.#rowAt(known, time);
    return row === undefined ? this.#unmapped(high, low) : this.#locationIn(row, high, low);
  }

  kindOf(high: number, low: number, time: number): CodeKind {
    const known = this.#known(high, low);
    const kind = CODE_KINDS[this.#kinds[known] ?? 0] ?? 'unmapped';
    if (this.#fixed[known] !== VARIES) return kind;
    return this.#rows[this.#rowAt(known, time) ?? NONE]?.kind ?? 'unmapped';
  }

  /** The mapping at a time. The recorder writes a mapping after it was made: code that runs before it is that of the next one, as for gprofng. */
  #rowAt(known: number, time: number): number | undefined {
    const rows = this.#varying.get(known);
    const at = rows?.findLast((row) => {
      const mapped = this.#rows[row];
      return mapped !== undefined && time >= mapped.from && time < mapped.to;
    });
    return at ?? rows?.find((row) => (this.#rows[row]?.from ?? 0) > time);
  }

  /** The number of an address. */
  #known(high: number, low: number): number {
    const known = this.#addresses.add(low & 0x7fffffff, high | 0, low >>> 31);
    if (known < this.#fixed.length) return known;
    const rows = this.#index.over(high >>> 0, low >>> 0);
    const [first] = rows;
    const alone = rows.length === 1 ? this.#rows[first ?? NONE] : undefined;
    // The recorder writes a mapping after it was made: what was never anything else may be used earlier.
    const isAlways = alone !== undefined && alone.to === Number.POSITIVE_INFINITY;
    if (first === undefined) this.#fixed.push(this.#unmapped(high, low));
    else this.#fixed.push(isAlways ? this.#locationIn(first, high, low) : VARIES);
    if (first !== undefined && !isAlways) this.#varying.set(known, rows);
    this.#kinds[known] = CODE_KINDS.indexOf(first === undefined ? 'unmapped' : (alone?.kind ?? 'file'));
    return known;
  }

  #locationIn(row: number, high: number, low: number): LocationId {
    const place = this.#index.placeIn(row, high >>> 0, low >>> 0);
    const { function: of = NONE, code, isJava = false, offset = 0 } = this.#rows[row] ?? {};
    const line = code && lineIn(code, place.offset - offset);
    return this.#program.nativeLocation(of, place, line === undefined ? {} : isJava ? { bci: line } : { line });
  }

  #unmapped(high: number, low: number): LocationId {
    return this.#program.nativeLocation(NONE, { loadObject: this.#program.unmapped(high), offset: low >>> 0 });
  }
}

const VARIES = -2;
const EMPTY: MappingTable = {
  length: 0,
  loadObject: new Int32Array(),
  startHigh: new Uint32Array(),
  startLow: new Uint32Array(),
  size: new Float64Array(),
  offset: new Float64Array(),
  from: new Float64Array(),
  to: new Float64Array(),
};

export interface MapOptions {
  readonly program: ProgramBuilder;
  readonly problems: ProblemLog;
  readonly methodAt: MethodAt;
  /** What dyntext says of code that was made at run time. */
  readonly codes?: DynamicCodes | undefined;
  /** Paths of the recorded programs. */
  readonly executables: ReadonlySet<string>;
}

/** Reads map.xml; `undefined` bytes are those of a missing file. */
export function readAddressSpace(bytes: Uint8Array, file: string, options: MapOptions): AddressSpace {
  const reading = new MapReading(options, file);
  eachTag(bytes, file, options.problems, (tag) => {
    if (tag.name === 'event' && !tag.closes) reading.event(tag);
  });
  return new AddressSpace(options.program, reading.finish());
}

class MapReading {
  readonly #options: MapOptions;
  readonly #file: string;
  readonly #rows: Mapped[] = [];
  /** Functions of `[vdso]` and the like, whose time is that of the whole. */
  readonly #timeless: Tag[] = [];
  /** Rows of the mappings at an address that are not unmapped yet. */
  readonly #live = new Map<string, number>();
  /** Bytes of generated code so far, by load object. */
  readonly #used = new Map<LoadObjectId, number>();
  readonly #codes: DynamicCodes;

  constructor(options: MapOptions, file: string) {
    this.#options = options;
    this.#codes = options.codes ?? new DynamicCodes();
    this.#file = file;
  }

  event(tag: Tag): void {
    const { attributes } = tag;
    const kind = attributes.get('kind');
    if (kind === 'unmap') this.#unmap(tag);
    else if (kind !== 'map') return;
    else if (attributes.get('object') === 'dynfunc' && !attributes.has('tstamp')) this.#timeless.push(tag);
    else this.#map(tag, relativeTime(attributes.get('tstamp')) ?? 0);
  }

  finish(): Mapped[] {
    const last = this.#rows.length;
    for (const tag of this.#timeless) {
      // They are more exact than the record of the whole, so they come after it.
      const whole = this.#rows.slice(0, last).find((row) => this.#covers(row, tag));
      this.#map(tag, whole?.from ?? 0);
    }
    return this.#rows;
  }

  #covers({ high, low, size }: Mapped, tag: Tag): boolean {
    const at = address(tag.attributes.get('vaddr'));
    const within = at && (at.high - high) * 2 ** 32 + (at.low - low);
    return within !== undefined && within >= 0 && within < size;
  }

  #unmap({ attributes }: Tag): void {
    const time = relativeTime(attributes.get('tstamp'));
    const key = attributes.get('vaddr') ?? attributes.get('methodId') ?? '';
    const row = this.#rows[this.#live.get(key) ?? NONE];
    if (row === undefined || time === undefined) return;
    row.to = Math.min(row.to, time);
    this.#live.delete(key);
  }

  #map(tag: Tag, time: number): void {
    const { attributes, offset } = tag;
    const start = address(attributes.get('vaddr'));
    const size = Number(attributes.get('size'));
    const object = attributes.get('object');
    const isValid = start !== undefined && Number.isSafeInteger(size) && size >= 0;
    if (!isValid || this.#rows.length >= MOST_MAPPINGS) {
      this.#invalid(offset);
      return;
    }
    const common = { ...start, size, from: time, to: Number.POSITIVE_INFINITY };
    if (object === 'segment') this.#segment(tag, common);
    else if (object === 'function' || object === 'dynfunc') this.#function(attributes, common);
    else if (object === 'jcm') this.#method(attributes, common);
    const last = this.#rows.length - 1;
    this.#live.set(attributes.get('vaddr') ?? '', last);
    if (object === 'jcm') this.#live.set(attributes.get('methodId') ?? '', last);
  }

  #segment({ attributes, offset: at }: Tag, common: Common): void {
    const path = attributes.get('name') ?? '';
    const offset = address(attributes.get('foffset')?.replace(/^\+/, ''));
    if (path === '' || offset === undefined || offset.high >= 1 << 20) {
      this.#invalid(at);
      return;
    }
    const { program, executables } = this.#options;
    const kind: LoadObjectKind = executables.has(path) ? 'executable' : 'library';
    const loadObject = program.loadObject(program.name(path), kind);
    const place = { loadObject, offset: offset.high * 2 ** 32 + offset.low };
    this.#rows.push({ ...common, ...place, function: NONE, kind: JVM.test(path) ? 'jvm' : 'file' });
  }

  #function(attributes: Tag['attributes'], common: Common): void {
    const { program } = this.#options;
    const name = attributes.get('name') ?? '';
    const isSystem = name.startsWith('[');
    const loadObject = program.loadObject(program.name(isSystem ? name : GENERATED), 'jit');
    const called = attributes.get('funcname') ?? name;
    const start = this.#place(loadObject, common.size);
    const unit = program.unit(NONE, loadObject);
    const code = this.#codes.at(common, common.from);
    const file = code?.source === undefined ? NONE : program.name(code.source);
    // Without a start: functions that were made twice are one function, as methods that were compiled twice are.
    const made = called === '' ? NONE : program.native(program.name(shownSymbol(called)), { unit, file });
    this.#rows.push({ ...common, loadObject, offset: start, function: made, kind: 'generated', code });
  }

  #method(attributes: Tag['attributes'], common: Common): void {
    const { program, methodAt } = this.#options;
    const id = address(attributes.get('methodId'));
    const loadObject = program.loadObject(program.name(GENERATED), 'jit');
    const method = id === undefined ? NONE : methodAt(id, common.from);
    const offset = this.#place(loadObject, common.size);
    const code = this.#codes.at(common, common.from);
    this.#rows.push({ ...common, loadObject, offset, function: method, kind: 'generated', code, isJava: true });
  }

  /** Where new code of a load object begins. */
  #place(loadObject: LoadObjectId, size: number): number {
    const used = this.#used.get(loadObject) ?? 0;
    this.#used.set(loadObject, Math.min(used + size, 2 ** 52));
    return used;
  }

  #invalid(offset: number): void {
    const message = `${this.#file}: an event without a valid address, size or name`;
    this.#options.problems.add({ code: 'experiment-map', severity: 'warning', message, offset });
  }
}

type Common = Pick<Mapped, 'high' | 'low' | 'size' | 'from' | 'to'>;
