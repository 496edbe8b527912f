/** Stores expensive values between runs. */
import type { Work } from '../base/progress.js';

/** Converts a value to plain data with typed arrays, which a store can keep, and back. */
export interface ColumnCodec<Value> {
  /** Change it with every change of the columns or their meaning; values of another version are recomputed. */
  readonly version: number;
  /** The value as plain data: objects, arrays, maps and typed arrays without methods. Large parts are typed arrays. */
  toColumns(value: Value): unknown;
  /** The value again; undefined if the data has another shape. */
  fromColumns(columns: unknown): Value | undefined;
}

/** Values that are columns already. Key and checksums prove that it is the stored value: a look at its parts is enough. */
export function keptColumns<Value extends object>(keys: readonly (keyof Value & string)[]): ColumnCodec<Value> {
  const isWhole = (columns: unknown): columns is Value =>
    typeof columns === 'object' && columns !== null && keys.every((key) => key in columns);
  return {
    version: 1,
    toColumns: (value) => value,
    fromColumns: (columns) => (isWhole(columns) ? columns : undefined),
  };
}

/**
 * Keeps values by key. A key identifies everything the value depends on, except the program: the stage, the contents of
 * its recordings, their scope, its parameters. Failures to keep or read a value are announced and then treated as
 * missing.
 */
export interface StageStore {
  /** The stored value; undefined if it must be computed. Throws only if `work` is aborted. */
  load<Value>(key: string, codec: ColumnCodec<Value>, work?: Work): Promise<Value | undefined>;
  /** Keeps the value, which must not change until then. Throws only if `work` is aborted. */
  save<Value>(key: string, codec: ColumnCodec<Value>, value: Value, work?: Work): Promise<void>;
}
