/**
 * Addresses for the functions of a recording: one after the other, as functions that were generated at run time, so that any name can be written. Each
 * place of a function has an address of its own in it.
 */
import { stringAt } from '../../../base/text.js';
import { functionSignature } from '../../../models/program/names.js';
import type { Program } from '../../../models/program/program.js';
import { attributeText } from './markup.js';

const BASE = 0x1000_0000;
const ALIGNED = 16;
const LIMIT_32 = 0xf000_0000;

export class CodeLayout {
  readonly #program: Program;
  /** By function: address, and bytes. */
  readonly #start: Float64Array;
  readonly #size: Float64Array;
  /** By place. */
  readonly #address: Float64Array;

  constructor(program: Program) {
    const { functions, locations } = program;
    this.#program = program;
    this.#size = new Float64Array(functions.length);
    const within = new Float64Array(locations.length);
    // The first byte of a function is no place, as no call returns there.
    for (let id = 0; id < locations.length; id++) within[id] = ++this.#size[locations.function[id]];
    this.#start = new Float64Array(functions.length);
    let at = BASE;
    for (let id = 0; id < functions.length; id++) {
      this.#size[id] = Math.ceil((this.#size[id] + 1) / ALIGNED) * ALIGNED;
      this.#start[id] = at;
      at += this.#size[id];
    }
    this.end = at;
    this.#address = within.map((offset, id) => this.#start[locations.function[id]] + offset);
  }

  readonly end: number;

  /** Whether all addresses have 32 bits. */
  get fitsWord(): boolean {
    return this.end < LIMIT_32;
  }

  addressOf(location: number): number {
    return this.#address[location];
  }

  /** Of native functions without the load object, which is not written. */
  #nameOf(id: number): string {
    const { functions, names } = this.#program;
    return functions.class[id] < 0 ? stringAt(names, functions.name[id]) : functionSignature(this.#program, id);
  }

  /** map.xml: an event for each function. */
  *map(): Generator<string> {
    const { functions } = this.#program;
    for (let id = 0; id < functions.length; id++) {
      const name = attributeText(this.#nameOf(id));
      const address = this.#start[id].toString(16).toUpperCase().padStart(16, '0');
      yield `<event kind="map" object="function" tstamp="0.000000000" vaddr="0x${address}" size="${this.#size[id]}" name="${name}" />\n`;
    }
  }
}
