/**
 * Builds the program of a recording whose frames are names: the same name is the same class, function, place.
 * Names are taken as the recording spells them. 20 to 36 bytes a row while it grows.
 */
import { Int32Builder } from '../../base/columns.js';
import { NONE } from '../../base/flavor.js';
import { ByteInterner, IntTable } from '../../base/hash.js';
import { encodeUtf8, type StringId } from '../../base/text.js';
import { PRIMITIVES } from './names.js';
import {
  CLASS_KINDS,
  type ClassId,
  FRAME_MODES,
  type FrameMode,
  FUNCTION_KINDS,
  type FunctionId,
  type LocationId,
  type LocationTable,
  NO_LINE,
  type Program,
  UNKNOWN_BCI,
} from './program.js';

/** In place of a class, for functions that have none. */
const NATIVE = -1;
const PSEUDO = -2;
const KERNEL = -3;

export class ProgramBuilder {
  /** Readers may add bytes here directly; the id is a `StringId`. */
  readonly names = new ByteInterner();
  readonly #classes = new IntTable();
  readonly #functions = new IntTable();
  /** (function and mode, line, bytecode index). */
  readonly #locations = new IntTable();
  /** (source file, descriptor) of a function: what tells apart those of one class and name. */
  readonly #details = new IntTable(16);

  get classes(): number {
    return this.#classes.length;
  }

  get functions(): number {
    return this.#functions.length;
  }

  name(text: string): StringId {
    const bytes = encodeUtf8(text);
    return this.names.add(bytes, 0, bytes.length);
  }

  /** The class of this name; one name in two modules or loaders is two classes. */
  class(name: StringId, module: StringId = NONE): ClassId {
    return this.#classes.add(name, module);
  }

  /**
   * A method of a class, or a native function where `declaring` is -1. `descriptor` is the name of its parameters and
   * return type as class files spell them, `(ILjava/lang/String;)V`.
   */
  function(declaring: ClassId, name: StringId, file: StringId = NONE, descriptor: StringId = NONE): FunctionId {
    return this.#functions.add(declaring < 0 ? NATIVE : declaring, name, this.#details.add(file, descriptor));
  }

  /** A function of the operating system's kernel. */
  kernel(name: StringId, file: StringId = NONE): FunctionId {
    return this.#functions.add(KERNEL, name, this.#details.add(file, NONE));
  }

  /** What is no function of the program and stands in stacks for something, such as `<Truncated-stack>`. */
  pseudo(text: string): FunctionId {
    return this.#functions.add(PSEUDO, this.name(text), this.#details.add(NONE, NONE));
  }

  location(of: FunctionId, line: number = NO_LINE, bci: number = UNKNOWN_BCI, mode: FrameMode = 'unknown'): LocationId {
    return this.#locations.add(of * FRAME_MODES.length + FRAME_MODES.indexOf(mode), line, bci);
  }

  finish(): Program {
    const declaring = this.#functions.column(0);
    const details = this.#functions.column(2);
    const files = this.#details.column(0);
    const file = details.map((id) => files[id]);
    // Descriptors name classes: all of them must be there before the table of classes is closed.
    const { signature, signatureStart } = this.#signatures(details);
    const classCount = this.#classes.length;
    const module = this.#classes.column(1);
    const kinds = Uint8Array.from(declaring, (id) => FUNCTION_KINDS.indexOf(KIND_OF[id] ?? 'java'));
    for (let id = 0; id < declaring.length; id++) if (declaring[id] < NONE) declaring[id] = NONE;
    return {
      names: { bytes: this.names.bytes.finish(), offsets: this.names.offsets.finish() },
      classes: {
        length: classCount,
        name: this.#classes.column(0),
        kind: new Uint8Array(classCount).fill(CLASS_KINDS.indexOf('class')),
        fileId: new Int32Array(classCount).fill(NONE),
        ...(module.some((id) => id >= 0) ? { module } : {}),
      },
      functions: {
        length: declaring.length,
        name: this.#functions.column(1),
        class: declaring,
        kind: kinds,
        fileId: new Int32Array(declaring.length).fill(NONE),
        ...(file.some((id) => id >= 0) ? { file } : {}),
        signatureStart,
        signature,
      },
      locations: this.#finishLocations(),
    };
  }

  #finishLocations(): LocationTable {
    const modes = FRAME_MODES.length;
    const of = this.#locations.column(0);
    const mode = Uint8Array.from(of, (key) => key % modes);
    return {
      length: of.length,
      function: of.map((key) => Math.floor(key / modes)),
      line: this.#locations.column(1),
      bci: this.#locations.column(2),
      ...(mode.some((each) => each > 0) ? { mode } : {}),
    };
  }

  /** The types of each function that has a descriptor, its return type first (JVMS 4.3.3). */
  #signatures(details: Int32Array): { signature: Int32Array; signatureStart: Int32Array } {
    const descriptors = this.#details.column(1);
    const types = Array.from(descriptors, (id) => (id < 0 ? [] : this.#typesOf(id)));
    const signatureStart = new Int32Builder(details.length + 1);
    const signature = new Int32Builder();
    for (const detail of details) {
      signatureStart.push(signature.length);
      for (const type of types[detail] ?? []) signature.push(type);
    }
    signatureStart.push(signature.length);
    return { signature: signature.finish(), signatureStart: signatureStart.finish() };
  }

  /** What is no descriptor has no types. One character a byte, so that a class keeps the bytes of its name. */
  #typesOf(descriptor: StringId): ClassId[] {
    const { bytes, offsets } = this.names;
    let text = '';
    for (let at = offsets.values[descriptor]; at < offsets.values[descriptor + 1]; at++)
      text += String.fromCharCode(bytes.bytes[at]);
    const match = /^\(((?:\[*(?:[BCDFIJSZ]|L[^;]+;))*)\)(\[*(?:[BCDFIJSZV]|L[^;]+;))$/.exec(text);
    const parameters = match?.[1]?.match(/\[*(?:[BCDFIJSZ]|L[^;]+;)/g) ?? [];
    return match === null ? [] : [match[2] ?? '', ...parameters].map((type) => this.class(this.#bytes(typeName(type))));
  }

  #bytes(latin1: string): StringId {
    const bytes = Uint8Array.from(latin1, (character) => character.charCodeAt(0));
    return this.names.add(bytes, 0, bytes.length);
  }
}

/** The name of a type as `Class.getName()` spells it, for its descriptor. */
function typeName(descriptor: string): string {
  if (descriptor.startsWith('[')) return descriptor.replaceAll('/', '.');
  return PRIMITIVES[descriptor] ?? descriptor.slice(1, -1).replaceAll('/', '.');
}

const KIND_OF: Readonly<Record<number, 'native' | 'pseudo' | 'kernel'>> = {
  [NATIVE]: 'native',
  [PSEUDO]: 'pseudo',
  [KERNEL]: 'kernel',
};
