/**
 * Ranges of several sources, one after the other, as one source. A file that disappears while it is read, as those that a recorder
 * cleans up, reads as zeros from then on and is a problem: its place stays, so the others are where they were.
 */
import { KansokuError } from '../../base/errors.js';
import { named, type Problem } from '../../base/problems.js';
import { type ByteSource, type RandomSource, streamAt } from '../byte-source.js';

/** Bytes `from` up to before `to` of a source. */
export interface SourceRange {
  readonly source: RandomSource;
  readonly from: number;
  readonly to: number;
}

export interface JoinedSource extends RandomSource {
  /** Grows while it is read: sources that could not be. */
  readonly carrierProblems: readonly Problem[];
  /** The name of the source that a byte is of, and its offset there; undefined behind the end. */
  placeOf(offset: number): { readonly name: string; readonly offset: number } | undefined;
  /** Where the range ends that has the byte at an offset. */
  endOf(offset: number): number;
}

/** Whether several sources are joined in it. */
export function isJoined(source: ByteSource): source is JoinedSource {
  return 'placeOf' in source;
}

/** One source of all ranges. `problems`: what is known to be wrong with what the sources are in. */
export function joinedSource(
  name: string,
  ranges: readonly SourceRange[],
  problems: readonly Problem[] = [],
): JoinedSource {
  const parts = new Ranges(ranges, problems);
  return {
    name,
    size: parts.size,
    readAt: parts.readAt,
    open: () => Promise.resolve(streamAt(parts.readAt, 0)),
    carrierProblems: parts.problems,
    placeOf: (offset) => {
      const { range, start } = parts.at(offset) ?? {};
      if (range === undefined || start === undefined || offset >= parts.size) return undefined;
      return { name: range.source.name, offset: range.from + offset - start };
    },
    endOf: (offset) => {
      const { range, start } = parts.at(offset) ?? {};
      return range === undefined || start === undefined ? 0 : start + range.to - range.from;
    },
    close: async () => {
      for (const source of new Set(ranges.map((range) => range.source))) await source.close?.();
    },
  };
}

class Ranges {
  readonly problems: Problem[];
  readonly size: number;
  readonly #ranges: readonly SourceRange[];
  readonly #starts: number[] = [];
  readonly #lost = new Set<RandomSource>();

  constructor(ranges: readonly SourceRange[], problems: readonly Problem[]) {
    this.#ranges = ranges;
    this.problems = [...problems];
    let size = 0;
    for (const { from, to } of ranges) {
      this.#starts.push(size);
      size += to - from;
    }
    this.size = size;
  }

  /** The range that has a byte, and where it starts; the last one for those behind the end. */
  at(offset: number): { readonly range: SourceRange; readonly start: number } | undefined {
    let low = 0;
    let high = this.#ranges.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (this.#starts[middle] <= offset) low = middle;
      else high = middle - 1;
    }
    const range = this.#ranges[low];
    return range && { range, start: this.#starts[low] };
  }

  readonly readAt = async (offset: number, target: Uint8Array): Promise<number> => {
    const end = Math.min(offset + target.length, this.size);
    for (let at = offset; at < end; ) {
      const { range, start } = this.at(at) ?? {};
      if (range === undefined || start === undefined) break;
      const next = Math.min(end, start + range.to - range.from);
      await this.#read(range, at - start, target.subarray(at - offset, next - offset));
      at = next;
    }
    return Math.max(0, end - offset);
  };

  async #read({ source, from }: SourceRange, offset: number, target: Uint8Array): Promise<void> {
    const isLost = this.#lost.has(source);
    const count = isLost ? 0 : await source.readAt(from + offset, target).catch((error) => this.#fail(source, error));
    if (count < target.length && !this.#lost.has(source)) this.#lose(source, 'it became shorter while it was read');
    target.fill(0, count);
  }

  #fail(source: RandomSource, error: unknown): number {
    if (!(error instanceof KansokuError)) throw error;
    this.#lose(source, error.message);
    return 0;
  }

  #lose(source: RandomSource, message: string): void {
    this.#lost.add(source);
    this.problems.push(named(source.name, { code: 'file-lost', severity: 'error', message }));
  }
}
