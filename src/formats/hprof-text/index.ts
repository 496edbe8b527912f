/** HPROF text. Format: docs/formats/hprof-text.md. */
import type { Format } from '../format.js';
import { probeHprofText } from './probe.js';
import { ALSO_WRITTEN } from './residue.js';

export const hprofText: Format = {
  id: 'hprof-text',
  title: 'HPROF text',
  extensions: ['hprof.txt'],
  probe: probeHprofText,
  read: async (source, work) => (await import('./read.js')).readHprofText(source, work),
  writer: {
    file: {
      write: async (recording, options) => (await import('./write/write.js')).writeHprofText(recording, options),
      whole: { formats: ['hprof-text', ...ALSO_WRITTEN], made: false },
    },
  },
};
