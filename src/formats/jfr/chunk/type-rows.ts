/** The events of a type that are decoded. */
import type { MetaType } from './metadata.js';
import type { Rows } from './rows.js';
import type { EventVisitor } from './walk.js';

/** Damaged types are reported, and their events counted. */
export class TypeRows implements EventVisitor {
  readonly type: MetaType;
  readonly rows: Rows;
  /** Offset in the chunk of the first event that could not be read; which ones these are. */
  firstBad = -1;
  readonly bad: number[] = [];

  constructor(type: MetaType, rows: Rows) {
    this.type = type;
    this.rows = rows;
  }

  visit(bytes: Uint8Array, at: number, end: number, offset: number): void {
    if (this.rows.take(bytes, at, end) >= 0) return;
    if (this.bad.push(this.rows.length + this.bad.length) === 1) this.firstBad = offset;
  }
}
