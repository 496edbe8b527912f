/**
 * Reads object trees of image heaps (docs/formats/object-tree.md) of any size in one pass: a line is parsed in place, and becomes rows
 * of a heap. Memory: a window of 1 MiB, and the columns of `tree-heap.ts`.
 */
import { ByteBuilder } from '../../base/columns/columns.js';
import { FormatError } from '../../base/errors.js';
import { ProblemLog } from '../../base/problems.js';
import type { Work } from '../../base/progress.js';
import { decodeUtf8 } from '../../base/text.js';
import type { ByteSource } from '../../bytes/byte-source.js';
import type { Recording } from '../../models/recording.js';
import { eachTextLine, type TextVisitor } from '../shared/text-lines.js';
import { ObjectLine } from './object-line.js';
import { TreeHeap } from './tree-heap.js';

export const HEADING = 'Heap roots';
const LONGEST_LINE = 1 << 20;
const LINE_FEED = 10;

/** Reads all lines of the tree. Throws `FormatError` if there is none. */
export async function readObjectTree(source: ByteSource, work: Work = {}): Promise<Recording> {
  const lines = new LineReader(source.size);
  const damage = await eachTextLine(source, lines.visit, { work, longest: LONGEST_LINE });
  return lines.finish(source.name, damage);
}

/** Bytes after which the size of the file says how many rows there will be, and how many more are expected, against uneven files. */
const ESTIMATED = 16 << 20;
const RESERVE = 1.1;

class LineReader {
  readonly #problems = new ProblemLog();
  readonly #heap = new TreeHeap(this.#problems);
  readonly #line = new ObjectLine();
  /** A line that the next one may continue: texts of arrays of chars have raw line feeds. */
  readonly #open = new ByteBuilder(1 << 10);
  #openAt = -1;
  #lost = false;
  #firstLost = -1;
  #lines = 0;
  #crlf = false;
  /** The last line is blank, as builders end the file. */
  #ended = false;
  #isCut = false;

  readonly #size: number;
  #isEstimated = false;

  /** `size` of the file, 0 if it is not known. */
  constructor(size = 0) {
    this.#size = size;
  }

  readonly visit: TextVisitor = (bytes, from, to, offset, ended) => {
    if (ended && bytes[to] === 13) this.#crlf = true;
    if (offset > ESTIMATED && !this.#isEstimated) {
      this.#isEstimated = true;
      this.#heap.expect((this.#size / offset) * RESERVE);
    }
    this.#isCut = !ended;
    this.#ended = false;
    const at = this.#line.readGlyphs(bytes, from, to);
    if (at >= 0) {
      if (this.#openAt >= 0) {
        this.#finishOpen();
        this.#line.readGlyphs(bytes, from, to);
      }
      this.#add(bytes, from, at, to, offset);
    } else if (this.#openAt >= 0 && this.#continue(bytes, from, to)) return;
    else this.#other(bytes, from, to, offset);
  };

  /** Adds a line; `at`: behind its glyphs, which were read. */
  #add(bytes: Uint8Array, from: number, at: number, to: number, offset: number): void {
    const line = this.#line;
    const isWhole = line.readBehind(bytes, at, to);
    if (line.isOpen) {
      this.#open.length = 0;
      this.#open.append(bytes, from, to);
      this.#openAt = offset;
    } else if (isWhole) {
      this.#lines++;
      this.#heap.add(line, bytes, offset);
    } else this.#lose(bytes, from, to, offset);
  }

  /** Adds a line to the open one; false if the open line is complete and this one is blank: the end of the file. */
  #continue(bytes: Uint8Array, from: number, to: number): boolean {
    const open = this.#open;
    if (to === from && this.#line.read(open.bytes, 0, open.length)) return false;
    if (open.length + to - from > LONGEST_LINE) return false;
    open.push(LINE_FEED);
    open.append(bytes, from, to);
    // A text with its end is complete; one of `id-ref=` has none.
    if (this.#line.read(open.bytes, 0, open.length) && !this.#line.isOpen) this.#finishOpen();
    return true;
  }

  /** Takes the open line as it is. */
  #finishOpen(): void {
    if (this.#openAt < 0) return;
    const { bytes, length } = this.#open;
    const offset = this.#openAt;
    this.#openAt = -1;
    if (this.#line.read(bytes, 0, length)) {
      this.#lines++;
      this.#heap.add(this.#line, bytes, offset);
    } else this.#lose(bytes, 0, length, offset);
  }

  /** The heading, the blank line at the end; or damage. */
  #other(bytes: Uint8Array, from: number, to: number, offset: number): void {
    this.#finishOpen();
    const text = decodeUtf8(bytes, from, Math.min(to, from + 200)).trim();
    if (text === '') this.#ended = true;
    else if (text !== HEADING) this.#lose(bytes, from, to, offset);
  }

  #lose(bytes: Uint8Array, from: number, to: number, offset: number): void {
    const text = decodeUtf8(bytes, from, Math.min(to, from + 400)).trim();
    if (!this.#lost) this.#firstLost = offset;
    this.#lost = true;
    this.#problems.add({
      code: this.#isCut ? 'object-tree-cut' : 'object-tree-line',
      severity: 'error',
      offset,
      message: `expected a root, object, field or element, found: ${text.slice(0, 80)}; line skipped`,
    });
  }

  finish(name: string, damage: Parameters<ProblemLog['add']>[0] | undefined): Recording {
    this.#finishOpen();
    if (this.#lines === 0)
      throw new FormatError({
        format: 'object-tree',
        offset: Math.max(this.#firstLost, 0),
        expected: 'lines of an object tree: roots, objects, fields',
        found: 'no such line',
      });
    if (damage !== undefined) this.#problems.add(damage);
    const { complete, ...recording } = this.#heap.finish(this.#crlf);
    if (!this.#ended)
      this.#problems.add({
        code: 'object-tree-end',
        severity: 'warning',
        message: 'the blank line at the end is missing: the file may be cut here',
      });
    return {
      name,
      format: 'object-tree',
      ...recording,
      problems: this.#problems.finish(),
      complete: complete && !this.#lost && damage?.severity !== 'error',
    };
  }
}
