/**
 * Whose code a method is, by its class name. In a native-image profile nearly everything is the JDK and the VM (in a
 * real one, 90 of 9,000 call contexts are the application's), and the profiler's own methods may have the highest
 * counts.
 */
import { className } from '../models/program/names.js';
import { CLASS_KINDS, type FunctionId, type Program } from '../models/program/program.js';
import type { Origin } from '../models/scope.js';

const PROFILER = /^com\.oracle\.(?:svm|graal)\.(?:enterprise|core)\.(?:profiling|pgo)\b/;
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
  return declaring === undefined || declaring < 0 || CLASS_KINDS[program.classes.kind[declaring]] === 'missing'
    ? 'unknown'
    : originOfClass(className(program, declaring));
}

/** By function: 1 if it is of one of the origins. */
export function functionsOf(program: Program, origins: readonly Origin[]): Uint8Array {
  const of = new Set(origins);
  const chosen = new Uint8Array(program.functions.length);
  for (let id = 0; id < chosen.length; id++) if (of.has(originOf(program, id))) chosen[id] = 1;
  return chosen;
}
