/** Collapsed stacks. Format: docs/formats/collapsed.md. */
import type { WriteFile } from '../capabilities/writer.js';
import type { Format } from '../format.js';
import { probeCollapsed } from './probe.js';

const write: WriteFile = async (recording, options) => (await import('./write.js')).writeCollapsed(recording, options);

export const collapsed: Format = {
  id: 'collapsed',
  title: 'collapsed stacks',
  article: '',
  extensions: ['collapsed', 'folded'],
  probe: probeCollapsed,
  read: async (source, work) => (await import('./read.js')).readCollapsed(source, work),
  // The reader keeps only valid stacks, so writing already salvages.
  writer: { file: { write, salvage: write, oneMetric: true } },
};
