/**
 * What must be seen in a trace: a second reading that looks at the drawing alone. A bar stands below a bar or a `├`, and nowhere else;
 * reasons of one row are `├` … `├ └`, or without glyphs. The row above a line is the last one whose text begins left of it by a level.
 */
import { isDeepStrictEqual } from 'node:util';
import { decodeUtf8, stringAt } from '../../../base/text.js';
import { REASON_KINDS } from '../../../models/callgraph/reason-table.js';
import type { Recording } from '../../../models/recording.js';
import type { Judge } from '../../../testing/fuzz/fuzzed-reader.js';

export interface PlainTrace {
  /** `parent kind name, how, place` of each row. */
  readonly rows: readonly string[];
  readonly faulty: boolean;
}

interface Line {
  readonly column: number;
  readonly glyph: string;
  readonly bars: string;
  readonly text: string;
  readonly parent: number;
}

const HEADING =
  /^(Type|Method|Field) (\S.*) is (marked as [\w-]+|reachable|called|intrinsic|written|read|folded|accessed|accessed unsafely)$/s;

export function plainTrace(bytes: Uint8Array): PlainTrace {
  const text = decodeUtf8(bytes, 0, bytes.length).replace(/^\ufeff/, '');
  const lines = text.split('\n').map((line, i, all) => (i < all.length - 1 ? line.replace(/\r$/, '') : line));
  const reading = new Reading();
  for (const line of lines) if (line.trim() !== '') reading.line(line);
  return reading.finish(!text.endsWith('\n'));
}

class Reading {
  readonly #lines: Line[] = [];
  readonly #rows: { parent: number; words: string[] }[] = [];
  #first = 0;
  #more = 0;
  #faulty = false;
  /** Column of the first reason of this heading. */
  #start = -1;

  line(whole: string): void {
    const heading = HEADING.exec(whole);
    if (heading !== null) {
      const [, kind = '', name = '', how = ''] = heading;
      this.#close();
      this.#first = this.#rows.length;
      this.#start = -1;
      this.#add({ column: -1, glyph: '', bars: '', text: whole, parent: -1 }, [kind.toLowerCase(), name, `is ${how}`]);
      this.#more = 0;
      return;
    }
    const [, bars = '', glyph = ''] = /^((?:[│? ] {3})*)(├── |└── |\?\?\? )?/.exec(whole) ?? [];
    const rest = whole.slice(bars.length + glyph.length);
    const before = this.#lines.at(-1);
    if (before === undefined) {
      this.#faulty = true;
      return;
    }
    const further =
      glyph === ''
        ? bars === `${before.bars}    ` && before.glyph === ''
        : glyph === before.glyph && bars === before.bars && rest.startsWith('    ');
    if (this.#more > 0 && further) {
      this.#more--;
      const { words } = this.#rows.at(-1) ?? { words: [] };
      words[3] = words[3] === undefined ? rest.trim() : `${words[3]}, ${rest.trim()}`;
      return;
    }
    this.#reason(bars, glyph, rest);
  }

  #reason(bars: string, glyph: string, text: string): void {
    const column = bars.length;
    if (this.#start < 0) this.#start = column === 0 ? 0 : 4;
    let parent = this.#lines.length - 1;
    while (parent > this.#first && this.#below(parent) > column) parent--;
    if (this.#below(parent) !== column || text === '' || text.startsWith(' ')) this.#faulty = true;
    const words = wordsOf(text);
    this.#add({ column, glyph, bars, text, parent }, words);
    this.#more =
      words[0] !== 'constant' || text.startsWith('indexing')
        ? 0
        : text.startsWith('trying to constant fold field')
          ? 2
          : 1;
  }

  /** Column of the reasons of a line. */
  #below(row: number): number {
    const { column, glyph } = this.#lines[row] ?? { column: 0, glyph: '' };
    if (column < 0) return this.#start;
    if (glyph !== '') return column + 8;
    return column === 0 && this.#start === 0 ? 0 : column + 4;
  }

  #add(line: Line, words: string[]): void {
    this.#lines.push(line);
    this.#rows.push({ parent: line.parent, words });
  }

  /** Compares the drawing of the lines of a heading with their tree. */
  #close(): void {
    const lines = this.#lines.slice(this.#first);
    for (const [i, { parent }] of lines.entries()) {
      if (i === 0) continue;
      const glyphs = lines.filter((line, k) => k > 0 && line.parent === parent).map(({ glyph }) => glyph[0] ?? '');
      const isPair = glyphs.every((glyph, k) => glyph === '?' || glyph === (k < glyphs.length - 1 ? '├' : '└'));
      if (!isPair && glyphs.some((glyph) => glyph !== '')) this.#faulty = true;
    }
    for (const { bars, parent } of lines.slice(1)) {
      // Also where bars are question marks, what is drawn left of a line goes on left of those below it.
      if (!bars.startsWith(this.#lines[parent]?.bars ?? '')) this.#faulty = true;
      let [at, expected] = [parent, new Map<number, string>()];
      for (; at > this.#first; at = this.#lines[at]?.parent ?? -1) {
        const { column, glyph } = this.#lines[at] ?? { column: 0, glyph: '' };
        if (glyph !== '') expected.set(column, glyph[0] ?? '');
      }
      for (let column = 0; column < bars.length; column += 4) {
        const isBar = bars[column] !== ' ';
        const above = expected.get(column);
        if (above !== '?' && isBar !== (above === '├')) this.#faulty = true;
      }
    }
  }

  finish(isCut: boolean): PlainTrace {
    this.#close();
    const rows = this.#rows.map(({ parent, words: [kind, name, how, place] }) =>
      [parent, kind, name, how ?? '-', place ?? '-'].join(' | '),
    );
    return { rows, faulty: this.#faulty || isCut };
  }
}

/** Kind, name, how, place. */
function wordsOf(text: string): string[] {
  if (/^(at )?(static|virtual) method \S/.test(text)) {
    const [, whole = '', , how] =
      /method (.*?)(, (implementation invoked|inlined|intrinsified|<no available reason>))?$/s.exec(text) ?? [];
    const place = /\((?=[^,]*\)$)(Native Method|Unknown Source|[^()\s]+\.\w+|[^()]+:\d+)\)$/s.exec(whole)?.[1];
    const name = place === undefined ? whole : whole.slice(0, -place.length - 2);
    return [
      'method',
      name,
      ...(how === undefined ? [] : [how]),
      ...(place === undefined ? [] : how === undefined ? ['-', place] : [place]),
    ];
  }
  const type = /^type (\S+)( (is (marked as [\w-]+|reachable)))?$/.exec(text);
  if (type !== null) return ['type', type[1] ?? '', ...(type[3] === undefined ? [] : [type[3]])];
  const field = /^field (\S+)( (is [\w ]+))?$/.exec(text);
  if (field !== null) return ['field', field[1] ?? '', ...(field[3] === undefined ? [] : [field[3]])];
  const starts = [
    'reading field ',
    'reading static field ',
    'trying to constant fold field ',
    'trying to constant fold static field ',
    'indexing into array ',
  ];
  if (starts.some((start) => text.startsWith(start)) || /^scanning root .* embedded in/s.test(text))
    return ['constant', text.trimEnd(), '-'];
  return ['text', text.startsWith('str: ') ? text.slice(5) : text];
}

/** The rows of a recording in the same words. */
export function rowsOf({ program: { names }, reasons }: Recording): string[] {
  if (reasons === undefined) return [];
  const { parent, kind, name, how, place, length } = reasons;
  const word = (id: number): string => (id < 0 ? '-' : stringAt(names, id));
  return Array.from({ length }, (_, i) =>
    [parent[i], REASON_KINDS[kind[i]], word(name[i]), word(how[i]), word(place[i])].join(' | '),
  );
}

export function traceOracle(): Judge {
  return (mutated, outcome) => {
    const text = decodeUtf8(mutated, 0, mutated.length);
    // Glyphs of two kinds in one file, and bytes that are no UTF-8, may be seen in two ways.
    if (text.includes('\ufffd') || (/[├└│]/.test(text) && /^(?:[ │?]{4})*\?/m.test(text)))
      return { input: 'ambiguous' };
    const wanted = plainTrace(mutated);
    const input = wanted.faulty ? 'damaged' : 'sound';
    if (outcome.kind === 'refused')
      return wanted.rows.length === 0
        ? { input: 'damaged' }
        : { input, fault: { code: 'refused', detail: outcome.message } };
    const reported = outcome.problems.list.some(({ severity }) => severity !== 'info');
    if (reported !== wanted.faulty)
      return {
        input,
        fault: { code: reported ? 'false alarm' : 'silent', detail: outcome.problems.list[0]?.message ?? '' },
      };
    const rows = rowsOf(outcome.recording);
    if (wanted.faulty || isDeepStrictEqual(rows, wanted.rows)) return { input };
    const at = rows.findIndex((row, i) => row !== wanted.rows[i]);
    return { input, fault: { code: 'differs', detail: `row ${at}: ${wanted.rows[at]} in the text, ${rows[at]} read` } };
  };
}

/** Offsets at which lines begin. */
export function traceEdges(bytes: Uint8Array): number[] {
  return Array.from(bytes.keys()).filter((at) => at === 0 || bytes[at - 1] === 10);
}
