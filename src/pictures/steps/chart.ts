/** Events by equal steps as a chart: what is drawn, where, with which numbers. Pure. */
import type { z } from 'zod';
import { UsageError } from '../../base/errors.js';
import { phrase, theOption } from '../../base/phrase.js';
import { formatValue, UNITS, type Unit } from '../../base/units.js';
import type { eventGroupsView } from '../../views/events/groups.js';
import { roundStep } from '../axis.js';

export type StepsResult = z.output<typeof eventGroupsView.result>;

/** A series of one number a step; null where the step has none: nothing is drawn there. */
export interface StepSeries {
  readonly key: string;
  readonly title: string;
  readonly unit: Unit;
  readonly values: readonly (number | null)[];
}

export interface StepsChart {
  /** Start of each step, in the unit of `axis`, and the width of all. */
  readonly starts: readonly number[];
  readonly width: number;
  readonly axis: { readonly title: string; readonly unit: Unit };
  /** Times of day of the starts, where they were asked for. */
  readonly clock: readonly string[] | undefined;
  /** Events of each step, or of a second of it. */
  readonly bars: StepSeries;
  /** What the values amount to. */
  readonly lines: readonly StepSeries[];
  /** Field of the values. */
  readonly value: string | null;
}

/** The lines of a chart, the lowest first. */
const LINES = ['p50', 'p90', 'p99', 'max'] as const;

/** What a result draws. Throws `UsageError` if its rows are no steps. */
export function stepsChart(result: StepsResult): StepsChart {
  const { step, by, columns, rows, value } = result;
  const [key = ''] = by;
  if (step === null)
    throw new UsageError(phrase`${theOption('group_by')}: a picture needs steps of one number`, {
      code: 'no-steps',
      advice: phrase`Give a width: ${theOption('group_by', { value: 'time:1s' })}.`,
      action: { choose: ['group_by'] },
    });
  const sorted = [...rows].sort((a, b) => Number(a[key]) - Number(b[key]));
  const column = (name: string) => columns.find((each) => each.key === name);
  const series = (name: string): StepSeries[] => {
    const seriesColumn = column(name);
    if (seriesColumn === undefined) return [];
    return [
      {
        key: name,
        title: seriesColumn.title,
        unit: unitOf(seriesColumn.unit),
        values: sorted.map((row) => numberOf(row[name])),
      },
    ];
  };
  const [bars] = [...series('rate'), ...series('events')];
  const axis = column(key);
  if (bars === undefined || axis === undefined) throw new Error('groups without numbers');
  return {
    starts: sorted.map((row) => Number(row[key])),
    width: step,
    axis: { title: axis.title, unit: unitOf(axis.unit) },
    clock: column('clock') === undefined ? undefined : sorted.map((row) => String(row.clock ?? '')),
    bars,
    lines: value === null ? [] : LINES.flatMap(series),
    value,
  };
}

function unitOf(text: string): Unit {
  return UNITS.find((unit) => unit === text) ?? 'none';
}

/** Exact numbers of 64 bits are texts in results. */
function numberOf(cell: unknown): number | null {
  return cell === null || cell === undefined ? null : Number(cell);
}

/** The largest number of some series; 0 without any. */
export function greatestOf(series: readonly StepSeries[]): number {
  let greatest = 0;
  for (const { values } of series) for (const value of values) if (value !== null && value > greatest) greatest = value;
  return greatest;
}

/** Numbers of an axis from 0 up to at least `greatest`: five at most, at round steps. */
export function ticksTo(greatest: number): readonly number[] {
  if (!(greatest > 0)) return [0];
  const step = roundStep(greatest / 4);
  return Array.from({ length: Math.ceil(greatest / step) + 1 }, (_, i) => i * step);
}

/** Where a step begins, as text. */
export function startText({ starts, axis, clock }: StepsChart, i: number): string {
  return clock?.[i] ?? formatValue(starts[i] ?? 0, axis.unit);
}
