/**
 * Whose code a method is, by its class name. In a native-image profile nearly everything is the JDK and the VM (in a
 * real one, 90 of 9,000 call contexts are the application's), and the profiler's own methods may have the highest
 * counts.
 */
import { ByteInterner } from '../base/hash.js';
import { decodeUtf8 } from '../base/text.js';
import { className, sourceTypeName } from '../models/program/names.js';
import { CLASS_KINDS, type ClassId, type FunctionId, type Program } from '../models/program/program.js';
import { ORIGINS, type Origin } from '../models/scope.js';

const DOT = 0x2e;
const SLASH = 0x2f;

const PROFILER = /^com\.oracle\.(?:svm|graal)\.(?:enterprise|core)\.(?:profiling|pgo)\b/;
/** Packages with classes of the profiler beside others, in either form of names. */
const MAY_HAVE_PROFILER = /^com[./]oracle[./](?:svm|graal)[./](?:enterprise|core)[./]$/;
const VM = /^(?:com\.oracle\.(?:svm|graal|truffle)|org\.graalvm|jdk\.graal\.compiler|jdk\.vm\.ci)\./;
const JDK = /^(?:java|javax|jdk|sun|com\.sun|org\.ietf\.jgss|org\.w3c\.dom|org\.xml\.sax|netscape\.javascript)\./;
const PRIMITIVE = /^(?:boolean|byte|char|short|int|long|float|double|void)$/;

export function originOfClass(name: string): Origin {
  if (PROFILER.test(name)) return 'profiler';
  if (VM.test(name)) return 'vm';
  return JDK.test(name) || PRIMITIVE.test(name) ? 'jdk' : 'own';
}

export function originOf(program: Program, id: FunctionId): Origin {
  const declaring = program.functions.class[id];
  return declaring === undefined || declaring < 0
    ? 'unknown'
    : (ORIGINS[originsIn(program).of(declaring)] ?? 'unknown');
}

/** By function: 1 if it is of one of the origins. */
export function functionsOf(program: Program, origins: readonly Origin[]): Uint8Array {
  const of = Uint8Array.from(ORIGINS, (origin) => (origins.includes(origin) ? 1 : 0));
  const unknown = of[UNKNOWN];
  const classes = originsIn(program);
  const declaring = program.functions.class;
  const chosen = new Uint8Array(program.functions.length);
  for (let id = 0; id < chosen.length; id++) chosen[id] = declaring[id] < 0 ? unknown : of[classes.of(declaring[id])];
  return chosen;
}

const UNKNOWN = ORIGINS.indexOf('unknown');
const MISSING = CLASS_KINDS.indexOf('missing');
/** A program never changes, and several steps of an answer ask for its origins. */
const known = new WeakMap<Program, ClassOrigins>();

function originsIn(program: Program): ClassOrigins {
  let origins = known.get(program);
  if (origins === undefined) {
    origins = new ClassOrigins(program);
    known.set(program, origins);
  }
  return origins;
}

/** Origins of classes, each found when it is asked for. Names of one package are looked at once: 0.1 µs a class. */
class ClassOrigins {
  readonly #program: Program;
  /** By class: 1 + index into `ORIGINS`; 0: not looked at. */
  readonly #found: Uint8Array;
  readonly #packages = new ByteInterner();
  readonly #ofPackage: (number | null)[] = [];

  constructor(program: Program) {
    this.#program = program;
    this.#found = new Uint8Array(program.classes.length);
  }

  /** Index into `ORIGINS`. */
  of(id: ClassId): number {
    if (this.#found[id] === 0) this.#found[id] = 1 + this.#find(id);
    return this.#found[id] - 1;
  }

  #find(id: ClassId): number {
    const { classes, names } = this.#program;
    const name = classes.name[id];
    if (classes.kind[id] === MISSING || name < 0) return UNKNOWN;
    const from = names.offsets[name];
    let to = names.offsets[name + 1];
    while (to > from && names.bytes[to - 1] !== DOT && names.bytes[to - 1] !== SLASH) to--;
    const place = this.#packages.add(names.bytes, from, to);
    if (this.#ofPackage[place] === undefined)
      this.#ofPackage[place] = originOfPackage(decodeUtf8(names.bytes, from, to));
    return this.#ofPackage[place] ?? ORIGINS.indexOf(originOfClass(className(this.#program, id)));
  }
}

/** The same for all classes of a package, by the part of their names up to its last separator; null if classes differ. */
function originOfPackage(text: string): number | null {
  if (text === '' || MAY_HAVE_PROFILER.test(text) || (text.includes('/') && text.includes('.'))) return null;
  return ORIGINS.indexOf(originOfClass(sourceTypeName(text.startsWith('[') ? `${text}X;` : `${text}X`)));
}
