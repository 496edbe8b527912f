/** The columns of SITES, CPU SAMPLES, CPU TIME, CALL COUNTS and MONITOR TIME. */
import { Float64Builder, Int32Builder } from '../../../base/columns/columns.js';

const TABLE_KINDS = ['sites', 'cpu-samples', 'cpu-time', 'call-counts', 'monitor-time'] as const;
export type TableKind = (typeof TABLE_KINDS)[number];

/** The whole, in hundredths of a percent. */
export const WHOLE = 10000;

/** The rows of all tables of one kind, in the order of the file. 40 bytes a row, sites 64. */
export class TableColumns {
  readonly kind: TableKind;
  readonly rank = new Float64Builder();
  /** Hundredths of a percent. */
  readonly share = new Int32Builder();
  readonly accumulated = new Int32Builder();
  /** Counts; for sites the live bytes. */
  readonly count = new Float64Builder();
  /** Sites only. */
  readonly liveObjects = new Float64Builder();
  readonly allocatedBytes = new Float64Builder();
  readonly allocatedObjects = new Float64Builder();
  /** `TraceRows.reference`. */
  readonly trace = new Int32Builder();
  /** StringId: method, class or monitor as the file spells it. */
  readonly name = new Int32Builder();
  readonly offset = new Float64Builder();

  constructor(kind: TableKind) {
    this.kind = kind;
  }

  get length(): number {
    return this.rank.length;
  }
}
