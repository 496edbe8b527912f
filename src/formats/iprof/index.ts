/** GraalVM PGO profiles. Format: docs/formats/iprof.md. */
import type { Format } from '../format.js';
import { checkIprof, USUAL_TYPES } from './check.js';
import { ENTRY_EVENTS, ENTRY_KINDS } from './entry-events.js';
import { probeIprof } from './probe.js';
import { iprofResidue, unexplainedIprof } from './residue.js';
import { subsetIprof } from './subset.js';
import { ENTRY_NAMES } from './write/drop-log.js';

export const iprof: Format = {
  id: 'iprof',
  title: 'GraalVM PGO profile',
  extensions: ['iprof'],
  probe: probeIprof,
  read: async (source, work) => (await import('./read.js')).readIprof(source, work),
  check: checkIprof,
  writer: {
    file: {
      write: async (recording, options) => (await import('./write/write.js')).writeIprof(recording, options),
      salvage: async (recording, options) => (await import('./write/write.js')).salvageIprof(recording, options),
      versions: true,
      whole: { formats: ['iprof'], made: true },
    },
  },
  entries: {
    kinds: ENTRY_KINDS.map((word) => ({ word, kind: ENTRY_EVENTS[word].kind, many: ENTRY_NAMES[word][1] })),
    numbered: true,
    typesAtPlace: { most: USUAL_TYPES, recorder: 'GraalVM' },
    unexplained: unexplainedIprof,
    fileSize: (recording) => iprofResidue(recording).bytes,
    subset: subsetIprof,
    prove: async (written, expected, work) => (await import('./prove.js')).proveIprof(written, expected, work),
  },
};
