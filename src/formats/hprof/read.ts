/**
 * Reads binary HPROF: `format=b` of the agents of JDK 1.2 to 8, heap dumps of HotSpot and of Android.
 *
 * Format: docs/formats/hprof.md. One pass over the records, in the order of the file, so that streams can be read, too. Cost:
 * 5 to 10 ns of CPU a byte of names and classes, 60 to 90 of frames and traces; heap dumps are jumped over. Memory: 30 bytes a name
 * beside its text, 52 a class, 56 a frame, 24 a trace, 44 to 80 a row of a table.
 */
import { ProblemLog } from '../../base/problems.js';
import type { Work } from '../../base/progress.js';
import type { ByteSource } from '../../bytes/byte-source.js';
import type { Recording } from '../../models/recording.js';
import { HeapScan } from './heap/passes/scan.js';
import { prepareHeaps, readHeaps } from './heaps.js';
import { FIRST_BYTES, openInput, type RecordInput } from './records/input.js';
import { toRecording } from './records/model.js';
import { walkRecords } from './records/outline.js';
import { RecordReader } from './records/reader.js';
import { type FileHead, headOfFile, RECORD_HEAD, refused } from './records/record-heads.js';
import type { HprofRecords } from './records/records.js';
import { HEAP_DUMP_SEGMENT } from './tags.js';

/**
 * Reads all intact records. Throws `FormatError` if the file has no head of HPROF, or no record. `kernelsFrom`: bytes of a
 * dump from which kernels read it; other dumps give the same result.
 */
export async function readHprofFile(source: ByteSource, work: Work = {}, kernelsFrom?: number): Promise<Recording> {
  prepareHeaps(source, work);
  const records = await readRecords(source, work);
  const { heaps, dumps } = await readHeaps(source, records, work, kernelsFrom);
  const recording = toRecording(source.name, records);
  if (heaps.length === 0) return recording;
  return { ...recording, heaps, residue: { ...recording.residue, dumps } };
}

export async function readRecords(source: ByteSource, work: Work = {}): Promise<HprofRecords> {
  const problems = new ProblemLog();
  const input = await openInput(source);
  try {
    const head = await readHead(input, problems);
    const reader = new RecordReader(head, problems);
    const outline = await walkRecords(input, head, reader, problems, { work });
    const damage = input.damage();
    if (damage !== undefined) problems.add(damage);
    if (outline.counts.every((count) => count === 0)) throw refused(head.length, 'no record after the head');
    const moments = reader.tables.sections.filter(({ kind }) => kind === 'heap-dump').map(({ dump }) => dump);
    return { outline, reader, problems, moments };
  } finally {
    await input.close();
  }
}

async function readHead(input: RecordInput, problems: ProblemLog): Promise<FileHead> {
  const bytes = new Uint8Array(FIRST_BYTES);
  const start = bytes.subarray(0, await input.readAt(0, bytes));
  const head = headOfFile(start);
  if (head !== undefined) return head;
  if (start[0] !== HEAP_DUMP_SEGMENT || start.length <= RECORD_HEAD)
    throw refused(0, start.length === 0 ? 'an empty file' : 'other bytes');
  problems.add({
    code: 'hprof-part',
    severity: 'error',
    offset: 0,
    message:
      'this is a part of a dump, which a virtual machine left that ended while it wrote: names of classes are in the file beside it',
  });
  return { version: '', idSize: idSizeOf(start), created: NaN, length: 0 };
}

/** A part does not have the size of ids: it is the one with which more sub-records can be read. */
function idSizeOf(start: Uint8Array): number {
  const view = new DataView(start.buffer, start.byteOffset, start.length);
  const reach = (idSize: number): number => new HeapScan(idSize).window(view, RECORD_HEAD, start.length, 0);
  return reach(4) > reach(8) ? 4 : 8;
}
