/** What the scan counts by class number. */
import { RESIDUES, type ScanPart } from './scan-part.js';

type ClassColumns = Pick<
  ScanPart,
  'instances' | 'valueBytes' | 'arrays' | 'elements' | 'residues' | 'lengths' | 'others'
>;

export class ClassCounts {
  #room = 1 << 11;
  instances = new Float64Array(this.#room);
  valueBytes = new Float64Array(this.#room);
  arrays = new Float64Array(this.#room);
  elements = new Float64Array(this.#room);
  residues = new Float64Array(this.#room * RESIDUES);
  /** Bytes of the values of the first instance, -1 if there is none; instances with others. */
  lengths = new Float64Array(this.#room).fill(-1);
  others = new Float64Array(this.#room);

  /** Makes room for twice as many classes if `number` has none; returns the room. */
  room(number: number): number {
    if (number < this.#room) return this.#room;
    this.#room *= 2;
    const room = this.#room;
    this.instances = grown(this.instances, room);
    this.valueBytes = grown(this.valueBytes, room);
    this.arrays = grown(this.arrays, room);
    this.elements = grown(this.elements, room);
    this.lengths = grown(this.lengths, room, -1);
    this.others = grown(this.others, room);
    this.residues = grown(this.residues, room * RESIDUES);
    return room;
  }

  /** The columns of the first classes. */
  columns(length: number): ClassColumns {
    return {
      instances: this.instances.slice(0, length),
      valueBytes: this.valueBytes.slice(0, length),
      arrays: this.arrays.slice(0, length),
      elements: this.elements.slice(0, length),
      residues: this.residues.slice(0, length * RESIDUES),
      lengths: this.lengths.slice(0, length),
      others: this.others.slice(0, length),
    };
  }
}

/** A longer copy; what is new is `rest`. */
export function grown(values: Float64Array<ArrayBuffer>, length: number, rest = 0): Float64Array<ArrayBuffer> {
  const copy = new Float64Array(length).fill(rest);
  copy.set(values);
  return copy;
}
