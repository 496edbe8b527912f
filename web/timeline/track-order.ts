/** Which tracks are in view, and in which order. Pure. */
import type { LaneModel, TimelineModel, TrackModel } from './model.js';

/** Of threads: as the result has them, most events first; by name; by what they ran or waited, most first. */
export const THREAD_ORDERS = ['events', 'name', 'ran', 'blocked', 'waited'] as const;
export type ThreadOrder = (typeof THREAD_ORDERS)[number];

const naturally = new Intl.Collator('en', { numeric: true });

/** The tracks but for threads without the text in their name; those of threads come last, in an order. */
export function tracksInView(model: TimelineModel, search: string, order: ThreadOrder): number[] {
  const text = search.toLowerCase();
  const { tracks } = model;
  const ids = tracks.map((_, id) => id);
  const others = ids.filter((id) => tracks[id]?.kind !== 'thread');
  const threads = ids.filter((id) => tracks[id]?.kind === 'thread' && tracks[id].name.toLowerCase().includes(text));
  if (order === 'name')
    threads.sort((a, b) => naturally.compare(tracks[a]?.name ?? '', tracks[b]?.name ?? '') || a - b);
  else if (order !== 'events') {
    const weights = tracks.map((track) => weightOf(model, track, order));
    threads.sort((a, b) => (weights[b] ?? 0) - (weights[a] ?? 0) || a - b);
  }
  return [...others, ...threads];
}

/** The number of samples in which a thread ran, or nanoseconds in which it was blocked, or waited for anything. */
function weightOf({ rows }: TimelineModel, { lanes }: TrackModel, order: 'ran' | 'blocked' | 'waited'): number {
  return lanes
    .filter(({ activity }) => activity === order || (order === 'waited' && activity === 'blocked'))
    .reduce((sum, { measure, first, end }: LaneModel) => {
      const last = end - 1;
      return last < first
        ? sum
        : sum + rows.sums[last] + (measure === 'samples' ? rows.value[last] : rows.to[last] - rows.from[last]);
    }, 0);
}
