/** Where class files come from: directories, jars, images of a JDK, in order; the first with a class is used. */
import type { Problem } from '../../base/problems.js';
import type { Work } from '../../base/progress.js';

export interface ClassPath {
  /** As the user wrote it. */
  readonly name: string;
  /** Identifies the content: two paths with one id have the same classes. */
  readonly id: string;
  readonly problems: readonly Problem[];
  /** Classes in it. */
  readonly size: number;
  /** Binary names with dots. */
  names(): Iterable<string>;
  has(name: string): boolean;
  /** The entry of the path that a class comes from. */
  originOf(name: string): string | undefined;
  /** The Java module of a class, if its entry records it: images, jmods and exploded JDKs do. */
  moduleOf(name: string): string | undefined;
  /** Visits the bytes of the existing ones, in storage order; they may be reused after the visit. */
  load(names: readonly string[] | 'all', visit: (name: string, bytes: Uint8Array) => void, work: Work): Promise<void>;
  close(): Promise<void>;
}
