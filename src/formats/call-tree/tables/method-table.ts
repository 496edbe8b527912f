/**
 * Tables of methods, `methods` and `virtual_methods`: a row becomes a function of the program. Memory: the name as in `node-names.ts`, 16
 * bytes and the bytes of Display.
 */
import { ByteBuilder, Int32Builder } from '../../../base/columns/columns.js';
import type { ByteInterner } from '../../../base/columns/hash.js';
import { NONE } from '../../../base/flavor.js';
import { decodeUtf8, encodeUtf8 } from '../../../base/text.js';
import type { MethodAdder } from '../../shared/points-to/method-text.js';
import { IdRows } from '../../shared/tree/id-rows.js';
import type { Cells } from './cells.js';
import { displayOf } from './display.js';

/** Columns of a table of methods. */
const NAME = 1;
/** Type, Parameters and Return are between Name and Display. */
const BETWEEN = 3;
const BEHIND_DISPLAY = { seven: 1, three: 2 } as const;
/** A row of more cells is damage: names with as many commas do not occur, and each way to join cells is tried. */
const MOST_CELLS = 64;
const NO_PARAMETERS = 'empty';

/** The rows of a table of methods, in its order. */
export interface MethodRows {
  /** FunctionId. */
  readonly functions: Int32Array<ArrayBufferLike>;
  /** Id in the file. */
  readonly ids: Int32Array<ArrayBufferLike>;
  /** StringIds of the texts of the report. */
  readonly display: Int32Array<ArrayBufferLike>;
  readonly flags: Int32Array<ArrayBufferLike>;
}

/** Reads rows of one table. `texts` gets Display and Flags. */
export class MethodTable {
  readonly #methods: MethodAdder;
  readonly #texts: ByteInterner;
  readonly #behind: number;
  readonly #rowOf = new IdRows();
  readonly #functions = new Int32Builder();
  readonly #ids = new Int32Builder();
  readonly #display = new Int32Builder();
  readonly #flags = new Int32Builder();
  readonly #scratch = new ByteBuilder(1 << 10);
  /** Where the parameters begin in it. */
  #open = 0;

  constructor(methods: MethodAdder, texts: ByteInterner, layout: keyof typeof BEHIND_DISPLAY) {
    this.#methods = methods;
    this.#texts = texts;
    this.#behind = BEHIND_DISPLAY[layout];
  }

  get length(): number {
    return this.#ids.length;
  }

  /** The function of an id; -1 if no row has it. */
  functionOf(id: number): number {
    const row = id < 0 ? NONE : this.#rowOf.rowOf(id);
    return row < 0 ? NONE : this.#functions.values[row];
  }

  /** Adds a row; what is wrong with it, if anything: then it is not added. */
  add(cells: Cells): string | undefined {
    const id = cells.number(0);
    if (id < 0) return 'its Id is not a number';
    if (this.#rowOf.rowOf(id) >= 0) return `Id ${id} is listed before`;
    const types = typesAt(cells, this.#behind);
    if (types === undefined || cells.isEmpty(types.parameters)) return 'its cells are not those of a method';
    const text = this.#text(cells, types);
    if (!this.#methods.isMethod(text.bytes, 0, text.length, this.#open)) return 'its types are not those of a method';
    this.#rowOf.set(id, this.#ids.push(id));
    this.#functions.push(this.#methods.add(text.bytes, 0, text.length, NONE));
    const flags = cells.length - this.#behind;
    this.#display.push(this.#texts.add(cells.bytes, cells.from(types.display), cells.to(flags - 1)));
    this.#flags.push(this.#texts.add(cells.bytes, cells.from(flags), cells.to(flags)));
    return undefined;
  }

  finish(): MethodRows {
    return {
      functions: this.#functions.finish(),
      ids: this.#ids.finish(),
      display: this.#display.finish(),
      flags: this.#flags.finish(),
    };
  }

  /** The method of a row as text: `Type.Name(Parameters):Return`. */
  #text(cells: Cells, { type, parameters, returns, display }: TypeCells): ByteBuilder {
    const out = this.#scratch;
    out.length = 0;
    out.append(cells.bytes, cells.from(type), cells.to(parameters - 1));
    out.push(DOT);
    out.append(cells.bytes, cells.from(NAME), cells.to(type - 1));
    this.#open = out.length;
    out.push(OPEN);
    if (!cells.is(parameters, NO_PARAMETERS))
      for (let at = cells.from(parameters); at < cells.to(parameters); at++) {
        if (cells.bytes[at] === BLANK) out.push(COMMA);
        out.push(cells.bytes[at]);
      }
    out.append(CLOSE, 0, CLOSE.length);
    out.append(cells.bytes, cells.from(returns), cells.to(display - 1));
    return out;
  }
}

const DOT = 46;
const OPEN = 40;
const BLANK = 32;
const COMMA = 44;
const CLOSE = encodeUtf8('):');

/** The first cell of each column; a column ends before the next one. */
interface TypeCells {
  readonly type: number;
  readonly parameters: number;
  readonly returns: number;
  readonly display: number;
}

/**
 * Which cells are which columns. Names may have commas, which nothing quotes: then the cells are joined such that Display is that of the
 * class and the name. Parameters have no commas.
 */
function typesAt(cells: Cells, behind: number): TypeCells | undefined {
  const usual = NAME + 1 + BETWEEN + 1 + behind;
  if (cells.length === usual) return { type: 2, parameters: 3, returns: 4, display: 5 };
  if (cells.length < usual || cells.length > MOST_CELLS) return undefined;
  const end = cells.length - behind;
  const text = (first: number, after: number) => decodeUtf8(cells.bytes, cells.from(first), cells.to(after - 1));
  for (let type = NAME + 1; type + BETWEEN + (type - NAME) <= end; type++) {
    const display = end - (type - NAME);
    for (let parameters = type + 1; parameters < display - 1; parameters++)
      if (text(display, end) === displayOf(text(type, parameters), text(NAME, type)))
        return { type, parameters, returns: parameters + 1, display };
  }
  return undefined;
}
