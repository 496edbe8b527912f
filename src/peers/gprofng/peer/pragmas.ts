/**
 * States of OpenMP as gprofng counts them: a program that works on a line with the pragma of a region or task that was recorded is in the runtime system.
 */
import { STACK } from '../../../models/events/shared-fields.js';
import type { Profile } from '../../../models/profile/profile.js';
import { columnOf, type Table } from '../../../models/table.js';
import { type CodedProgram, locate } from '../code/locate.js';

const WORK = 2;
const OVERHEAD = 1;

/** `states`: by row of the clock events, -1 for none. */
export async function withPragmas(
  experiment: CodedProgram,
  profile: Profile,
  table: Table | undefined,
  states: Int32Array,
): Promise<Int32Array> {
  const pragmas = (table?.fields ?? []).filter(({ key, holds }) => holds === 'stack' && /^omp_.*_stack$/.test(key));
  const stacks = table && columnOf(table, STACK);
  if (table === undefined || stacks === undefined || pragmas.length === 0) return states;
  const { parent, location } = profile.stacks;
  const lines = new Map<number, string>();
  const lineOf = async (stack: number): Promise<string> => {
    const known = lines.get(stack) ?? (await lineAt(experiment, location[stack]));
    lines.set(stack, known);
    return known;
  };
  const found = new Set<string>();
  for (const { key } of pragmas)
    for (const stack of new Set(table.columns[key] ?? []))
      for (let at = stack; at >= 0; at = parent[at]) found.add(await lineOf(at));
  found.delete('');
  const changed = Int32Array.from(states);
  for (let row = 0; row < table.length; row++) {
    if (states[row] !== WORK) continue;
    for (let at = stacks[row]; at >= 0 && changed[row] === WORK; at = parent[at])
      if (found.has(await lineOf(at))) changed[row] = OVERHEAD;
  }
  return changed;
}

/** A line of a function; empty if it is unknown. */
async function lineAt(experiment: CodedProgram, location: number): Promise<string> {
  const found = await locate(experiment, location);
  if (found === undefined) return '';
  const { file, line } = await experiment.code.sourceOf(found.function, found.offset);
  return line > 0 ? `${found.object} ${found.function.start} ${file} ${line}` : '';
}
