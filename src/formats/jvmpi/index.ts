/** Recorded streams of JVMPI, and the frames that they consist of. Format: docs/formats/jvmpi.md. */
import type { Format } from '../format.js';
import { probeJvmpi } from './probe.js';
import { FILE_MAGIC } from './stream/file.js';

export type { DumpLevel } from './dumps/heap-dump.js';
export { type HeapDumpClasses, HeapDumpSink, type InstanceLayout } from './dumps/heap-dump-sink.js';
export { type MonitorRecord, readMonitors, writeMonitors } from './dumps/monitor-dump.js';
export { endFrame, fileFrame, fileHead, frameBytes, putFrame } from './stream/file.js';
export { framesIn, readFrames } from './stream/read-frames.js';
export * from './wire/frames.js';
export { readWalk } from './wire/heap-walk.js';
export { readMonitorDump } from './wire/monitors.js';
export { readBlock, readEvent, readTrace } from './wire/records.js';
export { heapDumpOf, objectDumpOf } from './wire/walk-records.js';

export const jvmpi: Format = {
  id: 'jvmpi',
  title: 'JVMPI recording',
  extensions: ['jvmpi'],
  probe: probeJvmpi,
  magic: FILE_MAGIC,
  events: {
    outline: async (source, work) => {
      const { readStream, readStreamEvents } = await import('./stream/read.js');
      const recording = await readStream(source, work);
      const read = (types: readonly string[], more?: typeof work) => readStreamEvents(source, types, more);
      const parts = async function* (more?: typeof work) {
        yield await read(recording.eventTypes?.map(({ name }) => name) ?? [], more);
      };
      return { recording, events: { read, parts } };
    },
  },
  heaps: {
    dumper: (source) => async (dump, level, byteOrder, work) =>
      (await import('./stream/read.js')).readHeapDump(source, dump, level, { idSize: 8, byteOrder }, work),
  },
  read: async (source, work) => (await import('./stream/read.js')).readStream(source, work),
};
