/** The two sides of a difference: values by name, under a metric that both recordings have. */
import { CLASS_OBJECTS } from '../analysis/class-levels.js';
import { UsageError } from '../base/errors.js';
import type { Unit } from '../base/units.js';
import type { Metric, MetricNature } from '../models/profile/profile.js';
import { functionSignature } from '../models/program/names.js';
import { functionValues } from './functions.js';
import { type Asked, hasLevels, levelName, requireLevels } from './heap/classes.js';
import { hasStacks, type ViewInput } from './view.js';

export interface DiffSide {
  readonly entries: readonly { readonly name: string; readonly value: number; readonly total: number }[];
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
  const flow = metric.nature === 'flow' && other.nature === 'flow';
  const notes = differences(metric, other);
  const { title, nature, unit } = metric;
  return {
    metric: { id: metric.id, title, nature, unit },
    now: functionSide(input, metric),
    before: functionSide(base, other),
    flow,
    notes,
  };
}

function stackMetrics(asked: Asked): Metric[] {
  return (asked.profile?.metrics ?? []).filter(hasStacks);
}

function functionSide(asked: Asked, metric: Metric): DiffSide {
  const { profile, recording } = asked;
  if (profile === undefined) return { entries: [], sum: 0 };
  const { exclusive, inclusive, used } = functionValues(profile, recording.program, metric);
  const entries = used.map((id) => ({
    name: functionSignature(recording.program, id),
    value: exclusive[id],
    total: metric.nature === 'flow' ? (inclusive?.[id] ?? 0) : exclusive[id],
  }));
  return { entries, sum: sumOf(entries) };
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
