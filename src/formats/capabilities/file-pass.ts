/** Passes over files that run in threads; `formats/passes.ts` names them. */

/** Argument of a task in a thread: a pass over a file and the input of the pass. */
export interface FilePass {
  readonly path: string;
  readonly task: unknown;
}

/** Fills `target` from `offset` on, as far as there are bytes; returns how many. */
export type ReadAt = (offset: number, target: Uint8Array) => number | Promise<number>;
