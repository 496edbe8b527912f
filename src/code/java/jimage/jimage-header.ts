/** The header of a jimage: seven 32-bit numbers in the byte order of its target machine. */
import { FormatError } from '../../../base/errors.js';

const MAGIC = 0xcafedada;
/** Bytes of the header. */
export const HEADER_BYTES = 28;
/** Indexes of real images have a few MB. */
const LARGEST_INDEX = 64 << 20;

export interface JImageHeader {
  readonly littleEndian: boolean;
  readonly flags: number;
  /** Resources as the header counts them. */
  readonly resources: number;
  /** Slots of the hash table. */
  readonly slots: number;
  readonly locationBytes: number;
  readonly stringBytes: number;
  /** Bytes of the index with its header, the start of the content. */
  readonly indexBytes: number;
}

/** Whether an input begins like a jimage of either byte order. */
export function isJImage(head: Uint8Array): boolean {
  return head.length >= 4 && littleEndianOf(head) !== undefined;
}

function littleEndianOf(head: Uint8Array): boolean | undefined {
  const view = new DataView(head.buffer, head.byteOffset);
  if (view.getUint32(0, true) === MAGIC) return true;
  return view.getUint32(0, false) === MAGIC ? false : undefined;
}

export const CUT_ADVICE = 'The file is truncated or damaged: copy it again.';

/** The error for an image that cannot be read at all. */
export function broken(offset: number, expected: string, found: string, advice?: string): FormatError {
  return new FormatError({ format: 'jimage', offset, expected, found, ...(advice === undefined ? {} : { advice }) });
}

/** Throws `FormatError` if there is no header, or its index would not fit into the file. */
export function parseHeader(head: Uint8Array, fileSize: number): JImageHeader {
  const littleEndian = head.length < 4 ? undefined : littleEndianOf(head);
  if (littleEndian === undefined) throw broken(0, 'the magic number CAFEDADA in either byte order', 'something else');
  if (head.length < HEADER_BYTES) throw broken(head.length, '28 bytes of header', 'the end of the file', CUT_ADVICE);
  const view = new DataView(head.buffer, head.byteOffset);
  const number = (at: number): number => view.getUint32(at, littleEndian);
  const [major, minor] = [number(4) >>> 16, number(4) & 0xffff];
  if (major !== 1 || minor !== 0) throw broken(4, 'version 1.0', `version ${major}.${minor}`);
  const [slots, locationBytes, stringBytes] = [number(16), number(20), number(24)];
  const indexBytes = HEADER_BYTES + 8 * slots + locationBytes + stringBytes;
  if (indexBytes > fileSize || indexBytes > LARGEST_INDEX) {
    const found = `${slots} slots, ${locationBytes} bytes of locations and ${stringBytes} of strings`;
    throw broken(16, `an index that fits into the file of ${fileSize} bytes`, found, CUT_ADVICE);
  }
  return { littleEndian, flags: number(8), resources: number(12), slots, locationBytes, stringBytes, indexBytes };
}

/** Signed 32-bit numbers in the byte order of an image. */
export function integers(bytes: Uint8Array, at: number, count: number, littleEndian: boolean): Int32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset + at);
  const values = new Int32Array(count);
  for (let i = 0; i < count; i++) values[i] = view.getInt32(4 * i, littleEndian);
  return values;
}
