/** HPROF text. Format: docs/formats/hprof-text.md. */
import type { Format } from '../format.js';
import { probeHprofText } from './probe.js';
import { readHprofText } from './read.js';
import { writeHprofText } from './write/write.js';

export const hprofText: Format = {
  id: 'hprof-text',
  title: 'HPROF text',
  extensions: ['hprof.txt'],
  probe: probeHprofText,
  read: readHprofText,
  write: writeHprofText,
  writesOwn: 'read',
};
