/**
 * The fields of an outermost protobuf message, one after the other, through a window of bytes that moves over the file: 1 MiB, more only for
 * a field that is larger. Memory grows with bytes that are there, never with a length that a file claims.
 */
import type { ProblemLog } from '../../../base/problems.js';
import type { Work } from '../../../base/progress.js';
import type { ByteSource, ByteStream } from '../../../bytes/byte-source.js';
import { WireReader } from './wire.js';

const WINDOW = 1 << 20;
const SMALLEST_WINDOW = 1 << 12;
const LARGEST_FIELD = 1 << 29;

/** Takes a field that is whole; `offset` is that of its tag in the file. */
export type VisitField = (field: WireReader, offset: number) => void;

export interface MessageOptions {
  readonly work: Work;
  /** Codes of problems: what is no protobuf, an end within a field, and a field that is larger than `largest`. */
  readonly codes: { readonly syntax: string; readonly truncated: string; readonly tooLarge: string };
  /** Of one field. */
  readonly largest?: number;
}

/** Reads all whole fields; false if the rest was lost, which is one of the problems then. */
export async function readMessage(
  source: ByteSource,
  visit: VisitField,
  problems: ProblemLog,
  options: MessageOptions,
): Promise<boolean> {
  const stream = await source.open();
  try {
    const whole = await readFields(source, stream, visit, problems, options);
    const damage = stream.damage();
    if (damage !== undefined) problems.add(damage);
    return whole && damage?.severity !== 'error';
  } finally {
    await stream.close();
  }
}

async function readFields(
  source: ByteSource,
  stream: ByteStream,
  visit: VisitField,
  problems: ProblemLog,
  { work, codes, largest = LARGEST_FIELD }: MessageOptions,
): Promise<boolean> {
  const reader = new WireReader();
  let buffer = new Uint8Array(Math.min(WINDOW, Math.max(source.size ?? WINDOW, SMALLEST_WINDOW)));
  let [base, restLength] = [0, 0];
  for (;;) {
    work.signal?.throwIfAborted();
    const count = await stream.read(buffer.subarray(restLength));
    const end = restLength + count;
    const position = takeFields(reader, buffer, end, base, visit);
    work.progress?.({ phase: 'reading', done: base + position, total: source.size, unit: 'bytes' });
    if (reader.fault === 'bad') {
      const message = 'not a field of protobuf; the rest is not read';
      problems.add({ code: codes.syntax, severity: 'error', offset: base + position, message });
      return false;
    }
    if (count === 0) {
      if (position === end) return true;
      const message = 'the file ends within a field';
      problems.add({ code: codes.truncated, severity: 'error', offset: base + position, message });
      return false;
    }
    restLength = end - position;
    if (restLength >= largest) {
      const message = `a single field of more than ${largest} bytes; the rest is not read`;
      problems.add({ code: codes.tooLarge, severity: 'error', offset: base + position, message });
      return false;
    }
    const next = restLength * 2 > buffer.length ? new Uint8Array(buffer.length * 2) : buffer;
    next.set(buffer.subarray(position, end));
    buffer = next;
    base += position;
  }
}

/** Visits the whole fields of the window; returns where the first other one begins. */
function takeFields(reader: WireReader, buffer: Uint8Array, end: number, base: number, visit: VisitField): number {
  let position = 0;
  reader.set(buffer, 0, end);
  while (reader.next()) {
    visit(reader, base + position);
    position = reader.at;
  }
  return reader.fault === 'none' ? end : position;
}
