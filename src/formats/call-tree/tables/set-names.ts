/** Which files of a folder are the tables of one report: names, headings, and the generations of tables. */
import type { Claim, FileSet, NamedMembers } from '../../capabilities/sets.js';
import { memberPaths, splitPath } from '../../shared/member-paths.js';

/** `three`: tables since GraalVM 24.1; `seven`: from 21.3 to 24.0, and in drafts of 2021. */
export type Layout = 'three' | 'seven';

export const METHOD_COLUMNS = 'Id,Name,Type,Parameters,Return,Display,Flags';

export const THREE_TABLES = {
  methods: `${METHOD_COLUMNS},IsEntryPoint`,
  invokes: 'Id,MethodId,BytecodeIndexes,TargetId,IsDirect',
  targets: 'InvokeId,TargetId',
} as const;

export const SEVEN_TABLES = {
  vm: 'Id,Name',
  methods: METHOD_COLUMNS,
  virtual_methods: METHOD_COLUMNS,
  entry_points: 'Id',
  direct_edges: 'StartId,EndId,BytecodeIndexes',
  virtual_edges: 'StartId,EndId,BytecodeIndexes',
  override_by_edges: 'StartId,EndId',
} as const;

export type TableName = keyof typeof THREE_TABLES | keyof typeof SEVEN_TABLES;

const WORDS = [...new Set([...Object.keys(THREE_TABLES), ...Object.keys(SEVEN_TABLES)])].join('|');
/** Prefix of the drafts, table, image, time. Links to the latest report have neither image nor time. */
const TABLE = new RegExp(`^((?:csv_)?)call_tree_(${WORDS})((?:_.{1,200}?)?)((?:_\\d{8}_\\d{6})?)\\.csv(?:\\.gz)?$`);
/** Tables of one run are written one after another: most milliseconds between two of them. */
const SAME_RUN = 60_000;

export interface TableFile {
  readonly table: TableName;
  readonly prefix: string;
  /** Both empty for links. */
  readonly image: string;
  /** `20261121_094728`. */
  readonly time: string;
}

/** What the name of a file says; undefined if it is not that of a table. */
export function tableFileOf(name: string): TableFile | undefined {
  const match = TABLE.exec(name);
  if (match === null) return undefined;
  const [, prefix = '', table = '', image = '', time = ''] = match;
  return !isTable(table) ? undefined : { table, prefix, image: image.slice(1), time: time.slice(1) };
}

function isTable(word: string): word is TableName {
  return word in THREE_TABLES || word in SEVEN_TABLES;
}

interface Found {
  readonly folder: string;
  readonly prefix: string;
  readonly image: string;
  readonly times: string[];
  readonly parts: Map<string, string>;
}

/** The reports of a tree; time: linear in the number of members, times the number of times of an image. */
export function claimCallTrees(tree: NamedMembers, wanted?: string): Claim | undefined {
  const found = joinedByTime([...byName(tree).values()]);
  const isWanted = ({ parts }: Found): boolean => wanted !== undefined && [...parts.values()].includes(wanted);
  const dated = found.filter(
    (set) => !isLink(set) || isWanted(set) || !found.some((other) => !isLink(other) && beside(set, other)),
  );
  const first = dated[0];
  if (first === undefined) return undefined;
  return {
    title: 'GraalVM call tree report as tables (CSV)',
    because: `the tables ${[...first.parts.keys()].sort().join(', ')}, ${generation(first.parts)}`,
    recordings: dated.map(({ folder, parts }): FileSet => ({ folder, parts })),
  };
}

function byName(tree: NamedMembers): Map<string, Found> {
  const sets = new Map<string, Found>();
  for (const path of memberPaths(tree)) {
    const [folder, name] = splitPath(path);
    const file = tableFileOf(name);
    if (file === undefined) continue;
    const { prefix, image, time } = file;
    const key = `${folder}/${prefix}/${image}/${time}`;
    const set = sets.get(key) ?? { folder, prefix, image, times: [time], parts: new Map<string, string>() };
    set.parts.set(file.table, path);
    sets.set(key, set);
  }
  return sets;
}

/** Joins parts whose names have times of one run. They come in the order of their names, so of their times. */
function joinedByTime(sets: readonly Found[]): Found[] {
  const joined: Found[] = [];
  const ordered = [...sets].sort((a, b) => (a.times[0] ?? '').localeCompare(b.times[0] ?? '', 'en'));
  for (const set of ordered) {
    const open = isWhole(set.parts) ? undefined : joined.findLast((other) => continues(other, set));
    if (open === undefined) joined.push(set);
    else {
      open.times.push(...set.times);
      for (const [table, path] of set.parts) open.parts.set(table, path);
    }
  }
  return joined.filter(({ parts }) => parts.has('methods')).sort((a, b) => (pathOf(a) < pathOf(b) ? -1 : 1));
}

const pathOf = ({ parts }: Found): string => parts.get('methods') ?? '';

function continues(before: Found, set: Found): boolean {
  if (!beside(before, set) || before.prefix !== set.prefix || before.image !== set.image) return false;
  if (isWhole(before.parts) || [...set.parts.keys()].some((table) => before.parts.has(table))) return false;
  return milliseconds(set.times[0]) - milliseconds(before.times.at(-1)) <= SAME_RUN;
}

function milliseconds(time = ''): number {
  const [, year, month, day, hour, minute, second] = /^(\d{4})(\d\d)(\d\d)_(\d\d)(\d\d)(\d\d)$/.exec(time) ?? [];
  return Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second));
}

const beside = (a: Found, b: Found): boolean => a.folder === b.folder;
const isLink = ({ image, times }: Found): boolean => image === '' && times[0] === '';

/** All tables of a generation, except that of the one row. */
function isWhole(parts: ReadonlyMap<string, string>): boolean {
  const has = (tables: object) => Object.keys(tables).every((table) => table === 'vm' || parts.has(table));
  return has(THREE_TABLES) || has(SEVEN_TABLES);
}

function generation(parts: ReadonlyMap<string, string>): string {
  if (parts.has('invokes') || parts.has('targets')) return 'written by GraalVM 24.1 or later';
  return parts.size > 1 ? 'written by GraalVM before 24.1' : 'without their calls';
}

/** The file of a table in a set that is written as `output`: `reports/call_tree_hello_20261121_094728.csv`. */
export function tableFileName(table: string, output: string): string {
  const slash = output.lastIndexOf('/') + 1;
  const rest = output.slice(slash).replace(/^call_tree(?=[_.])/, '');
  return `${output.slice(0, slash)}call_tree_${table}${/^[_.]/.test(rest) ? '' : '_'}${rest}`;
}

/** The link to the latest report of any image, as the builder makes it beside each table. */
export function tableLinkName(table: string, output: string): string {
  const folder = output.slice(0, output.lastIndexOf('/') + 1);
  return `${folder}call_tree_${table}.csv${output.endsWith('.gz') ? '.gz' : ''}`;
}
