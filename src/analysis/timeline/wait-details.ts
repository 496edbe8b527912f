/**
 * What waits of a timeline were for: lock, thread that held it, stack. Waits with the same share a row, and stacks their frames:
 *
 *   row   lock             address   owner          stack        frame   0 Thread.run   1 Inventory.reserve   2 Main.audit
 *   0     shop.Inventory   0x7f00    http-worker-3  1            above   -1             0                     0
 */
import { IntTable } from '../../base/columns/hash.js';
import { markedRows } from '../../base/columns/marks.js';
import { WAIT_EVENTS } from '../../models/events/wait.js';
import type { Profile } from '../../models/profile/profile.js';
import { threadLabel } from '../../models/profile/thread-label.js';
import { className, locationName } from '../../models/program/names.js';
import type { Program } from '../../models/program/program.js';
import type { Table } from '../../models/table.js';

export interface WaitDetails {
  readonly length: number;
  /** Index into `texts`, -1 unknown. */
  readonly lock: Int32Array;
  /** -1 unknown. */
  readonly address: Float64Array;
  /** The thread that held the lock before, or that notified: index into `texts`, -1 unknown. */
  readonly owner: Int32Array;
  /** The innermost frame, -1 without a stack. */
  readonly stack: Int32Array;
  /** By frame: that of its caller, -1 at the outermost; and its name, an index into `texts`. */
  readonly frames: { readonly length: number; readonly above: Int32Array; readonly name: Int32Array };
  readonly texts: readonly string[];
}

export class WaitDetailTable {
  readonly #program: Program;
  readonly #profile: Profile;
  /** Class and address of what is waited for. */
  readonly #locks = new IntTable();
  readonly #rows = new IntTable();
  readonly #addresses = new Map<number, number>();

  constructor(program: Program, profile: Profile) {
    this.#program = program;
    this.#profile = profile;
  }

  /** The detail of each row of a table of waits; undefined of other tables. */
  rowsOf(table: Table): Int32Array | undefined {
    if (table.kind !== WAIT_EVENTS.kind) return undefined;
    const { length, class: type, address, other, stack } = WAIT_EVENTS.rows(table);
    return Int32Array.from({ length }, (_, row) => {
      const place = address?.[row] ?? -1;
      const number = this.#addresses.get(place) ?? this.#addresses.size;
      this.#addresses.set(place, number);
      const lock = this.#locks.add(type?.[row] ?? -1, number);
      return this.#rows.add(lock, other?.[row] ?? -1, stack?.[row] ?? -1);
    });
  }

  finish(): WaitDetails {
    const [locks, others, stacks] = [this.#rows.column(0), this.#rows.column(1), this.#rows.column(2)];
    const texts = new Map<string, number>();
    const textOf = (text: string): number => {
      const number = texts.get(text) ?? texts.size;
      texts.set(text, number);
      return number;
    };
    const addresses = Float64Array.from(this.#addresses.keys());
    const { frames, rowOf } = this.#frames(stacks, textOf);
    return {
      length: this.#rows.length,
      lock: locks.map((lock) => {
        const type = this.#locks.key(lock, 0);
        return type < 0 ? -1 : textOf(className(this.#program, type));
      }),
      address: Float64Array.from(locks, (lock) => addresses[this.#locks.key(lock, 1)]),
      owner: others.map((id) => (id < 0 ? -1 : textOf(threadLabel(this.#profile, this.#program, id) ?? ''))),
      stack: stacks.map((id) => (id < 0 ? -1 : rowOf[id])),
      frames,
      texts: [...texts.keys()],
    };
  }

  /** The frames of some stacks; parents come first. */
  #frames(stacks: Int32Array, textOf: (text: string) => number) {
    const { parent, location, length } = this.#profile.stacks;
    const marks = new Uint8Array(length);
    for (const stack of stacks) for (let id = stack; id >= 0 && marks[id] === 0; id = parent[id]) marks[id] = 1;
    const used = markedRows(marks);
    const rowOf = new Int32Array(length).fill(-1);
    for (const [row, id] of used.entries()) rowOf[id] = row;
    const names = new Map<number, number>();
    const nameOf = (place: number): number => {
      const number = names.get(place) ?? textOf(locationName(this.#program, place));
      names.set(place, number);
      return number;
    };
    const above = used.map((id) => (parent[id] < 0 ? -1 : rowOf[parent[id]]));
    return { frames: { length: used.length, above, name: used.map((id) => nameOf(location[id])) }, rowOf };
  }
}
