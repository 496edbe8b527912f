/** Writes a frame of HPROF text. */
import {
  COMPILED_METHOD,
  FUNCTION_KINDS,
  NATIVE_METHOD,
  NO_LINE,
  type Program,
  UNKNOWN_LINE,
} from '../../../models/program/program.js';
import type { TextOut } from './text-out.js';

const PSEUDO = FUNCTION_KINDS.indexOf('pseudo');

const LINE_WORDS: Readonly<Record<number, string>> = {
  [UNKNOWN_LINE]: 'Unknown line',
  [COMPILED_METHOD]: 'Compiled method',
  [NATIVE_METHOD]: 'Native method',
};

/** Writes `\tclass.method(source:line)`; writes nothing and returns false for a pseudo frame, which files do not have. */
export function frameText(out: TextOut, program: Program, location: number, jvmti: boolean): boolean {
  const { functions, classes, locations } = program;
  const of = locations.function[location];
  if (functions.kind[of] === PSEUDO) return false;
  out.text('\t');
  if (functions.class[of] >= 0) out.name(classes.name[functions.class[of]]).text('.');
  out.name(functions.name[of]);
  const file = functions.file?.[of] ?? -1;
  const line = locations.line?.[location] ?? NO_LINE;
  // A frame that was not `class.method(source:line)` is written as it was read.
  if (file < 0 && line === NO_LINE) out.text('\n');
  else {
    out.text('(');
    if (file < 0) out.text(jvmti ? '<Unknown Source>' : '<Unknown>');
    else out.name(file);
    out.text(line === NO_LINE ? ')\n' : `:${LINE_WORDS[line] ?? line})\n`);
  }
  return true;
}
