/** The residue of a recording that can be written as HPROF text: one that was read from text, or from a binary file. */
import type { Recording } from '../../models/recording.js';
import type { HprofResidue } from '../shared/hprof/residue.js';
import { residueOf } from '../shared/residue.js';
import type { HeapResidue } from './sections/heap-dump.js';

/** Ids of the other formats whose recordings have such residue. */
export const ALSO_WRITTEN: readonly string[] = ['hprof'];

export type TextResidue = HprofResidue<HeapResidue>;

/** Throws for a recording of another format, a programming error. Binary files have no residue of heaps. */
export function hprofResidue(recording: Recording): TextResidue {
  return residueOf<TextResidue>(recording, 'hprof-text', ...ALSO_WRITTEN);
}
