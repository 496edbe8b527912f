/** Groups of experiments beside each other: the metrics of each. */
import type { ShownMetric } from '../metrics.js';
import type { Experiment } from '../peer/experiment.js';

export const COMPARE_MODES = ['off', 'on', 'delta', 'ratio'] as const;
export type CompareMode = (typeof COMPARE_MODES)[number];

/** The name of each group. */
export function groupNames({ processes }: Pick<Experiment, 'processes'>): readonly string[] {
  const names: string[] = [];
  for (const { group, groupName } of processes) names[group] ??= groupName;
  return names;
}

/** Each metric once for every group, one behind the other; the name alone is of no group. */
export function comparedMetrics(
  metrics: readonly ShownMetric[],
  { mode, names }: { readonly mode: CompareMode; readonly names: readonly string[] },
): ShownMetric[] {
  if (mode === 'off') return [...metrics];
  return metrics.flatMap((metric): ShownMetric[] => {
    const { base } = metric;
    if (base.id === 'name') return [metric];
    return names.map((name, group) => ({ ...metric, base: { ...base, compared: { group, name, how: mode } } }));
  });
}

/** The metrics without the groups. */
export function plainMetrics(metrics: readonly ShownMetric[]): ShownMetric[] {
  return metrics.flatMap((metric): ShownMetric[] => {
    const { compared, ...base } = metric.base;
    return compared === undefined ? [metric] : compared.group === 0 ? [{ ...metric, base }] : [];
  });
}
