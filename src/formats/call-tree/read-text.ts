/**
 * Reads call trees in text (docs/formats/call-tree.md) of any size in one pass: a line is parsed in place, and becomes rows of the
 * graph. Memory: a window of 1 MiB; 25 bytes a call site and 9 a target, twice that while columns grow; names (`node-names.ts`).
 */
import { FormatError } from '../../base/errors.js';
import { ProblemLog } from '../../base/problems.js';
import type { Work } from '../../base/progress.js';
import { decodeUtf8 } from '../../base/text.js';
import type { ByteSource } from '../../bytes/byte-source.js';
import type { Recording } from '../../models/recording.js';
import { eachTextLine, type TextVisitor } from '../shared/text-lines.js';
import { TreeGraph } from './tree-graph.js';
import { TreeLine } from './tree-line.js';

export const HEADING = 'VM Entry Points';
const LONGEST_LINE = 1 << 20;
const CARRIAGE_RETURN = 13;

/** Reads all lines of the tree. Throws `FormatError` if there is none. */
export async function readCallTree(source: ByteSource, work: Work = {}): Promise<Recording> {
  const lines = new LineReader();
  const damage = await eachTextLine(source, lines.visit, { work, longest: LONGEST_LINE });
  return lines.finish(source.name, damage);
}

class LineReader {
  readonly #problems = new ProblemLog();
  readonly #graph = new TreeGraph(this.#problems);
  readonly #line = new TreeLine();
  #lost = false;
  #firstLost = -1;
  #lines = 0;
  #crlf = false;
  /** The last line is blank, as builders end the file. */
  #ended = false;

  readonly visit: TextVisitor = (bytes, from, end, offset, ended) => {
    if (ended && bytes[end] === CARRIAGE_RETURN) this.#crlf = true;
    const to = !ended && bytes[end - 1] === CARRIAGE_RETURN ? end - 1 : end;
    this.#ended = false;
    if (this.#line.read(bytes, from, to)) {
      this.#lines++;
      this.#graph.add(this.#line, bytes, offset);
    } else this.#other(decodeUtf8(bytes, from, to), offset, ended);
  };

  /** The heading, the blank line at the end, a further line of a reason; or damage. */
  #other(text: string, offset: number, ended: boolean): void {
    const trimmed = text.trim();
    if (trimmed === '') this.#ended = true;
    else if (trimmed !== HEADING && !(trimmed.startsWith('at ') && this.#graph.continueReason(trimmed))) {
      if (!this.#lost) this.#firstLost = offset;
      this.#lost = true;
      this.#problems.add({
        code: ended ? 'call-tree-line' : 'call-tree-cut',
        severity: 'error',
        offset,
        message: `expected an entry, a call or a target with its id or BCI, found: ${trimmed.slice(0, 80)}; line skipped`,
      });
    }
  }

  finish(name: string, damage: Parameters<ProblemLog['add']>[0] | undefined): Recording {
    if (this.#lines === 0)
      throw new FormatError({
        format: 'call-tree',
        offset: Math.max(this.#firstLost, 0),
        expected: 'lines of a call tree: entry, directly calls, virtually calls',
        found: 'no such line',
      });
    if (damage !== undefined) this.#problems.add(damage);
    if (!this.#ended)
      this.#problems.add({
        code: 'call-tree-end',
        severity: 'warning',
        message: 'the blank line at the end is missing: the file may be cut here',
      });
    const { complete, ...recording } = this.#graph.finish({ crlf: this.#crlf });
    return {
      name,
      format: 'call-tree',
      ...recording,
      problems: this.#problems.finish(),
      complete: complete && !this.#lost && damage?.severity !== 'error',
    };
  }
}
