/** Columns of further metrics beside those of a listing of functions, and the ratios of two counters. */
import { requireProfile } from '../../analysis/scope/scoped.js';
import { UsageError } from '../../base/errors.js';
import type { Metric } from '../../models/profile/profile.js';
import { measuredIn, type ResultColumn } from '../listing.js';
import { metricFor } from '../metric-choice.js';
import type { ViewInput } from '../question.js';
import type { FunctionValues } from './function-values.js';

/** Ratios by their names: the ids of the counters above and below the line. */
const RATIOS: Readonly<Record<string, readonly [above: string, below: string]>> = {
  IPC: ['insts', 'cycles'],
  CPI: ['cycles', 'insts'],
};

/** What `also` names: a metric, or a ratio of two. */
export interface Further {
  readonly name: string;
  readonly metrics: readonly Metric[];
}

/** The further metrics of a question. Throws a usage error for names that the recording does not have. */
export function furtherOf(input: ViewInput, also: readonly string[]): Further[] {
  return also.map((name) => {
    const ratio = RATIOS[name.toUpperCase()];
    const isMetric = requireProfile(input).metrics.some(({ id }) => id === name);
    if (ratio === undefined || isMetric) return { name, metrics: [metricFor(input, name)] };
    const recordedIds = ratio.filter((id) => requireProfile(input).metrics.some((metric) => metric.id === id));
    if (recordedIds.length < ratio.length)
      throw new UsageError(`${name} needs the counters ${ratio.join(' and ')}`, {
        code: 'no-counters',
        advice: `${input.recording.name} has ${recordedIds.join() || 'neither'}.`,
      });
    return { name: name.toUpperCase(), metrics: ratio.map((id) => metricFor(input, id)) };
  });
}

/** Columns of further metrics, and their cells. `values`: those of all their metrics, one after the other. */
export function furtherColumns(
  further: readonly Further[],
  values: readonly FunctionValues[],
): { readonly columns: ResultColumn[]; readonly cells: Record<string, (id: number) => number | null> } {
  const columns: ResultColumn[] = [];
  const cells: Record<string, (id: number) => number | null> = {};
  let at = 0;
  for (const { name, metrics } of further) {
    const metricValues = values.slice(at, at + metrics.length);
    at += metrics.length;
    const [first] = metrics;
    const title = metrics.length > 1 || first === undefined ? name : first.title;
    const unit = metrics.length > 1 || first === undefined ? { unit: 'none' as const } : measuredIn(first);
    for (const [key, part] of [
      ['self', 'exclusive'],
      ['total', 'inclusive'],
    ] as const) {
      const columnParts = metricValues.map((each) => each[part]);
      if (columnParts.includes(undefined)) continue;
      columns.push({ key: `${name}_${key}`, title: `${key === 'self' ? 'Self' : 'Total'} ${title}`, ...unit });
      cells[`${name}_${key}`] = (id) => quotient(columnParts.map((numbers) => numbers?.[id] ?? 0));
    }
  }
  return { columns, cells };
}

/** The first number, divided by the second if there is one; null without events to divide by. */
function quotient([above = 0, below]: readonly number[]): number | null {
  if (below === undefined) return above;
  return below === 0 ? null : above / below;
}
