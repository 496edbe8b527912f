/** Object trees of image heaps. Format: docs/formats/object-tree.md. */
import type { Format } from '../format.js';
import { probeObjectTree } from './probe.js';

export const objectTree: Format = {
  id: 'object-tree',
  title: 'GraalVM image object tree report',
  extensions: ['object-tree.txt'],
  probe: probeObjectTree,
  read: async (source, work) => (await import('./read.js')).readObjectTree(source, work),
  writer: {
    reports: 'object_tree',
    objects: async (recording, options) => (await import('./write.js')).writeObjectTree(recording, options),
  },
};
