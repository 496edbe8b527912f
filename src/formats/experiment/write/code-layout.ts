/**
 * Addresses for the functions of a recording: one after the other, as functions that were generated at run time, so that any name can be written. Each
 * place of a function has an address of its own in it.
 */
import { stringAt } from '../../../base/text.js';
import { functionSignature } from '../../../models/program/names.js';
import type { Program } from '../../../models/program/program.js';
import { Fields } from './fields.js';
import { attributeText } from './markup.js';
import type { MachineLayout } from './packets.js';

const BASE = 0x1000_0000;
const ALIGNED = 16;
const LIMIT_32 = 0xf000_0000;
/** Records of dyntext: type and size, then what the type says; the header has a time and an address. */
const HEAD = 8;
const HEADER = 24;
const CODE_HEADER = 1;
const CODE_LINES = 3;
const CODE_SOURCE = 4;

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
    // Places without a line come before the first entry of the table of lines.
    const hasLine = (id: number): boolean => (locations.line?.[id] ?? 0) > 0;
    for (const known of [false, true])
      for (let id = 0; id < locations.length; id++)
        if (hasLine(id) === known) within[id] = ++this.#size[locations.function[id]];
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

  /**
   * dyntext: of each function with lines, its address, its source and a line for each of its places. Functions begin with the recording, so their time
   * is 0.
   */
  *dynamicCode(machine: MachineLayout): Generator<Uint8Array> {
    const { functions, names } = this.#program;
    const places = this.#linesByFunction();
    for (const [id, lines] of places) {
      const file = functions.file?.[id] ?? -1;
      const source = file < 0 ? new Uint8Array() : new TextEncoder().encode(`${stringAt(names, file)}\0`);
      const padded = source.length === 0 ? 0 : HEAD + Math.ceil(source.length / ALIGNED) * ALIGNED;
      const bytes = new Uint8Array(HEADER + padded + HEAD + lines.length * 8);
      const fields = new Fields(bytes, 0, machine.littleEndian);
      fields.word(0, CODE_HEADER);
      fields.word(4, HEADER);
      fields.wide(16, this.#start[id]);
      if (padded > 0) {
        fields.word(HEADER, CODE_SOURCE);
        fields.word(HEADER + 4, padded);
        fields.bytes(HEADER + HEAD, source);
      }
      let at = HEADER + padded;
      fields.word(at, CODE_LINES);
      fields.word(at + 4, HEAD + lines.length * 8);
      for (const { offset, line } of lines) {
        at += 8;
        fields.word(at, offset);
        fields.word(at + 4, line);
      }
      yield bytes;
    }
  }

  /** Of functions with any line, those of their places by offset. */
  #linesByFunction(): ReadonlyMap<number, readonly { readonly offset: number; readonly line: number }[]> {
    const { locations } = this.#program;
    const byFunction = new Map<number, { readonly offset: number; readonly line: number }[]>();
    for (let id = 0; id < locations.length; id++) {
      const line = locations.line?.[id] ?? 0;
      if (line <= 0) continue;
      const of = locations.function[id];
      const lines = byFunction.get(of) ?? [];
      // Places of a function have offsets in the order of their rows.
      lines.push({ offset: this.#address[id] - this.#start[of], line });
      byFunction.set(of, lines);
    }
    return byFunction;
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
