/** One table of events within a scope: for values of events that depend on all of them, such as what was on the heap after each. */
import type { Profile } from '../../models/profile/profile.js';
import type { Program } from '../../models/program/program.js';
import type { ScopeStep } from '../../models/scope.js';
import type { Column, Field, Table } from '../../models/table.js';
import { applyScope } from './scope.js';

/** The table with a further column. */
export function withField(table: Table, field: Field, values: Column): Table {
  return { ...table, fields: [...table.fields, field], columns: { ...table.columns, [field.key]: values } };
}

/** The rows of the table that the scope leaves, with all its columns. Throws as `applyScope` does. */
export function tableInScope(program: Program, profile: Profile, table: Table, scope: readonly ScopeStep[]): Table {
  if (scope.length === 0) return table;
  const [kept = table] = applyScope(program, { ...profile, metrics: [], events: [table] }, scope).profile.events;
  return kept;
}
