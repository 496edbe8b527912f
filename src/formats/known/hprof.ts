/**
 * Heap dumps that are recognised, but not read: of IBM's and OpenJ9's virtual machines, and a vendor's shortened HPROF.
 */
import type { KnownKind } from '../format.js';
import { beginning } from './marks.js';

export const HPROF_KINDS: readonly KnownKind[] = [
  beginning({
    id: 'hprof-cropped',
    title: 'shortened heap dump of an Android vendor (HprofOpt)',
    advice: 'The tool that shortened it restores the HPROF file; Kansoku reads that.',
    starts: ['HprofOpt'],
    because: 'it begins with "HprofOpt"',
  }),
  beginning({
    id: 'phd',
    title: 'portable heap dump of IBM and OpenJ9 (PHD)',
    advice: 'Eclipse Memory Analyzer with IBM DTFJ reads it; it contains no field names or values.',
    starts: ['\0\u0012portable heap dump'],
    because: 'it begins with "portable heap dump"',
  }),
];
