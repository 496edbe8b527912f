/** Profiles of pprof, of Go and many other recorders. Format: docs/formats/pprof.md. */
import type { WriteFile } from '../capabilities/writer.js';
import type { Format } from '../format.js';
import { probePprof } from './probe.js';

const write: WriteFile = async (recording, options) => (await import('./write.js')).writePprof(recording, options);

export const pprof: Format = {
  id: 'pprof',
  title: 'pprof profile',
  extensions: ['pb', 'pprof'],
  probe: probePprof,
  read: async (source, work) => (await import('./read.js')).readPprof(source, work),
  // The reader keeps only sound samples, so writing already salvages.
  writer: { file: { write, salvage: write, oneMetric: true } },
};
