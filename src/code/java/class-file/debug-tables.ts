/** Rows of the tables that debuggers use: lines (JVMS 4.7.12) and local variables (4.7.13, 4.7.14). */
import type { Cursor } from './cursor.js';
import { type Named, named } from './named.js';

/** The code from `bci` on belongs to `line`. */
export interface LineEntry {
  readonly bci: number;
  readonly line: number;
}

export interface LocalVariable {
  /** In scope for BCIs from `start` to before `start + length`. */
  readonly start: number;
  readonly length: number;
  readonly name: Named;
  /** Descriptor; in LocalVariableTypeTable the generic signature. */
  readonly type: Named;
  readonly slot: number;
}

export function lineEntries(cursor: Cursor): LineEntry[] {
  return cursor.list(cursor.count(4), () => ({ bci: cursor.u2(), line: cursor.u2() }));
}

export function localVariables(cursor: Cursor): LocalVariable[] {
  return cursor.list(cursor.count(10), () => {
    const [start, length] = [cursor.u2(), cursor.u2()];
    return { start, length, name: named(cursor), type: named(cursor), slot: cursor.u2() };
  });
}
