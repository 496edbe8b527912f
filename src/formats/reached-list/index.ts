/** Lists of what GraalVM's points-to analysis reached: `used_methods`, `used_classes`, `used_packages`, and lists with flags. */
import type { Format } from '../format.js';
import { probeList } from './probe.js';

export const reachedList: Format = {
  id: 'reached-list',
  title: 'list of what a points-to analysis reached (GraalVM)',
  extensions: [],
  probe: probeList,
  read: async (source, work) => (await import('./read.js')).readReachedList(source, work),
};
