/** speedscope's own JSON. Format: docs/formats/speedscope.md. */
import type { WriteFile } from '../capabilities/writer.js';
import type { Format } from '../format.js';
import { probeSpeedscope } from './probe.js';

const write: WriteFile = async (recording, options) => (await import('./write.js')).writeSpeedscope(recording, options);

export const speedscope: Format = {
  id: 'speedscope',
  title: 'speedscope profile',
  extensions: ['speedscope.json'],
  probe: probeSpeedscope,
  read: async (source, work) => (await import('./read.js')).readSpeedscope(source, work),
  // The reader keeps only valid stacks, so writing already salvages.
  writer: { file: { write, salvage: write, oneMetric: true } },
};
