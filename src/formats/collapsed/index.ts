/** Collapsed stacks. Format: docs/formats/collapsed.md. */
import type { Format } from '../format.js';
import { probeCollapsed } from './probe.js';
import { readCollapsed } from './read.js';
import { writeCollapsed } from './write.js';

export const collapsed: Format = {
  id: 'collapsed',
  title: 'collapsed stacks',
  article: '',
  extensions: ['collapsed', 'folded'],
  probe: probeCollapsed,
  read: readCollapsed,
  write: writeCollapsed,
  // The reader keeps only valid stacks, so writing already salvages.
  salvage: writeCollapsed,
  oneMetric: true,
};
