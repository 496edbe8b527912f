/** The two sides of a difference: values by name, under a metric that both recordings have. */
import { CLASS_OBJECTS } from '../analysis/class-levels.js';
import { identityOf } from '../analysis/identity/spelling.js';
import { exclusiveByStack, functionByStack, inclusiveByFunction, inclusiveByStack } from '../analysis/stack-values.js';
import { UsageError } from '../base/errors.js';
import type { Unit } from '../base/units.js';
import type { Metric, MetricNature, Profile } from '../models/profile/profile.js';
import { functionSignature } from '../models/program/names.js';
import type { Program } from '../models/program/program.js';
import { valuesOf } from './functions.js';
import { type Asked, hasLevels, levelName, requireLevels } from './heap/classes.js';
import { hasStacks, metricOf, type ViewInput } from './view.js';

export interface DiffSide {
  readonly entries: readonly { readonly name: string; readonly value: number; readonly total: number }[];
  /** Of all entries; 0 where they overlap and the recording does not tell the whole. */
  readonly sum: number;
}

export interface DiffSides {
  readonly by: 'class' | 'function';
  readonly metric: { readonly id: string; readonly title: string; readonly nature: MetricNature; readonly unit: Unit };
  readonly now: DiffSide;
  readonly before: DiffSide;
  /** Whether the entries have inclusive values. */
  readonly flow: boolean;
  readonly notes: readonly string[];
}

type Base = NonNullable<ViewInput['base']>;

/** Throws `UsageError` where the two have nothing in common to compare, or not what was asked for, naming what they have. */
export function diffSides(
  input: ViewInput,
  base: Base,
  options: { readonly by?: 'class' | 'function' | undefined; readonly metric?: string | undefined },
): DiffSides {
  const levels = hasLevels(input) && hasLevels(base);
  const by = options.by ?? (levels ? 'class' : 'function');
  const sides = by === 'class' ? classSides(input, base, options.metric) : functionSides(input, base, options.metric);
  const formats = [base.recording.format, input.recording.format];
  const differ =
    formats[0] === formats[1]
      ? []
      : [`The base is ${formats[0]}, this is ${formats[1]}: they may count and name differently.`];
  return { ...sides, by, notes: [...differ, ...sides.notes] };
}

const CLASS_METRICS = [
  { id: 'live-bytes', title: 'Bytes', nature: 'level', unit: 'bytes', key: 'bytes' },
  { id: 'live-objects', title: 'Objects', nature: 'level', unit: 'count', key: 'objects' },
] as const;

function classSides(input: ViewInput, base: Base, id: string | undefined): Omit<DiffSides, 'by'> {
  const chosen = CLASS_METRICS.find((candidate) => candidate.id === (id ?? 'live-bytes'));
  if (chosen === undefined) throw noCommon(id, CLASS_METRICS);
  const side = (asked: Asked & { dump: number | undefined }) => {
    const levels = requireLevels(asked, asked.dump);
    const { program } = asked.recording;
    const entries = levels.classes.map((level) => ({
      name: level.class === CLASS_OBJECTS ? 'java.lang.Class' : levelName(program, level.class),
      value: level[chosen.key],
      total: level[chosen.key],
    }));
    return { entries, sum: sumOf(entries), levels };
  };
  const now = side(input);
  const before = side(base);
  const { key: _key, ...metric } = chosen;
  const several = now.levels.dumps > 1 || before.levels.dumps > 1;
  const which = `Dump ${before.levels.dump} of ${before.levels.dumps} of the base, dump ${now.levels.dump} of ${now.levels.dumps} of this.`;
  return { metric, now, before, flow: false, notes: several ? [which] : [] };
}

function functionSides(input: ViewInput, base: Base, id: string | undefined): Omit<DiffSides, 'by'> {
  const mine = stackMetrics(input);
  const theirs = new Map(stackMetrics(base).map((metric) => [metric.id, metric]));
  const common = mine.filter((metric) => theirs.has(metric.id));
  const metric = id === undefined ? common[0] : common.find((candidate) => candidate.id === id);
  const other = metric === undefined ? undefined : theirs.get(metric.id);
  if (metric === undefined || other === undefined) throw noCommon(id, common);
  const now = functionSide(input, metric);
  const before = functionSide(base, other);
  const own = (notes: readonly string[], others: readonly string[], whose: string) =>
    notes.filter((note) => !others.includes(note)).map((note) => `${whose}: ${note}`);
  const notes = [
    ...differences(metric, other),
    ...now.notes.filter((note) => before.notes.includes(note)),
    ...own(before.notes, now.notes, 'The base'),
    ...own(now.notes, before.notes, 'This'),
  ];
  return { metric: metricOf(metric), now, before, flow: now.both && before.both, notes };
}

function stackMetrics(asked: Asked): Metric[] {
  return (asked.profile?.metrics ?? []).filter(hasStacks);
}

/** `both`: the entries have exclusive and inclusive values; else their value is the one that there is. */
function functionSide(asked: Asked, metric: Metric): DiffSide & { both: boolean; notes: readonly string[] } {
  const { profile, recording } = asked;
  if (profile === undefined) return { entries: [], sum: 0, both: false, notes: [] };
  const { exclusive, inclusive, used, sum, notes } = valuesOf(profile, recording.program, metric);
  const both = metric.nature === 'flow' && exclusive !== undefined && inclusive !== undefined;
  const first = exclusive ?? inclusive;
  const names = used.map((id) => functionSignature(recording.program, id));
  const totals = both ? totalsByIdentity(profile, recording.program, metric, used, names) : undefined;
  const entries = used
    .map((id, i) => ({ name: names[i] ?? '', value: first?.[id] ?? 0, total: totals?.[i] ?? first?.[id] ?? 0 }))
    .filter((entry) => both || entry.value !== 0);
  return { entries, sum, both, notes };
}

/**
 * Inclusive values of the functions `used`, where functions of one identity are one: a stack counts for them once, at the
 * outermost of them. The first one has the value, the others have 0.
 */
function totalsByIdentity(
  profile: Profile,
  program: Program,
  metric: Metric,
  used: readonly number[],
  names: readonly string[],
): Float64Array {
  const rows = new Map<string, number>();
  const row = new Int32Array(program.functions.length).fill(used.length);
  used.forEach((id, i) => {
    const key = identityOf(names[i] ?? '');
    const first = rows.get(key) ?? i;
    rows.set(key, first);
    row[id] = first;
  });
  const { stacks } = profile;
  const ofStack = functionByStack(stacks, program).map((id) => row[id]);
  const inclusive = inclusiveByStack(stacks, exclusiveByStack(profile, metric));
  return inclusiveByFunction(stacks, ofStack, inclusive, used.length + 1);
}

function differences(metric: Metric, other: Metric): string[] {
  const said: string[] = [];
  if (metric.unit !== other.unit) said.push(`Units differ: the base is in ${other.unit}, this in ${metric.unit}.`);
  if (metric.nature !== other.nature)
    said.push(`The base counts ${metric.id} as ${other.nature}, this as ${metric.nature}.`);
  if (metric.period?.value !== other.period?.value || metric.period?.unit !== other.period?.unit)
    said.push('They were sampled with different periods: --normalise compares shares.');
  return said;
}

function sumOf(entries: DiffSide['entries']): number {
  return entries.reduce((sum, entry) => sum + entry.value, 0);
}

function noCommon(id: string | undefined, common: readonly { readonly id: string }[]): UsageError {
  const list = common.map((metric) => metric.id).join(', ');
  return new UsageError(
    id === undefined ? 'the two recordings have no metric in common' : `not both recordings have the metric ${id}`,
    list === '' ? 'Compare recordings of one kind; `summary` lists their metrics.' : `Both have: ${list}.`,
  );
}
