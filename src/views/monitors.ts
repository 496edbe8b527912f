/** `monitors`: what threads locked. A PGO profile knows only how often monitors of each class were entered. */
import { z } from 'zod';
import { UsageError } from '../base/errors.js';
import { eventTable } from '../models/profile/profile.js';
import { className } from '../models/program/names.js';
import { column } from '../models/table.js';
import {
  columnsOf,
  common,
  defineView,
  listingShape,
  maybe,
  number,
  pageOf,
  requireProfile,
  share,
  text,
} from './view.js';

const row = z.object({
  count: number('Entries', 'count', 'times a monitor of an object of the class was entered'),
  share: maybe('Entries %', 'ratio', 'of all'),
  class: text('Class', 'of the objects locked'),
});

export const monitorsView = defineView({
  name: 'monitors',
  version: 1,
  title: 'Monitors',
  options: z.object({}),
  shape: {
    ...listingShape(row),
    count: z.number(),
  },
  answer: (input) => {
    const table = eventTable(requireProfile(input), 'monitor');
    if (table === undefined) throw new UsageError(`${input.recording.name} has no monitors`);
    if (input.unscoped.has('monitor')) {
      throw new UsageError(
        'monitor counts of this recording belong to no stack, thread or time',
        'Ask without --focus, --ignore, --hide, --show, --thread and --time.',
      );
    }
    const counts = column(table, 'count');
    const classes = column(table, 'type');
    const name = (i: number): string => className(input.recording.program, classes[i]);
    let sum = 0;
    for (const count of counts) sum += count;
    const order = pageOf(table.length, { count: (i) => counts[i], class: name }, input.page, 'count');
    return {
      ...common(input, [
        'These are synchronisation counts over the whole run, not waits: contention is not in the file.',
      ]),
      count: sum,
      columns: columnsOf(row),
      total: table.length,
      offset: input.page.offset,
      rows: order.map((i) => ({ count: counts[i], share: share(counts[i], sum), class: name(i) })),
    };
  },
});
