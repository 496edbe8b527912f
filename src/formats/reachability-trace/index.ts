/** Traces that say why types, methods or fields are reachable. Format: docs/formats/reachability-trace.md. */
import type { Format } from '../format.js';
import { probeTrace } from './probe.js';

export const reachabilityTrace: Format = {
  id: 'reachability-trace',
  title: 'reachability trace of GraalVM Native Image',
  extensions: [],
  probe: probeTrace,
  read: async (source, work) => (await import('./read.js')).readTrace(source, work),
};
