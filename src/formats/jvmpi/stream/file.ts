/**
 * The file that keeps the frames between an agent and Kansoku (docs/formats/jvmpi.md): a head, then each frame with its length, a checksum,
 * its kind and the time at which Kansoku handled it. Numbers are little-endian.
 */
import { FRAME } from '../wire/frames.js';

/** The first bytes of the file. */
export const FILE_MAGIC = 'JVMPIREC';
export const FILE_VERSION = 1;
/** Magic and version, then four bytes that are 0. */
export const FILE_HEAD = 16;
/** Length, checksum, kind and three bytes that are 0, time. */
export const RECORD_HEAD = 20;
/** The last frame: how the program ended, and the number of frames before. */
export const END_FRAME = 32;
/** Bytes of the content of the last frame. */
export const END_BYTES = 8;

/** Kinds of frames that files have. */
export const FILE_FRAMES: ReadonlySet<number> = new Set([
  FRAME.hello,
  FRAME.block,
  FRAME.reply,
  FRAME.part,
  FRAME.dropped,
  FRAME.hold,
  FRAME.call,
  FRAME.release,
  FRAME.go,
  END_FRAME,
]);

/** A frame of a file. */
export interface StreamFrame {
  readonly kind: number;
  /** Ns of the steady clock of the machine when Kansoku handled it. */
  readonly time: number;
  readonly content: Uint8Array;
  /** Of its head in the file. */
  readonly offset: number;
}

const FACTOR = 0x9e3779b1;

/**
 * The checksum of the bytes `from` to `to`, which are at most 2^32: a step of the FNV-1a kind for each four bytes, the rest as if zeros
 * followed. Each step is a bijection, so no change of one word goes unseen.
 */
export function checksum(bytes: Uint8Array, from: number, to: number): number {
  let sum = Math.imul(to - from, FACTOR);
  let at = from;
  for (; at + 4 <= to; at += 4) {
    const word = bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16) | (bytes[at + 3] << 24);
    sum = Math.imul(sum ^ word, FACTOR);
    sum ^= sum >>> 15;
  }
  let rest = 0;
  for (let shift = 0; at < to; at++, shift += 8) rest |= bytes[at] << shift;
  sum = Math.imul(sum ^ rest, FACTOR);
  return (sum ^ (sum >>> 15)) >>> 0;
}

/** The first bytes of a file. */
export function fileHead(): Uint8Array {
  const bytes = new Uint8Array(FILE_HEAD);
  for (let at = 0; at < FILE_MAGIC.length; at++) bytes[at] = FILE_MAGIC.charCodeAt(at);
  new DataView(bytes.buffer).setUint32(FILE_MAGIC.length, FILE_VERSION, true);
  return bytes;
}

/** Bytes of a frame with this content. */
export function frameBytes(content: Uint8Array): number {
  return RECORD_HEAD + content.length;
}

/** Puts a frame at a place that has room for it; `time` in ns. */
export function putFrame(
  to: Uint8Array,
  at: number,
  { kind, time, content }: { readonly kind: number; readonly time: bigint; readonly content: Uint8Array },
): void {
  const view = new DataView(to.buffer, to.byteOffset + at, RECORD_HEAD);
  view.setUint32(0, content.length, true);
  view.setUint32(8, kind, true);
  view.setBigUint64(12, time, true);
  to.set(content, at + RECORD_HEAD);
  view.setUint32(4, checksum(to, at + 8, at + frameBytes(content)), true);
}

/** A frame of a file; `time` in ns. */
export function fileFrame(kind: number, time: bigint, content: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(frameBytes(content));
  putFrame(bytes, 0, { kind, time, content });
  return bytes;
}

/** The last frame of a file. */
export function endFrame(time: bigint, exitCode: number, frames: number): Uint8Array {
  const content = new Uint8Array(END_BYTES);
  const view = new DataView(content.buffer);
  view.setInt32(0, exitCode, true);
  view.setUint32(4, frames, true);
  return fileFrame(END_FRAME, time, content);
}
