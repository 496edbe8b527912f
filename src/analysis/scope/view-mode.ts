/** The scope step that chooses which of the recorded stacks of an event counts: as users, experts or the machine see it. */
import { phrase, theStep } from '../../base/phrase.js';
import { EXPERT_STACK, MACHINE_STACK, STACK } from '../../models/events/shared-fields.js';
import { withColumns } from '../../models/packed-columns.js';
import { mapTables, type Profile } from '../../models/profile/profile.js';
import type { ViewMode } from '../../models/scope.js';
import { column, columnOf, type Table } from '../../models/table.js';
import { InapplicableError } from './inapplicable.js';

const FIELDS = { expert: EXPERT_STACK, machine: MACHINE_STACK } as const;

/** The profile whose events have the stacks of a mode. Throws `InapplicableError` if events have one stack only. Cost: none a row. */
export function inViewMode(profile: Profile, mode: ViewMode, unscoped: Set<string>): Profile {
  if (!profile.events.some((table) => columnOf(table, MACHINE_STACK) !== undefined))
    throw new InapplicableError(
      phrase`${theStep('view-mode', { value: mode })}: this recording has one stack an event`,
      {
        code: 'one-stack',
        advice: 'Experiments of programs with Java or OpenMP have several.',
        action: { omitSteps: ['view-mode'] },
      },
    );
  if (mode === 'user') return profile;
  const field = FIELDS[mode];
  return mapTables(profile, (table) => {
    const stack = columnOf(table, field);
    if (stack !== undefined) return { ...table, columns: withColumns(table.columns, { [STACK.key]: stack }) };
    unscoped.add(table.kind);
    return table;
  });
}

/** The profile without the stacks that are not chosen: they do not follow when stacks are rewritten. */
export function withoutOtherStacks(profile: Profile): Profile {
  return mapTables(profile, (table) => {
    if (columnOf(table, MACHINE_STACK) === undefined) return table;
    const fields = table.fields.filter(({ key }) => key !== MACHINE_STACK.key && key !== EXPERT_STACK.key);
    return { ...table, fields, columns: columnsOf(table, fields) };
  });
}

function columnsOf(table: Table, fields: Table['fields']): Table['columns'] {
  return Object.fromEntries(fields.map(({ key }) => [key, column(table, key)]));
}
