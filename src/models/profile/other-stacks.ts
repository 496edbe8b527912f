/** Events with stacks that no metric of a kind counts: a list of functions would not show what they are. */
import { stringAt } from '../../base/text.js';
import { OTHER_EVENTS } from '../events/exception.js';
import { STACK } from '../events/shared-fields.js';
import type { Program } from '../program/program.js';
import { columnOf, type Table } from '../table.js';
import type { Profile } from './profile.js';

export interface TypeOfEvents {
  /** As the file names it; of tables without such names the title of the kind. */
  readonly type: string;
  /** Number of events that have a stack. */
  readonly events: number;
}

/** The types of such events, most events first; those of `OTHER_EVENTS` and of tables without a metric. */
export function otherStacks(profile: Profile, program: Program): readonly TypeOfEvents[] {
  const types = profile.events.flatMap((table) =>
    table.kind === OTHER_EVENTS.kind ? typesOf(table, program) : uncountedTable(table, profile),
  );
  return types.filter(({ events }) => events > 0).sort((a, b) => b.events - a.events);
}

function typesOf(table: Table, program: Program): readonly TypeOfEvents[] {
  const { stack, type } = OTHER_EVENTS.rows(table);
  const counts = new Map<number, number>();
  for (let row = 0; row < table.length; row++)
    if (stack[row] >= 0) counts.set(type[row], (counts.get(type[row]) ?? 0) + 1);
  return [...counts].map(([name, events]) => ({ type: stringAt(program.names, name), events }));
}

function uncountedTable(table: Table, { metrics }: Profile): readonly TypeOfEvents[] {
  const stacks = columnOf(table, STACK);
  if (stacks === undefined || metrics.some((metric) => metric.table === table.kind)) return [];
  let events = 0;
  for (const stack of stacks) if (stack >= 0) events++;
  return [{ type: table.title, events }];
}
