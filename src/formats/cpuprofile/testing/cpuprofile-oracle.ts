/** What must be seen in a damaged CPU profile: a second reading with the JSON parser of the engine, and the rules of docs/formats/cpuprofile.md. */
import { functionName } from '../../../models/program/names.js';
import type { Recording } from '../../../models/recording.js';
import { column } from '../../../models/table.js';
import type { Judge } from '../../../testing/fuzz/fuzzed-reader.js';
import { faultOf, hasDuplicateKeys, mustShow, parse } from '../../iprof/testing/iprof-oracle.js';

type Json = Readonly<Record<string, unknown>>;

interface PlainNode {
  readonly name: string;
  parent: number | undefined;
  readonly hits: number;
}

export interface PlainProfile {
  /** A line a sample: frames, root first, and its time in nanoseconds; of profiles without times the number of samples. */
  readonly rows: readonly string[];
  readonly isBroken: boolean;
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < 2 ** 31;
const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);

function nameOf(frame: Json): string | undefined {
  const { functionName: name, url, lineNumber } = frame;
  if (typeof name !== 'string') return undefined;
  const file = typeof url === 'string' ? url : '';
  if (name !== '') return name;
  const isLine = typeof lineNumber === 'number' && Number.isSafeInteger(lineNumber) && lineNumber >= 0;
  const line = isLine && lineNumber < 2 ** 31 - 1 ? `:${lineNumber + 1}` : '';
  return file === '' ? '(anonymous)' : `(anonymous ${file.replace(/^.*[/\\]/s, '')}${line})`;
}

/** Undefined if the value has no node. */
export function plainProfile(root: unknown): PlainProfile | undefined {
  if (!isObject(root)) return undefined;
  const nodes = new Map<number, PlainNode>();
  const ids = new Map<unknown, number>();
  const isTree = isObject(root.head) && !Array.isArray(root.nodes);
  let isBroken = isTree ? walkTree(root.head, nodes, ids) : readNodes(list(root.nodes), nodes, ids);
  if (nodes.size === 0) return undefined;
  for (const key of ['samples', 'timeDeltas', 'timestamps', 'nodes'])
    if (root[key] !== undefined && !Array.isArray(root[key])) isBroken = true;
  if (root.head !== undefined && !isTree) isBroken = true;
  for (const key of ['startTime', 'endTime']) if (root[key] !== undefined && !isNumber(root[key])) isBroken = true;
  const stack = (id: number): string[] | undefined => {
    const frames: string[] = [];
    const seenSet = new Set<number>();
    for (let at: number | undefined = id; at !== undefined; at = nodes.get(at)?.parent) {
      if (seenSet.has(at)) return undefined;
      seenSet.add(at);
      frames.unshift(nodes.get(at)?.name ?? '');
    }
    return frames[0] === '(root)' ? frames.slice(1) : frames;
  };
  const deltas = list(root.timeDeltas);
  const stamps = list(root.timestamps);
  const samples = list(root.samples);
  const rows: string[] = [];
  if (samples.length === 0 || deltas.length + stamps.length === 0) {
    for (const [id, { hits }] of nodes) {
      const frames = stack(id);
      if (frames === undefined) isBroken = true;
      else if (hits > 0 && frames.length > 0) rows.push(`${frames.join(';')} ${hits}`);
    }
    return { rows, isBroken };
  }
  const times = timesOf(deltas, stamps, isNumber(root.startTime) ? root.startTime * (isTree ? 1e6 : 1) : 0);
  if ([...samples, ...deltas, ...stamps].some((value) => typeof value !== 'number')) isBroken = true;
  if (samples.length > times.length) isBroken = true;
  const length = Math.min(samples.length, times.length);
  for (let i = 0; i < length; i++) {
    const id = isTree ? ids.get(samples[i]) : typeof samples[i] === 'number' ? Number(samples[i]) : undefined;
    const frames = id === undefined || !nodes.has(id) ? undefined : stack(id);
    if (frames === undefined) isBroken = true;
    else if (frames.length > 0)
      rows.push(`${frames.join(';')} ${((i + 1 < length ? times[i + 1] : times[i]) - times[i]) * 1e3}`);
  }
  return { rows, isBroken };
}

function timesOf(deltas: readonly unknown[], stamps: readonly unknown[], start: number): number[] {
  let [elapsed, latest] = [0, 0];
  const first = isNumber(stamps[0]) ? stamps[0] : Number.NaN;
  const origin = start === 0 ? first : Math.min(start, first);
  return (deltas.length > 0 ? deltas : stamps).map((value) => {
    const time = isNumber(value) ? value : Number.NaN;
    if (deltas.length > 0 && !Number.isNaN(time)) elapsed += time;
    if (deltas.length === 0 && !Number.isNaN(time - origin)) elapsed = time - origin;
    latest = Math.max(latest, elapsed);
    return latest;
  });
}

function isBrokenCount(node: Json): boolean {
  const ticks = list(node.positionTicks);
  return (
    (node.hitCount !== undefined && !isCount(node.hitCount)) ||
    ticks.some((each) => !isObject(each) || !isCount(each.line) || !isCount(each.ticks))
  );
}

function readNodes(values: readonly unknown[], nodes: Map<number, PlainNode>, ids: Map<unknown, number>): boolean {
  let isBroken = false;
  const edges: [number, unknown][] = [];
  for (const value of values) {
    const id = isObject(value) ? value.id : undefined;
    const frame = isObject(value) && isObject(value.callFrame) ? value.callFrame : undefined;
    const name = frame && nameOf(frame);
    if (
      !isObject(value) ||
      typeof id !== 'number' ||
      !Number.isSafeInteger(id) ||
      name === undefined ||
      nodes.has(id)
    ) {
      isBroken = true;
      continue;
    }
    if (isBrokenCount(value)) isBroken = true;
    ids.set(id, id);
    nodes.set(id, { name, parent: undefined, hits: isCount(value.hitCount) ? value.hitCount : 0 });
    if (typeof value.parent === 'number') edges.push([value.parent, id]);
    for (const child of list(value.children)) edges.push([id, child]);
  }
  for (const [parent, child] of edges) {
    const node = typeof child === 'number' ? nodes.get(child) : undefined;
    if (node === undefined || !nodes.has(parent) || (node.parent !== undefined && node.parent !== parent))
      isBroken = true;
    else node.parent = parent;
  }
  return isBroken;
}

function walkTree(head: unknown, nodes: Map<number, PlainNode>, ids: Map<unknown, number>): boolean {
  let isBroken = false;
  let count = 0;
  const walk = (value: unknown, parent: number | undefined): void => {
    const name = isObject(value) ? nameOf(isObject(value.callFrame) ? value.callFrame : value) : undefined;
    const number = count++;
    if (isObject(value)) for (const child of list(value.children)) walk(child, number);
    if (!isObject(value) || name === undefined) {
      isBroken = true;
      return;
    }
    if (value.children !== undefined && !Array.isArray(value.children)) isBroken = true;
    if (typeof value.id !== 'number' || ids.has(value.id)) isBroken = true;
    else ids.set(value.id, number);
    if (isBrokenCount(value)) isBroken = true;
    nodes.set(number, { name, parent, hits: isCount(value.hitCount) ? value.hitCount : 0 });
  };
  walk(head, undefined);
  return isBroken;
}

/** The rows of a recording in the same words. */
export function seenRows({ profile, program }: Recording): string[] {
  const table = profile?.events[0];
  if (profile === undefined || table === undefined) return [];
  const { stacks } = profile;
  const values = table.columns.spent ?? column(table, 'count');
  const leaf = column(table, 'stack');
  return Array.from({ length: table.length }, (_, row) => {
    const frames: string[] = [];
    for (let id = leaf[row]; id >= 0; id = stacks.parent[id])
      frames.unshift(functionName(program, program.locations.function[stacks.location[id]]));
    return `${frames.join(';')} ${values[row]}`;
  });
}

export function cpuProfileOracle(): Judge {
  return (mutated, outcome) => {
    const value = parse(mutated);
    if (value === undefined)
      return { input: 'damaged', ...faultOf(mustShow(mutated, outcome, 'JSON.parse refuses the text')) };
    if (hasDuplicateKeys(value.text, value.root)) return { input: 'ambiguous' };
    const plain = plainProfile(value.root);
    if (plain === undefined) return { input: 'damaged', ...faultOf(mustShow(mutated, outcome, 'it has no node')) };
    if (plain.isBroken) return { input: 'damaged', ...faultOf(mustShow(mutated, outcome, 'it breaks a rule')) };
    if (outcome.kind === 'refused') return { input: 'sound', fault: { code: 'refused', detail: outcome.message } };
    const { recording } = outcome;
    if (!recording.complete || recording.problems.list.some(({ severity }) => severity === 'error'))
      return { input: 'sound', fault: { code: 'false alarm', detail: recording.problems.list[0]?.message ?? '' } };
    const readRows = seenRows(recording);
    const at = plain.rows.findIndex((row, i) => row !== readRows[i]);
    return at < 0 && readRows.length === plain.rows.length
      ? { input: 'sound' }
      : { input: 'sound', fault: { code: 'differs', detail: `row ${at}: ${plain.rows[at]}, read ${readRows[at]}` } };
  };
}

/** Offsets at which objects and lists begin. */
export function jsonEdges(bytes: Uint8Array): number[] {
  const edges: number[] = [];
  for (let at = 0; at < bytes.length; at++) if (bytes[at] === 0x7b || bytes[at] === 0x5b) edges.push(at);
  return edges;
}
