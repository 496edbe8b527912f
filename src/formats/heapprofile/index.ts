/** V8's sampling heap profiles, of Node and Chrome. Format: docs/formats/heapprofile.md. */
import type { Format } from '../format.js';
import { probeHeapProfile } from './probe.js';

export const heapprofile: Format = {
  id: 'heapprofile',
  title: 'V8 sampling heap profile',
  extensions: ['heapprofile'],
  probe: probeHeapProfile,
  read: async (source, work) => (await import('./read.js')).readHeapProfile(source, work),
};
