/**
 * Whose code a method is, by its class name. In a native-image profile nearly everything is the JDK and the VM (in a
 * real one, 90 of 9,000 call contexts are the application's), and the profiler's own methods may have the highest
 * counts.
 */
import { className, sourceTypeName } from '../models/program/names.js';
import type { ClassId, FunctionId, Program } from '../models/program/program.js';
import { ORIGINS, type Origin } from '../models/scope.js';
import { ClassPackages } from './packages.js';

const PROFILER = /^com\.oracle\.(?:svm|graal)\.(?:enterprise|core)\.(?:profiling|pgo)\b/;
/** Packages with classes of the profiler beside others, in either form of names. */
const MAY_HAVE_PROFILER = /^com[./]oracle[./](?:svm|graal)[./](?:enterprise|core)[./]$/;
const VM = /^(?:com\.oracle\.(?:svm|graal|truffle)|org\.graalvm|jdk\.graal\.compiler|jdk\.vm\.ci)\./;
const JDK = /^(?:java|javax|jdk|sun|com\.sun|org\.ietf\.jgss|org\.w3c\.dom|org\.xml\.sax|netscape\.javascript)\./;
/** With arrays of them. */
const PRIMITIVE = /^(?:boolean|byte|char|short|int|long|float|double|void)(?:\[\])*$/;

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
  const of = chosenOrigins(origins);
  const unknown = of[UNKNOWN];
  const classes = originsIn(program);
  const declaring = program.functions.class;
  const chosen = new Uint8Array(program.functions.length);
  for (let id = 0; id < chosen.length; id++) chosen[id] = declaring[id] < 0 ? unknown : of[classes.of(declaring[id])];
  return chosen;
}

/** By class: 1 if it is of one of the origins. */
export function classesOf(program: Program, origins: readonly Origin[]): Uint8Array {
  const of = chosenOrigins(origins);
  const classes = originsIn(program);
  const chosen = new Uint8Array(program.classes.length);
  for (let id = 0; id < chosen.length; id++) chosen[id] = of[classes.of(id)];
  return chosen;
}

/** By index into `ORIGINS`. */
function chosenOrigins(origins: readonly Origin[]): Uint8Array {
  return Uint8Array.from(ORIGINS, (origin) => (origins.includes(origin) ? 1 : 0));
}

const UNKNOWN = ORIGINS.indexOf('unknown');
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

/** Origins of classes, each found when it is asked for: 0.1 µs a class. */
class ClassOrigins {
  readonly #program: Program;
  readonly #packages: ClassPackages;
  /** By class: 1 + index into `ORIGINS`; 0: not looked at. */
  readonly #found: Uint8Array;
  readonly #ofPackage: (Origin | null)[] = [];

  constructor(program: Program) {
    this.#program = program;
    this.#packages = new ClassPackages(program);
    this.#found = new Uint8Array(program.classes.length);
  }

  /** Index into `ORIGINS`. */
  of(id: ClassId): number {
    if (this.#found[id] === 0) this.#found[id] = 1 + ORIGINS.indexOf(this.#find(id));
    return this.#found[id] - 1;
  }

  #find(id: ClassId): Origin {
    const place = this.#packages.of(id);
    if (place < 0) return 'unknown';
    if (this.#ofPackage[place] === undefined) this.#ofPackage[place] = originOfPackage(this.#packages.prefix(place));
    return this.#ofPackage[place] ?? originOfClass(className(this.#program, id));
  }
}

/** The origin of all classes of a package, by the part of their names up to its last separator; null if classes differ. */
export function originOfPackage(text: string): Origin | null {
  if (text === '' || MAY_HAVE_PROFILER.test(text) || (text.includes('/') && text.includes('.'))) return null;
  return originOfClass(sourceTypeName(text.startsWith('[') ? `${text}X;` : `${text}X`));
}
