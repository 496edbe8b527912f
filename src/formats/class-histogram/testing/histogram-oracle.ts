/**
 * The expected content of a class histogram: a second reading of the text, character by character, by the rules of
 * docs/formats/class-histogram.md, without any code of the reader.
 */
import { isDeepStrictEqual } from 'node:util';
import { decodeUtf8, stringAt } from '../../../base/text.js';
import type { Recording } from '../../../models/recording.js';
import { column } from '../../../models/table.js';
import type { Fault, Judge, Outcome } from '../../../testing/fuzz/fuzzed-reader.js';

/** `dump objects bytes class module`, and whether something must be reported. */
interface Expected {
  readonly rows: string[];
  readonly faulty: boolean;
}

export function histogramOracle(): Judge {
  return (mutated, outcome) => {
    const wanted = expected(mutated);
    const input = wanted.faulty || wanted.rows.length === 0 ? 'damaged' : 'sound';
    const fault = judge(wanted, outcome);
    return fault === undefined ? { input } : { input, fault };
  };
}

/** Offsets at which lines begin. */
export function histogramEdges(bytes: Uint8Array): number[] {
  const edges: number[] = [];
  for (let at = 0; at < bytes.length; at++) if (at === 0 || bytes[at - 1] === 10) edges.push(at);
  return edges;
}

function judge(wanted: Expected, outcome: Outcome): Fault | undefined {
  if (outcome.kind === 'refused')
    return wanted.rows.length === 0
      ? undefined
      : { code: 'refused', detail: `${wanted.rows.length} rows are there: ${outcome.message}` };
  const seen = rowsOf(outcome.recording);
  if (!isDeepStrictEqual(seen, wanted.rows)) {
    const at = wanted.rows.findIndex((row, i) => row !== seen[i]);
    return {
      code: 'differs',
      detail: `row ${at}: ${wanted.rows[at]} in the text, ${seen[at]} read; ${seen.length} read`,
    };
  }
  const reported = outcome.problems.list.some(({ severity }) => severity !== 'info');
  if (reported === wanted.faulty) return undefined;
  return reported
    ? { code: 'false alarm', detail: outcome.problems.list[0]?.message ?? '' }
    : { code: 'silent', detail: 'something is wrong with the text and nothing was reported' };
}

export function rowsOf(recording: Recording): string[] {
  const { program, profile } = recording;
  const table = profile?.events[0];
  if (table === undefined) return [];
  const [type, dump, objects, bytes] = ['class', 'dump', 'objects', 'bytes'].map((key) => column(table, key));
  return Array.from({ length: table.length }, (_, row) => {
    const module = program.classes.module?.[type[row]] ?? -1;
    const names = [program.classes.name[type[row]], module].map((id) => (id < 0 ? '' : stringAt(program.names, id)));
    return `${dump[row]} ${objects[row]} ${bytes[row]} ${names.join('|')}`;
  });
}

/** A text that is parsed from its left end. */
class Rest {
  text: string;

  constructor(text: string) {
    this.text = text;
  }

  blanks(): number {
    const before = this.text.length;
    this.text = this.text.trimStart();
    return before - this.text.length;
  }

  number(digits: number): number | undefined {
    const grouped = digits < 15 ? null : /^\d{1,3}(?:[,.'’\u00a0\u202f]\d{3}){1,4}(?!\S)/.exec(this.text);
    if (grouped !== null) {
      this.text = this.text.slice(grouped[0].length);
      return Number(grouped[0].replace(/\D/g, ''));
    }
    let length = 0;
    while (length < this.text.length && this.text[length] >= '0' && this.text[length] <= '9') length++;
    if (length === 0 || length > digits) return undefined;
    const value = Number(this.text.slice(0, length));
    this.text = this.text.slice(length);
    return value;
  }

  word(text: string): boolean {
    if (!this.text.startsWith(text)) return false;
    this.text = this.text.slice(text.length);
    return true;
  }
}

/**
 * The line without `[…]` of unified logging, which may have a blank between two, and the number of the collection;
 * undefined if it has no decorations.
 */
function undecorated(line: string): string | undefined {
  let rest = line;
  for (let tags = 0; tags < 10; tags++) {
    const tag = tags > 0 && rest.startsWith(' [') ? rest.slice(1) : rest;
    const end = tag.indexOf(']');
    if (!tag.startsWith('[') || end < 0 || end > 101) break;
    rest = tag.slice(end + 1);
  }
  if (rest === line) return undefined;
  const gc = new Rest(rest);
  return gc.word(' GC(') && gc.number(9) !== undefined && gc.word(')') ? gc.text : rest;
}

interface Row {
  readonly number: number | undefined;
  readonly objects: number;
  readonly bytes: number;
  readonly name: string;
}

function rowIn(line: string, numbered: boolean): Row | undefined {
  const rest = new Rest(line);
  rest.blanks();
  const number = numbered ? rest.number(9) : undefined;
  if (numbered && (number === undefined || !rest.word(':') || rest.blanks() === 0)) return undefined;
  const objects = rest.number(15);
  if (objects === undefined || rest.blanks() === 0) return undefined;
  const bytes = rest.number(15);
  if (bytes === undefined || rest.blanks() === 0) return undefined;
  const name = rest.text.trimEnd();
  const control = [...name].some((one) => one < ' ' || (one >= '\u007f' && one <= '\u009f'));
  if (name === '' || control) return undefined;
  return { number, objects, bytes, name };
}

function totalIn(line: string): [number, number] | undefined {
  const rest = new Rest(line);
  rest.blanks();
  if (!rest.word('Total')) return undefined;
  const gap = rest.blanks();
  const colon = rest.word(':');
  if (rest.blanks() + (colon ? 0 : gap) === 0) return undefined;
  const objects = rest.number(15);
  if (objects === undefined || rest.blanks() === 0) return undefined;
  const bytes = rest.number(15);
  return bytes === undefined || rest.text.trim() !== '' ? undefined : [objects, bytes];
}

/** Whether the titles announce modules; undefined if the line is not the titles. */
function titlesIn(line: string): boolean | undefined {
  const words = line.trim().toLowerCase().split(/\s+/);
  const known = ['num', '#instances', '#bytes', 'class'];
  if (!known.every((word, i) => words[i] === word)) return undefined;
  // "class name (module)" has one blank between its words, also in the output of the serviceability agent.
  const end = line.trimEnd().toLowerCase();
  if (end.endsWith(' class name (module)') || end.endsWith('\tclass name (module)'))
    return words.length === 6 ? true : undefined;
  const plain = /\sclass (?:name|description)$/.test(end);
  return plain && words.length === 5 ? false : undefined;
}

interface Part {
  readonly kind: 'titled' | 'untitled' | 'bare';
  readonly modules: boolean;
  readonly logged: boolean;
  last: number;
  objects: number;
  bytes: number;
}

function expected(bytes: Uint8Array): Expected {
  const reading = new Reading();
  for (const { text, ended } of linesOf(bytes)) reading.line(text, ended);
  reading.close();
  return { rows: reading.rows, faulty: reading.faulty };
}

class Reading {
  readonly rows: string[] = [];
  faulty = false;
  #part: Part | undefined;
  #titled = false;
  /** Histograms that have a row. */
  readonly #counted = new Set<Part>();

  close(): void {
    if (this.#part !== undefined && this.#part.kind !== 'bare') this.faulty = true;
    this.#part = undefined;
  }

  line(text: string, ended: boolean): void {
    const inner = undecorated(text);
    const line = inner ?? text;
    const row = rowIn(line, true);
    const titles = titlesIn(line);
    const total = totalIn(line);
    // A decorated line among undecorated rows does not belong to the histogram.
    const foreign = this.#part?.kind === 'titled' && !this.#part.logged && titles === undefined;
    if (foreign && /^\[(?:\d{1,12}\.\d{1,9}s\]|[^\]"]{1,100}\]\[)/.test(text)) return;
    if (row !== undefined) this.#row(row, ended);
    else if (line.trim() === '' || /^-{3,}$/.test(line.trim())) return;
    else if (titles !== undefined) {
      this.close();
      this.#titled = true;
      this.#open('titled', titles, inner !== undefined);
    } else if (total !== undefined) {
      if (this.#part === undefined || total[0] !== this.#part.objects || total[1] !== this.#part.bytes)
        this.faulty = true;
      this.#part = undefined;
    } else if (line.length <= 11 && /^[0-9]+:$/.test(line)) {
      if (this.#part?.kind !== 'bare') this.close();
    } else this.#bareOrOther(line, inner !== undefined);
  }

  #row(row: Row, ended: boolean): void {
    const before = this.#part;
    if (!ended) {
      if (before === undefined) this.faulty = true;
      return;
    }
    if (before === undefined || before.kind === 'bare') this.faulty = true;
    const to = before === undefined || before.kind === 'bare' ? this.#open('untitled', true, false) : before;
    if (row.number !== to.last + 1) this.faulty = true;
    to.last = row.number ?? 0;
    this.#add(to, row);
  }

  #bareOrOther(line: string, logged: boolean): void {
    const part = this.#part;
    const bare = logged ? undefined : rowIn(line, false);
    if (bare !== undefined && /^(?:\[|<\w+Klass>|[\p{L}_$])/u.test(bare.name)) {
      if (!this.#titled && (part === undefined || part.kind === 'bare'))
        this.#add(part ?? this.#open('bare', true, false), bare);
      else if (part !== undefined) this.faulty = true;
    } else if (part !== undefined && !(part.logged && logged)) this.faulty = true;
  }

  #open(kind: Part['kind'], modules: boolean, logged: boolean): Part {
    const part = { kind, modules, logged, last: 0, objects: 0, bytes: 0 };
    this.#part = part;
    return part;
  }

  #add(to: Part, row: Row): void {
    this.#counted.add(to);
    to.objects += row.objects;
    to.bytes += row.bytes;
    if (row.name.includes('\ufffd')) this.faulty = true;
    const at = to.modules && row.name.endsWith(')') ? row.name.lastIndexOf(' (') : -1;
    const name = at > 0 ? `${row.name.slice(0, at)}|${row.name.slice(at + 2, -1)}` : `${row.name}|`;
    this.rows.push(`${this.#counted.size - 1} ${row.objects} ${row.bytes} ${name}`);
  }
}

function linesOf(bytes: Uint8Array): { text: string; ended: boolean }[] {
  const lines: { text: string; ended: boolean }[] = [];
  for (let from = 0; from < bytes.length; ) {
    const feed = bytes.indexOf(10, from);
    const end = feed < 0 ? bytes.length : feed;
    const to = feed > from && bytes[feed - 1] === 13 ? feed - 1 : end;
    lines.push({ text: decodeUtf8(bytes, from, to), ended: feed >= 0 });
    from = end + 1;
  }
  return lines;
}
