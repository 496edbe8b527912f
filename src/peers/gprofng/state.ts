/** What commands change for the ones after them. */

import type { PathMap } from '../../models/program/debug-files.js';
import type { ViewMode } from '../../models/scope.js';
import type { CodeUnit } from './code/model.js';
import type { EventFilter, Selected } from './filters/selections.js';
import type { IndexType } from './index-type.js';
import type { PrintMode } from './list-modes.js';
import type { BaseMetric, ShownMetric, Sorting } from './metrics.js';
import type { ObjectDisplay } from './object-display.js';
import type { CompareMode } from './several/compare.js';
import type { Descendants } from './several/descendants.js';

/** A function by its number in the experiment, `NOT_USED` (-2) if no stack has it. */
export interface ChosenFunction {
  readonly id: number;
  readonly name: string;
}

/** What `source` and `disasm` show. */
export interface CodeState {
  /** Shares of the largest value in percent; larger ones are hot. */
  sourceThreshold: number;
  disassemblyThreshold: number;
  /** Whether disassembly has the source between the instructions. */
  showsSource: boolean;
  /** Whether source has values of the chosen function only: after a disassembly. */
  onlyFunction: boolean;
  /** Folders with sources; `$expts` are the copies in the experiment. */
  searchPath: readonly string[];
  /** What relative folders are relative to. */
  folder: string;
  /** By unit the location of it that was named first: gprofng reads the inlined calls behind that, and shows it without; -1 if it read them before. */
  readonly named: Map<CodeUnit, number>;
}

/** Which events commands are about. */
export interface FilterState extends EventFilter {
  /** The expression as written. */
  readonly text: string;
}

export interface PrintState {
  bases: readonly BaseMetric[];
  metrics: readonly ShownMetric[];
  sorting: Sorting;
  /** How groups of experiments are compared. */
  compare: CompareMode;
  /** Rows of lists; 0 is all. */
  limit: number;
  /** How lists are printed. */
  printMode: PrintMode;
  mode: ViewMode;
  /** Functions that call each other, outermost first, which commands of callers are about. */
  fragment: readonly ChosenFunction[];
  code: CodeState;
  filter: FilterState;
  /** Which functions of load objects are shown. */
  objects: ObjectDisplay;
  /** What was selected before a command needed values: gprofng did not know yet how many there are. */
  readonly blind: Set<Selected>;
  /** Whether a command needed values. */
  hasRead: boolean;
  /** Whether what is printed goes to standard output, although lists go to a file. */
  isMessage: boolean;
  /** Where files of the recorded machine are on this one, of experiments that are opened from now on. */
  maps: readonly PathMap[];
  /** Which descendants of them are read. */
  descendants: Descendants;
  /** Those that were defined. */
  indexTypes: readonly IndexType[];
  names: { readonly how: 'long' | 'short' | 'mangled'; readonly library: boolean };
}
