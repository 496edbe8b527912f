/** speedscope's own JSON. Format: docs/formats/speedscope.md. */
import type { Format } from '../format.js';
import { probeSpeedscope } from './probe.js';
import { readSpeedscope } from './read.js';
import { writeSpeedscope } from './write.js';

export const speedscope: Format = {
  id: 'speedscope',
  title: 'speedscope profile',
  extensions: ['speedscope.json'],
  probe: probeSpeedscope,
  read: readSpeedscope,
  write: writeSpeedscope,
  // The reader keeps only valid stacks, so writing already salvages.
  salvage: writeSpeedscope,
  oneMetric: true,
};
