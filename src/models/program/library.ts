/** Code of the recorded program, given beside recordings: class paths and source paths. */
import type { ClassPath } from './class-path.js';
import type { Disassembler, SourceFinder } from './code.js';

export interface CodeLibrary {
  readonly classes?: ClassPath;
  /** Those of an analysed program alone, where `classes` has its JDK, too. */
  readonly programClasses?: ClassPath;
  /** The classes of the recorded program, if `classes` are of a newer one. */
  readonly oldClasses?: ClassPath;
  readonly sources?: SourceFinder;
  readonly disassembler?: Disassembler;
}
