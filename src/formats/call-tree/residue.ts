/** What a call tree in text has beyond the graph: plain data, with which it is written as it was. */

export interface CallTreeResidue {
  /** Whether nodes begin with the loader of their class (GraalVM since June 2024). */
  readonly loaders: boolean;
  /** Whether entries have reasons (GraalVM since April 2024). */
  readonly reasons: boolean;
  readonly crlf: boolean;
  /**
   * Functions whose last call is drawn as if another one followed: builders omit direct calls without a target after they have drawn the
   * one before.
   */
  readonly openEnded: Int32Array<ArrayBufferLike>;
}
