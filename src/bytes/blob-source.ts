/** A Blob as a byte source: a file that was dropped on the page or chosen there. Nothing is read until it is needed. */
import { type RandomSource, streamAt } from './byte-source.js';

/** `name` is its name in messages, usually that of the File. */
export function blobSource(blob: Blob, name: string): RandomSource {
  const readAt = async (offset: number, target: Uint8Array): Promise<number> => {
    const part = new Uint8Array(await blob.slice(offset, offset + target.length).arrayBuffer());
    target.set(part);
    return part.length;
  };
  return { name, size: blob.size, readAt, open: () => Promise.resolve(streamAt(readAt, 0)) };
}
