/** V8's CPU profiles, of Node and Chrome. Format: docs/formats/cpuprofile.md. */
import type { WriteFile } from '../capabilities/writer.js';
import type { Format } from '../format.js';
import { probeCpuProfile } from './probe.js';

const write: WriteFile = async (recording, options) => (await import('./write.js')).writeCpuProfile(recording, options);

export const cpuprofile: Format = {
  id: 'cpuprofile',
  title: 'V8 CPU profile',
  extensions: ['cpuprofile'],
  probe: probeCpuProfile,
  read: async (source, work) => (await import('./read.js')).readCpuProfile(source, work),
  writer: { file: { write, salvage: write, oneMetric: true } },
};
