/** The values of an event or a constant, byte for byte, except for texts that are replaced. */
import { HIDDEN, withoutSecrets } from '../../../models/secrets.js';
import { Cursor } from '../chunk/cursor.js';
import type { DecodePlan } from '../chunk/plan.js';
import * as op from '../chunk/plan.js';
import { ChunkStrings } from '../chunk/strings.js';
import type { JfrBytes } from './jfr-bytes.js';

/** The pooled text of a string is not in the payload. */
const POOLED = -2;

export class PayloadCopier {
  /** Texts that were replaced. */
  hidden = 0;
  readonly #cursor: Cursor;
  readonly #strings: ChunkStrings;
  readonly #shown = new Map<number, string>();
  #to: JfrBytes | undefined;
  /** Up to here, the bytes are in `#to`. */
  #copied = 0;

  constructor(compressed: boolean) {
    this.#cursor = new Cursor(compressed);
    this.#strings = new ChunkStrings(this.#cursor);
  }

  /** Where the values of a plan end that begin at `at`; -1 if they are not whole. */
  skip(plan: DecodePlan, bytes: Uint8Array, at: number, end: number): number {
    this.#to = undefined;
    this.#cursor.set(bytes, at, end);
    return this.#walk(plan, NO_OPERATION) ? this.#cursor.at : -1;
  }

  /**
   * Appends the whole values from `at` to before `end`, without what looks like a secret in their texts. `hidden`: number of the
   * operation whose text is a secret as a whole; -1 for none.
   */
  rewrite(to: JfrBytes, plan: DecodePlan, bytes: Uint8Array, at: number, end: number, hidden: number): void {
    this.#to = to;
    this.#copied = at;
    this.#cursor.set(bytes, at, end);
    this.#walk(plan, hidden);
    to.append(bytes, this.#copied, end);
  }

  /** Moves over the values of a plan; false if they are not whole. */
  #walk({ operations, slots, arrays }: DecodePlan, hidden: number): boolean {
    const cursor = this.#cursor;
    for (let i = 0; i < operations.length; i++) {
      switch (operations[i]) {
        case op.ROWS: {
          const count = cursor.int();
          const elements = arrays[slots[i]];
          if (cursor.isBehind || !op.isCount(count, elements, cursor.end - cursor.at)) return false;
          for (let row = 0; row < count; row++) if (!this.#walk(elements, NO_OPERATION)) return false;
          break;
        }
        case op.STRING:
          this.#string(i === hidden);
          break;
        case op.FLOAT:
          cursor.real(4);
          break;
        case op.DOUBLE:
          cursor.real(8);
          break;
        case op.BYTE:
        case op.BOOLEAN:
          cursor.byte();
          break;
        case op.INT:
          cursor.int();
          break;
        case op.SHORT:
        case op.CHAR:
          cursor.char();
          break;
        default:
          cursor.long();
      }
      if (cursor.isBehind) return false;
    }
    return true;
  }

  #string(isSecret: boolean): void {
    const cursor = this.#cursor;
    const from = cursor.at;
    const id = this.#strings.read(() => 0);
    const to = this.#to;
    if (to === undefined || cursor.isBehind) return;
    if (isSecret ? id === -1 : id <= POOLED || id < 0) return;
    const text = id < 0 ? '' : this.#strings.text(id);
    const shown = isSecret ? HIDDEN : this.#shownOf(id, text);
    if (shown === text) return;
    to.append(cursor.bytes, this.#copied, from);
    to.text(shown);
    this.#copied = cursor.at;
    this.hidden++;
  }

  #shownOf(id: number, text: string): string {
    const known = this.#shown.get(id) ?? withoutSecrets(text);
    this.#shown.set(id, known);
    return known;
  }
}

/** Number of no operation. */
export const NO_OPERATION = -1;
