/** Summaries of functions: all metrics of each, with the facts of its code. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileName } from '../../models/program/names.js';
import { plainPath } from '../../session/together/marked-path.js';
import { type CodeRows, readAllInlined } from './code/places.js';
import { functionGrouping, functionList } from './functions.js';
import type { Listing } from './list.js';
import { type BaseMetric, type ShownMetric, sortTitle, titleOf } from './metrics.js';
import { addressText, fixed } from './numbers.js';
import { copyOfFile } from './peer/copies.js';
import type { Experiment } from './peer/experiment.js';
import { DYNAMIC_FUNCTIONS } from './peer/generated.js';
import { type JavaFacts, type PeerFunction, TOTAL } from './peer/peer-program.js';
import { plainMetrics } from './several/compare.js';
import type { PrintState } from './state.js';
import { valueText } from './table.js';
import { type Asked, type Grouping, type RowValues, shownValue } from './values.js';

const UNKNOWN = '(unknown)';

/** The summaries of the functions of a list, or of the given one; undefined if that has no values. */
export async function summaryText(asked: Asked, current: PrintState, only?: number): Promise<string | undefined> {
  const state = withoutGroups(current);
  await readAllInlined(asked, state);
  // They show sizes, so functions of equal values are in the order of those.
  const sizes = state.bases
    .filter(({ id }) => id === 'size')
    .map((base): ShownMetric => ({ base, flavour: undefined, value: true, share: false }));
  const list = await functionList(asked, { ...state, metrics: [...state.metrics, ...sizes] });
  const all = only === undefined ? list.rows : list.rows.filter(({ row }) => row === only);
  if (only !== undefined && all.length === 0) return undefined;
  const { functions } = asked.experiment;
  const title = only === undefined ? `Functions sorted by metric: ${sortTitle(state.sorting)}\n\n` : '';
  const subjects = all.map(({ row, name }): Subject => ({ row, name, of: functions[row] ?? TOTAL }));
  const limited = only === undefined ? state : { ...state, limit: 0 };
  return title + (await summaries(asked, limited, functionGrouping(asked), subjects));
}

/** Summaries are of all groups of a comparison. */
export function withoutGroups(state: PrintState): PrintState {
  const { metric, reversed } = state.sorting;
  const [plain = metric] = plainMetrics([metric]);
  return { ...state, metrics: plainMetrics(state.metrics), sorting: { metric: plain, reversed } };
}

/** The summaries of lines or places. */
export async function codeSummaryText(asked: Asked, state: PrintState, list: Listing, rows: CodeRows): Promise<string> {
  const { functions, program } = asked.experiment;
  const subjects = list.rows.map(({ row, name }): Subject => {
    if (row < 0) return { row, name, of: TOTAL };
    const { start, size } = rows.facts(row);
    return {
      row,
      name,
      of: { ...(functions[program.locations.function[rows.location[row] ?? -1]] ?? TOTAL), start, size },
    };
  });
  const title = `Objects sorted by metric: ${sortTitle(state.sorting)}\n\n`;
  return title + (await summaries(asked, state, rows.grouping, subjects));
}

/** What a summary is about: a row of a grouping, with the facts of its code. */
interface Subject {
  readonly row: number;
  readonly name: string;
  readonly of: PeerFunction;
}

async function summaries(
  asked: Asked,
  state: PrintState,
  grouping: Grouping,
  all: readonly Subject[],
): Promise<string> {
  const values = new Map<BaseMetric, RowValues>();
  for (const base of state.bases) if (base.kind !== 'static') values.set(base, await asked.byRow(base, grouping));
  const parts: string[] = [];
  for (const each of state.limit > 0 ? all.slice(0, state.limit) : all)
    parts.push(await oneSummary(asked, state, each, values));
  return parts.join('\n');
}

async function oneSummary(
  { experiment }: Asked,
  { code }: PrintState,
  { row, name, of }: Subject,
  values: ReadonlyMap<BaseMetric, RowValues>,
): Promise<string> {
  const flows = [...values].flatMap(([base, own]) =>
    (['e', 'i'] as const).map((flavour) => {
      const metric: ShownMetric = { base, flavour, value: true, share: true };
      const value = row < 0 ? own.sum : shownValue(metric, own, row);
      const text = valueText(metric, value);
      const share = value === 0 || own.sum === 0 ? '  0. ' : fixed((100 * value) / own.sum, 1).padStart(5);
      return {
        title: titleOf(metric),
        value: text.endsWith('.') ? `${text}   ` : text,
        sum: valueText(metric, own.sum),
        share: base.kind === 'ratio' ? '' : ` (${share}%)`,
      };
    }),
  );
  const width = Math.max(...flows.map(({ sum }) => (sum.endsWith('.') ? sum.length + 3 : sum.length)));
  const facts = await factsOf(experiment, of, code.folder);
  const labels = Math.max(...flows.map(({ title }) => title.length), ...facts.map(([label]) => label.length));
  const size: readonly [string, string] = ['Size', String(of.size).padStart(width)];
  const lines = [
    ...flows.map(({ title, value, share }) => [title, `${value.padStart(width)}${share}`] as const),
    size,
    ...facts,
  ];
  const text = lines.map(([label, value]) => `\t${label.padStart(labels)}: ${value}`.trimEnd());
  return `${name}\n${text.join('\n')}\n`;
}

type Fact = readonly [label: string, value: string];

async function factsOf(experiment: Experiment, of: PeerFunction, folder: string): Promise<Fact[]> {
  if (of.java !== undefined) return factsOfMethod(of, of.java);
  const { source, object } = await filesOf(experiment, of, folder);
  return [
    ['PC Address', addressText(of.object, of.address ?? of.start)],
    ['Source File', source],
    ['Object File', object],
    ['Load Object', plainPath(of.path ?? of.pseudoPath ?? '<Unknown>')],
    ['Mangled Name', of.symbol ?? ''],
    ['Aliases', (of.aliases ?? []).join(', ')],
  ];
}

function factsOfMethod({ object, start, short }: PeerFunction, { className, source }: JavaFacts): Fact[] {
  return [
    ['PC Address', addressText(object, start)],
    ['Source File', source],
    ['Object File', className],
    ['Load Object', `${className.replaceAll('.', '/')}.class`],
    ['Mangled Name', short],
    ['Aliases', ''],
  ];
}

/** The path of the source of a function; with `strict`, undefined of code that gprofng takes for that of no unit. */
async function sourceOf({ strict, code }: Experiment, { source, path, start }: PeerFunction) {
  if (!strict || source === undefined || path === undefined) return source;
  const place = await code.at(path, start);
  return place !== undefined && place.unit === undefined ? undefined : source;
}

/** The copies of the source and of the load object in the experiment, for functions whose source is known. */
async function filesOf(
  experiment: Experiment,
  of: PeerFunction,
  folder: string,
): Promise<{ readonly source: string; readonly object: string }> {
  const { path } = of;
  const source = await sourceOf(experiment, of);
  if (source === undefined || path === undefined || experiment.open === undefined)
    return { source: UNKNOWN, object: UNKNOWN };
  const copy = async (file: string): Promise<string> => (await copyOfFile(experiment, file, path)) ?? fileName(file);
  const shown = await copy(source);
  // gprofng looks for a file that the experiment has no copy of in its own folder first.
  const isBeside = experiment.strict && shown === source && existsSync(join(folder, fileName(source)));
  return {
    source: isBeside ? fileName(source) : shown,
    object: plainPath(path) === DYNAMIC_FUNCTIONS ? UNKNOWN : await copy(path),
  };
}
