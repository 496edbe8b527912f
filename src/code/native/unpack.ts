/**
 * Unpacks what ELF files hold compressed: zlib and zstd sections, and the xz file in `.gnu_debugdata`. The size that the file states bounds the memory
 * that is taken. The decoders of zstd and xz are loaded when a file needs them.
 */

/** Why data cannot be unpacked, as the end of a sentence: `is no valid zlib stream`. */
export class UnpackError extends Error {}

/** Unpacks a zlib stream of a known size. Throws `UnpackError` if it is damaged or has another size. */
export function inflated(packed: Uint8Array, size: number): Promise<Uint8Array> {
  const stream = new Blob([Uint8Array.from(packed)]).stream().pipeThrough(new DecompressionStream('deflate'));
  return collected(stream, 'zlib', size);
}

/** Unpacks zstd frames of a known size. Throws `UnpackError` if they are damaged or have another size. */
export async function unzstd(packed: Uint8Array, size: number): Promise<Uint8Array> {
  const { ZSTDDecoder } = await import('zstddec');
  const decoder = new ZSTDDecoder();
  await decoder.init();
  // The decoder takes size 0 for an unknown one.
  const whole = size === 0 ? new Uint8Array() : decoder.decode(packed, size);
  if (whole.length !== size) throw new UnpackError(`is no zstd stream of ${size} bytes`);
  return whole;
}

/** Unpacks an xz file. Throws `UnpackError` if it is damaged or larger than `most` bytes. */
export async function unxz(packed: Uint8Array, most: number): Promise<Uint8Array> {
  const { default: xz } = await import('xz-decompress');
  return collected(new xz.XzReadableStream(new Blob([Uint8Array.from(packed)]).stream()), 'xz', undefined, most);
}

/** The bytes of a stream: exactly `size` if given, else at most `most`. */
async function collected(
  stream: ReadableStream<Uint8Array>,
  method: string,
  size: number | undefined,
  most = size ?? 0,
): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  const reader = stream.getReader();
  try {
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      length += piece.value.length;
      if (length > most) throw new UnpackError(`unpacks to more than ${size === undefined ? '' : 'its '}${most} bytes`);
      // The decoder of xz uses its memory again.
      pieces.push(piece.value.slice());
    }
  } catch (error) {
    await reader.cancel().catch(() => undefined);
    if (error instanceof UnpackError) throw error;
    throw new UnpackError(`is no valid ${method} stream`);
  }
  if (size !== undefined && length < size) throw new UnpackError(`unpacks to ${length} of its ${size} bytes`);
  const whole = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
