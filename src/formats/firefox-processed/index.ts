/** Processed profiles of the Firefox Profiler, also those of samply. Format: docs/formats/firefox-processed.md. */
import type { Format } from '../format.js';
import { probeFirefox } from './probe.js';

export const firefoxProcessed: Format = {
  id: 'firefox-processed',
  title: 'Firefox Profiler profile',
  extensions: [],
  probe: probeFirefox,
  read: async (source, work) => (await import('./read.js')).readFirefox(source, work),
};
