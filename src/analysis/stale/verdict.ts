/** The verdicts on a profiled method and on a place in it. */
import type { MethodInfo } from '../../code/java/class-file/class-file.js';
import type { ClassId, FunctionId } from '../../models/program/program.js';
import type { MethodState } from '../../questions/options/pgo.js';
import type { ProfiledPlace } from './profiled-places.js';

export interface MethodVerdict {
  readonly state: MethodState;
  /** The contradictions, or why it is outside, as text. */
  readonly why: readonly string[];
  /** Candidates for its new name. */
  readonly candidates: readonly string[];
  /** The shift in bytes of everything after the edit, if it is one number. */
  readonly shift: number | null;
  /** The method in the newest class path. */
  readonly method?: MethodInfo;
  /** Its new name, if it changed. */
  readonly renamed?: string;
}

/** fits: at its index. moved: at another one. stale: not in the code. exempt: nothing to compare it with. */
export type PlaceState = 'exempt' | 'fits' | 'moved' | 'stale';

export interface PlaceVerdict {
  readonly state: PlaceState;
  readonly why?: string;
  /** Its new bytecode index. */
  readonly bci?: number;
  /** It is stale because it does not fit the old classes either. */
  readonly contradictsOld?: true;
}

/** Returns the verdicts. */
export interface Judge {
  method(id: FunctionId): MethodVerdict;
  place(place: ProfiledPlace): PlaceVerdict;
  /** The verdict on a class seen at a place: `exempt`, `fits` or `stale`. */
  type(place: ProfiledPlace, type: ClassId): PlaceVerdict;
  /** Target of a branch in the new code; undefined if it is gone. */
  target(place: ProfiledPlace, target: number): number | undefined;
}

export const EXEMPT: PlaceVerdict = { state: 'exempt' };
export const FITS: PlaceVerdict = { state: 'fits' };

export function stale(why: string): PlaceVerdict {
  return { state: 'stale', why };
}

export function contradictsOld(why: string): PlaceVerdict {
  return { state: 'stale', why: `contradicts --old-classes: ${why}`, contradictsOld: true };
}
