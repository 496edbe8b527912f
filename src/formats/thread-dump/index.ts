/** Thread dumps of HotSpot. Format: docs/formats/thread-dump.md. */
import type { Format } from '../format.js';
import { probeThreadDump } from './probe.js';
import { readThreadDump, THREAD_DUMPS } from './read.js';

export const threadDump: Format = {
  id: 'thread-dump',
  title: 'thread dump of a JVM',
  extensions: ['tdump'],
  probe: probeThreadDump,
  read: readThreadDump,
  inLogs: { kind: THREAD_DUMPS, read: readThreadDump },
};
