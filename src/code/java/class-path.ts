/** Where classes come from: directories, archives and images behind one interface, found by binary name. */
import type { Problem } from '../../base/problems.js';
import type { Work } from '../../base/progress.js';

export interface ClassPath {
  /** The path as the user wrote it. */
  readonly name: string;
  readonly problems: readonly Problem[];
  /** Number of classes. */
  readonly size: number;
  /** Binary names with dots (`java.util.Map$Entry`); the first entry of the path that has a class wins. */
  names(): Iterable<string>;
  has(name: string): boolean;
  /** Which entry of the path a class comes from, `lib/app.jar!/demo/Main.class`. */
  originOf(name: string): string | undefined;
  /**
   * Reads classes in the order in which their bytes lie, in large windows; names that are not there are passed over. The
   * bytes are valid during `visit` only: they may be part of a window that is used again.
   */
  load(names: readonly string[] | 'all', visit: (name: string, bytes: Uint8Array) => void, work: Work): Promise<void>;
  close(): Promise<void>;
}
