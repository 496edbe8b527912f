/** Events by equal steps of a number: seconds of the recording, sizes, durations. */
import { UNIT_NAMES } from '../../analysis/scope/filter-language.js';
import { UsageError } from '../../base/errors.js';
import { formatCount } from '../../base/units.js';
import type { TimeSpans } from '../../models/scope.js';
import type { Field } from '../../models/table.js';

/** The width of steps, as it was written. */
export interface WrittenWidth {
  readonly number: number;
  /** Empty for the unit of the field. */
  readonly unit: string;
}

/** A field, and behind a colon a number with or without a unit. */
const WITH_WIDTH = /^(.+):(\d+(?:\.\d+)?|\.\d+)\s*([A-Za-zµ%]*)$/;

/** The field of `time:1s` and its width; no width where the text is a field alone. */
export function fieldWithWidth(text: string): { readonly name: string; readonly width?: WrittenWidth } {
  const [, name, number, unit = ''] = WITH_WIDTH.exec(text) ?? [];
  return name === undefined ? { name: text } : { name, width: { number: Number(number), unit } };
}

/** The width in the unit of a field. Throws `UsageError` for a field without numbers, and for another unit. */
export function widthIn({ key, unit, holds }: Field, { number, unit: word }: WrittenWidth): number {
  if (holds !== 'number')
    throw new UsageError(`${key} is no number, so it has no steps`, {
      code: 'not-a-number',
      advice: `Group by ${key} alone.`,
    });
  const [measured, size] = word === '' ? [unit, 1] : (UNIT_NAMES[word] ?? [undefined, 1]);
  if (measured !== unit)
    throw new UsageError(`${key}:${number}${word} is no step of ${key}`, {
      code: 'unit-differs',
      advice: `${key} ${STEPS[unit] ?? 'has no unit: give a number alone'}.`,
    });
  if (!(number > 0))
    throw new UsageError(`the steps of ${key} are 0 wide`, { code: 'no-width', advice: 'Give a number above 0.' });
  return number * size;
}

const STEPS: Readonly<Partial<Record<Field['unit'], string>>> = {
  ns: 'is a time: give steps as in 1s or 100ms',
  bytes: 'is a size: give steps as in 1MB or 4KiB',
  ratio: 'is a share: give steps as in 5%',
};

/** More rows than this are no answer. */
const MOST_STEPS = 100_000;

/** The starts of all steps of a width from one value to another. Throws `UsageError` if they are too many to be rows. */
export function stepStarts(first: number, last: number, width: number): readonly number[] {
  const start = Math.floor(first / width);
  const count = Math.floor(last / width) - start + 1;
  if (count > MOST_STEPS)
    throw new UsageError(`steps so small are ${formatCount(count)} rows, most of them empty`, {
      code: 'too-many-buckets',
      advice: `Give wider ones: up to ${formatCount(MOST_STEPS)} are shown.`,
    });
  return Array.from({ length: count }, (_, i) => (start + i) * width);
}

/** By the start of each step the part of it that is in the spans; steps without one are absent. One pass over the spans and their steps. */
export function lengthsOfSteps({ starts, ends }: TimeSpans, width: number): ReadonlyMap<number, number> {
  const lengths = new Map<number, number>();
  for (const [i, start] of starts.entries())
    for (const step of stepStarts(start, ends[i], width)) {
      const length = Math.min(ends[i], step + width) - Math.max(start, step);
      if (length > 0) lengths.set(step, (lengths.get(step) ?? 0) + length);
    }
  return lengths;
}
