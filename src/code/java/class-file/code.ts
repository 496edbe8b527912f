/**
 * The Code attribute of a method (JVMS 4.7.3): its bytecode as an extent, and its tables, each read on demand. Damage
 * is listed in `problems`, with offsets from the start of the class file.
 */
import { FormatError } from '../../../base/errors.js';
import type { Problem } from '../../../base/problems.js';
import type { ConstantPool } from './constant-pool.js';
import { attempt, Cursor, damageOf } from './cursor.js';
import { type LineEntry, type LocalVariable, lineEntries, localVariables } from './debug-tables.js';
import type { Bytecode } from './instructions.js';
import { type AttributeTable, lengthAt, listAttributes, type RawAttribute, walkAttributes } from './raw-attributes.js';
import { type StackMapFrame, stackMapFrames } from './stack-map.js';

/** A handler of exceptions: for BCIs from `start` to before `end`. */
export interface ExceptionEntry {
  readonly start: number;
  readonly end: number;
  readonly handler: number;
  /** Pool index of the class that is caught; 0 catches all. */
  readonly catchIndex: number;
  /** Internal name of the class that is caught; undefined catches all (`finally`). */
  readonly catchType: string | undefined;
}

/** max_stack, max_locals, code_length. */
const HEAD = 8;
/** Bytes of a row of the exception table. */
const HANDLER = 8;

export class Code implements Bytecode {
  readonly pool: ConstantPool;
  readonly maxStack: number;
  readonly maxLocals: number;
  readonly start: number;
  readonly length: number;
  readonly exceptions: readonly ExceptionEntry[];
  readonly #table: AttributeTable | undefined;
  #attributes: readonly RawAttribute[] | undefined;
  readonly #problems: Problem[] = [];
  #lines: readonly LineEntry[] | undefined;
  #locals: readonly LocalVariable[] | undefined;
  #frames: readonly StackMapFrame[] | undefined;
  #localTypes: readonly LocalVariable[] | undefined;

  /** `attribute` is the Code attribute. */
  constructor(pool: ConstantPool, attribute: RawAttribute) {
    this.pool = pool;
    const { offset, length: size } = attribute;
    const { bytes } = pool;
    const whole = size >= HEAD;
    this.maxStack = whole ? (bytes[offset] << 8) | bytes[offset + 1] : 0;
    this.maxLocals = whole ? (bytes[offset + 2] << 8) | bytes[offset + 3] : 0;
    this.start = whole ? offset + HEAD : offset + size;
    const claimed = whole ? lengthAt(bytes, offset + 4) : 0;
    const end = offset + size;
    this.length = Math.min(claimed, end - this.start);
    this.exceptions = [];
    if (!whole) {
      this.#damaged(pool.damaged(offset, `${HEAD} bytes of Code`, `${size}`));
      return;
    }
    if (claimed > this.length) {
      this.#damaged(pool.damaged(offset + 4, `${claimed} bytes of bytecode`, `${this.length}`));
      return;
    }
    const cursor = new Cursor(pool, 'the exception table', this.start + this.length, end);
    const exceptions = attempt(() => cursor.list(cursor.count(HANDLER), () => handler(cursor)));
    if (exceptions instanceof FormatError) {
      this.#damaged(exceptions);
      return;
    }
    this.exceptions = exceptions;
    const table = walkAttributes(pool, cursor.at, end);
    this.#table = table;
    if (table.damage !== undefined) this.#damaged(table.damage);
    else if (table.end !== end)
      this.#damaged(pool.damaged(table.end, 'the end of Code', `${end - table.end} more bytes`));
  }

  #damaged(error: FormatError): void {
    this.#problems.push(damageOf(error));
  }

  get attributes(): readonly RawAttribute[] {
    this.#attributes ??= this.#table === undefined ? [] : listAttributes(this.pool, this.#table);
    return this.#attributes;
  }

  /** Problems of the parts read so far. */
  get problems(): readonly Problem[] {
    return this.#problems;
  }

  /** The class file with the code. */
  get file(): Uint8Array {
    return this.pool.bytes;
  }

  /** The bytecode. */
  get bytes(): Uint8Array {
    return this.pool.bytes.subarray(this.start, this.start + this.length);
  }

  /** All rows of all line tables, in the order of the file; empty if the class was compiled without. */
  get lineTable(): readonly LineEntry[] {
    this.#lines ??= this.#rows('LineNumberTable', lineEntries);
    return this.#lines;
  }

  /** The source line of a bytecode index: that of the nearest row at or before it; undefined if there is none. */
  lineAt(bci: number): number | undefined {
    let best: LineEntry | undefined;
    for (const row of this.lineTable) {
      if (row.bci === bci) return row.line;
      if (row.bci < bci && (best === undefined || row.bci >= best.bci)) best = row;
    }
    return best?.line;
  }

  get localVariables(): readonly LocalVariable[] {
    this.#locals ??= this.#rows('LocalVariableTable', localVariables);
    return this.#locals;
  }

  get localVariableTypes(): readonly LocalVariable[] {
    this.#localTypes ??= this.#rows('LocalVariableTypeTable', localVariables);
    return this.#localTypes;
  }

  /** Frames of the verifier, with their BCIs; none before version 50. */
  get stackMap(): readonly StackMapFrame[] {
    this.#frames ??= this.#rows('StackMapTable', stackMapFrames);
    return this.#frames;
  }

  /** The rows of all attributes of a name; a damaged attribute gives a problem and no rows. */
  #rows<T>(name: string, read: (cursor: Cursor) => T[]): T[] {
    const rows: T[] = [];
    for (const attribute of this.attributes) {
      if (attribute.name !== name) continue;
      const cursor = new Cursor(this.pool, name, attribute.offset, attribute.offset + attribute.length);
      const some = attempt(() => {
        const list = read(cursor);
        cursor.finish();
        return list;
      });
      if (some instanceof FormatError) this.#damaged(some);
      else for (const row of some) rows.push(row);
    }
    return rows;
  }
}

function handler(cursor: Cursor): ExceptionEntry {
  const [start, end, target, catchIndex] = [cursor.u2(), cursor.u2(), cursor.u2(), cursor.u2()];
  const catchType = catchIndex === 0 ? undefined : cursor.pool.className(catchIndex);
  return { start, end, handler: target, catchIndex, catchType };
}
