/** Leaks and allocations by call stack, the largest first. */

import { STACK } from '../../../models/events/shared-fields.js';
import type { Profile } from '../../../models/profile/profile.js';
import { columnOf } from '../../../models/table.js';
import { peerSort } from '../code/peer-sort.js';
import { heapColumns, isHeap } from '../peer/event-columns.js';
import type { PrintState } from '../state.js';
import type { Asked } from '../values.js';
import { hasHeap, NO_HEAP } from './heap-statistics.js';
import { stackPrinter } from './stack-text.js';

interface Blocks {
  count: number;
  bytes: number;
}

interface StackBlocks {
  readonly stack: number;
  readonly allocated: Blocks;
  readonly leaked: Blocks;
}

/** Those of each stack, in the order of their first events. */
function blocksByStack({ events }: Profile): StackBlocks[] {
  const table = events.find(isHeap);
  if (table === undefined) return [];
  const { bytes, allocations, live, leaks } = heapColumns(table);
  const stacks = columnOf(table, STACK);
  const found = new Map<number, StackBlocks>();
  for (let row = 0; row < table.length; row++) {
    const [count, lost] = [allocations?.[row] ?? 0, leaks?.[row] ?? 0];
    if (count === 0 && lost === 0) continue;
    const stack = stacks?.[row] ?? -1;
    const known = found.get(stack) ?? {
      stack,
      allocated: { count: 0, bytes: 0 },
      leaked: { count: 0, bytes: 0 },
    };
    found.set(stack, known);
    known.allocated.count += count;
    known.allocated.bytes += count === 0 ? 0 : bytes[row];
    known.leaked.count += lost;
    known.leaked.bytes += lost === 0 ? 0 : live[row];
  }
  return [...found.values()];
}

/** `Leak` counts what was not freed, `Allocation` everything. */
export async function blocksText(asked: Asked, state: PrintState, what: 'Leak' | 'Allocation'): Promise<string> {
  if (!hasHeap(asked.experiment)) return `\n${NO_HEAP}`;
  const profile = await asked.profile();
  const blocksOf = ({ allocated, leaked }: StackBlocks): Blocks => (what === 'Leak' ? leaked : allocated);
  const found = blocksByStack(profile).filter((each) => blocksOf(each).count > 0);
  const all = peerSort(found, (a, b) => blocksOf(b).bytes - blocksOf(a).bytes);
  const frames = await stackPrinter(asked, state, profile);
  const verb = what === 'Leak' ? 'Leaked' : 'Allocated';
  const { count, bytes } = sumOf(all.map(blocksOf));
  const head = `Summary Results: Distinct ${what}s = ${all.length}, Total Instances = ${count}, Total Bytes ${verb} = ${bytes}\n\n`;
  const parts = all.map((each, i) => {
    const own = blocksOf(each);
    return `${what} #${i + 1}, Instances = ${own.count}, Bytes ${verb} = ${own.bytes}\n${frames(each.stack)}\n`;
  });
  return head + parts.join('');
}

function sumOf(all: readonly Blocks[]): Blocks {
  const sum = { count: 0, bytes: 0 };
  for (const { count, bytes } of all) {
    sum.count += count;
    sum.bytes += bytes;
  }
  return sum;
}

/** Allocations and leaks of each stack, those that lost most first. */
export async function heapByStack(asked: Asked, state: PrintState): Promise<string> {
  if (!hasHeap(asked.experiment)) return NO_HEAP;
  const profile = await asked.profile();
  const found = blocksByStack(profile);
  const frames = await stackPrinter(asked, state, profile);
  const lines = (allocated: Blocks, leaked: Blocks): string =>
    [allocated, leaked]
      .map(({ count, bytes }, i) =>
        count === 0 ? '' : `Instances = ${count}  Bytes ${i === 0 ? 'Allocated' : 'Leaked'} = ${bytes}\n`,
      )
      .join('');
  const total = lines(sumOf(found.map(({ allocated }) => allocated)), sumOf(found.map(({ leaked }) => leaked)));
  const parts = found
    .sort((a, b) => b.leaked.bytes - a.leaked.bytes)
    .map(
      ({ stack, allocated, leaked }) => `Stack 0x${stack.toString(16)}\n${lines(allocated, leaked)}${frames(stack)}`,
    );
  return [`<Total>\n${total}`, ...parts].join('\n');
}
