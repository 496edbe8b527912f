/** What `perf script` prints. Format: docs/formats/perf-script.md. */
import type { Format } from '../format.js';
import { probePerfScript } from './probe.js';

export const perfScript: Format = {
  id: 'perf-script',
  title: 'output of perf script',
  article: 'an',
  extensions: [],
  probe: probePerfScript,
  read: async (source, work) => (await import('./read.js')).readPerfScript(source, work),
};
