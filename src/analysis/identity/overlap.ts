/**
 * How much of their code the recordings of a comparison have in common. Code of the JDK, the VM and the profiler is in every
 * recording of its kind and proves nothing, so only the rest counts, unless a side has nothing else. Cost: one pass over the
 * functions of each program, a byte a joined row.
 */
import { FUNCTION_KINDS, type Program } from '../../models/program/program.js';
import { FactsOf } from '../facts-of.js';
import { classesOf, functionsOf } from '../origin.js';
import { MATCHES, type United, type UnitedPrograms } from './unite.js';

/** Below this part of the smaller side in common, recordings may be of different programs. */
export const RELATED = 0.05;

export interface Overlap {
  /** Joined rows that both sides have; ambiguous names count as shared. */
  readonly shared: number;
  /** Joined rows that either side has. */
  readonly all: number;
  /** Rows of the side with fewer. */
  readonly smaller: number;
  /** Whether code of the JDK, the VM and the profiler is left out. */
  readonly own: boolean;
}

const overlaps = new FactsOf<UnitedPrograms, Overlap>();

/** The overlap of the first `bases` programs and the others, by functions or by classes; computed once for programs that were joined. */
export function overlapOf(
  programs: readonly Program[],
  united: UnitedPrograms,
  bases: number,
  by: 'function' | 'class',
): Overlap {
  return overlaps.get(united, `${bases} ${by}`, () => computedOverlap(programs, united, bases, by));
}

function computedOverlap(
  programs: readonly Program[],
  united: UnitedPrograms,
  bases: number,
  by: 'function' | 'class',
): Overlap {
  const rows = by === 'function' ? united.functions : united.classes;
  const ofOwn = programs.map((program) => (by === 'function' ? ownFunctions(program) : classesOf(program, ['own'])));
  const own = count(rows, bases, ofOwn);
  if (own.smaller > 0) return { ...own, own: true };
  const any = programs.map(({ functions, classes }) =>
    new Uint8Array(by === 'function' ? functions.length : classes.length).fill(1),
  );
  return { ...count(rows, bases, any), own: false };
}

function ownFunctions(program: Program): Uint8Array {
  const pseudo = FUNCTION_KINDS.indexOf('pseudo');
  const { kind } = program.functions;
  const own = functionsOf(program, ['own', 'unknown']);
  for (let id = 0; id < own.length; id++) if (kind[id] === pseudo) own[id] = 0;
  return own;
}

function count({ rows, match, length }: United, bases: number, wanted: readonly Uint8Array[]) {
  const sides = new Uint8Array(length);
  for (const [program, ofProgram] of rows.entries()) {
    const [own, side] = [wanted[program], program < bases ? 1 : 2];
    for (let id = 0; id < ofProgram.length; id++) if (own[id] === 1) sides[ofProgram[id]] |= side;
  }
  const ambiguous = MATCHES.indexOf('ambiguous');
  /** Rows on neither side, in the base, now, and on both. */
  const found = [0, 0, 0, 0];
  let shared = 0;
  for (let row = 0; row < length; row++) {
    found[sides[row]]++;
    if (sides[row] === 3 || (sides[row] !== 0 && match[row] === ambiguous)) shared++;
  }
  const [, base, now, both] = found;
  return { shared, all: base + now + both, smaller: Math.min(base, now) + both };
}
