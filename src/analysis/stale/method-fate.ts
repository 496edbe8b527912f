/** What the judges of a profile's fit tell: of a method, and of one place in it. */
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

export interface MethodFate {
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
const VERDICTS = ['exempt', 'fits', 'moved', 'stale'] as const;
export type Verdict = (typeof VERDICTS)[number];

export interface PlaceFate {
  readonly verdict: Verdict;
  readonly why?: string;
  /** Where it is now. */
  readonly bci?: number;
  /** It is stale because not even the classes that the profile is said to be made with fit it. */
  readonly contradictsOld?: true;
}

export interface Judge {
  fate(id: FunctionId): MethodFate;
  place(place: ProfiledPlace): PlaceFate;
  /** A class that was met at a place: `exempt`, `fits` or `stale`. */
  type(place: ProfiledPlace, type: ClassId): PlaceFate;
  /** Target of a branch in the new code; undefined where it is nowhere. */
  target(place: ProfiledPlace, target: number): number | undefined;
}

export const EXEMPT: PlaceFate = { verdict: 'exempt' };
export const FITS: PlaceFate = { verdict: 'fits' };

export function stale(why: string): PlaceFate {
  return { verdict: 'stale', why };
}

export function contradictsOld(why: string): PlaceFate {
  return { verdict: 'stale', why: `contradicts --old-classes: ${why}`, contradictsOld: true };
}
