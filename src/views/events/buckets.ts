/** Events by equal steps of a number: seconds of the recording, sizes, durations. */
import { UNIT_NAMES } from '../../analysis/scope/filter-language.js';
import { UsageError } from '../../base/errors.js';
import { formatCount } from '../../base/units.js';
import type { Field } from '../../models/table.js';

/** A field and the width of its steps, in the unit of the field. */
export interface BucketedField {
  readonly name: string;
  readonly width: { readonly number: number; readonly unit: string } | undefined;
}

/** A field, and behind a colon a number with or without a unit. */
const BUCKETED = /^(.+):(\d+(?:\.\d+)?|\.\d+)\s*([A-Za-zµ%]*)$/;

/** The field of `time:1s` with its width; the width is undefined where the text is a field alone. */
export function bucketedField(text: string): BucketedField {
  const [, name, number, unit = ''] = BUCKETED.exec(text) ?? [];
  return name === undefined ? { name: text, width: undefined } : { name, width: { number: Number(number), unit } };
}

/** The width in the unit of a field. Throws `UsageError` for a field without numbers, and for another unit. */
export function widthIn({ key, unit, holds }: Field, { name, width }: Required<BucketedField>): number {
  const { number = 0, unit: word = '' } = width ?? {};
  if (holds !== 'number')
    throw new UsageError(`${name} is no number, so it has no steps`, {
      code: 'not-a-number',
      advice: `Group by ${name} alone.`,
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
const MOST_BUCKETS = 100_000;

/** The numbers of all buckets of a width from one value to another. Throws `UsageError` if they are too many to be rows. */
export function bucketsFrom(first: number, last: number, width: number): readonly number[] {
  const start = Math.floor(first / width);
  const count = Math.floor(last / width) - start + 1;
  if (count > MOST_BUCKETS)
    throw new UsageError(`steps so small are ${formatCount(count)} rows, most of them empty`, {
      code: 'too-many-buckets',
      advice: `Give wider ones: up to ${formatCount(MOST_BUCKETS)} are shown.`,
    });
  return Array.from({ length: count }, (_, i) => start + i);
}
