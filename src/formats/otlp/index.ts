/** Profiles of OpenTelemetry. Format: docs/formats/otlp.md. */
import type { Format } from '../format.js';
import { probeOtlp } from './probe.js';

export const otlp: Format = {
  id: 'otlp',
  title: 'OTLP profile (OpenTelemetry)',
  article: 'an',
  extensions: ['otlp'],
  probe: probeOtlp,
  read: async (source, work) => (await import('./read.js')).readOtlp(source, work),
};
