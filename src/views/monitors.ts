/** `monitors`: what threads locked. A PGO profile knows only how often monitors of each class were entered. */
import { z } from 'zod';
import { MissingError, UsageError } from '../base/errors.js';
import { eventTable } from '../models/profile/profile.js';
import { className } from '../models/program/names.js';
import { column, type Table } from '../models/table.js';
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
    if (table === undefined) throw new MissingError(`${input.recording.name} has no monitors`);
    if (input.unscoped.has('monitor')) {
      throw new UsageError(
        'monitor counts of this recording belong to no stack, thread or time',
        'Ask without --focus, --ignore, --hide, --show, --thread and --time.',
      );
    }
    const entered = countsByClass(table);
    const sum = entered.reduce((all, one) => all + one.count, 0);
    const keys = {
      count: (i: number) => entered[i].count,
      share: (i: number) => share(entered[i].count, sum),
      class: (i: number) => className(input.recording.program, entered[i].type),
    };
    const order = pageOf(entered.length, keys, input.page, 'count');
    return {
      ...common(input, [
        'These are synchronisation counts over the whole run, not waits: contention is not in the file.',
      ]),
      count: sum,
      columns: columnsOf(row),
      total: entered.length,
      offset: input.page.offset,
      rows: order.map((i) => ({ count: keys.count(i), share: keys.share(i), class: keys.class(i) })),
    };
  },
});

/** A file may count a class in several entries. */
function countsByClass(table: Table): { type: number; count: number }[] {
  const types = column(table, 'type');
  const counts = column(table, 'count');
  const sums = new Map<number, number>();
  for (let i = 0; i < table.length; i++) sums.set(types[i], (sums.get(types[i]) ?? 0) + counts[i]);
  return [...sums].map(([type, count]) => ({ type, count }));
}
