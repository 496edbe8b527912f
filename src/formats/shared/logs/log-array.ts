/**
 * Logs as one JSON array of entries, as command lines of log services write them: each entry becomes a line, as if the log had
 * one JSON object a line.
 *
 *   [ {"textPayload": "LINE", "timestamp": "2024-…"}, … ]
 */
import { ProblemLog } from '../../../base/problems.js';
import type { Work } from '../../../base/progress.js';
import { decodeUtf8, encodeUtf8 } from '../../../base/text.js';
import type { ByteSource } from '../../../bytes/byte-source.js';
import { FileOffsets, type TextEncoding, unmarked } from '../encoding.js';
import { CLOSE_LIST, OPEN_LIST, OPEN_OBJECT } from '../json-bytes.js';
import { nextBeginning } from '../json-resync.js';
import { BAD, MORE, Scanner } from '../json-scanner.js';
import { ENDED, nextItem, passBrackets, passJson, scannerOf } from '../json-walk.js';
import { readDocument, type WindowedDocument } from '../json-windows.js';
import { hasMessageKey } from './log-prefix.js';

/** The largest entry: messages have at most some hundred KiB. */
const LARGEST_ENTRY = 16 << 20;

/** An entry as text: `bytes[from .. to)` in UTF-8, and where it begins and ends in the file. */
export type EntryVisitor = (bytes: Uint8Array, from: number, to: number, offset: number, end: number) => void;

/** Whether a text with this beginning is an array of log entries. */
export function isLogArray(start: string): boolean {
  return /^\s*\[\s*\{\s*"/.test(start) && hasMessageKey(start) && !start.includes('"stackTrace"');
}

/** The whole entries at the start of such a text, a line each. */
export function logEntriesIn(text: string): string[] {
  const bytes = encodeUtf8(text);
  const scanner = scannerOf(bytes);
  const entries: string[] = [];
  let at = scanner.space(0) + 1;
  for (;;) {
    const entry = nextItem(scanner, at, CLOSE_LIST, entries.length === 0);
    if (entry < 0 || bytes[entry] !== OPEN_OBJECT) return entries;
    at = passBrackets(scanner, entry);
    if (at < 0) return entries;
    entries.push(decodeUtf8(bytes, entry, at).replace(/\s*\n\s*/g, ' '));
  }
}

/** Calls `visit` for each entry; what is no JSON is a problem, and reading goes on at the next object. */
export async function eachLogEntry(
  source: ByteSource,
  encoding: TextEncoding,
  visit: EntryVisitor,
  work: Work,
): Promise<{ readonly problems: ProblemLog; readonly whole: boolean }> {
  const problems = new ProblemLog();
  const scanner = new Scanner();
  const entries = new LogArray(scanner, new FileOffsets(encoding), visit, problems);
  const { whole } = await readDocument(unmarked(source, encoding), scanner, entries, problems, {
    work,
    largest: LARGEST_ENTRY,
  });
  return { problems, whole: whole && entries.whole };
}

/** An object behind a comma or the bracket of the array. */
const NEXT_ENTRY = /\{\s{0,40}"/g;

class LogArray implements WindowedDocument {
  base = 0;
  position = 0;
  whole = true;
  readonly #scanner: Scanner;
  readonly #offsets: FileOffsets;
  readonly #visit: EntryVisitor;
  readonly #problems: ProblemLog;
  #place: 'before' | 'first' | 'behind an entry' | 'lost' | 'ended' = 'before';

  constructor(scanner: Scanner, offsets: FileOffsets, visit: EntryVisitor, problems: ProblemLog) {
    this.#scanner = scanner;
    this.#offsets = offsets;
    this.#visit = visit;
    this.#problems = problems;
  }

  moved(count: number): void {
    this.#offsets.moved(this.#scanner.window, count);
  }

  step(): void {
    for (;;) {
      const after = this.#advance();
      if (after === MORE) return;
      if (after === BAD) this.#damaged();
      else this.position = after;
    }
  }

  #advance(): number {
    const scanner = this.#scanner;
    const at = scanner.space(this.position);
    if (at >= scanner.end) return MORE;
    if (this.#place === 'lost') return this.#find();
    if (this.#place === 'before' || this.#place === 'ended') {
      if (scanner.window[at] !== OPEN_LIST) return scanner.fail(at, 'an array');
      this.#place = 'first';
      return at + 1;
    }
    const entry = nextItem(scanner, at, CLOSE_LIST, this.#place === 'first');
    if (entry === ENDED) {
      this.#place = 'ended';
      return at + 1;
    }
    return entry < 0 ? entry : this.#entry(entry);
  }

  #entry(at: number): number {
    const scanner = this.#scanner;
    const object = scanner.window[at] === OPEN_OBJECT;
    const after = object ? passBrackets(scanner, at) : passJson(scanner, at);
    if (after < 0) return after;
    const offset = this.#offsets.of(scanner.window, at);
    if (object) this.#visit(scanner.window, at, after, offset, this.#offsets.of(scanner.window, after));
    this.#place = 'behind an entry';
    return after;
  }

  #find(): number {
    const next = nextBeginning(this.#scanner, this.position, [NEXT_ENTRY]);
    if (next === undefined) return MORE;
    this.#place = 'first';
    return next.position;
  }

  #damaged(): void {
    const { failedAt, expected } = this.#scanner;
    this.#lost(failedAt, `not JSON: expected ${expected}`);
    this.position = Math.max(this.position, failedAt);
    this.#place = 'lost';
  }

  #lost(position: number, message: string): void {
    this.whole = false;
    const offset = this.#offsets.of(this.#scanner.window, position);
    this.#problems.add({ code: 'log-json', severity: 'error', offset, message });
  }

  tooLarge(limit: number): void {
    this.#lost(this.position, `an entry larger than ${limit >> 20} MiB; nothing after it is read`);
    this.#place = 'ended';
  }

  finish(): void {
    if (this.#place !== 'ended' && this.#place !== 'lost')
      this.#lost(this.#scanner.end, 'the array of log entries ends early');
  }
}
