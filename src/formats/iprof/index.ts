/** GraalVM PGO profiles. Format: docs/formats/iprof.md. */
import type { Format } from '../format.js';
import { checkIprof, USUAL_TYPES } from './check.js';
import { ENTRY_EVENTS, ENTRY_KINDS } from './entry-events.js';
import { probeIprof } from './probe.js';
import { proveIprof } from './prove.js';
import { readIprof } from './read.js';
import { iprofResidue, unexplainedIprof } from './residue.js';
import { subsetIprof } from './subset.js';
import { ENTRY_NAMES } from './write/drop-log.js';
import { salvageIprof, writeIprof } from './write/write.js';

export const iprof: Format = {
  id: 'iprof',
  title: 'GraalVM PGO profile',
  extensions: ['iprof'],
  probe: probeIprof,
  read: readIprof,
  check: checkIprof,
  write: writeIprof,
  writesOwn: 'made',
  salvage: salvageIprof,
  numbered: true,
  typesAtPlace: { most: USUAL_TYPES, recorder: 'GraalVM' },
  unexplained: unexplainedIprof,
  entryNames: ENTRY_KINDS.map((word) => ({ word, kind: ENTRY_EVENTS[word].kind, many: ENTRY_NAMES[word][1] })),
  fileSize: (recording) => iprofResidue(recording).bytes,
  subset: subsetIprof,
  prove: proveIprof,
};
