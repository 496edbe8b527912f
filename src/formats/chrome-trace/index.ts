/** Traces in Chrome's event format. Format: docs/formats/chrome-trace.md. */
import type { Format } from '../format.js';
import { probeChromeTrace } from './probe.js';

export const chromeTrace: Format = {
  id: 'chrome-trace',
  title: 'trace in Chrome’s event format',
  extensions: [],
  probe: probeChromeTrace,
  read: async (source, work) => (await import('./read.js')).readChromeTrace(source, work),
};
