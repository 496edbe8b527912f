/**
 * What a reader must see in a class histogram: a second reading of the text, a character at a time, by the rules of
 * docs/formats/class-histogram.md and without any code of the reader.
 */
import { isDeepStrictEqual } from 'node:util';
import { decodeUtf8, stringAt } from '../base/text.js';
import type { Recording } from '../models/recording.js';
import { column } from '../models/table.js';
import type { Fault, Judge, Outcome } from './fuzzed-reader.js';

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

/** A text that is taken apart from its left end. */
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

/** The line without `[…]` of unified logging and the number of the collection; undefined where it has none. */
function undecorated(line: string): string | undefined {
  let rest = line;
  for (let tags = 0; tags < 10 && rest.startsWith('['); tags++) {
    const end = rest.indexOf(']');
    if (end < 0 || end > 101) break;
    rest = rest.slice(end + 1);
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

/** Whether the columns of modules are announced; undefined where it is no line of titles. */
function titlesIn(line: string): boolean | undefined {
  const words = line.trim().toLowerCase().split(/\s+/);
  const known = ['num', '#instances', '#bytes', 'class'];
  if (!known.every((word, i) => words[i] === word)) return undefined;
  // "class name (module)" has one blank between its words; that of the serviceability agent too.
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
  const rows: string[] = [];
  let faulty = false;
  let part: Part | undefined;
  let dump = -1;
  let titled = false;
  const close = (): void => {
    if (part !== undefined && part.kind !== 'bare') faulty = true;
    part = undefined;
  };
  const add = (to: Part, row: Row): void => {
    if (!counted.has(to)) dump++;
    counted.add(to);
    to.objects += row.objects;
    to.bytes += row.bytes;
    if (row.name.includes('\ufffd')) faulty = true;
    const at = to.modules && row.name.endsWith(')') ? row.name.lastIndexOf(' (') : -1;
    const name = at > 0 ? `${row.name.slice(0, at)}|${row.name.slice(at + 2, -1)}` : `${row.name}|`;
    rows.push(`${dump} ${row.objects} ${row.bytes} ${name}`);
  };
  const counted = new Set<Part>();
  const open = (kind: Part['kind'], modules: boolean, logged: boolean): Part => {
    part = { kind, modules, logged, last: 0, objects: 0, bytes: 0 };
    return part;
  };
  for (const { text, ended } of linesOf(bytes)) {
    const inner = undecorated(text);
    const line = inner ?? text;
    const row = rowIn(line, true);
    if (row !== undefined) {
      if (!ended) {
        if (part === undefined) faulty = true;
        continue;
      }
      const before = part;
      if (before === undefined || before.kind === 'bare') faulty = true;
      const to = before === undefined || before.kind === 'bare' ? open('untitled', true, false) : before;
      if (row.number !== to.last + 1) faulty = true;
      to.last = row.number ?? 0;
      add(to, row);
      continue;
    }
    if (line.trim() === '' || /^-{3,}$/.test(line.trim())) continue;
    const titles = titlesIn(line);
    if (titles !== undefined) {
      close();
      titled = true;
      open('titled', titles, inner !== undefined);
      continue;
    }
    const total = totalIn(line);
    if (total !== undefined) {
      if (part === undefined || total[0] !== part.objects || total[1] !== part.bytes) faulty = true;
      part = undefined;
      continue;
    }
    if (line.length <= 11 && /^[0-9]+:$/.test(line)) {
      if (part?.kind !== 'bare') close();
      continue;
    }
    const bare = inner === undefined ? rowIn(line, false) : undefined;
    const starts = bare === undefined ? false : /^(?:\[|<\w+Klass>|[\p{L}_$])/u.test(bare.name);
    if (bare !== undefined && starts) {
      if (titled || (part !== undefined && part.kind !== 'bare')) {
        if (part !== undefined) faulty = true;
      } else add(part ?? open('bare', true, false), bare);
      continue;
    }
    if (part !== undefined && !(part.logged && inner !== undefined)) faulty = true;
  }
  close();
  return { rows, faulty };
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
