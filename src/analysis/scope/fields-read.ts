/** What the steps of a scope read of an event, for readers that need not read the rest. */
import { STACK, THREAD, TIME } from '../../models/events/shared-fields.js';
import type { ScopeStep } from '../../models/scope.js';
import type { Field } from '../../models/table.js';

const READ: Readonly<Partial<Record<ScopeStep['kind'], Field>>> = {
  focus: STACK,
  ignore: STACK,
  origin: STACK,
  thread: THREAD,
  time: TIME,
};

/** The shared fields that choose events of tables without metrics (`applyScope`); undefined if others may be needed: filters name any. */
export function fieldsRead(steps: readonly ScopeStep[]): readonly Field[] | undefined {
  const fields = new Set<Field>();
  for (const { kind } of steps) {
    const field = READ[kind];
    if (field === undefined) return undefined;
    fields.add(field);
  }
  return [...fields];
}
