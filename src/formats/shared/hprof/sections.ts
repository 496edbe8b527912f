/** The sections of HPROF files: dumps write several of them, each at most once and in a fixed order. */

/** In the order in which one dump writes them. Only the agent of Kansoku writes the last one. */
export const SECTION_KINDS = [
  'monitor-dump',
  'monitor-time',
  'heap-dump',
  'sites',
  'cpu-samples',
  'cpu-time',
  'call-counts',
] as const;
export type TextSectionKind = (typeof SECTION_KINDS)[number];

/** Section names as the file spells them. */
export const SECTION_NAMES: Readonly<Record<TextSectionKind, string>> = {
  'monitor-dump': 'MONITOR DUMP',
  'monitor-time': 'MONITOR TIME',
  'heap-dump': 'HEAP DUMP',
  sites: 'SITES',
  'cpu-samples': 'CPU SAMPLES',
  'cpu-time': 'CPU TIME (ms)',
  'call-counts': 'CALL COUNTS',
};

export interface TextSection {
  /** The content of the section. */
  kind: TextSectionKind;
  /** The kind in its heading, and its rows. */
  readonly named: TextSectionKind;
  /** Which dump it belongs to, from 0. */
  dump: number;
  readonly offset: number;
  /** Samples, ms, or objects announced; NaN if missing. */
  readonly total: number;
  /** Bytes announced (heap dump); NaN elsewhere. */
  readonly bytes: number;
  readonly orderedBy: 'live' | 'allocated';
  /** Date and time as in the file; empty if missing. */
  readonly date: string;
  /** Binary files: live bytes and objects, allocated bytes and objects of all sites, those below the cutoff included. */
  readonly totals?: readonly [number, number, number, number];
  /** Rows of its kind: from, and up to before. */
  readonly from: number;
  to: number;
  /** Whether its last line was there. */
  ended: boolean;
}

/** Number of the dump that a section belongs to, from 0, by the section before it: a dump writes none after a later one. */
export function dumpAfter(previous: TextSection | undefined, kind: TextSectionKind): number {
  if (previous === undefined) return 0;
  return previous.dump + (SECTION_KINDS.indexOf(kind) <= SECTION_KINDS.indexOf(previous.kind) ? 1 : 0);
}
