/**
 * Merges several recordings: rows that are the same (by `identity`) become one, and values at the same place are added.
 *
 * Weights are exact fractions; sums are rounded once, half up, and a value above 0 never becomes 0. The result is the
 * same, row for row, for every order of the recordings. If two disagree on the code, their counts are not mixed and
 * nothing is guessed: `problems` lists the data left out. Cost: 60 to 150 bytes a row of each recording while it runs.
 */
import { defined } from '../../base/defined.js';
import { type ErrorDetails, UsageError } from '../../base/errors.js';
import { ProblemLog } from '../../base/problems.js';
import { plural } from '../../base/units.js';
import type { TypeLimit } from '../../formats/capabilities/entries.js';
import { formatOf } from '../../formats/registry.js';
import { BRANCH_EVENTS } from '../../models/events/branch.js';
import { countedRows } from '../../models/events/counted.js';
import { DUMP, SITE, STACK } from '../../models/events/shared-fields.js';
import { SYNCHRONISATION_EVENTS } from '../../models/events/synchronisation.js';
import { eventTable, type Profile } from '../../models/profile/profile.js';
import { functionName, locationName } from '../../models/program/names.js';
import type { Program } from '../../models/program/program.js';
import type { Recording } from '../../models/recording.js';
import { columnOf, type Field, type Table } from '../../models/table.js';
import { type JoinedPrograms, joinPrograms } from './join-programs.js';
import { type JoinedStacks, joinStacks } from './join-stacks.js';
import { joinThreads } from './join-threads.js';
import { type Conflict, mergeBranches, type WeightedTable } from './merge-branches.js';
import { mergeRows, type RowMap } from './merge-rows.js';
import { type MergePlan, planMerge, type TablePlan } from './plan-merge.js';
import { commonWeights, ONE, type Rational } from './rational.js';

/** Format of a recording merged from recordings of different formats. */
const MIXED = 'merged';

function nothingToAdd(leftOut: readonly string[]): ErrorDetails {
  const lines = leftOut.map((line) => `Not ${line}.`);
  return { code: 'nothing-to-add', lines: lines.length > 0 ? lines : ['They have no events.'] };
}

/**
 * `weights`: one for each recording, 1 by default. The result has no residue. Throws `UsageError` if nothing in the
 * recordings can be added, or if the number of weights is wrong.
 */
export function mergeRecordings(recordings: readonly Recording[], weights?: readonly Rational[]): Recording {
  if (weights !== undefined && weights.length !== recordings.length)
    throw new UsageError(`${plural(weights.length, 'weight')} for ${plural(recordings.length, 'recording')}`, {
      code: 'wrong-weights',
      advice: 'Pass one for each recording, in the same order.',
    });
  const problems = new ProblemLog();
  const [format = MIXED, ...others] = new Set(recordings.map((recording) => recording.format));
  const common = others.length === 0 ? format : MIXED;
  // Titles and the order of metrics are those of the first recording that has them, so they need a fixed order.
  const plan = planMerge(
    recordings
      .map((recording) => ({ recording, key: shapeOf(recording) }))
      .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
      .map(({ recording }) => recording),
  );
  if (plan.tables.length === 0)
    throw new UsageError(
      `${recordings.length === 1 ? 'the recording has' : 'the recordings have'} nothing that can be added`,
      nothingToAdd(plan.leftOut),
    );
  for (const message of summed(recordings, plan)) problems.add({ code: 'merge-dumps', severity: 'info', message });
  for (const message of [...plan.leftOut, ...unexplainedLines(recordings)])
    problems.add({ code: 'merge-left-out', severity: 'info', message });
  const sources = recordings.flatMap((recording, input) =>
    recording.profile === undefined ? [] : [{ input, recording, profile: recording.profile }],
  );
  const programs = joinPrograms(
    recordings.map(({ program }) => program),
    formatOf(common)?.entries?.numbered === true,
  );
  if (programs.ambiguous > 0) problems.add(ambiguous(programs.ambiguous));
  const stacks = joinStacks(
    sources.map(({ input, recording, profile }) => ({
      program: recording.program,
      profile,
      tables: profile.events.filter(({ kind }) => plan.tables.some((table) => table.kind === kind)),
      functionRows: programs.functionRows[input] ?? new Int32Array(0),
      loadObjectRows: programs.loadObjectRows[input],
    })),
  );
  const merger = new Merger({ recordings, sources, programs, stacks, plan, problems, weights });
  const profile = merger.profile();
  return {
    name: recordings
      .map(({ name }) => name)
      .sort()
      .join(' + '),
    format: common,
    metadata: versionOf(recordings),
    sections: profile.events.map(({ title, length }) => ({ name: title, entries: length })),
    program: merger.program,
    profile,
    problems: problems.finish(),
    complete: recordings.every(({ complete }) => complete),
    residue: undefined,
  };
}

/** Equal for recordings with the same metrics and kinds of events. Those with more of them come first. */
function shapeOf({ format, profile }: Recording): string {
  const metrics = profile?.metrics.map(({ id }) => id) ?? [];
  const kinds = profile?.events.map(({ kind }) => kind) ?? [];
  return JSON.stringify([
    1000 - Math.min(metrics.length, 900),
    1000 - Math.min(kinds.length, 900),
    format,
    metrics,
    kinds,
  ]);
}

function ambiguous(count: number) {
  return {
    code: 'merge-ambiguous',
    severity: 'info',
    message: `${plural(count, 'method')} with run-time or build numbers in ambiguous names: added only if spelled alike`,
  } as const;
}

/** Recordings with several dumps: the sum over all dumps is added. */
function summed(recordings: readonly Recording[], plan: MergePlan): string[] {
  const lines = recordings.flatMap(({ name, profile }) =>
    plan.tables.flatMap(({ kind, title }) => {
      const table = profile && eventTable(profile, kind);
      const count = new Set(table && columnOf(table, DUMP)).size;
      return count < 2 ? [] : [`${title} of ${name}: the sum over its ${count} dumps`];
    }),
  );
  return lines.sort();
}

/** Data that a file's format does not define: the rule for adding it is unknown. */
function unexplainedLines(recordings: readonly Recording[]): string[] {
  const lines = recordings.flatMap((recording) => {
    const { sections, elements } = formatOf(recording.format)?.entries?.unexplained(recording) ?? {
      sections: [],
      elements: 0,
    };
    const { name } = recording;
    return [
      ...(sections.length === 0
        ? []
        : [`${sections.join(', ')} of ${name}: unknown to the format, so they cannot be added`]),
      ...(elements === 0
        ? []
        : [`unknown data of ${plural(elements, 'element')} of ${name} that the format does not define`]),
    ];
  });
  return lines.sort();
}

/** The newest version of the recordings, if all have one. */
function versionOf(recordings: readonly Recording[]): Recording['metadata'] {
  const versions = recordings.map(({ metadata }) => metadata.find(({ key }) => key === 'version')?.value ?? '');
  if (!versions.every((version) => /^\d+\.\d+\.\d+$/.test(version))) return [];
  const number = (version: string): number => version.split('.').reduce((sum, part) => sum * 1e4 + Number(part), 0);
  const [newest] = versions.sort((a, b) => number(b) - number(a));
  return newest === undefined ? [] : [{ key: 'version', value: newest }];
}

interface Source {
  readonly input: number;
  readonly recording: Recording;
  readonly profile: Profile;
}

interface MergeParts {
  readonly recordings: readonly Recording[];
  readonly sources: readonly Source[];
  readonly programs: JoinedPrograms;
  readonly stacks: JoinedStacks;
  readonly plan: MergePlan;
  readonly problems: ProblemLog;
  readonly weights: readonly Rational[] | undefined;
}

class Merger {
  readonly program: Program;
  readonly #parts: MergeParts;
  readonly #denominator: bigint;
  readonly #weights: readonly bigint[];
  readonly #threads: ReturnType<typeof joinThreads>;
  readonly #lost: number[];
  readonly #typesAtPlace: TypeLimit | undefined;

  constructor(parts: MergeParts) {
    const { programs, stacks, recordings, weights = recordings.map(() => ONE) } = parts;
    const { names, classes, functions, native } = programs;
    this.#parts = parts;
    this.program = { names: names.names, classes, functions, locations: stacks.locations, ...native };
    const { whole, denominator } = commonWeights(weights);
    this.#denominator = denominator;
    this.#weights = whole;
    this.#lost = recordings.map(() => 0);
    this.#typesAtPlace = recordings
      .map(({ format }) => formatOf(format)?.entries?.typesAtPlace)
      .find((limit) => limit !== undefined);
    this.#threads = joinThreads(
      parts.sources.map(({ input, profile }) => ({ threads: profile.threads, names: names.rows[input] })),
    );
  }

  profile(): Profile {
    const { plan, stacks, problems, recordings } = this.#parts;
    const events = plan.tables.map((table) => this.#table(table)).filter(({ length }) => length > 0);
    const lost = this.#lost.flatMap((count, input) =>
      count === 0
        ? []
        : [
            `${plural(count, 'entry', 'entries')} of ${recordings[input]?.name} that refer to undefined methods or types: their ids mean nothing in another file`,
          ],
    );
    for (const message of lost.sort()) problems.add({ code: 'merge-unexplained', severity: 'warning', message });
    return {
      stacks: stacks.stacks,
      events,
      metrics: plan.metrics.filter(({ table }) => events.some(({ kind }) => kind === table)),
      ...defined({ threads: this.#threads.table }),
    };
  }

  #table(plan: TablePlan): Table {
    const tables = this.#parts.sources.flatMap((source, index) => {
      const table = eventTable(source.profile, plan.kind);
      const exactWeight = this.#weights[source.input] ?? 1n;
      const stacks = this.#parts.stacks.rows[index] ?? new Int32Array(0);
      return table === undefined
        ? []
        : [{ table, input: source.input, source: index, weight: Number(exactWeight), exactWeight, stacks }];
    });
    const lost = (input: number, count: number): void => {
      this.#lost[input] = (this.#lost[input] ?? 0) + count;
    };
    if (plan.kind === BRANCH_EVENTS.kind && plan.site !== undefined) {
      const merged = mergeBranches(tables, this.#parts.stacks.stacks.length, this.#denominator, lost);
      this.#reportSaturated(plan, merged.saturated);
      for (const conflict of merged.conflicts) this.#reportConflict(conflict);
      return tableOf(plan, merged.columns, merged.length);
    }
    const merged = mergeRows(tables, plan, this.#denominator, (table, field) => this.#rowMap(table, field), lost);
    this.#reportSaturated(plan, merged.saturated);
    const table = tableOf(plan, merged.columns, merged.length);
    if (plan.site !== undefined && plan.kind !== SYNCHRONISATION_EVENTS.kind) this.#reportTypes(table);
    return table;
  }

  #rowMap({ input, stacks }: WeightedTable, { holds }: Field): RowMap {
    const { programs, sources } = this.#parts;
    switch (holds) {
      case 'stack':
        return stacks;
      case 'function':
        return programs.functionRows[input];
      case 'class':
        return programs.classRows[input];
      case 'string':
        return programs.names.rows[input];
      case 'thread':
        return this.#threads.rows[sources.findIndex((source) => source.input === input)];
      case 'number':
      case 'row':
        return undefined;
    }
  }

  #reportSaturated(plan: TablePlan, count: number): void {
    if (count === 0) return;
    const message = `${plan.title}: ${plural(count, 'sum')} above 2^53 - 1, the largest exact count: written as 2^53 - 1`;
    this.#parts.problems.add({ code: 'merge-saturated', severity: 'warning', message });
  }

  #reportConflict({ stack, kept, dropped }: Conflict): void {
    const { problems, recordings, stacks } = this.#parts;
    if (!problems.wants('merge-conflict')) {
      problems.count('merge-conflict', 1);
      return;
    }
    const names = (inputs: readonly number[]): string =>
      inputs
        .map((input) => recordings[input]?.name ?? '')
        .sort()
        .join(', ');
    const { parent, location } = stacks.stacks;
    let root = stack;
    while (parent[root] >= 0) root = parent[root];
    const into = root === stack ? '' : ` in ${functionName(this.program, stacks.locations.function[location[root]])}`;
    const place = locationName(this.program, location[stack]) + into;
    const message = `branch at ${place}: the targets differ; those of ${names(kept)} are kept (taken at least as often), those of ${names(dropped)} left out`;
    problems.add({ code: 'merge-conflict', severity: 'warning', message });
  }

  #reportTypes(table: Table): void {
    const limit = this.#typesAtPlace;
    const { site, type } = countedRows(table);
    if (limit === undefined || site === undefined || type === undefined) return;
    let many = 0;
    let first = 0;
    for (let row = 0; row < table.length; row++) {
      if (site[row] !== site[first]) first = row;
      if (row - first === limit.most) many++;
    }
    if (many === 0) return;
    const message = `${table.title}: ${plural(many, 'site')} with more than ${limit.most} types, the limit of ${limit.recorder}`;
    this.#parts.problems.add({ code: 'merge-many-types', severity: 'info', message });
  }
}

/** `columns` has all fields except `site`, which numbers the entries of one stack. */
function tableOf(plan: TablePlan, columns: Readonly<Record<string, Table['columns'][string]>>, length: number): Table {
  const { kind, title, keys, sums, site } = plan;
  if (site === undefined) return { kind, title, length, fields: [...keys, ...sums], columns };
  const stack = columns[STACK.key] ?? new Int32Array(length);
  const sites = new Int32Array(length);
  for (let row = 1; row < length; row++) sites[row] = sites[row - 1] + (stack[row] === stack[row - 1] ? 0 : 1);
  const [first, ...others] = keys;
  const fields = first === undefined ? [site, ...sums] : [first, site, ...others, ...sums];
  return { kind, title, length, fields, columns: { ...columns, [SITE.key]: sites } };
}
