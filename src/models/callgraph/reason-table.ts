/**
 * Why an analysis found parts of a program reachable: trees of reasons. A row is a type, a method, a field, an object of the image heap or
 * a text; its children are the reasons for it, and parents come before children.
 *
 *   Type a.B is marked as instantiated        row 0, parent -1: what was asked for
 *       at static method a.C.make(C.java:5)   row 1, parent 0: the reason for row 0
 *           str: root method                  row 2, parent 1: the reason for row 1
 *
 * StringIds are of the names of the program. Memory: 21 bytes a row.
 */
/** `constant`: an object of the image heap, or how it was found. `text`: words of the analysis. */
export const REASON_KINDS = ['type', 'method', 'field', 'constant', 'text'] as const;
export type ReasonKind = (typeof REASON_KINDS)[number];

export interface ReasonTable {
  readonly length: number;
  /** Row that this one is a reason for; -1 for what was asked for. */
  readonly parent: Int32Array;
  /** Index into `REASON_KINDS`. */
  readonly kind: Uint8Array;
  /** StringId: the name of a type or field; a method as `Class.name`, with its parameter types if they are known; else the text. */
  readonly name: Int32Array;
  /** StringId: how it is reachable, as in `is marked as instantiated`; -1 if the row does not say. */
  readonly how: Int32Array;
  /** StringId: the place, as in `List.java:17`; of a constant, where it was found; -1 if the row has none. */
  readonly place: Int32Array;
  /** Row with the reasons of this one, which stand there once; -1 if they are below this row, or if there are none. */
  readonly expandedAt: Int32Array;
}

/** The rows without a parent. */
export function askedRows({ parent, length }: ReasonTable): number[] {
  const rows: number[] = [];
  for (let row = 0; row < length; row++) if (parent[row] < 0) rows.push(row);
  return rows;
}
