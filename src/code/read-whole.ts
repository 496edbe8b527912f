/**
 * Reads small files at once: class files, manifests, sources. Cost: the file in memory, whose size is checked first.
 */
import { KansokuError } from '../base/errors.js';
import type { Problem } from '../base/problems.js';
import { formatBytes } from '../base/units.js';
import type { ByteSource } from '../bytes/byte-source.js';

/**
 * The bytes of the source that `open` opens, or the problem: it cannot be opened, is larger than `limit`, or is
 * damaged. `code` is used if the source itself reports no problem code.
 */
export async function readWhole(
  open: () => Promise<ByteSource>,
  limit: number,
  code: string,
): Promise<Uint8Array | Problem> {
  try {
    const source = await open();
    try {
      const result = await readSource(source, limit);
      return typeof result === 'string' ? { code, severity: 'error', message: `${source.name}: ${result}` } : result;
    } finally {
      await source.close?.();
    }
  } catch (error) {
    if (error instanceof KansokuError) return { code, severity: 'error', message: error.message };
    throw error;
  }
}

async function readSource(source: ByteSource, limit: number): Promise<Uint8Array | Problem | string> {
  const { size } = source;
  if (size === undefined) return 'its claimed size is implausible';
  if (size > limit) return `too large: ${formatBytes(size)}; the limit is ${formatBytes(limit)}`;
  const bytes = new Uint8Array(size);
  const stream = await source.open();
  try {
    const count = await stream.read(bytes);
    // Damage of an archive member is known only after its end was read.
    await stream.read(new Uint8Array(1));
    return stream.damage() ?? (count === size ? bytes : `truncated: ${count} of ${size} bytes`);
  } finally {
    await stream.close();
  }
}
