/**
 * The start of an input as text, for probes of text formats: UTF-16 is decoded, a UTF-8 mark is
 * dropped, other text stays one character per byte. Created once per head, in time linear in its length.
 */
import type { Head } from '../capabilities/probe.js';
import { encodingOf } from './encoding.js';
import { marginOf, withoutMargin } from './text-form.js';

export interface HeadText {
  readonly text: string;
  /** Lines without their ends (LF, CR LF or CR). A last line that may be truncated is omitted. */
  readonly lines: readonly string[];
  /** The lines without what stands before each of them (`text-form.ts`): as readers that take it off see them. */
  readonly plainLines: readonly string[];
  /** Whether it has bytes that do not occur in text. */
  readonly binary: boolean;
  /** Encoding, unless ASCII or UTF-8. */
  readonly encoding: 'utf-16le' | 'utf-16be' | undefined;
}

const LINES_KEPT = 1000;
const texts = new WeakMap<Head, HeadText>();

export function textOf(head: Head): HeadText {
  const known = texts.get(head);
  if (known !== undefined) return known;
  const { encoding: written } = encodingOf(head.bytes);
  const encoding = written === 'utf-8' ? undefined : written;
  const marked = encoding === undefined ? head.text : new TextDecoder(encoding).decode(head.bytes);
  const text = marked.startsWith('\u00ef\u00bb\u00bf') ? marked.slice(3) : marked;
  const lines = text.split(/\r\n|\n|\r/, LINES_KEPT + 1);
  if (lines.length > LINES_KEPT || (!head.whole && lines.length > 1)) lines.pop();
  const margin = marginOf(lines);
  const plainLines = margin === '' ? lines : lines.map((line) => withoutMargin(line, margin));
  const headText = { text, lines, plainLines, binary: isBinary(text), encoding } as const;
  texts.set(head, headText);
  return headText;
}

/** The non-blank lines, optionally without comments (`#`, `//`), as they are in the file or as `plainLines`. */
export function filledLines(
  head: Head,
  comments: 'keep' | 'drop',
  limit: number,
  margin: 'keep' | 'drop' = 'keep',
): string[] {
  const filled: string[] = [];
  const { lines, plainLines } = textOf(head);
  for (const line of margin === 'drop' ? plainLines : lines) {
    if (line.trim() === '' || (comments === 'drop' && /^(?:#|\/\/)/.test(line))) continue;
    if (filled.push(line) >= limit) break;
  }
  return filled;
}

/** Share (0 to 1) of the lines with this shape; 0 if there are none. Looks at 500 characters per line. */
export function share(lines: readonly string[], shape: RegExp): number {
  if (lines.length === 0) return 0;
  return lines.filter((line) => shape.test(line.slice(0, 500))).length / lines.length;
}

/** Control characters that do not occur in text; a few are accepted, since object trees contain some. */
function isBinary(text: string): boolean {
  let controls = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x20 && code !== 9 && code !== 10 && code !== 12 && code !== 13 && code !== 27) controls++;
  }
  return controls > text.length / 100;
}
