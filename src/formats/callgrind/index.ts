/** callgrind and cachegrind of valgrind. Format: docs/formats/callgrind.md. */
import type { Format } from '../format.js';
import { probeCallgrind } from './probe.js';

export { type CalledFunction, CallgrindLines, type CostPlace } from './lines.js';

export const callgrind: Format = {
  id: 'callgrind',
  title: 'callgrind profile',
  extensions: ['callgrind'],
  probe: probeCallgrind,
  read: async (source, work) => (await import('./read.js')).readCallgrind(source, work),
};
