/** Profiles of pprof, of Go and many other recorders. Format: docs/formats/pprof.md. */
import type { Format } from '../format.js';
import { probePprof } from './probe.js';

export const pprof: Format = {
  id: 'pprof',
  title: 'pprof profile',
  extensions: ['pb', 'pprof'],
  probe: probePprof,
  read: async (source, work) => (await import('./read.js')).readPprof(source, work),
};
