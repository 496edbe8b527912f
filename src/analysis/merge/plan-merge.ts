/**
 * Decides which event tables of several profiles can be added and which fields identify their rows, and reports the
 * rest.
 */
import { UsageError } from '../../base/errors.js';
import { COUNT, SITE } from '../../models/events/shared-fields.js';
import { SYNCHRONISATION_EVENTS } from '../../models/events/synchronisation.js';
import { eventTable, type Metric, type Profile } from '../../models/profile/profile.js';
import type { Recording } from '../../models/recording.js';
import type { Field, Table } from '../../models/table.js';
import type { RowPlan } from './merge-rows.js';

export interface TablePlan extends RowPlan {
  readonly kind: string;
  readonly title: string;
  /** For entries: `site` numbers the entries of one stack. */
  readonly site: Field | undefined;
}

export interface MergePlan {
  readonly tables: readonly TablePlan[];
  readonly metrics: readonly Metric[];
  /** Data of the recordings that cannot be added, as text with the reason. */
  readonly leftOut: readonly string[];
}

/** Events with counts that are added although they have no metric, with the name of the sum. */
const COUNTED_WITHOUT_METRIC: ReadonlyMap<string, string> = new Map([[SYNCHRONISATION_EVENTS.kind, COUNT.key]]);

/** `recordings` must be in an order that does not depend on the order given by the user. */
export function planMerge(recordings: readonly Recording[]): MergePlan {
  const profiles = recordings.flatMap(({ profile }) => (profile === undefined ? [] : [profile]));
  const metrics = joinMetrics(recordings);
  const leftOut: string[] = [];
  const tables: TablePlan[] = [];
  const kept: Metric[] = [];
  for (const kind of new Set(profiles.flatMap(({ events }) => events.map((table) => table.kind)))) {
    const own = metrics.filter((metric) => metric.table === kind);
    const adding = own.filter(({ nature }) => nature === 'flow' || nature === 'site');
    const of = profiles.flatMap((profile) => eventTable(profile, kind) ?? []);
    for (const { id, nature } of own)
      if (nature === 'level') leftOut.push(`${id}: a state at one moment of one run, which cannot be added`);
    if (adding.length > 0 || COUNTED_WITHOUT_METRIC.has(kind)) {
      const plan = planTable(kind, of, adding, leftOut);
      tables.push(plan);
      kept.push(
        ...adding.map((metric) => (metric.field === undefined ? { ...metric, field: plan.counted ?? '' } : metric)),
      );
    } else if (own.length === 0) leftOut.push(`${of[0]?.title ?? kind}: no column can be added`);
  }
  return { tables, metrics: kept, leftOut: [...leftOut, ...otherModels(recordings)] };
}

/** The metrics of all recordings; metrics with the same id must mean the same. */
function joinMetrics(recordings: readonly Recording[]): Metric[] {
  const joined = new Map<string, { metric: Metric; name: string }>();
  for (const { name, profile } of recordings) {
    for (const metric of profile?.metrics ?? []) {
      const known = joined.get(metric.id);
      if (known === undefined) {
        joined.set(metric.id, { metric, name });
        continue;
      }
      const { unit, nature, table, field, period } = known.metric;
      if (unit !== metric.unit || nature !== metric.nature || table !== metric.table || field !== metric.field)
        throw new UsageError(
          `${metric.id} is in ${metric.unit} in ${name}, in ${unit} in ${known.name}: they cannot be added`,
          { code: 'units-differ', advice: 'Convert both to one format first.' },
        );
      if (period?.value !== metric.period?.value || period?.unit !== metric.period?.unit) {
        const { period: _, ...without } = known.metric;
        joined.set(metric.id, { metric: without, name: known.name });
      }
    }
  }
  return [...joined.values()].map(({ metric }) => metric);
}

function planTable(kind: string, tables: readonly Table[], metrics: readonly Metric[], leftOut: string[]): TablePlan {
  const fields = new Map(tables.flatMap((table) => table.fields.map((field) => [field.key, field] as const)).reverse());
  const all = [...new Set(tables.flatMap((table) => table.fields.map(({ key }) => key)))].flatMap(
    (key) => fields.get(key) ?? [],
  );
  const summed = new Set([...metrics.map(({ field }) => field), COUNTED_WITHOUT_METRIC.get(kind)]);
  const counted = metrics.find(({ field }) => field === undefined);
  const rows: Field | undefined = counted && {
    key: 'rows',
    title: counted.title,
    holds: 'number',
    unit: counted.unit,
    meaning: 'how many',
    wide: true,
  };
  const keys = all.filter((field) => !summed.has(field.key) && isKey(field));
  const lost = all.filter((field) => !summed.has(field.key) && !isKey(field) && field.key !== SITE.key);
  if (lost.length > 0)
    leftOut.push(
      `${lost.map(({ title }) => title.toLowerCase()).join(', ')} of ${kind} events: they belong to one run only`,
    );
  return {
    kind,
    title: tables[0]?.title ?? kind,
    keys: [...keys.filter(({ holds }) => holds === 'stack'), ...keys.filter(({ holds }) => holds !== 'stack')],
    sums: [...all.filter(({ key }) => summed.has(key)), ...(rows === undefined ? [] : [rows])],
    site: fields.get(SITE.key),
    whole: () => fields.has(SITE.key),
    ...(rows === undefined ? {} : { counted: rows.key }),
  };
}

/** Whether a field identifies rows: not if it is a time or size (a wide number), or a row number of another table. */
function isKey({ holds, wide }: Field): boolean {
  return holds === 'number' ? wide !== true : holds !== 'row';
}

function otherModels(recordings: readonly Recording[]): string[] {
  const has = (test: (recording: Recording) => boolean): boolean => recordings.some(test);
  const beside = (profile: Profile | undefined): boolean =>
    [profile?.traces, profile?.arcs, profile?.counters, profile?.ranges].some((table) => (table?.length ?? 0) > 0);
  return [
    ...(has(({ heaps }) => (heaps?.length ?? 0) > 0)
      ? ['heaps: their objects belong to one process at one moment']
      : []),
    ...(has(({ locks }) => locks !== undefined)
      ? ['locks: owners and waiters belong to one process at one moment']
      : []),
    ...(has(({ profile }) => beside(profile))
      ? ['traces, arcs, counters and ranges: they belong to one run only']
      : []),
  ];
}
