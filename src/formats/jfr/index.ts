/** Recordings of JDK Flight Recorder and of async-profiler. Format: docs/formats/jfr.md. */
import type { Format } from '../format.js';
import { probeJfr } from './probe.js';

export const jfr: Format = {
  id: 'jfr',
  title: 'JDK Flight Recorder recording',
  extensions: ['jfr'],
  probe: probeJfr,
  outline: async (source, work) => (await import('./read.js')).outlineOfJfr(source, work),
  eventReader: (source) => ({
    read: async (types, work) => (await import('./read.js')).readEvents(source, types, work),
  }),
  read: async (source, work) => (await import('./read.js')).readJfr(source, work),
};
