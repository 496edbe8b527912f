/**
 * What must be seen in a callgrind file that may be damaged: a second reading of it by patterns, and the rules of docs/formats/callgrind.md. Costs are
 * summed by file and function, as callgrind_annotate does.
 */
import { stringAt } from '../../../base/text.js';
import { ARCS } from '../../../models/profile/tables.js';
import type { Program } from '../../../models/program/program.js';
import type { Recording } from '../../../models/recording.js';
import { column } from '../../../models/table.js';
import type { Judge } from '../../../testing/fuzz/fuzzed-reader.js';
import { faultOf, mustShow } from '../../iprof/testing/iprof-oracle.js';

export interface PlainCallgrind {
  /** `event object|file|function` or `event object|file|function⇥object|file|function` → cost; `calls …` → calls. */
  readonly sums: ReadonlyMap<string, number>;
  readonly isBroken: boolean;
  readonly lines: number;
}

interface Place {
  ob: string;
  file: string;
  outer: string;
  fn: string | undefined;
}

const COST = /^(?:[*]|[+-]?(?:\d+|0x[0-9a-fA-F]+))(?:\s|$)/;
const WORD = /^(?:[*]|[+-]?(?:\d+|0x[0-9a-fA-F]+))$/;

interface Called {
  ob?: string;
  file?: string;
  fn?: string;
  count?: number | undefined;
}

/** Reads line by line. */
class PlainReader {
  readonly sums = new Map<string, number>();
  readonly totals = new Map<string, number>();
  isBroken = false;
  lines = 0;
  #events: readonly string[] = [];
  #positions = 1;
  #hasSummary = false;
  readonly #names = { ob: new Map<string, string>(), fl: new Map<string, string>(), fn: new Map<string, string>() };
  readonly #place: Place = { ob: '', file: '', outer: '', fn: undefined };
  #called: Called = {};

  line(line: string): void {
    if (line === '' || line.startsWith('#')) return;
    if (/^[\d*+-]/.test(line)) this.#cost(line);
    else if (line.startsWith('calls=')) this.#calls(line);
    else if (!/^j(?:ump|cnd)=/.test(line)) {
      const name = /^(c?ob|c?f[lien]|cfi|cfl|cfn|jf[in])=(?:\((\d+)\))? *(.*)$/s.exec(line);
      if (name === null) this.#header(line);
      else this.#name(name[1] ?? '', name[2], name[3] ?? '');
    }
  }

  #add(key: string, value: number): void {
    this.sums.set(key, (this.sums.get(key) ?? 0) + value);
  }

  #cost(line: string): void {
    const words = line.trimEnd().split(/\s+/);
    const costs = words.slice(this.#positions).map((word) => (word === '.' ? 0 : Number(word)));
    const { ob, file, outer, fn } = this.#place;
    const { count } = this.#called;
    this.#called.count = undefined;
    if (!isCostLine(words, this.#positions) || fn === undefined || costs.length > this.#events.length) {
      this.isBroken = true;
      return;
    }
    if (count === undefined) {
      if (costs.some((cost) => cost !== 0)) this.lines++;
      for (const [i, cost] of costs.entries())
        if (cost !== 0) this.#add(`${this.#events[i]} ${ob}|${file}|${fn}`, cost);
      return;
    }
    const target = this.#called;
    const pair = `${ob}|${outer}|${fn}\t${target.ob ?? ob}|${target.file ?? file}|${target.fn ?? ''}`;
    this.#add(`calls ${pair}`, count);
    for (const [i, cost] of costs.entries()) if (cost !== 0) this.#add(`${this.#events[i]} ${pair}`, cost);
    this.#called = {};
  }

  #calls(line: string): void {
    const count = /^calls=(\d+)(?:\s|$)/.exec(line)?.[1];
    if (count === undefined || this.#called.fn === undefined) this.isBroken = true;
    else this.#called.count = Number(count);
  }

  #name(key: string, number: string | undefined, text: string): void {
    const table = this.#names[key.endsWith('ob') ? 'ob' : key.endsWith('fn') ? 'fn' : 'fl'];
    const plain = text === '???' ? '' : text;
    if (number !== undefined && text !== '') table.set(number, plain);
    const name = number === undefined ? plain : (table.get(number) ?? `(${number})`);
    const place = this.#place;
    if (key === 'ob') place.ob = name;
    else if (/^f[lie]$/.test(key)) place.file = name;
    else if (key === 'fn') [place.fn, place.outer] = [name, place.file];
    else if (key === 'cob') this.#called.ob = name;
    else if (key === 'cfi' || key === 'cfl') this.#called.file = name;
    else if (key === 'cfn') this.#called.fn = name;
  }

  #header(line: string): void {
    const [, key, value = ''] = /^([a-zA-Z]+): *(.*)$/s.exec(line) ?? [];
    const words = value.split(/\s+/).filter((word) => word !== '');
    if (key === undefined) this.isBroken = true;
    if (key === 'events') this.#events = words;
    if (key === 'positions') this.#positions = words.length;
    if (key !== 'summary' && (key !== 'totals' || this.#hasSummary)) return;
    this.#hasSummary ||= key === 'summary';
    for (const [i, word] of value.trimEnd().split(/\s+/).entries()) {
      const event = this.#events[i];
      if (event !== undefined) this.totals.set(event, (this.totals.get(event) ?? 0) + Number(word));
    }
  }
}

export function plainCallgrind(bytes: Uint8Array): PlainCallgrind {
  const reader = new PlainReader();
  for (const line of new TextDecoder().decode(bytes).replaceAll('\r\n', '\n').split('\n')) reader.line(line);
  const { sums, totals, lines } = reader;
  return { sums, lines, isBroken: reader.isBroken || isTotalWrong(totals, sums) };
}

function isCostLine(words: readonly string[], positions: number): boolean {
  const costs = words.slice(positions).map((word) => (word === '.' ? 0 : Number(word)));
  return (
    COST.test(words.join(' ')) &&
    words.length >= positions &&
    words.slice(0, positions).every((word) => WORD.test(word)) &&
    costs.every(Number.isFinite)
  );
}

function isTotalWrong(totals: ReadonlyMap<string, number>, sums: ReadonlyMap<string, number>): boolean {
  return [...totals].some(([event, total]) => {
    let sum = 0;
    for (const [key, value] of sums) if (key.startsWith(`${event} `) && !key.includes('\t')) sum += value;
    return Number.isFinite(total) && Math.abs(sum - total) > Math.max(2, total / 1e4);
  });
}

function functionText({ functions, names, units, loadObjects }: Program, id: number): string {
  const text = (name: number | undefined): string => (name === undefined || name < 0 ? '' : stringAt(names, name));
  const object = units?.loadObject[functions.unit?.[id] ?? -1] ?? -1;
  return `${object < 0 ? '' : text(loadObjects?.path[object])}|${text(functions.file?.[id])}|${text(functions.name[id])}`;
}

/** The same sums of a recording. */
export function callgrindSums({ profile, program }: Recording): Map<string, number> {
  const sums = new Map<string, number>();
  const add = (key: string, value: number): void => {
    if (value !== 0 || key.startsWith('calls ')) sums.set(key, (sums.get(key) ?? 0) + value);
  };
  const table = profile?.events[0];
  if (profile === undefined || table === undefined || profile.arcs === undefined) return sums;
  const { caller, callee, calls } = ARCS.rows(profile.arcs);
  for (let row = 0; row < profile.arcs.length; row++)
    add(`calls ${functionText(program, caller[row])}\t${functionText(program, callee[row])}`, calls[row]);
  for (const { id, field, arcField } of profile.metrics) {
    if (field === undefined || arcField === undefined) continue;
    const values = column(table, field);
    for (const [row, stack] of column(table, 'stack').entries())
      add(`${id} ${functionText(program, program.locations.function[profile.stacks.location[stack]])}`, values[row]);
    const costs = column(profile.arcs, arcField);
    for (let row = 0; row < profile.arcs.length; row++)
      add(`${id} ${functionText(program, caller[row])}\t${functionText(program, callee[row])}`, costs[row]);
  }
  return sums;
}

export function callgrindOracle(): Judge {
  return (mutated, outcome) => {
    const plain = plainCallgrind(mutated);
    if (plain.isBroken || plain.lines === 0)
      return { input: 'damaged', ...faultOf(mustShow(mutated, outcome, 'a line or the sum is wrong')) };
    if (outcome.kind === 'refused') return { input: 'sound', fault: { code: 'refused', detail: outcome.message } };
    const errors = outcome.recording.problems.list.filter(({ severity }) => severity === 'error');
    if (errors[0] !== undefined) return { input: 'sound', fault: { code: 'false alarm', detail: errors[0].message } };
    const ids = outcome.recording.profile?.metrics.map(({ id }) => id) ?? [];
    // Names of events that are spelled otherwise in ids, or twice, and texts that are not UTF-8 are not compared.
    const events = new Set([...plain.sums.keys()].map((key) => key.split(' ')[0] ?? ''));
    if ([...events].some((event) => event !== 'calls' && !ids.includes(event))) return { input: 'ambiguous' };
    const sums = callgrindSums(outcome.recording);
    for (const [key, value] of plain.sums)
      if (Math.abs((sums.get(key) ?? 0) - value) > 1e-6 * Math.abs(value))
        return { input: 'sound', fault: { code: 'differs', detail: `${key}: ${value}, ${sums.get(key)} read` } };
    return { input: 'sound' };
  };
}

/** Offsets at which lines begin. */
export function lineEdges(bytes: Uint8Array): number[] {
  const edges: number[] = [];
  for (let at = 0; at < bytes.length; at++) if (at === 0 || bytes[at - 1] === 10) edges.push(at);
  return edges;
}
