/**
 * How much of their code the recordings of a comparison have in common. Code of the JDK, the VM and the profiler is in every
 * recording of its kind and proves nothing, so only the rest counts, unless a side has nothing else. Cost: one pass over the
 * functions of each program, a byte a joined row.
 */

import { className } from '../../models/program/names.js';
import { CLASS_KINDS, FUNCTION_KINDS, type Program } from '../../models/program/program.js';
import { functionsOf, originOfClass } from '../origin.js';
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

/** The overlap of the first `bases` programs and the others, by functions or by classes. */
export function overlapOf(
  programs: readonly Program[],
  united: UnitedPrograms,
  bases: number,
  by: 'function' | 'class',
): Overlap {
  const rows = by === 'function' ? united.functions : united.classes;
  const ofOwn = programs.map(by === 'function' ? ownFunctions : ownClasses);
  const own = count(rows, bases, ofOwn);
  if (own.smaller > 0) return { ...own, own: true };
  const any = programs.map(({ functions, classes }) =>
    new Uint8Array(by === 'function' ? functions.length : classes.length).fill(1),
  );
  return { ...count(rows, bases, any), own: false };
}

function ownFunctions(program: Program): Uint8Array {
  const pseudo = FUNCTION_KINDS.indexOf('pseudo');
  return functionsOf(program, ['own', 'unknown']).map((own, id) => (program.functions.kind[id] === pseudo ? 0 : own));
}

function ownClasses(program: Program): Uint8Array {
  return Uint8Array.from({ length: program.classes.length }, (_, id) =>
    CLASS_KINDS[program.classes.kind[id]] !== 'missing' && originOfClass(elementOf(className(program, id))) === 'own'
      ? 1
      : 0,
  );
}

/** `byte` of `byte[][]`. */
function elementOf(name: string): string {
  return name.replace(/(?:\[\])+$/, '');
}

function count({ rows, match, length }: United, bases: number, wanted: readonly Uint8Array[]) {
  const sides = new Uint8Array(length);
  rows.forEach((ofProgram, program) => {
    ofProgram.forEach((row, id) => {
      if (wanted[program][id] === 1) sides[row] |= program < bases ? 1 : 2;
    });
  });
  const ambiguous = MATCHES.indexOf('ambiguous');
  const found = { shared: 0, all: 0, base: 0, now: 0 };
  sides.forEach((side, row) => {
    if (side === 0) return;
    found.all++;
    if ((side & 1) !== 0) found.base++;
    if ((side & 2) !== 0) found.now++;
    if (side === 3 || match[row] === ambiguous) found.shared++;
  });
  return { shared: found.shared, all: found.all, smaller: Math.min(found.base, found.now) };
}
