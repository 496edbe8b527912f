/** speedscope's own JSON. Format: docs/formats/speedscope.md. */
import type { Format } from '../format.js';
import { probeSpeedscope } from './probe.js';

export const speedscope: Format = {
  id: 'speedscope',
  title: 'speedscope profile',
  extensions: ['speedscope.json'],
  probe: probeSpeedscope,
  read: async (source, work) => (await import('./read.js')).readSpeedscope(source, work),
  write: async (recording, options) => (await import('./write.js')).writeSpeedscope(recording, options),
  // The reader keeps only valid stacks, so writing already salvages.
  salvage: async (recording, options) => (await import('./write.js')).writeSpeedscope(recording, options),
  oneMetric: true,
};
