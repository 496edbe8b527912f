/** Frames as `perf script` prints them: `1452 main+0x1ae (/opt/depot/depot-long)`, without the address. */
import { Int32Builder } from '../../base/columns/columns.js';
import { ByteInterner } from '../../base/columns/hash.js';
import { NONE } from '../../base/flavor.js';
import { decodeUtf8 } from '../../base/text.js';
import { fileName } from '../../models/program/names.js';
import { type LoadObjectKind, type LocationId, NO_LINE } from '../../models/program/program.js';
import type { ProgramBuilder } from '../../models/program/program-builder.js';
import { FrameReader } from '../shared/frame-text.js';

const WITH_FILE = /^(.*\S)\s+\(([^()]*(?:\(deleted\))?)\)$/s;
const OFFSET = /\+0x[0-9a-f]+$/;
/** `depot.cpp:33`, as `-F srcline` prints below a frame. */
const SOURCE_LINE = /^(\S.*):(\d{1,9})$/s;
/** Code of the JVM and others that was made at run time has names of its own. */
const MADE_CODE = /^(?:\/tmp\/perf-\d+\.map|.*\/jitted-\d+-\d+\.so)$/;

/** Places of frames, each made once a text. */
export class PerfFrames {
  readonly program: ProgramBuilder;
  readonly #texts = new ByteInterner();
  readonly #lines = new ByteInterner();
  readonly #places = new Int32Builder();
  readonly #reader: FrameReader;

  constructor(program: ProgramBuilder) {
    this.program = program;
    this.#reader = new FrameReader(program);
    // Line 0 is none.
    this.#lines.add(new Uint8Array(), 0, 0);
  }

  /** The number of a frame with this text, which is behind the address. */
  text(bytes: Uint8Array, start: number, end: number): number {
    return this.#texts.add(bytes, start, end);
  }

  /** The number of a line below a frame. */
  line(bytes: Uint8Array, start: number, end: number): number {
    return this.#lines.add(bytes, start, end);
  }

  /** The place of a frame with the line below it; 0 of none. */
  location(text: number, line: number): LocationId {
    if (line === 0) {
      while (this.#places.length <= text) this.#places.push(NONE);
      if (this.#places.values[text] < 0) this.#places.values[text] = this.#placeOf(textAt(this.#texts, text), '');
      return this.#places.values[text];
    }
    return this.#placeOf(textAt(this.#texts, text), textAt(this.#lines, line));
  }

  #placeOf(frame: string, below: string): LocationId {
    const { program } = this;
    const [, before, object = ''] = WITH_FILE.exec(frame) ?? [];
    const symbol = (before ?? frame).replace(OFFSET, '');
    const [, file, digits] = SOURCE_LINE.exec(below) ?? [];
    const line = digits === undefined ? NO_LINE : Number(digits);
    const isInlined = object === 'inlined';
    const isNamed = object !== '' && object !== '[unknown]' && !isInlined;
    if (symbol === '[unknown]') return program.location(program.pseudo(isNamed ? `[${bare(object)}]` : symbol));
    if (MADE_CODE.test(object)) return this.#reader.named(symbol, NONE, line);
    const kernel = isKernel(object);
    const unit = isNamed ? program.unit(NONE, program.loadObject(program.name(object), kindOf(object))) : NONE;
    const source = file === undefined ? NONE : program.name(file);
    const id = program.native(program.name(symbol), { unit, kernel, file: source });
    return program.location(id, line, undefined, isInlined ? 'inlined' : 'unknown');
  }
}

function textAt({ bytes, offsets }: ByteInterner, id: number): string {
  return decodeUtf8(bytes.bytes, offsets.values[id], offsets.values[id + 1]);
}

/** The name of a file, or of a pseudo file without its brackets. */
function bare(object: string): string {
  return fileName(object).replace(/^\[(.*)\]$/, '$1');
}

/** `[kernel.kallsyms]`, `[guest.kernel…]`, `[nf_conntrack]`: modules of the kernel have names in brackets, too, but so has other memory. */
function isKernel(object: string): boolean {
  return /^\[(?:guest\.)?kernel|\.ko(?:\.\w+)?$/.test(object);
}

function kindOf(object: string): LoadObjectKind {
  if (isKernel(object)) return 'kernel';
  return object.startsWith('//anon') || object === '[heap]' || object === '[stack]' ? 'jit' : 'library';
}
