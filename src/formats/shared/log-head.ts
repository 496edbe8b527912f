/**
 * Headings of records in the start of a log, for probes. A page of documentation with a sample is not a log: fenced
 * blocks of Markdown and pages of HTML are ignored.
 */
import type { Head } from '../capabilities/probe.js';
import { textOf } from './head-text.js';
import { isLogArray, logEntriesIn } from './logs/log-array.js';
import { type HeadingPlace, headingPlace, type LogKind } from './logs/log-kind.js';

const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/;
const HTML = /^\s{0,100}<(?:!doctype html|html)\b/i;

const outside = new WeakMap<Head, readonly string[]>();

/** The lines that are not a sample in a page: those outside of fenced blocks; none of a page of HTML. */
export function linesOfLog(head: Head): readonly string[] {
  const known = outside.get(head);
  if (known !== undefined) return known;
  const { text, plainLines } = textOf(head);
  const wholeLines = HTML.test(text.slice(0, 200))
    ? []
    : isLogArray(text.slice(0, 4096))
      ? logEntriesIn(text)
      : unfenced(plainLines);
  // Terminals and pages add blanks behind lines.
  const logLines = wholeLines.map((line) => line.trimEnd());
  outside.set(head, logLines);
  return logLines;
}

/** A fence ends at one of the same character that is as long, or at the end of the text, as CommonMark says. */
function unfenced(lines: readonly string[]): string[] {
  const found: string[] = [];
  let fence: string | undefined;
  for (const line of lines) {
    const [, marks, words = ''] = FENCE.exec(line.slice(0, 200)) ?? [];
    if (fence === undefined) {
      if (marks === undefined || words.includes('`')) found.push(line);
      else fence = marks;
    } else if (marks?.startsWith(fence) && words.trim() === '') fence = undefined;
  }
  return found;
}

/** The first heading of a kind, and the number of non-blank lines before it. */
export function headingIn(head: Head, kind: LogKind): (HeadingPlace & { readonly before: number }) | undefined {
  let before = 0;
  for (const line of linesOfLog(head)) {
    const place = headingPlace(line, kind);
    if (place !== undefined) return { ...place, before };
    if (line.trim() !== '') before++;
  }
  return undefined;
}

/** For messages: the prefix of each line; empty if there is none. */
export function behind({ wrapping, prefix }: HeadingPlace): string {
  const around =
    wrapping === 'docker'
      ? "docker's JSON"
      : wrapping === 'json'
        ? 'JSON lines'
        : wrapping === 'cri'
          ? "a container's log"
          : '';
  if (prefix === '') return around === '' ? '' : `, in ${around}`;
  return `${around === '' ? '' : `, in ${around}`}, after "${prefix.trim().slice(0, 60)}"`;
}
