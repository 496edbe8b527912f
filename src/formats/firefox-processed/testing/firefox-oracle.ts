/**
 * What must be seen in a processed profile that may be damaged: a second reading with the JSON parser of the engine. Documents that break a rule in
 * another way than by their syntax are not judged, unless tables point to rows that there are not.
 */
import { functionName } from '../../../models/program/names.js';
import type { Recording } from '../../../models/recording.js';
import { column } from '../../../models/table.js';
import type { Judge } from '../../../testing/fuzz/fuzzed-reader.js';
import { faultOf, hasDuplicateKeys, mustShow, parse } from '../../iprof/testing/iprof-oracle.js';

type Json = Readonly<Record<string, unknown>>;
type Cells = readonly (number | null)[];

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const COLUMNS = ['frame', 'prefix', 'prefixOffset', 'func', 'line', 'category', 'address', 'name', 'isJS', 'resource'];
const MORE = ['fileName', 'source', 'lineNumber', 'columnNumber', 'type', 'filename', 'stack', 'time', 'timeDeltas'];
const READ: ReadonlySet<string> = new Set([...COLUMNS, ...MORE, 'weight', 'startTime', 'endTime', 'phase']);
const TABLES = ['stackTable', 'frameTable', 'funcTable', 'resourceTable', 'sources', 'samples', 'markers'] as const;
type TableName = (typeof TABLES)[number];

/** Rows `thread frames weight` of the samples with stacks; undefined if a rule is broken. */
export function plainSamples(root: unknown): string[] | undefined {
  if (!isObject(root) || !isObject(root.meta) || typeof root.meta.preprocessedProfileVersion !== 'number')
    return undefined;
  if (!Array.isArray(root.threads) || root.threads.length === 0 || !root.threads.every(isObject)) return undefined;
  if (root.shared !== undefined && !isObject(root.shared)) return undefined;
  const shared = isObject(root.shared) ? root.shared : {};
  const threads: readonly Json[] = root.threads;
  if (![shared, ...threads].every(isPlain)) return undefined;
  const rows: string[] = [];
  for (const [i, thread] of threads.entries()) {
    const cells = (table: TableName, key: string): Cells => {
      const tables = isObject(thread[table]) ? thread : shared;
      const list = isObject(tables[table]) ? tables[table][key] : undefined;
      return Array.isArray(list)
        ? list.map((cell) => (typeof cell === 'number' ? cell : cell === true ? 1 : null))
        : [];
    };
    const strings = Array.isArray(thread.stringArray) ? thread.stringArray : shared.stringArray;
    const added = threadRows(i, cells, Array.isArray(strings) ? strings.map(String) : [], thread);
    if (added === undefined) return undefined;
    rows.push(...added);
  }
  return rows;
}

function isPlain(tables: Json): boolean {
  return TABLES.every((name) => {
    const table = tables[name];
    if (table === undefined) return true;
    if (!isObject(table)) return false;
    return Object.entries(table).every(
      ([key, list]) =>
        !READ.has(key) ||
        list === null ||
        (Array.isArray(list) &&
          list.every((cell) => cell === null || typeof cell === 'boolean' || Number.isFinite(cell))),
    );
  });
}

function threadRows(
  index: number,
  cells: (table: TableName, key: string) => Cells,
  strings: readonly string[],
  thread: Json,
): string[] | undefined {
  const [frame, prefix] = [cells('stackTable', 'frame'), cells('stackTable', 'prefix')];
  const [offset, func, names] = [
    cells('stackTable', 'prefixOffset'),
    cells('frameTable', 'func'),
    cells('funcTable', 'name'),
  ];
  const framesOf = (row: number): string[] | undefined => {
    const frames: string[] = [];
    for (let at = row; ; ) {
      const name = nameOf(names[func[frame[at] ?? -1] ?? -1], func[frame[at] ?? -1] ?? -1, cells, strings);
      if (name === undefined) return undefined;
      frames.unshift(name);
      const above = offset.length > 0 ? at - (offset[at] ?? Number.NaN) : (prefix[at] ?? -1);
      const isRoot = offset.length > 0 ? offset[at] === 0 : above === -1;
      if (isRoot) return frames;
      if (!Number.isInteger(above) || !(above >= 0) || !(above < at)) return undefined;
      at = above;
    }
  };
  const weights = cells('samples', 'weight');
  const times = cells('samples', 'time').length > 0 ? cells('samples', 'time') : cells('samples', 'timeDeltas');
  const rows: string[] = [];
  for (const [i, stack] of cells('samples', 'stack').entries()) {
    if (i >= times.length || times.slice(0, i + 1).includes(null)) return undefined;
    if (stack === null) continue;
    const frames = framesOf(stack);
    if (frames === undefined) return undefined;
    rows.push(`${index} ${frames.join(';')} ${weights[i] ?? 1}`);
  }
  const { weightType = 'samples' } = isObject(thread.samples) ? thread.samples : {};
  return weightType === 'samples' || rows.length === 0 ? rows : undefined;
}

function nameOf(
  name: number | null | undefined,
  row: number,
  cells: (table: TableName, key: string) => Cells,
  strings: readonly string[],
): string | undefined {
  if (name === null || name === undefined || strings[name] === undefined) return undefined;
  const text = strings[name] ?? '';
  if (cells('funcTable', 'isJS')[row] !== 1 || (text !== '' && text !== '(anonymous)')) return text;
  const source = cells('sources', 'filename')[cells('funcTable', 'source')[row] ?? -1];
  const file = strings[cells('funcTable', 'fileName')[row] ?? source ?? -1] ?? '';
  const line = cells('funcTable', 'lineNumber')[row];
  if (file === '') return '(anonymous)';
  return `(anonymous ${file.replace(/^.*[/\\]/s, '')}${typeof line === 'number' && line >= 1 && line <= 2 ** 31 ? `:${line}` : ''})`;
}

/** The same rows of a recording. */
export function sampleRows({ profile, program }: Recording): string[] {
  const table = profile?.events.find(({ kind }) => kind === 'sample');
  if (profile === undefined || table === undefined) return [];
  const { stacks } = profile;
  const [thread, count] = [column(table, 'thread'), column(table, 'count')];
  return Array.from(column(table, 'stack'), (leaf, row) => {
    const frames: string[] = [];
    for (let id = leaf; id >= 0; id = stacks.parent[id])
      frames.unshift(functionName(program, program.locations.function[stacks.location[id]]));
    return `${thread[row]} ${frames.join(';')} ${count[row]}`;
  });
}

export function firefoxOracle(): Judge {
  return (mutated, outcome) => {
    const value = parse(mutated);
    if (value === undefined)
      return { input: 'damaged', ...faultOf(mustShow(mutated, outcome, 'JSON.parse refuses the text')) };
    if (hasDuplicateKeys(value.text, value.root)) return { input: 'ambiguous' };
    const plain = plainSamples(value.root);
    if (plain === undefined) return { input: 'ambiguous' };
    if (outcome.kind === 'refused') return { input: 'sound', fault: { code: 'refused', detail: outcome.message } };
    const rows = sampleRows(outcome.recording);
    const at = plain.findIndex((row, i) => row !== rows[i]);
    return at < 0 && rows.length === plain.length
      ? { input: 'sound' }
      : { input: 'sound', fault: { code: 'differs', detail: `row ${at}: ${plain[at]}, read ${rows[at]}` } };
  };
}
