/**
 * One entry of a class path: the classes of a directory, an archive or an image, before it is decided which of several
 * classes with one name is used.
 */
import type { Problem, Problems } from '../../../base/problems.js';
import type { Work } from '../../../base/progress.js';

/** A larger class file is not read: the largest real ones have about 1 MiB. */
export const LARGEST_CLASS = 64 << 20;

/** The extension of class files, and the name of those that describe a module. */
export const CLASS_SUFFIX = '.class';
export const MODULE_INFO = 'module-info';

/** One entry of a class path with all its classes. A class is identified by its row. */
export interface ClassContainer {
  readonly name: string;
  readonly problems: Problems;
  /** Binary name by row; the origin for a module descriptor. */
  readonly names: readonly string[];
  /** Rows of module descriptors. */
  readonly moduleInfos: readonly number[];
  origin(row: number): string;
  module(row: number): string | undefined;
  /** Reads the class files of rows. Unreadable ones are reported to `problem` and not visited. */
  load(rows: Int32Array, visit: RowVisitor, problem: (problem: Problem) => void, work: Work): Promise<void>;
  /** Reads the other files whose paths match; unreadable ones are reported to `problem`. Absent of entries that have only classes. */
  readonly files?: (
    pattern: RegExp,
    visit: (path: string, bytes: Uint8Array) => void,
    problem: (problem: Problem) => void,
    work: Work,
  ) => Promise<void>;
  close(): Promise<void>;
}

/** Receives a class file; the bytes are valid during the call only. */
export type RowVisitor = (row: number, bytes: Uint8Array) => void;

/** The binary name of the class in a file: `java/util/Map$Entry.class` is `java.util.Map$Entry`. */
export function classNameOf(path: string): string {
  return path.slice(0, -CLASS_SUFFIX.length).replaceAll('/', '.');
}
