/** What a recording says of garbage collection, in words. */
import { areClose, type GcFacts } from '../../analysis/gc/stages.js';
import { type Note, note } from '../../base/note.js';
import { formatCount, formatValue, plural } from '../../base/units.js';

/** Says that pauses are sums of collections; a scope without any pause says nothing of how they are recorded. */
export function pauseNotes({ times, pauses }: GcFacts): Note[] {
  if (times.single || pauses.count === 0) return [];
  return [note('no-single-pauses', 'The recording has no single pauses: all pauses of a collection count as one.')];
}

/** How many collections have each text, most first. */
export function countTexts(length: number, textOf: (row: number) => string | null): [string, number][] {
  const counts = new Map<string, number>();
  for (let row = 0; row < length; row++) {
    const text = textOf(row) ?? 'unknown';
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
}

/** Why the two rates of allocation differ. */
export function rateNotes({ compared, growth_rate, span }: GcFacts): Note[] {
  if (compared === undefined) return [];
  const { growing, sampled } = compared;
  const inTime = `Growth of the heap is known for ${formatValue(growing, 'ns')} of ${formatValue(span, 'ns')}: allocation events of that time stand for ${formatValue(sampled, 'bytes')}/s.`;
  const rest = areClose(growth_rate, sampled)
    ? ''
    : ' Samples are estimates, and lack what was allocated since the last one of each thread; the heap also grows by the unused rest of buffers.';
  return [note('rates-differ', `${inTime}${rest}`)];
}

export function gcHeadlines(facts: GcFacts): string[] {
  const { collections, pauses, concurrent, times, span } = facts;
  const ns = (value: number | null): string => (value === null ? 'unknown' : formatValue(value, 'ns'));
  const counted = (textOf: (row: number) => string | null): string =>
    countTexts(collections.length, textOf)
      .map(([text, count]) => `${text} ${formatCount(count)}`)
      .join(', ');
  const rates = [
    ...(facts.growth_rate === null
      ? []
      : [`${formatValue(facts.growth_rate, 'bytes')}/s by growth of the heap between collections`]),
    ...(facts.sampled_rate === null ? [] : [`${formatValue(facts.sampled_rate, 'bytes')}/s by allocation events`]),
  ];
  const counts = times.single
    ? plural(pauses.count, 'pause')
    : plural(pauses.count, 'collection with pauses', 'collections with pauses');
  return [
    ...(pauses.count === 0
      ? []
      : [
          `${counts}: ${ns(pauses.sum)}${pauses.share === null ? '' : `, ${formatValue(pauses.share, 'ratio')} of ${ns(span)}`}; p50 ${ns(pauses.p50)}, p90 ${ns(pauses.p90)}, p99 ${ns(pauses.p99)}, p99.9 ${ns(pauses.p999)}, longest ${ns(pauses.max)}`,
        ]),
    ...(concurrent.count === 0
      ? []
      : [
          `${plural(concurrent.count, 'concurrent phase')}, no pauses: ${ns(concurrent.sum)}; longest ${ns(concurrent.max)}`,
        ]),
    ...(collections.length === 0 ? [] : [`${plural(collections.length, 'collection')}: ${counted(facts.nameOf)}`]),
    ...(collections.cause.every((cause) => cause < 0) ? [] : [`Causes: ${counted(facts.causeOf)}`]),
    ...(rates.length === 0 ? [] : [`Allocation: ${rates.join('; ')}`]),
    ...(facts.promoted === null ? [] : [`Copied to the old generation: ${formatValue(facts.promoted, 'bytes')}`]),
  ];
}
