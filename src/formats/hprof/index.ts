/** Binary HPROF: profiles and heap dumps. Format: docs/formats/hprof.md. */
import type { Format } from '../format.js';
import { probeHprof } from './probe.js';

export const hprof: Format = {
  id: 'hprof',
  title: 'binary HPROF file',
  extensions: ['hprof'],
  probe: probeHprof,
  magic: 'JAVA PROFILE 1.0',
  // Known before anything is loaded, since it is asked for by each open recording.
  heaps: { reader: async (source, recording) => (await import('./heaps.js')).heapReader(source, recording) },
  read: async (source, work) => (await import('./read.js')).readHprofFile(source, work),
};
