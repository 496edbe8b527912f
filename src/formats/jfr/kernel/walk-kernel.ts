/**
 * The walk over events by the kernel `kernels/jfr.ts`. It counts events, and decodes those of types with plain plans into batches of
 * columns, which move to the rows of their types when they are full. Measured on a loaded machine, 85 MB with
 * 4.8 million events: 31 ns an event to count them; `bench/jfr` compares it with the same loops in TypeScript.
 */
import { NONE } from '../../../base/flavor.js';
import { type Kernel, type KernelFunction, loadKernel } from '../../../base/kernel/kernel.js';
import { Layout } from '../../../base/kernel/layout.js';
import type { EventCounts } from '../chunk/event-counts.js';
import { WINDOW_BYTES } from '../chunk/event-window.js';
import type { ChunkHeader } from '../chunk/header.js';
import * as op from '../chunk/plan.js';
import { isWide } from '../chunk/plan.js';
import type { Batch, PoolsOfKeys, Rows } from '../chunk/rows.js';
import { ConstantKernel } from './constant-kernel.js';
import { CONSTANTS_BYTES } from './constant-memory.js';
import { CODE } from './kernel-code.js';
import { END, SKIP, STEP_BYTES, stepsOf } from './steps.js';

/** As in `kernels/jfr.ts`. */
const IDS = 1 << 16;
const TYPE_BYTES = 64;
/** In a type: in words, the first two of 64 bits; in doubles. */
const [COUNT, BYTES] = [0, 2];
const LIMIT = 4;
const [PROGRAM, LENGTH, NUMBERS_OF_ROWS, SEEN, TIMES, INTEGERS_BEHIND] = [4, 5, 6, 7, 10, 11];
/** In bytes. */
const LATE = 48;
/** In words. */
const [USUAL, ROOM] = [14, 15];
/** More integers than an event has: its type has other values. */
const NO_INTEGERS = 0xffffffff;
const NO_TIME = 2n ** 64n - 1n;
/** Times of eight bytes have fewer bits. */
const TIME_BITS = 56n;
const ROW_OF_KEY = 19;

/** Types with greater numbers are read in TypeScript; so are those whose batches do not fit. */
const MOST_TYPES = 1 << 10;
/** Events of a batch: with those of a few types, all columns fit the second-level cache. */
const ROWS = 1 << 10;
/** Events of a part, whose rows need no other columns: more than a window has, and those before it. */
const ROWS_OF_PART = 1 << 17;
const BATCHES = 10 << 20;
/** Of these, bytes for types that are met later. */
const RESERVE = 2 << 20;
/** Rows by keys of the constants that events refer to; types whose keys need more are read in TypeScript. */
const TABLES = 8 << 20;
/** A type whose events the kernel refuses so often, one by one, is not offered to it any more. */
const MOST_REFUSED = 64;
/** One in so many bytes is of types whose early events stay: then these are many. */
const MANY = 8;

const layout = new Layout();
const STATE = layout.take(64);
const TYPES = layout.take(MOST_TYPES * TYPE_BYTES);
const NUMBERS = layout.take(IDS * 2);
const WINDOW = layout.take(WINDOW_BYTES);
const FREE = layout.take(BATCHES);
const KEYS = layout.take(TABLES);
const CONSTANTS = layout.take(CONSTANTS_BYTES);

interface EarlyBatch {
  readonly numbers: Int32Array;
  readonly type: number;
  /** From when rows are late, as the kernel knows it. */
  limit: number | undefined;
}

/** Rows of a type whose events the kernel decodes, and its columns for them. */
interface Decoded {
  readonly rows: Rows;
  readonly batch: Batch;
  /** Where its number of rows is, in words; rows that there is room for. */
  readonly at: number;
  readonly room: number;
  /** Which of all rows those of the batch are, and where the type is; where only early ones stay. */
  readonly early?: EarlyBatch;
}

/** Where the columns of a batch begin, and how many rows they have room for. */
interface ColumnPlaces {
  readonly ints: number;
  readonly doubles: number;
  readonly room: number;
}

export class WalkKernel {
  /** The window that it reads events from. */
  readonly window: Uint8Array;
  readonly constants: ConstantKernel;
  readonly #walk: KernelFunction;
  readonly #walkEarly: KernelFunction;
  readonly #walkManyEarly: KernelFunction;
  readonly #buffer: ArrayBuffer;
  readonly #view: DataView;
  readonly #words: Uint32Array;
  readonly #doubles: Float64Array;
  readonly #numbers: Uint16Array;
  /** By number of the type; events refused one by one. */
  readonly #isTaken: boolean[] = [];
  readonly #ids: number[] = [];
  readonly #refusals: number[] = [];
  readonly #decoded: Decoded[] = [];
  /** Bytes of events that it has walked over since `begin`. */
  #walked = 0;
  #free = FREE;
  #freeKeys = KEYS;
  /** By id of the type of the constants: address and length of the table; undefined if there is no room for it. */
  readonly #tables = new Map<number, readonly [number, number] | undefined>();

  constructor(kernel: Kernel) {
    const { buffer } = kernel;
    this.#walk = kernel.function('walk');
    this.#walkEarly = kernel.function('walkEarly');
    this.#walkManyEarly = kernel.function('walkManyEarly');
    this.#buffer = buffer;
    this.#view = new DataView(buffer);
    this.#words = new Uint32Array(buffer);
    this.#doubles = new Float64Array(buffer);
    this.#numbers = new Uint16Array(buffer, NUMBERS, IDS);
    this.window = new Uint8Array(buffer, WINDOW, WINDOW_BYTES);
    this.constants = new ConstantKernel(kernel, CONSTANTS);
  }

  /** Begins with a chunk of compressed integers; forgets the types of the one before. */
  begin({ ticksHigh, ticksLow, ticksPerSecond }: ChunkHeader): void {
    this.#decoded.length = 0;
    this.#walked = 0;
    this.#isTaken.length = 0;
    this.#refusals.length = 0;
    this.#free = FREE;
    this.#freeKeys = KEYS;
    this.#tables.clear();
    this.constants.clear();
    this.#numbers.fill(0);
    this.#words.fill(0, TYPES / 4, NUMBERS / 4);
    this.#words.set([NUMBERS, TYPES], STATE / 4);
    this.#view.setInt32(STATE + 16, ticksLow, true);
    this.#view.setInt32(STATE + 20, ticksHigh, true);
    this.#view.setFloat64(STATE + 24, ticksPerSecond / 1e9, true);
  }

  /**
   * Makes a type known, by number and id. `rows`: those of its events; undefined if they are only counted, false if the caller reads
   * them.
   */
  know(number: number, id: number, rows: Rows | undefined | false): void {
    const isTaken = rows !== false && number < MOST_TYPES - 1 && id < IDS && this.#plan(number, rows);
    this.#isTaken[number] = isTaken;
    this.#ids[number] = id;
    if (isTaken) this.#numbers[id] = number + 1;
  }

  /** Whether it reads events of the type with this number. */
  takes(number: number): boolean {
    return this.#isTaken[number];
  }

  /**
   * Walks over the events of the window from `from` on, the first of which has the type with this number; returns where the first one
   * begins that is left to the caller.
   */
  walk(from: number, end: number, number: number): number {
    const walk = this.#walkOf();
    let at = WINDOW + from;
    do {
      this.#prepare();
      at = walk(at, WINDOW + end, STATE);
      for (const { rows, batch, at: length } of this.#decoded)
        if (rows.borrows(batch)) rows.length = this.#words[length];
    } while (this.#flush('full'));
    this.#walked += at - WINDOW - from;
    if (at === WINDOW + from) this.#refuse(number);
    return at - WINDOW;
  }

  /** Before each walk: what else happened to the rows since the last one. */
  #prepare(): void {
    for (const { rows, batch, at, early } of this.#decoded) {
      if (early !== undefined) this.#limit(early, rows);
      if (rows.borrows(batch)) this.#words[at] = rows.length;
    }
  }

  /** The fastest walk for the events that the kernel has met since `begin`. */
  #walkOf(): KernelFunction {
    if (!this.#decoded.some(({ early }) => early !== undefined)) return this.#walk;
    let wanted = 0;
    for (const { early } of this.#decoded) if (early !== undefined) wanted += this.#wide(early.type / 4 + BYTES);
    return wanted > this.#walked / MANY ? this.#walkManyEarly : this.#walkEarly;
  }

  /** Rows of a type are late from this time on. */
  #limit(batch: EarlyBatch, { early }: Rows): void {
    const { type } = batch;
    const limit = early?.limit ?? Number.NaN;
    if (Object.is(limit, batch.limit)) return;
    batch.limit = limit;
    const ticksPerNano = this.#view.getFloat64(STATE + 24, true);
    const late = Math.ceil((limit + 1) * ticksPerNano) + 1;
    this.#doubles[type / 8 + LIMIT] = limit;
    // Numbers of ticks that doubles have.
    const ticks = Number.isSafeInteger(late) ? this.#view.getBigInt64(STATE + 16, true) + BigInt(late) : NO_TIME;
    this.#view.setBigUint64(type + LATE, sevenBits(ticks), true);
  }

  /** Moves all rows so far where they belong: before others are added there. */
  flush(): void {
    this.#flush('all');
  }

  /** Moves the last rows, and adds its counts. */
  finish({ counts, bytes }: EventCounts): void {
    this.flush();
    this.#decoded.length = 0;
    for (let number = 0; number < Math.min(counts.length, MOST_TYPES - 1); number++) {
      const type = typeAt(number) / 4;
      counts[number] += this.#wide(type + COUNT);
      bytes[number] += this.#wide(type + BYTES);
    }
  }

  /** A number of 64 bits, in words. */
  #wide(at: number): number {
    return this.#words[at] + this.#words[at + 1] * 2 ** 32;
  }

  /** The caller reads an event of the type next, so its rows so far have to be there. */
  #refuse(number: number): void {
    const refusals = (this.#refusals[number] ?? 0) + 1;
    this.#refusals[number] = refusals;
    if (refusals >= MOST_REFUSED) {
      this.#isTaken[number] = false;
      // The others, too, or their rows would come behind those that the caller reads.
      this.#numbers[this.#ids[number] ?? 0] = 0;
    }
    this.flush();
  }

  /** Moves batches that are full, or all that have events; false if there are none. */
  #flush(which: 'full' | 'all'): boolean {
    let some = false;
    for (const { rows, batch, at, room, early } of this.#decoded) {
      const length = this.#words[at];
      if (which === 'full' ? length < room : length === 0 && early === undefined) continue;
      if (!rows.borrows(batch)) rows.append(batch, length);
      else if (which === 'full') rows.makeRoom(1);
      if (early !== undefined) {
        const seen = early.type / 4 + SEEN;
        const times = batch.doubles[0].subarray(0, length);
        rows.early?.append(early.numbers.subarray(0, length), times, this.#words[seen]);
        this.#words[seen] = 0;
      }
      this.#words[at] = 0;
      some = true;
    }
    return some;
  }

  /** Writes the program of a type; false if the kernel cannot run it. */
  #plan(number: number, rows: Rows | undefined): boolean {
    const at = typeAt(number) / 4;
    if (rows === undefined) return true;
    const { plan } = rows;
    const steps = 2 * plan.operations.length + 1;
    const free = this.#free + steps * STEP_BYTES;
    // Numbers of rows are a column more.
    const size = 4 * (plan.ints + 1) + 8 * plan.doubles;
    const left = FREE + BATCHES - 64 - free;
    const isWhole =
      rows.isInParts && rows.length === 0 && rows.early === undefined && size * ROWS_OF_PART <= left - RESERVE;
    const room = isWhole ? ROWS_OF_PART : ROWS;
    if (size * room > left) return false;
    const ints = Math.ceil(free / 64) * 64;
    const doubles = ints + 4 * room * plan.ints;
    const program = this.#steps(rows, { ints, doubles, room });
    if (program === undefined) return false;
    this.#words.set(program, this.#free / 4);
    this.#words[at + PROGRAM] = this.#free;
    const [keys, others] = usualProgram(program);
    this.#words[at + USUAL] = keys | (others << 16);
    this.#words[at + ROOM] = room;
    const numbers = doubles + 8 * room * plan.doubles;
    this.#free = numbers + (rows.early === undefined ? 0 : 4 * room);
    const batch = {
      ints: Array.from({ length: plan.ints }, (_, i) => new Int32Array(this.#buffer, ints + i * 4 * room, room)),
      doubles: Array.from(
        { length: plan.doubles },
        (_, i) => new Float64Array(this.#buffer, doubles + i * 8 * room, room),
      ),
    };
    const early = rows.early && {
      numbers: new Int32Array(this.#buffer, numbers, room),
      type: typeAt(number),
      limit: undefined,
    };
    const isIntegers = early !== undefined && plan.isIntegers && plan.slots[0] === 0;
    this.#words[at + INTEGERS_BEHIND] = isIntegers ? plan.operations.length - 1 : NO_INTEGERS;
    if (early !== undefined) {
      this.#words[at + NUMBERS_OF_ROWS] = numbers;
      this.#words[at + TIMES] = doubles;
    }
    if (isWhole) rows.borrow(batch, room);
    this.#decoded.push({ rows, batch, at: at + LENGTH, room, ...(early && { early }) });
    return true;
  }

  /** The program of rows whose columns begin at these addresses; undefined if it needs what the kernel lacks. */
  #steps({ plan, pools }: Rows, { ints, doubles, room }: ColumnPlaces): Uint32Array | undefined {
    const keys = plan.columns.filter(({ operation }) => operation === op.KEY);
    const types = new Map(keys.map(({ slot, field }) => [slot, field.type]));
    const steps = stepsOf(plan, (operation, slot) => {
      const column = isWide(operation) ? doubles + slot * 8 * room : ints + slot * 4 * room;
      if (operation !== op.KEY || pools === undefined) return [operation, column];
      const table = this.#table(types.get(slot) ?? NONE, pools);
      return table && [ROW_OF_KEY, column, ...table];
    });
    return steps && Uint32Array.from([...steps, END, 0]);
  }

  /** Address and length of the rows by key of a type of constants. */
  #table(type: number, pools: PoolsOfKeys): readonly [number, number] | undefined {
    if (this.#tables.has(type)) return this.#tables.get(type);
    const constants = pools.of(type);
    const rows = constants === undefined ? NO_ROWS : constants.direct((KEYS + TABLES - this.#freeKeys) / 4);
    const table = rows && ([this.#freeKeys, rows.length] as const);
    this.#tables.set(type, table);
    if (rows !== undefined) {
      new Int32Array(this.#buffer).set(rows, this.#freeKeys / 4);
      this.#freeKeys += 4 * rows.length;
    }
    return table;
  }
}

/** Of a type without constants: key 0 is none. */
const NO_ROWS = Int32Array.of(NONE);

/** The garbage collector may take it: it has as much memory as a million events. */
let idle: WeakRef<WalkKernel> | undefined;

/** A kernel that nobody uses; undefined where kernels do not run. */
export async function takeKernel(): Promise<WalkKernel | undefined> {
  const known = idle?.deref();
  idle = undefined;
  if (known !== undefined) return known;
  const kernel = await loadKernel(CODE, layout.length);
  return kernel && new WalkKernel(kernel);
}

/** The next reader gets it: the memory of a new one costs more than a small file. */
export function returnKernel(kernel: WalkKernel): void {
  idle = new WeakRef(kernel);
}

/** A number of ticks as bytes of seven bits, lowest first; `NO_TIME` if it has more than eight. */
function sevenBits(ticks: bigint): bigint {
  if (ticks < 0n) return 0n;
  if (ticks >> TIME_BITS !== 0n) return NO_TIME;
  let bytes = 0n;
  for (let i = 0n; i < 8n; i++) bytes |= ((ticks >> (7n * i)) & 0x7fn) << (8n * i);
  return bytes;
}

/** Numbers of keys, and of numbers of 64 bits and skipped ones, of a program that has these behind a time, in this order; no keys if it is another one. */
function usualProgram(program: Uint32Array): readonly [number, number] {
  if (program[0] !== op.TICKS) return [0, 0];
  let at = 2;
  while (program[at] === ROW_OF_KEY) at += 4;
  const keys = (at - 2) / 4;
  const from = at;
  while (program[at] === op.LONG || program[at] === op.UNSIGNED_LONG || (program[at] === SKIP && program[at + 1] === 1))
    at += 2;
  return at === program.length - 2 ? [keys, (at - from) / 2] : [0, 0];
}

function typeAt(number: number): number {
  return TYPES + (number + 1) * TYPE_BYTES;
}
