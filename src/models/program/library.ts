/** What lies beside recordings and describes their code: class paths and source paths today. */
import type { ClassPath } from './class-path.js';
import type { SourceFinder } from './code.js';

export interface CodeLibrary {
  readonly classes?: ClassPath;
  /** Of the program that was recorded, where `classes` are those of a newer one. */
  readonly oldClasses?: ClassPath;
  readonly sources?: SourceFinder;
}
