/** What an object tree has beyond the graph: plain data, with which it is written as it was. */

export interface ObjectTreeResidue {
  readonly crlf: boolean;
  /** Objects whose last field or element is drawn as if another one followed: GraalVM leaves out elements that are null. */
  readonly openEnded: Int32Array<ArrayBufferLike>;
  /** Whether the last root is drawn so. */
  readonly openRoots: boolean;
  /** Pairs of an object and the index into `SHAPES` of the words after its text, where its type and references do not say them. */
  readonly shapes: Int32Array<ArrayBufferLike>;
  /** Objects that no line lists, so that their fields are unknown. */
  readonly unlisted: Int32Array<ArrayBufferLike>;
  /** Of roots without an object: row of `texts`; -1. */
  readonly rootText: Int32Array<ArrayBufferLike>;
  /** Of roots whose value is of a suppressed type: its ClassId; -1 for roots that are suppressed themselves. */
  readonly rootType: Int32Array<ArrayBufferLike>;
}

/** Whether a residue is that of an object tree. */
export function isResidue(residue: unknown): residue is ObjectTreeResidue {
  return typeof residue === 'object' && residue !== null && 'rootText' in residue;
}
