/** gzip of one or many members, decompressed while it is read: no temporary file, memory of a few windows. */
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { Problem } from '../base/problems.js';
import type { ByteSource, ByteStream } from './byte-source.js';

const WINDOW = 1 << 18;

export function isGzip(head: Uint8Array): boolean {
  return head.length >= 3 && head[0] === 0x1f && head[1] === 0x8b && head[2] === 0x08;
}

/** The decompressed bytes of `source`. What was decompressed before damage is delivered; `damage()` then tells of it. */
export function gunzip(source: ByteSource): ByteSource {
  return {
    name: source.name,
    size: undefined,
    ...(source.file === undefined ? {} : { file: source.file }),
    open: () => openGunzip(source),
  };
}

async function openGunzip(source: ByteSource): Promise<ByteStream> {
  const compressed = await source.open();
  let consumed = 0;
  const input = Readable.from(windows(compressed, (count) => (consumed += count)));
  const output = input.pipe(createGunzip({ chunkSize: WINDOW }));
  input.on('error', (error) => output.destroy(error));
  const chunks: AsyncIterator<Uint8Array> = output[Symbol.asyncIterator]();
  let chunk: Uint8Array = new Uint8Array(0);
  let problem: Problem | undefined;
  const next = async (): Promise<boolean> => {
    if (problem !== undefined) return false;
    try {
      const result = await chunks.next();
      if (result.done === true) return false;
      chunk = result.value;
      return true;
    } catch (error) {
      problem = gzipDamage(error, consumed);
      return false;
    }
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
    damage: () => problem,
    close: async () => {
      output.destroy();
      input.destroy();
      await compressed.close();
    },
  };
}

async function* windows(stream: ByteStream, onRead: (count: number) => void): AsyncGenerator<Uint8Array> {
  for (;;) {
    const window = new Uint8Array(WINDOW);
    const count = await stream.read(window);
    if (count === 0) return;
    onRead(count);
    yield window.subarray(0, count);
  }
}

function gzipDamage(error: unknown, consumed: number): Problem {
  const reason = error instanceof Error ? error.message : String(error);
  return {
    code: 'gzip-damaged',
    severity: 'error',
    message: `the gzip data is damaged (${reason}) within the first ${consumed} compressed bytes; what came before was read`,
  };
}
