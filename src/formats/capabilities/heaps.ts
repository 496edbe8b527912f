/** What is read later of the heaps of a recording, from its source, which stays open for it. */
import type { ByteSource } from '../../bytes/byte-source.js';
import type { HeapReader } from '../../models/heap/heap.js';
import type { HeapDumper } from '../../models/open-recording.js';
import type { Recording } from '../../models/recording.js';

export interface HeapAccess {
  /** Reads the graphs of heaps. Absent where they are recorded. */
  readonly reader?: (source: ByteSource, recording: Recording) => Promise<HeapReader>;
  /** Makes dumps of JVMPI. */
  readonly dumper?: (source: ByteSource) => HeapDumper;
}
