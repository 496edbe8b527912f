/**
 * Builds the program of a recording whose frames are names: the same name is the same class, function, place.
 * Names are taken as the recording spells them. 20 to 36 bytes a row while it grows.
 */
import { Int32Builder } from '../../base/columns.js';
import { NONE } from '../../base/flavor.js';
import { ByteInterner, IntTable } from '../../base/hash.js';
import { encodeUtf8, type StringId } from '../../base/text.js';
import {
  CLASS_KINDS,
  type ClassId,
  FUNCTION_KINDS,
  type FunctionId,
  type LocationId,
  NO_LINE,
  type Program,
  UNKNOWN_BCI,
} from './program.js';

/** In place of a class, for functions that have none. */
const NATIVE = -1;
const PSEUDO = -2;

export class ProgramBuilder {
  /** Readers may add bytes here directly; the id is a `StringId`. */
  readonly names = new ByteInterner();
  readonly #classes = new IntTable();
  readonly #functions = new IntTable();
  readonly #locations = new IntTable();
  /** ClassIds of parameters by function, for recordings that tell them: row → return class, then parameters. */
  readonly #signatures = new Map<FunctionId, readonly ClassId[]>();

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

  /** A method of a class, or a native function where `declaring` is -1. */
  function(declaring: ClassId, name: StringId, file: StringId = NONE): FunctionId {
    return this.#functions.add(declaring < 0 ? NATIVE : declaring, name, file);
  }

  /** What is no function of the program and stands in stacks for something, such as `<Truncated-stack>`. */
  pseudo(text: string): FunctionId {
    return this.#functions.add(PSEUDO, this.name(text), NONE);
  }

  /** Return class (-1 unknown) and parameter classes, where the recording tells them. */
  setSignature(id: FunctionId, classes: readonly ClassId[]): void {
    this.#signatures.set(id, classes);
  }

  location(of: FunctionId, line: number = NO_LINE, bci: number = UNKNOWN_BCI): LocationId {
    return this.#locations.add(of, line, bci);
  }

  finish(): Program {
    const classCount = this.#classes.length;
    const module = this.#classes.column(1);
    const declaring = this.#functions.column(0);
    const file = this.#functions.column(2);
    const kinds = Uint8Array.from(declaring, (id) => FUNCTION_KINDS.indexOf(KIND_OF[id] ?? 'java'));
    for (let id = 0; id < declaring.length; id++) if (declaring[id] === PSEUDO) declaring[id] = NONE;
    const signatureStart = new Int32Builder();
    const signature = new Int32Builder();
    for (let id = 0; id < declaring.length; id++) {
      signatureStart.push(signature.length);
      for (const type of this.#signatures.get(id) ?? []) signature.push(type);
    }
    signatureStart.push(signature.length);
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
        signatureStart: signatureStart.finish(),
        signature: signature.finish(),
      },
      locations: {
        length: this.#locations.length,
        function: this.#locations.column(0),
        line: this.#locations.column(1),
        bci: this.#locations.column(2),
      },
    };
  }
}

const KIND_OF: Readonly<Record<number, 'native' | 'pseudo'>> = { [NATIVE]: 'native', [PSEUDO]: 'pseudo' };
