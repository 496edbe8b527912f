/**
 * The table of `cpu=old`, the same as JDK 1.1's `java -prof`: calls, callee, caller, milliseconds below the callee.
 * Such a file has nothing else. 32 bytes a row.
 */
import { NONE } from '../../../base/flavor.js';
import { ARCS } from '../../../models/profile/tables.js';
import type { ProgramBuilder } from '../../../models/program/program-builder.js';
import { ascii, type Cursor } from '../cursor.js';

export const OLD_HEADING = ascii('count callee caller time');
const UNKNOWN_CALLEE = ascii('<unknown callee>');
const UNKNOWN_CALLER = ascii('<unknown caller>');
const latin1 = new TextDecoder('latin1');
/** Class, method and descriptor (JVMS 4.3.3). */
const METHOD =
  /^(?:<unknown calle[er]>|[^\0-\x20()]+\.[^\0-\x20()]+\((?:\[*(?:[BCDFIJSZ]|L[^;.[()\0-\x20]+;))*\)(?:V|\[*(?:[BCDFIJSZ]|L[^;.[()\0-\x20]+;)))$/;
const NS_PER_MS = 1e6;

/** Calls with both methods in the file's own spelling. */
export const OLD_ARCS = ARCS.extended([
  {
    key: 'callee_name',
    title: 'Spelling',
    holds: 'string',
    unit: 'none',
    meaning: 'the callee as spelled in the file',
  },
  {
    key: 'caller_name',
    title: 'Spelling',
    holds: 'string',
    unit: 'none',
    meaning: 'the caller as spelled in the file',
  },
]);

export class OldRows {
  readonly #program: ProgramBuilder;
  readonly table = OLD_ARCS.builder();

  constructor(program: ProgramBuilder) {
    this.#program = program;
  }

  get length(): number {
    return this.table.length;
  }

  /** `840000 CpuDemo.mix(D)D CpuDemo.hot(I)V 6290`; returns false if the line is not a row. */
  add(line: Cursor): boolean {
    const calls = line.count();
    if (!(calls >= 0) || line.bytes[line.at] !== 32) return false;
    const names = line.at + 1;
    let last = line.end - 1;
    while (last > names && line.bytes[last] !== 32) last--;
    line.at = last + 1;
    const time = line.decimal();
    if (Number.isNaN(time) || !line.atEnd) return false;
    line.at = names;
    let middle = line.sees(UNKNOWN_CALLEE) ? names + UNKNOWN_CALLEE.length : names;
    // Between the names: the first blank after the parameters of the callee.
    let bracket = middle > names;
    for (; middle < last && !(bracket && line.bytes[middle] === 32); middle++)
      if (line.bytes[middle] === 41) bracket = true;
    if (!this.#isMethod(line, names, middle) || !this.#isMethod(line, middle + 1, last)) return false;
    const callee = this.#function(line, names, middle);
    const caller = this.#function(line, middle + 1, last);
    const { names: table } = this.#program;
    this.table.add({
      caller,
      callee,
      calls,
      value: time * NS_PER_MS,
      callee_name: table.add(line.bytes, names, middle),
      caller_name: table.add(line.bytes, middle + 1, last),
    });
    return true;
  }

  #isMethod({ bytes }: Cursor, from: number, to: number): boolean {
    return METHOD.test(latin1.decode(bytes.subarray(from, to)));
  }

  /** `java.lang.String.charAt(I)C`; any other text is the name of a native function. */
  #function(line: Cursor, from: number, to: number): number {
    const { bytes } = line;
    const program = this.#program;
    line.at = from;
    if (line.sees(UNKNOWN_CALLEE) || line.sees(UNKNOWN_CALLER))
      return program.pseudo(new TextDecoder().decode(bytes.subarray(from, to)));
    let open = from;
    while (open < to && bytes[open] !== 40) open++;
    let dot = open - 1;
    while (dot > from && bytes[dot] !== 46) dot--;
    const { names } = program;
    if (dot <= from) return program.function(NONE, names.add(bytes, from, to));
    const declaring = program.class(names.add(bytes, from, dot));
    const descriptor = open < to ? names.add(bytes, open, to) : NONE;
    return program.function(declaring, names.add(bytes, dot + 1, open), NONE, descriptor);
  }
}
