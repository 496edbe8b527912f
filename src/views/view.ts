/**
 * What a view is: a question's options, the shape of its answer, and the code that answers.
 *
 * The shape is one zod schema beside the view. It types the code, gives the columns of a listing their titles and units,
 * and is published as JSON Schema under docs/schema; real output is validated against it in the tests.
 */
import { z } from 'zod';
import type { ExecutedGroups } from '../analysis/pgo/executed.js';
import { MissingError, UsageError } from '../base/errors.js';
import type { Problems } from '../base/problems.js';
import type { Work } from '../base/progress.js';
import { UNITS, type Unit } from '../base/units.js';
import type { ClassPath } from '../code/java/class-path.js';
import type { ClassSet } from '../code/java/class-set.js';
import type { Locks } from '../models/locks/locks.js';
import { CLASS_EVENTS } from '../models/profile/fields.js';
import type { Metric, Profile } from '../models/profile/profile.js';
import type { SourceFinder, SourceText } from '../models/program/code.js';
import { findFunctions } from '../models/program/names.js';
import type { FunctionId, Program } from '../models/program/program.js';
import type { Recording } from '../models/recording.js';

/** A column of a listing as front ends need it. */
export interface ResultColumn {
  readonly key: string;
  readonly title: string;
  readonly unit: Unit;
}

/** Which rows of a listing are wanted; a limit of 0 means all. */
export interface Page {
  readonly offset: number;
  readonly limit: number;
  /** Key of a column: numbers fall, text rises; with a leading `-` the other way round. */
  readonly sort?: string;
}

/** What lies beside the recordings of a session and tells of their code. */
export interface CodeLibrary {
  readonly classes?: ClassPath;
  /** Of the program that was recorded, where `classes` are those of a newer one. */
  readonly oldClasses?: ClassPath;
  readonly sources?: SourceFinder;
}

/** The part of the library that a question needs, in memory. */
export interface Code {
  readonly classes?: ClassSet;
  readonly oldClasses?: ClassSet;
  /** Packages that the class path has anything of, and the old one. */
  readonly packages?: ReadonlySet<string>;
  readonly oldPackages?: ReadonlySet<string>;
  readonly source?: SourceText;
  /** What ran, counted while the classes were read. */
  readonly executed?: ExecutedGroups;
}

/** A recording and what of it the scope left. */
export interface Subject {
  readonly recording: Recording;
  readonly profile: Profile | undefined;
  /** Number of the dump that the scope asks for, from 1 on; undefined where it does not. */
  readonly dump: number | undefined;
}

/** Everything a view may look at. The scope is already applied to `profile` and `locks`. */
export interface ViewInput extends Subject {
  /** Of the dumps in the scope. */
  readonly locks: Locks | undefined;
  /** What the recording is compared with, under its own scope. */
  readonly base?: Subject;
  /** Further runs of what `recording` and `base` are one run of. */
  readonly runs: readonly Subject[];
  readonly baseRuns: readonly Subject[];
  readonly page: Page;
  /** Tables of events that the scope could not be applied to; `locks` where that is so of the locks. */
  readonly unscoped: ReadonlySet<string>;
  /** What the scope did, in words for the notes of the result. */
  readonly scopeNotes: readonly string[];
  /** All problems of the recording, those that only a check finds included. Made once. */
  readonly problems: () => Problems;
  /** What `prepare` of the view took from the library. */
  readonly code: Code;
  readonly work: Work;
}

export interface ViewDefinition<Name extends string, Options extends z.ZodObject, Shape extends z.ZodRawShape> {
  readonly name: Name;
  /** Raised whenever the shape changes incompatibly. */
  readonly version: number;
  readonly title: string;
  readonly options: Options;
  /** Everything of the result but its type and version. */
  readonly shape: Shape;
  /** Parts of a page that the order of the rows leaves no room for; asking for one is a usage error. */
  readonly refuses?: readonly ('sort' | 'offset')[];
  /** Takes from the library what the answer needs of it. Absent where the view needs no code. */
  readonly prepare?: (
    input: Omit<ViewInput, 'code'>,
    options: z.output<Options>,
    library: CodeLibrary,
  ) => Promise<Code>;
  /** Whether it can be asked of several runs a side. */
  readonly takesRuns?: boolean;
  readonly answer: (input: ViewInput, options: z.output<Options>) => z.input<z.ZodObject<Shape>>;
}

export interface View<Name extends string, Options extends z.ZodObject, Shape extends z.ZodRawShape> {
  readonly name: Name;
  readonly version: number;
  readonly title: string;
  readonly options: Options;
  readonly result: z.ZodObject<Shape & { type: z.ZodLiteral<Name>; version: z.ZodLiteral<number> }>;
  /** Checks the options and answers. Throws `UsageError` for a question that the recording cannot answer. */
  readonly ask: (
    input: Omit<ViewInput, 'code'>,
    options: unknown,
    library: CodeLibrary,
  ) => Promise<{ type: Name; version: number } & z.input<z.ZodObject<Shape>>>;
}

export function defineView<Name extends string, Options extends z.ZodObject, Shape extends z.ZodRawShape>(
  definition: ViewDefinition<Name, Options, Shape>,
): View<Name, Options, Shape> {
  const { name, version, title, options, shape, refuses = [], takesRuns = false, prepare, answer } = definition;
  return {
    name,
    version,
    title,
    options,
    result: z.object({ type: z.literal(name), version: z.literal(version), ...shape }),
    ask: async (input, asked, library) => {
      if (refuses.includes('sort') && input.page.sort !== undefined)
        throw new UsageError(`the rows of ${name} have an order of their own and cannot be sorted`);
      if (refuses.includes('offset') && input.page.offset !== 0)
        throw new UsageError(`the rows of ${name} hang together and cannot be paged by an offset`, 'Raise the limit.');
      if (!takesRuns && input.runs.length + input.baseRuns.length > 0)
        throw new UsageError(`${name} compares one recording with one base`, '`diff` takes several runs a side.');
      const chosen = parseOptions(options, asked);
      const code = prepare === undefined ? {} : await prepare(input, chosen, library);
      return { type: name, version, ...answer({ ...input, code }, chosen) };
    },
  };
}

function parseOptions<Options extends z.ZodObject>(options: Options, asked: unknown): z.output<Options> {
  const parsed = options.safeParse(asked);
  if (parsed.success) return parsed.data;
  throw new UsageError(z.prettifyError(parsed.error));
}

/** A field of a result with what front ends must know of it. */
export function text(title: string, meaning: string) {
  return z.string().meta({ title, description: meaning, unit: 'text' });
}

export function number(title: string, unit: Unit, meaning: string) {
  return z.number().meta({ title, description: meaning, unit });
}

/** A number that is not known of every row: null there, never 0. */
export function maybe(title: string, unit: Unit, meaning: string) {
  return z.number().nullable().meta({ title, description: meaning, unit });
}

/** A text that is not known of every row: null there. */
export function maybeText(title: string, meaning: string) {
  return z.string().nullable().meta({ title, description: meaning, unit: 'text' });
}

/** A whole divided into named parts: where a branch goes, which classes a call met. */
export function parts(title: string, meaning: string) {
  const part = z.object({ name: z.string(), count: z.number(), share: z.number().nullable() });
  return z.array(part).meta({ title, description: meaning, unit: 'parts' });
}

export function list(title: string, meaning: string) {
  return z.array(z.string()).meta({ title, description: meaning, unit: 'list' });
}

/** Texts that belong together, such as the threads that wait; null where it is not known whether there are any. */
export function maybeNames(title: string, meaning: string) {
  return z.array(z.string()).nullable().meta({ title, description: meaning, unit: 'names' });
}

/** What every result has. */
export const COMMON = {
  recording: z.string().meta({ description: 'the input, as it was named' }),
  complete: z.boolean().meta({ description: 'false where part of the input was lost' }),
  notes: z.array(z.string()).meta({ description: 'what must be said beside the numbers' }),
};

const columnShape = z.object({ key: z.string(), title: z.string(), unit: z.string() });

/** The shape of a listing: its columns, the rows of the page, and how many rows there are in all. */
export function listingShape<Row extends z.ZodObject>(row: Row) {
  return {
    ...COMMON,
    columns: z.array(columnShape),
    total: z.number().int().meta({ description: 'rows in all pages' }),
    offset: z.number().int(),
    rows: z.array(row),
  };
}

/** The columns of a listing, from the shape of its rows. */
export function columnsOf(row: z.ZodObject): ResultColumn[] {
  return Object.entries(row.shape).map(([key, field]) => {
    const meta = field instanceof z.ZodType ? field.meta() : undefined;
    return { key, title: String(meta?.title ?? key), unit: unitOf(meta?.unit) };
  });
}

/**
 * The columns of a listing of a metric: those named by `values` are in its unit, and those that may be too small because
 * stacks were cut say so.
 */
export function metricColumns(
  row: z.ZodObject,
  metric: Metric,
  values: readonly string[],
  atLeast: readonly string[] = [],
): ResultColumn[] {
  return columnsOf(row).map((column) => ({
    ...column,
    title: atLeast.includes(column.key) ? `${column.title} \u2265` : column.title,
    unit: values.includes(column.key) ? metric.unit : column.unit,
  }));
}

/** A metric as results name it. */
export const METRIC_SHAPE = { id: z.string(), title: z.string(), unit: z.string(), nature: z.string() };

export function metricOf({ id, title, unit, nature }: Metric) {
  return { id, title, unit, nature };
}

function unitOf(value: unknown): Unit {
  return UNITS.find((unit) => unit === value) ?? 'none';
}

/** The parts of a result that do not depend on the view. */
export function common(input: ViewInput, notes: readonly string[] = []) {
  const recording = input.recording;
  const damage = recording.complete
    ? []
    : ['Not all of the input could be read: these numbers are of the rest (see check).'];
  return { recording: recording.name, complete: recording.complete, notes: [...damage, ...input.scopeNotes, ...notes] };
}

/** Sorting keys of a listing: the value of row `i` under each column that can be sorted by. */
export type SortKeys = Readonly<Record<string, (row: number) => number | string | null>>;

/** The rows of the page, in order, of `count` rows that are sorted by `page.sort` or else by `usual`. */
export function pageOf(count: number, keys: SortKeys, page: Page, usual: string): number[] {
  const order = sorted(count, keys, page.sort ?? usual);
  const end = page.limit === 0 ? count : page.offset + page.limit;
  return order.slice(page.offset, end);
}

function sorted(count: number, keys: SortKeys, sort: string): number[] {
  const reverse = sort.startsWith('-');
  const key = keys[reverse ? sort.slice(1) : sort];
  if (key === undefined)
    throw new UsageError(`cannot sort by ${sort}`, `Columns to sort by: ${Object.keys(keys).join(', ')}.`);
  const values = Array.from({ length: count }, (_, row) => key(row));
  const order = Array.from({ length: count }, (_, row) => row);
  const sign = reverse ? -1 : 1;
  return order.sort((a, b) => sign * compareFalling(values[a] ?? null, values[b] ?? null) || a - b);
}

/** Numbers fall, text rises, null comes last. */
function compareFalling(a: number | string | null, b: number | string | null): number {
  if (typeof a === 'number' && typeof b === 'number') return b - a;
  if (typeof a === 'string' && typeof b === 'string') return a < b ? -1 : a > b ? 1 : 0;
  return (a === null ? 1 : 0) - (b === null ? 1 : 0);
}

/** The profile of a recording, or a usage error where it has none. */
export function requireProfile(input: Pick<ViewInput, 'profile' | 'recording'>): Profile {
  if (input.profile === undefined) throw new UsageError(`${input.recording.name} has no profile to answer this from`);
  return input.profile;
}

/** The functions that a person means by `text`; a usage error that calls them `noun` where it is no regular expression. */
export function functionsNamed(program: Program, text: string, noun: 'function' | 'method'): FunctionId[] {
  return usingPattern(`neither a ${noun} nor a regular expression: ${text}`, () => findFunctions(program, text));
}

/** What `use` gives; where it finds no regular expression in what the user wrote, a usage error. */
export function usingPattern<Value>(complaint: string, use: () => Value): Value {
  try {
    return use();
  } catch (error) {
    throw new UsageError(complaint, error instanceof Error ? error.message : undefined);
  }
}

/** The metric along stacks that was asked for, or the recording's first; a usage error that lists what there is. */
export function chooseMetric(profile: Profile, recording: Recording, id: string | undefined): Metric {
  const stacked = profile.metrics.filter((metric) => hasStacks(metric));
  const metric = id === undefined ? stacked[0] : stacked.find((candidate) => candidate.id === id);
  if (metric !== undefined) return metric;
  if (profile.metrics.length === 0) throw new MissingError(`${recording.name} has no events to show`);
  if (stacked.length === 0 || profile.metrics.some((candidate) => candidate.id === id))
    throw new MissingError(
      `${recording.name} has no stacks${id === undefined ? '' : ` of ${id}`}, only objects by class`,
      'Ask `heap histogram`, or `diff` for what grew between two of them.',
    );
  throw new UsageError(
    `${recording.name} has no metric ${id ?? ''}`,
    `Its metrics: ${stacked.map((candidate) => candidate.id).join(', ')}.`,
  );
}

/**
 * The metric to show of a profile where code or calls are looked at and none is asked for: counted calls, also where a few
 * samples stand beside them; else the first one along stacks.
 */
export function usualMetric(metrics: readonly Metric[]): Metric | undefined {
  return metrics.find(({ table }) => table === 'call') ?? metrics.find((metric) => hasStacks(metric));
}

/** Whether the values of a metric belong to stacks; class histograms have none. */
export function hasStacks(metric: Metric): boolean {
  return metric.table !== CLASS_EVENTS;
}

/** `value` as a part of `sum`; not known where either is not. */
export function share(value: number | null, sum: number): number | null {
  return value === null || sum === 0 ? null : value / sum;
}

/** For each value the sum of itself and all that are larger (of equals, those before it). */
export function accumulated(values: readonly number[]): Float64Array {
  const order = [...values.keys()].sort((a, b) => values[b] - values[a] || a - b);
  const sums = new Float64Array(values.length);
  let sum = 0;
  for (const i of order) {
    sum += values[i];
    sums[i] = sum;
  }
  return sums;
}
