/** GraalVM PGO profiles. What the format is: docs/formats/iprof.md. */
import type { Format } from '../format.js';
import { checkIprof } from './check.js';
import { probeIprof } from './probe.js';
import { readIprof } from './read.js';
import { salvageIprof, writeIprof } from './write/write.js';

export const iprof: Format = {
  id: 'iprof',
  title: 'GraalVM PGO profile',
  extensions: ['iprof'],
  probe: probeIprof,
  read: readIprof,
  check: checkIprof,
  write: writeIprof,
  writesOwn: true,
  salvage: salvageIprof,
};
