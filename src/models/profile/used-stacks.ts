/** Finds the stacks that the events of a profile use. */
import { STACK } from '../events/shared-fields.js';
import { columnOf, type Table } from '../table.js';
import type { StackTable } from './profile.js';

/** 1 for each stack of an event in `tables`, and for its parents. */
export function usedStacks(stacks: StackTable, tables: readonly Table[]): Uint8Array {
  const used = new Uint8Array(stacks.length);
  for (const table of tables) {
    for (const id of columnOf(table, STACK) ?? []) if (id >= 0) used[id] = 1;
  }
  for (let id = stacks.length - 1; id >= 0; id--)
    if (used[id] === 1 && stacks.parent[id] >= 0) used[stacks.parent[id]] = 1;
  return used;
}
