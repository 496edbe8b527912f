/** By which fields or elements objects refer to others, for a few pairs of a dump: their values are read from the source. */
import type { Work } from '../../base/progress.js';
import type { ObjectId } from '../../models/heap/object-ids.js';
import type { Subject } from '../../models/open-recording.js';
import { valuesOf } from './inspection.js';
import { isSearched, namesOfReferences, spanOfMembers } from './members.js';
import type { NamedHeap } from './object-values.js';

export interface ReferencePair {
  readonly from: ObjectId;
  readonly to: ObjectId;
}

/** By pair: the names, in the order of the object's members; none where large arrays are not searched, or the source has no values. */
export async function referenceNames(
  subject: Subject,
  named: NamedHeap,
  pairs: readonly ReferencePair[],
  work: Work,
): Promise<readonly (readonly string[])[]> {
  const spans = new Map(
    pairs
      .filter(({ from }) => isSearched(named, from))
      .map(({ from }) => [from, spanOfMembers(named, from, { from: 0, to: 2 ** 32 })] as const),
  );
  const values = await valuesOf(subject, named, work)(spans);
  return pairs.map(({ from, to }) =>
    spans.has(from) ? (namesOfReferences(named, from, values.get(from), to) ?? []) : [],
  );
}
