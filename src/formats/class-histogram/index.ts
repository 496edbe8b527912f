/** Class histograms of the JVM. Format: docs/formats/class-histogram.md. */
import type { Format } from '../format.js';
import { probeClassHistogram } from './probe.js';
import { HISTOGRAMS, readClassHistogram } from './read.js';

export const classHistogram: Format = {
  id: 'class-histogram',
  title: 'class histogram (jmap -histo or GC.class_histogram)',
  extensions: ['histo'],
  probe: probeClassHistogram,
  read: readClassHistogram,
  inLogs: { kind: HISTOGRAMS, read: readClassHistogram },
};
