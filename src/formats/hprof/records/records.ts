/** The records of a file, before the tables of the recording are closed. */
import type { ProblemLog } from '../../../base/problems.js';
import type { Outline } from './outline.js';
import type { RecordReader } from './reader.js';

/** What the records of a file say, before the tables are closed: what readers of heap dumps need. */
export interface HprofRecords {
  readonly outline: Outline;
  /** Names, classes, traces and threads, and the builder of the program. */
  readonly reader: RecordReader;
  readonly problems: ProblemLog;
  /** By number of the heap dump: its number among all dumps of the file, which its profile has too. */
  readonly moments: readonly number[];
}
