/** Where values that took long to make are kept between runs. */
import type { Work } from '../base/progress.js';

/** How a value becomes plain data with typed arrays, which a store can keep, and a value again. */
export interface ColumnCodec<Value> {
  /** Another number for every change of what the columns are or mean; values kept under another one are made again. */
  readonly version: number;
  /** The value as plain data: objects, arrays, maps and typed arrays without methods. Large parts are typed arrays. */
  toColumns(value: Value): unknown;
  /** The value again; undefined where the data is of another shape. */
  fromColumns(columns: unknown): Value | undefined;
}

/**
 * Keeps values by key. A key is text that names everything the value follows from but the program: the stage, the
 * contents of its recordings, their scope, its parameters. A store costs time at worst: what it cannot keep or read is
 * announced, and is then not there.
 */
export interface StageStore {
  /** The value that was kept; undefined where it must be made. Throws only where `work` is aborted. */
  load<Value>(key: string, codec: ColumnCodec<Value>, work?: Work): Promise<Value | undefined>;
  /** Keeps the value, which must not change until then. Throws only where `work` is aborted. */
  save<Value>(key: string, codec: ColumnCodec<Value>, value: Value, work?: Work): Promise<void>;
}
