/** What must be seen in a damaged heap profile: a second reading with the JSON parser of the engine, and the rules of docs/formats/heapprofile.md. */
import { functionName } from '../../../models/program/names.js';
import type { Recording } from '../../../models/recording.js';
import { column } from '../../../models/table.js';
import type { Judge } from '../../../testing/fuzz/fuzzed-reader.js';
import { faultOf, hasDuplicateKeys, mustShow, parse } from '../../iprof/testing/iprof-oracle.js';

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);
const isId = (value: unknown): boolean => typeof value === 'number' && Number.isSafeInteger(value);

export interface PlainHeap {
  /** `frames bytes`, frames root first, sorted. */
  readonly rows: readonly string[];
  readonly nodes: number;
  readonly isBroken: boolean;
}

/** Undefined if there is no node. */
export function plainHeap(root: unknown): PlainHeap | undefined {
  if (!isObject(root)) return undefined;
  const rows: string[] = [];
  let [nodes, isBroken] = [0, root.samples !== undefined && !Array.isArray(root.samples)];
  const walk = (value: unknown, above: readonly string[], isTop: boolean): void => {
    const frame = isObject(value) && isObject(value.callFrame) ? value.callFrame : undefined;
    const name = frame?.functionName;
    const children = isObject(value) ? (value.children ?? []) : [];
    // Children of a node that cannot be read have no callers.
    const isNode = isObject(value) && typeof name === 'string';
    if (!isNode || !Array.isArray(children)) isBroken = true;
    const path = isNode ? [...above, ...(isTop && name === '(root)' ? [] : [nameOf(frame ?? {})])] : [];
    if (Array.isArray(children)) for (const child of children) walk(child, path, false);
    if (!isNode) return;
    nodes++;
    if (!isNumber(value.selfSize) || value.selfSize < 0) isBroken = true;
    else if (value.selfSize > 0) rows.push(`${path.join(';')} ${value.selfSize}`);
  };
  if (isObject(root.head)) walk(root.head, [], true);
  else return undefined;
  const samples: readonly unknown[] = Array.isArray(root.samples) ? root.samples : [];
  if (samples.some((each) => !isObject(each) || !isNumber(each.size) || !isId(each.nodeId))) isBroken = true;
  return nodes === 0 ? undefined : { rows: rows.sort(), nodes, isBroken };
}

function nameOf(frame: Json): string {
  const { functionName: name, url, lineNumber } = frame;
  if (typeof name === 'string' && name !== '') return name;
  const file = typeof url === 'string' ? url : '';
  const isLine = isNumber(lineNumber) && isId(lineNumber) && lineNumber >= 0 && lineNumber < 2 ** 31 - 1;
  return file === ''
    ? '(anonymous)'
    : `(anonymous ${file.replace(/^.*[/\\]/s, '')}${isLine ? `:${lineNumber + 1}` : ''})`;
}

/** The rows of a recording in the same words. */
export function heapRows({ profile, program }: Recording): string[] {
  const table = profile?.events[0];
  if (profile === undefined || table === undefined) return [];
  const { stacks } = profile;
  const bytes = column(table, 'bytes');
  return Array.from(column(table, 'stack'), (leaf, row) => {
    const frames: string[] = [];
    for (let id = leaf; id >= 0; id = stacks.parent[id])
      frames.unshift(functionName(program, program.locations.function[stacks.location[id]]));
    return `${frames.join(';')} ${bytes[row]}`;
  }).sort();
}

export function heapProfileOracle(): Judge {
  return (mutated, outcome) => {
    const value = parse(mutated);
    if (value === undefined)
      return { input: 'damaged', ...faultOf(mustShow(mutated, outcome, 'JSON.parse refuses the text')) };
    if (hasDuplicateKeys(value.text, value.root)) return { input: 'ambiguous' };
    const plain = plainHeap(value.root);
    if (plain === undefined || plain.isBroken)
      return { input: 'damaged', ...faultOf(mustShow(mutated, outcome, 'it breaks a rule')) };
    if (outcome.kind === 'refused') return { input: 'sound', fault: { code: 'refused', detail: outcome.message } };
    const { recording } = outcome;
    if (!recording.complete || recording.problems.list.some(({ severity }) => severity === 'error'))
      return { input: 'sound', fault: { code: 'false alarm', detail: recording.problems.list[0]?.message ?? '' } };
    const rows = heapRows(recording);
    const at = plain.rows.findIndex((row, i) => row !== rows[i]);
    return at < 0 && rows.length === plain.rows.length
      ? { input: 'sound' }
      : { input: 'sound', fault: { code: 'differs', detail: `row ${at}: ${plain.rows[at]}, read ${rows[at]}` } };
  };
}
