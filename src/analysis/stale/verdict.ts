/** What is concluded of a profiled method, and of one place in it. */
import type { MethodInfo } from '../../code/java/class-file/class-file.js';
import type { ClassId, FunctionId } from '../../models/program/program.js';
import type { ProfiledPlace } from './profiled-places.js';

/**
 * With two class paths `unchanged`, `moved` and `changed` are what `CodeMap` says. With one, `fits`: nothing contradicts;
 * `moved`: all that was counted fits one and only one number of bytes further on; `changed`: something contradicts.
 * `gone`: no such method; `outside`: the class path cannot say.
 */
export const METHOD_STATES = ['fits', 'unchanged', 'moved', 'changed', 'gone', 'new', 'outside'] as const;
export type MethodState = (typeof METHOD_STATES)[number];

export interface MethodVerdict {
  readonly state: MethodState;
  /** What contradicts or why it is outside, in words. */
  readonly why: readonly string[];
  /** Where it may be now. */
  readonly candidates: readonly string[];
  /** By how many bytes all that follows was moved, where that is one number. */
  readonly shift: number | null;
  /** The method in the newest class path. */
  readonly method?: MethodInfo;
  /** Its name there, where that is another one. */
  readonly renamed?: string;
}

/** fits: as it is. moved: elsewhere. stale: nowhere. exempt: nothing to compare it with. */
export type PlaceState = 'exempt' | 'fits' | 'moved' | 'stale';

export interface PlaceVerdict {
  readonly state: PlaceState;
  readonly why?: string;
  /** Where it is now. */
  readonly bci?: number;
  /** It is stale because not even the classes that the profile is said to be made with fit it. */
  readonly contradictsOld?: true;
}

/** Gives the verdicts. */
export interface Judge {
  method(id: FunctionId): MethodVerdict;
  place(place: ProfiledPlace): PlaceVerdict;
  /** A class that was met at a place: `exempt`, `fits` or `stale`. */
  type(place: ProfiledPlace, type: ClassId): PlaceVerdict;
  /** Target of a branch in the new code; undefined where it is nowhere. */
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
