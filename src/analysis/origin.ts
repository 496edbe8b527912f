/**
 * Whose code a method is, by its class name. In a native-image profile nearly everything is the JDK and the VM (in a
 * real one, 90 of 9,000 call contexts are the application's), and the profiler's own methods may have the highest
 * counts.
 */
import { ByteInterner } from '../base/hash.js';
import { decodeUtf8 } from '../base/text.js';
import { className, sourceTypeName } from '../models/program/names.js';
import { CLASS_KINDS, type FunctionId, type Program } from '../models/program/program.js';
import { ORIGINS, type Origin } from '../models/scope.js';

const DOT = 0x2e;
const SLASH = 0x2f;

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
    : (ORIGINS[originsOfClasses(program)[declaring]] ?? 'unknown');
}

/** By function: 1 if it is of one of the origins. */
export function functionsOf(program: Program, origins: readonly Origin[]): Uint8Array {
  const of = chosenOrigins(origins);
  const unknown = of[UNKNOWN];
  const classes = originsOfClasses(program);
  const declaring = program.functions.class;
  const chosen = new Uint8Array(program.functions.length);
  for (let id = 0; id < chosen.length; id++) chosen[id] = declaring[id] < 0 ? unknown : of[classes[declaring[id]]];
  return chosen;
}

/** By class: 1 if it is of one of the origins. */
export function classesOf(program: Program, origins: readonly Origin[]): Uint8Array {
  const of = chosenOrigins(origins);
  return originsOfClasses(program).map((origin) => of[origin]);
}

/** By index into `ORIGINS`. */
function chosenOrigins(origins: readonly Origin[]): Uint8Array {
  return Uint8Array.from(ORIGINS, (origin) => (origins.includes(origin) ? 1 : 0));
}

const UNKNOWN = ORIGINS.indexOf('unknown');
/** A program never changes, and several steps of an answer ask for its origins. */
const known = new WeakMap<Program, Uint8Array>();

/** By class: index into `ORIGINS`. Names of one package are looked at once: 0.1 µs a class. */
function originsOfClasses(program: Program): Uint8Array {
  let origins = known.get(program);
  if (origins === undefined) {
    origins = findOrigins(program);
    known.set(program, origins);
  }
  return origins;
}

function findOrigins(program: Program): Uint8Array {
  const { classes, names } = program;
  const found = new Uint8Array(classes.length);
  const missing = CLASS_KINDS.indexOf('missing');
  const packages = new ByteInterner();
  const ofPackage: (number | null)[] = [];
  for (let id = 0; id < found.length; id++) {
    const name = classes.name[id];
    if (classes.kind[id] === missing || name < 0) {
      found[id] = UNKNOWN;
      continue;
    }
    const from = names.offsets[name];
    let to = names.offsets[name + 1];
    while (to > from && names.bytes[to - 1] !== DOT && names.bytes[to - 1] !== SLASH) to--;
    const place = packages.add(names.bytes, from, to);
    if (ofPackage[place] === undefined) ofPackage[place] = originOfPackage(decodeUtf8(names.bytes, from, to));
    found[id] = ofPackage[place] ?? ORIGINS.indexOf(originOfClass(className(program, id)));
  }
  return found;
}

/** The same for all classes of a package, by the part of their names up to its last separator; null if classes differ. */
function originOfPackage(text: string): number | null {
  if (text === '' || MAY_HAVE_PROFILER.test(text) || (text.includes('/') && text.includes('.'))) return null;
  return ORIGINS.indexOf(originOfClass(sourceTypeName(text.startsWith('[') ? `${text}X;` : `${text}X`)));
}
