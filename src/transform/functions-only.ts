/**
 * Stacks of functions: merges the places within a function. For formats with one name per frame, since their tools take
 * every name as a separate function. 24 bytes per stack.
 */
import { functionByStack } from '../analysis/stacks/stack-values.js';
import { mapTables, STACK_ENDINGS } from '../models/profile/profile.js';
import { rootOf, StackBuilder } from '../models/profile/stack-builder.js';
import type { Recording } from '../models/recording.js';
import { withMovedRows } from '../models/table.js';

/** The recording with one place per function. Heaps, locks and other tables are unchanged. */
export function functionsOnly(recording: Recording): Recording {
  const { program, profile } = recording;
  if (profile === undefined) return recording;
  const functions = functionByStack(profile.stacks, program);
  const builder = new StackBuilder(profile.stacks.length);
  const moved = new Int32Array(profile.stacks.length);
  for (let id = 0; id < moved.length; id++) {
    const parent = profile.stacks.parent[id];
    const above = parent >= 0 ? moved[parent] : rootOf(STACK_ENDINGS[profile.stacks.ending[id]]);
    moved[id] = builder.add(above, functions[id]);
  }
  const count = program.functions.length;
  const locations = {
    length: count,
    function: Int32Array.from({ length: count }, (_, id) => id),
  };
  const changed = mapTables(profile, (table) => withMovedRows(table, 'stack', moved));
  return { ...recording, program: { ...program, locations }, profile: { ...changed, stacks: builder.finish() } };
}
