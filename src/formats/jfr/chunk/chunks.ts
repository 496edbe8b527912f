/** The chunks of a recording, one after the other. */
import { FormatError } from '../../../base/errors.js';
import type { Problem } from '../../../base/problems.js';
import type { Work } from '../../../base/progress.js';
import type { ByteSource } from '../../../bytes/byte-source.js';
import { type JfrInput, openInput } from '../input.js';
import { returnKernel, takeKernel, type WalkKernel } from '../kernel/walk-kernel.js';
import { chunkEnd, headerAt, nextMagic } from './chunk-end.js';
import { type ChunkData, type ChunkOptions, PARTS, type ReadingSizes } from './chunk-options.js';
import { HEADER_BYTES } from './header.js';
import { chunkParts } from './read-chunk.js';
import { SharedState } from './shared-state.js';

/** Smaller files are read before a kernel is loaded; the size of a stream is unknown. */
export const KERNEL_FROM = 2 << 20;

/**
 * Reads each chunk and hands it over, large ones in parts. Returns what is wrong between chunks, and with what the file lies in. Throws `FormatError` if
 * the file does not begin with a chunk.
 */
export async function eachChunk(
  source: ByteSource,
  wanted: Pick<ChunkOptions, 'selection' | 'constants' | 'isWhole' | 'earliest'>,
  work: Work,
  visit: (data: ChunkData) => void,
  { kernelFrom, parts: inParts = PARTS }: ReadingSizes = {},
): Promise<Problem[]> {
  const input = await openInput(source);
  const problems: Problem[] = [];
  try {
    const options = { ...wanted, inParts, signal: work.signal, progress: progressOf(source, work) };
    const chunks = chunksOf(input, options, (problem) => problems.push(problem), kernelFrom);
    for await (const data of chunks) visit(data);
    return problems;
  } finally {
    await input.close();
  }
}

/**
 * The chunks of an input, each read when it is asked for; `lose` gets what is wrong between them, and with what the file lies in. Throws
 * `FormatError` if the file does not begin with a chunk. `kernelFrom`: smallest size of a file that is read with the kernel.
 */
export async function* chunksOf(
  input: JfrInput,
  options: Omit<ChunkOptions, 'readAt' | 'shared' | 'header' | 'size' | 'fileEnd' | 'isEndSure'>,
  lose: (problem: Problem) => void,
  kernelFrom?: number,
): AsyncGenerator<ChunkData> {
  if ((await headerAt(input, 0)) === undefined) throw noChunk();
  const kernel = await kernelFor(input, kernelFrom);
  try {
    yield* chunksBy(kernel, input, options, lose);
  } finally {
    if (kernel !== undefined) returnKernel(kernel);
  }
  const damage = input.damage();
  if (damage !== undefined) lose(damage);
}

/** A kernel for an input that is worth one, to be returned. `from`: smallest size. */
export async function kernelFor(input: JfrInput, from = KERNEL_FROM): Promise<WalkKernel | undefined> {
  return input.size() < from ? undefined : takeKernel();
}

async function* chunksBy(
  kernel: WalkKernel | undefined,
  input: JfrInput,
  options: Omit<ChunkOptions, 'readAt' | 'shared' | 'header' | 'size' | 'fileEnd' | 'isEndSure'>,
  lose: (problem: Problem) => void,
): AsyncGenerator<ChunkData> {
  const { readAt } = input;
  const shared = new SharedState(readAt, kernel);
  for (let next = 0; next < input.size(); ) {
    const offset = next;
    const header = await headerAt(input, offset);
    if (header !== undefined) {
      const inParts = input.isRandom ? options.inParts : undefined;
      const end = await chunkEnd(input, shared, header);
      const size = (): number => Math.min(end.offset, input.endOf(offset));
      const limits = { size, fileEnd: () => input.endOf(offset), isEndSure: end.isSure };
      const parts = chunkParts({ ...options, ...limits, inParts, readAt, shared, header });
      const last = yield* parts;
      yield last;
      next = Math.max(last.end, offset + HEADER_BYTES);
      continue;
    }
    // A stream of unknown length may end here.
    if ((await readAt(offset, new Uint8Array(1))) === 0) break;
    next = await nextMagic(shared.window, offset + 1, input.size(), SEARCHED);
    const message = `expected a chunk, which begins with FLR; ${next - offset} bytes skipped`;
    lose({ code: 'jfr-chunk', severity: 'error', offset, message });
  }
}

const SEARCHED = 1 << 16;

/** Progress by the offset that was reached. */
export function progressOf({ size }: ByteSource, { progress }: Work): ((offset: number) => void) | undefined {
  if (progress === undefined) return undefined;
  return (done) => progress({ phase: 'reading', done, total: size, unit: 'bytes' });
}

function noChunk(): FormatError {
  return new FormatError({
    format: 'jfr',
    offset: 0,
    expected: 'a chunk: FLR, a NUL, version 1 or 2, 68 bytes of header',
    found: 'other bytes',
    advice: 'Recordings of JDK 9 or later, JDK 8u262 or later, and async-profiler can be read.',
  });
}
