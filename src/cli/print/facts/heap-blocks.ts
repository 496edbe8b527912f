/** Leaks and allocations by call stack, the largest first. */

import { STACK } from '../../../models/events/shared-fields.js';
import { columnOf } from '../../../models/table.js';
import { codePlaces, placeName } from '../code/places.js';
import { heapColumns, isHeap } from '../peer/event-columns.js';
import type { PrintState } from '../state.js';
import type { Asked } from '../values.js';

interface Blocks {
  readonly stack: number;
  count: number;
  bytes: number;
}

/** `Leak` counts what was not freed, `Allocation` everything. */
export async function blocksText(asked: Asked, state: PrintState, what: 'Leak' | 'Allocation'): Promise<string> {
  const { processes } = asked.experiment;
  if (!processes.some(({ log }) => log.data.some(({ name }) => name === 'heaptrace')))
    return '\nHeap trace information was not requested when recording experiments\n\n';
  const profile = await asked.profile();
  const table = profile.events.find(isHeap);
  const columns = table && heapColumns(table);
  const stacks = table && columnOf(table, STACK);
  const bytes = what === 'Leak' ? columns?.live : columns?.bytes;
  const counts = what === 'Leak' ? columns?.leaks : columns?.allocations;
  const found = new Map<number, Blocks>();
  for (let row = 0; row < (table?.length ?? 0); row++) {
    const [stack, count] = [stacks?.[row] ?? -1, counts?.[row] ?? 0];
    if (count === 0) continue;
    const known = found.get(stack) ?? { stack, count: 0, bytes: 0 };
    found.set(stack, known);
    known.count += count;
    known.bytes += bytes?.[row] ?? 0;
  }
  const places = await codePlaces(asked.experiment);
  const all = [...found.values()].sort((a, b) => b.bytes - a.bytes);
  const verb = what === 'Leak' ? 'Leaked' : 'Allocated';
  const sum = (of: (blocks: Blocks) => number): number => all.reduce((total, blocks) => total + of(blocks), 0);
  const head = `Summary Results: Distinct ${what}s = ${all.length}, Total Instances = ${sum(({ count }) => count)}, Total Bytes ${verb} = ${sum((one) => one.bytes)}\n\n`;
  const parts = all.map(({ stack, count, bytes: size }, i) => {
    const frames: string[] = [];
    for (let at = stack; at >= 0; at = profile.stacks.parent[at])
      frames.push(`  ${placeName(asked, state, profile.stacks.location[at], places)}\n`);
    return `${what} #${i + 1}, Instances = ${count}, Bytes ${verb} = ${size}\n${frames.join('')}\n`;
  });
  return head + parts.join('');
}
