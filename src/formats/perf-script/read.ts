/**
 * Reads what `perf script` prints (docs/formats/perf-script.md), of any size in one pass. Cost: some ns of CPU a byte of frames, 2 µs a line that
 * begins an event; memory of the distinct frames and stacks, and 40 bytes an event.
 */
import { FormatError } from '../../base/errors.js';
import { ProblemLog } from '../../base/problems.js';
import type { Work } from '../../base/progress.js';
import { decodeUtf8 } from '../../base/text.js';
import type { ByteSource } from '../../bytes/byte-source.js';
import type { MetadataEntry, Recording } from '../../models/recording.js';
import { eachTextLine, type TextVisitor } from '../shared/text-lines.js';
import { eventLine } from './event-line.js';
import { PerfSamples } from './samples.js';

const LONGEST_LINE = 16 << 20;
const HASH = 0x23;
const BLANKS = new Set([0x20, 0x09, 0x0d]);

/** Reads all events. Throws `FormatError` if no line begins one. */
export async function readPerfScript(source: ByteSource, work: Work = {}): Promise<Recording> {
  const lines = new LineReader();
  const damage = await eachTextLine(source, lines.visit, { work, longest: LONGEST_LINE, tooLong: lines.tooLong });
  if (damage !== undefined) lines.problems.add(damage);
  return lines.finish(source.name, damage?.severity !== 'error');
}

class LineReader {
  readonly problems = new ProblemLog();
  readonly #samples = new PerfSamples();
  readonly #metadata: MetadataEntry[] = [];
  #lines = 0;
  #lost = 0;
  #cutAt = -1;
  #endsWithin = false;

  readonly tooLong = (offset: number): void => {
    this.#cutAt = offset;
  };

  readonly visit: TextVisitor = (bytes, start, stop, offset, ended, end) => {
    this.#lines++;
    this.#endsWithin = !ended && stop > start;
    if (this.#cutAt === offset) {
      this.#cutAt = end;
      this.#lose(offset, `a line is longer than ${LONGEST_LINE >> 20} MiB`);
      return;
    }
    let [first, last] = [start, stop];
    while (first < last && BLANKS.has(bytes[first])) first++;
    while (last > first && BLANKS.has(bytes[last - 1])) last--;
    if (first === last) this.#samples.close();
    else if (bytes[first] === HASH && first === start) this.#comment(decodeUtf8(bytes, first, last));
    else if (first === start || !this.#samples.frame(bytes, first, last)) this.#event(bytes, start, last, offset);
  };

  finish(name: string, whole: boolean): Recording {
    this.#samples.close();
    const { problems } = this;
    if (this.#samples.length === 0) {
      const [first] = problems.finish().list;
      throw new FormatError({
        format: 'perf-script',
        offset: first?.offset ?? 0,
        expected: 'a line with command, thread, time and event',
        found: first === undefined ? 'none' : first.message,
      });
    }
    if (this.#endsWithin)
      problems.add({
        code: 'perf-script-cut',
        severity: 'warning',
        message: 'the last line has no line end: the file may be cut',
      });
    this.#samples.report(problems);
    return {
      name,
      format: 'perf-script',
      metadata: this.#metadata,
      sections: [
        { name: 'lines', entries: this.#lines },
        { name: 'events', entries: this.#samples.length },
      ],
      ...this.#samples.finish(),
      problems: problems.finish(),
      complete: whole && this.#lost === 0,
      residue: undefined,
    };
  }

  #event(bytes: Uint8Array, start: number, end: number, offset: number): void {
    const line = eventLine(decodeUtf8(bytes, start, end));
    if (line !== undefined) this.#samples.begin(line);
    else if (!this.#samples.sourceLine(bytes, start, end))
      this.#lose(offset, 'neither an event nor a frame of one; left out');
  }

  #comment(text: string): void {
    const [, key, value] = /^# (captured on|cmdline|os release|perf version|arch) *: (.*)$/.exec(text) ?? [];
    if (key !== undefined && value !== undefined) this.#metadata.push({ key, value: value.trim() });
  }

  #lose(offset: number, message: string): void {
    this.#lost++;
    this.problems.add({ code: 'perf-script-line', severity: 'error', offset, message });
  }
}
