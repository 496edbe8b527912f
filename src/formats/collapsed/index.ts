/** Collapsed stacks. Format: docs/formats/collapsed.md. */
import type { Format } from '../format.js';
import { probeCollapsed } from './probe.js';

export const collapsed: Format = {
  id: 'collapsed',
  title: 'collapsed stacks',
  article: '',
  extensions: ['collapsed', 'folded'],
  probe: probeCollapsed,
  read: async (source, work) => (await import('./read.js')).readCollapsed(source, work),
  write: async (recording, options) => (await import('./write.js')).writeCollapsed(recording, options),
  // The reader keeps only valid stacks, so writing already salvages.
  salvage: async (recording, options) => (await import('./write.js')).writeCollapsed(recording, options),
  oneMetric: true,
};
