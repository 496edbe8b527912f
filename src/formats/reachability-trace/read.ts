/**
 * Reads reachability traces (docs/formats/reachability-trace.md) in one pass. A reason is a row below the row that it explains; a row whose
 * reasons were printed before has the row where they stand. Memory: a window of 1 MiB, 25 bytes a line, each different text once.
 */
import { Int32Builder } from '../../base/columns/columns.js';
import { FormatError } from '../../base/errors.js';
import { NONE } from '../../base/flavor.js';
import { type Problem, ProblemLog } from '../../base/problems.js';
import type { Work } from '../../base/progress.js';
import { decodeUtf8, type StringTable, stringAt } from '../../base/text.js';
import type { ByteSource } from '../../bytes/byte-source.js';
import { REASON_KINDS, type ReasonTable } from '../../models/callgraph/reason-table.js';
import { ProgramBuilder } from '../../models/program/program-builder.js';
import type { Recording } from '../../models/recording.js';
import { eachTextLine } from '../shared/text-lines.js';
import { type Corner, headingOf, type Reason, type ReasonLine, reasonLine, reasonOf } from './reason-line.js';

const LONGEST_LINE = 1 << 20;

/** Throws `FormatError` if no line says what is reachable. */
export async function readTrace(source: ByteSource, work: Work = {}): Promise<Recording> {
  const trace = new TraceReader();
  const damage = await eachTextLine(
    source,
    (bytes, from, to, offset, ended) => trace.line(decodeUtf8(bytes, from, to), offset, ended),
    { work, longest: LONGEST_LINE },
  );
  if (damage !== undefined) trace.damaged(damage);
  return trace.finish(source.name);
}

/** A row that may get reasons. */
interface Above {
  readonly row: number;
  readonly corner: Corner;
  /** Where its own glyph or text begins. */
  readonly column: number;
  /** What stands before its reasons; `~` where a bar may stand. Undefined for a heading before its first reason. */
  below: string | undefined;
}

class TraceReader {
  readonly #problems = new ProblemLog();
  readonly #rows = new ReasonRows();
  #stack: Above[] = [];
  /** Lines that still belong to the last row, which is a constant. */
  #further = 0;
  #last: ReasonLine = { bars: '', corner: 'none', text: '' };
  #lost = false;

  line(line: string, offset: number, ended: boolean): void {
    if (!ended) this.#fault('trace-cut', offset, 'the last line has no end: the trace is cut here');
    if (line.trim() === '') return;
    const heading = headingOf(line);
    if (heading !== undefined) {
      this.#leave(-1, 'none', offset);
      this.#stack = [{ row: this.#rows.add(NONE, heading), corner: 'none', column: 0, below: undefined }];
      this.#further = 0;
      return;
    }
    const parts = reasonLine(line);
    if (this.#further > 0 && this.#continues(parts)) {
      this.#further--;
      this.#rows.place(parts.text.trim());
    } else this.#reason(parts, offset);
  }

  damaged(problem: Problem): void {
    this.#lost = true;
    this.#problems.add(problem);
  }

  #fault(code: string, offset: number | undefined, message: string): void {
    this.damaged({ code, severity: 'error', message, ...(offset === undefined ? {} : { offset }) });
  }

  /** Whether a line says more of the constant above: four blanks further, behind the same glyph if it has one. */
  #continues({ bars, corner, text }: ReasonLine): boolean {
    const { bars: before, corner: glyph } = this.#last;
    return glyph === 'none'
      ? corner === 'none' && bars === `${before}    `
      : corner === glyph && bars === before && text.startsWith('    ');
  }

  #reason(line: ReasonLine, offset: number): void {
    const { bars, corner, text } = line;
    this.#further = 0;
    if (this.#stack.length === 0) {
      this.#fault('trace-line', offset, `expected what is reachable, found: ${text.slice(0, 80)}; line skipped`);
      return;
    }
    this.#leave(bars.length, corner, offset);
    const parent = this.#stack.at(-1);
    if (parent === undefined) return;
    // Reasons of a heading are four columns further, or in its column as the documentation has them.
    parent.below ??= bars.length === 0 ? '' : '    ';
    if (!fits(bars, parent.below) || text.startsWith(' ') || text === '')
      this.#fault(
        'trace-tree',
        offset,
        `the line does not stand below the one that it explains: ${text.trim().slice(0, 80)}`,
      );
    const reason = reasonOf(text);
    const row = this.#rows.add(parent.row, reason);
    const isFlat = corner === 'none' && bars === '' && parent.below === '';
    this.#stack.push({ row, corner, column: bars.length, below: isFlat ? '' : `${bars}${BELOW[corner]}` });
    this.#further = reason.lines ?? 0;
    this.#last = line;
  }

  /** Leaves the rows that have no reason at `column`, up to what was asked for; at -1 that, too. */
  #leave(column: number, corner: Corner, offset: number | undefined): void {
    for (let top = this.#stack.at(-1); top !== undefined; top = this.#stack.at(-1)) {
      if (column >= 0 && (this.#stack.length === 1 || (top.below?.length ?? 0) <= column)) return;
      const isBeside = corner !== 'none' && top.column === column;
      if (top.corner === 'child' && !isBeside)
        this.#fault('trace-missing', offset, 'the second of two reasons is missing here');
      if (top.column === column && (top.corner === 'last' || (top.corner === 'none') !== (corner === 'none')))
        this.#fault('trace-tree', offset, 'a further reason, although the line above it is drawn as the last one');
      this.#stack.pop();
    }
  }

  finish(name: string): Recording {
    this.#leave(-1, 'none', undefined);
    const { program, reasons, asked } = this.#rows.finish();
    if (reasons.length === 0)
      throw new FormatError({
        format: 'reachability-trace',
        offset: 0,
        expected: 'a line that says what is reachable, such as `Type a.B is marked as instantiated`',
        found: 'none',
      });
    const kinds = [...asked].map(([kind, entries]) => ({ name: `${kind}s`, entries }));
    return {
      name,
      format: 'reachability-trace',
      metadata: [],
      sections: [
        ...kinds,
        { name: 'reasons', entries: reasons.length - kinds.reduce((sum, { entries }) => sum + entries, 0) },
      ],
      program,
      reasons,
      problems: this.#problems.finish(),
      complete: !this.#lost,
      residue: undefined,
    };
  }
}

const BELOW: Readonly<Record<Corner, string>> = { none: '    ', child: '│       ', last: '        ', any: '~       ' };

/** Whether a line has the bars that are expected; `~` stands for one that may be missing. */
function fits(bars: string, expected: string): boolean {
  if (bars.length !== expected.length) return false;
  if (!expected.includes('~')) return bars === expected;
  for (let at = 0; at < bars.length; at++) if (bars[at] !== expected[at] && expected[at] !== '~') return false;
  return true;
}

/** The rows, and the program that they name. */
class ReasonRows {
  readonly #program = new ProgramBuilder({ dottedTypes: true });
  readonly #parent = new Int32Builder();
  readonly #kind = new Int32Builder();
  readonly #name = new Int32Builder();
  readonly #how = new Int32Builder();
  readonly #place = new Int32Builder();
  readonly #asked = new Map<string, number>();

  add(parent: number, { kind, name, how, place }: Reason): number {
    this.#parent.push(parent);
    this.#kind.push(REASON_KINDS.indexOf(kind));
    this.#name.push(this.#program.name(name));
    this.#how.push(how === undefined ? NONE : this.#program.name(how));
    this.#place.push(place === undefined ? NONE : this.#program.name(place));
    if (parent < 0) this.#asked.set(kind, (this.#asked.get(kind) ?? 0) + 1);
    if (kind === 'type') this.#program.class(this.#program.name(name));
    if (kind === 'method') this.#method(nameOnly(name));
    return this.#parent.length - 1;
  }

  /** Adds a line to the place of the last row. */
  place(line: string): void {
    const row = this.#place.length - 1;
    const { bytes, offsets } = this.#program.names;
    const before = this.#place.values[row];
    const known = before < 0 ? '' : `${decodeUtf8(bytes.bytes, offsets.values[before], offsets.values[before + 1])}, `;
    this.#place.values[row] = this.#program.name(known + line);
  }

  #method(name: string): void {
    const dot = name.lastIndexOf('.');
    const type = dot > 0 ? this.#program.class(this.#program.name(name.slice(0, dot))) : NONE;
    this.#program.function(type, this.#program.name(name.slice(dot + 1)));
  }

  finish() {
    const columns = {
      length: this.#parent.length,
      parent: this.#parent.finish(),
      kind: Uint8Array.from(this.#kind.finish()),
      name: this.#name.finish(),
      how: this.#how.finish(),
      place: this.#place.finish(),
    };
    const program = this.#program.finish();
    const reasons: ReasonTable = { ...columns, expandedAt: expansions(columns, program.names) };
    return { program, reasons, asked: this.#asked };
  }
}

/** `a.B.c` of `a.B.c(int, int)`. */
function nameOnly(name: string): string {
  const open = name.indexOf('(');
  return open < 0 ? name : name.slice(0, open);
}

/**
 * For each row without reasons the last row before it that has some and is the same element: a builder prints each reason once. Methods
 * are the same if class and name are, since most rows have no parameter types.
 */
function expansions({ length, parent, kind, name }: Omit<ReasonTable, 'expandedAt'>, names: StringTable): Int32Array {
  const explained = new Uint8Array(length);
  for (let row = 0; row < length; row++) if (parent[row] >= 0) explained[parent[row]] = 1;
  const found = new Int32Array(length).fill(NONE);
  const known = new Map<string, number>();
  for (let row = 0; row < length; row++) {
    const what = REASON_KINDS[kind[row]];
    if (what === 'text' || what === undefined) continue;
    const text = stringAt(names, name[row]);
    const key = `${what} ${what === 'method' ? nameOnly(text) : text}`;
    if (explained[row] === 1) known.set(key, row);
    else found[row] = known.get(key) ?? NONE;
  }
  return found;
}
