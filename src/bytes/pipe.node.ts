/**
 * Streams that can be read only once (standard input, named pipes, process substitution) as sources that open many
 * times.
 */
import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { UnreadableError } from '../base/errors.js';
import type { ByteSource, ByteStream, RandomSource } from './byte-source.js';
import { cannotOpen } from './file.node.js';
import { osPath } from './path-bytes.node.js';
import { type SpoolOptions, spool } from './spool.node.js';

let standardInput: Promise<RandomSource> | undefined;

/** Standard input, read to its end by the first call; all calls share the copy. */
export function standardInputSource(options: SpoolOptions = {}): Promise<RandomSource> {
  standardInput ??= readableSource('standard input', process.stdin, options);
  return standardInput;
}

/** A named pipe or a character device. */
export function pipeSource(path: string, name: string, options: SpoolOptions = {}): Promise<RandomSource> {
  return readableSource(name, createReadStream(osPath(path)), options);
}

/** The whole content of a Node stream, in memory or in a temporary file. */
export function readableSource(name: string, readable: Readable, options: SpoolOptions = {}): Promise<RandomSource> {
  const once: ByteSource = { name, size: undefined, open: () => Promise.resolve(readableStream(name, readable)) };
  return spool(once, options);
}

function readableStream(name: string, readable: Readable): ByteStream {
  const chunks: AsyncIterator<unknown> = readable[Symbol.asyncIterator]();
  let chunk: Uint8Array = new Uint8Array(0);
  const next = async (): Promise<boolean> => {
    const result = await chunks.next().catch((error: unknown) => {
      throw cannotOpen(name, error);
    });
    if (result.done === true) return false;
    if (!(result.value instanceof Uint8Array))
      throw new UnreadableError(`${name}: the stream delivers text, not bytes`, { code: 'not-bytes' });
    chunk = result.value;
    return true;
  };
  return {
    read: async (target) => {
      let filled = 0;
      while (filled < target.length && (chunk.length > 0 || (await next()))) {
        const part = chunk.subarray(0, target.length - filled);
        target.set(part, filled);
        filled += part.length;
        chunk = chunk.subarray(part.length);
      }
      return filled;
    },
    damage: () => undefined,
    close: () => {
      readable.destroy();
      return Promise.resolve();
    },
  };
}
