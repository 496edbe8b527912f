/** Leaks and allocations by call stack, the largest first. */
import { nativeSites } from '../../../analysis/sites.js';
import { processOfRow } from '../../../analysis/threads/process-of.js';
import { IntTable } from '../../../base/columns/hash.js';
import { STACK } from '../../../models/events/shared-fields.js';
import type { Profile } from '../../../models/profile/profile.js';
import { columnOf } from '../../../models/table.js';
import { peerSort } from '../code/peer-sort.js';
import { heapColumns, isHeap } from '../peer/event-columns.js';
import type { Experiment } from '../peer/experiment.js';
import type { PrintState } from '../state.js';
import type { Asked } from '../values.js';
import { hasHeap, NO_HEAP } from './heap-statistics.js';
import { stackPrinter } from './stack-text.js';

interface Blocks {
  readonly count: number;
  readonly bytes: number;
}

const NO_BLOCKS: Blocks = { count: 0, bytes: 0 };

interface StackBlocks {
  readonly stack: number;
  readonly allocated: Blocks;
  readonly leaked: Blocks;
}

/** Those of each stack, in the order of their first events. */
function blocksByStack({ program }: Experiment, profile: Profile): StackBlocks[] {
  const sites = nativeSites(program, profile, 'stack');
  if (sites === undefined) return [];
  const { allocated_objects, allocated_bytes, live_objects, live_bytes } = sites.sums;
  return Array.from(sites.stack, (stack, i) => ({
    stack,
    allocated: { count: allocated_objects?.[i] ?? 0, bytes: allocated_bytes?.[i] ?? 0 },
    leaked: { count: live_objects?.[i] ?? 0, bytes: live_bytes?.[i] ?? 0 },
  }));
}

/** The same apart by process: gprofng has stacks of each process. */
function blocksByProcess(profile: Profile): StackBlocks[] {
  const table = profile.events.find(isHeap);
  const stacks = table && columnOf(table, STACK);
  if (table === undefined || stacks === undefined) return [];
  const { bytes, allocations, live } = heapColumns(table);
  const processOf = processOfRow(profile, table);
  const groups = new IntTable(64);
  const sums: { stack: number; allocated: Blocks; leaked: Blocks }[] = [];
  for (let row = 0; row < table.length; row++) {
    const left = live?.[row] ?? 0;
    if (stacks[row] < 0 || (allocations[row] === 0 && left === 0)) continue;
    const group = groups.add(processOf(row), stacks[row]);
    const { allocated, leaked } = sums[group] ?? { allocated: NO_BLOCKS, leaked: NO_BLOCKS };
    sums[group] = {
      stack: stacks[row],
      allocated: { count: allocated.count + allocations[row], bytes: allocated.bytes + bytes[row] },
      leaked: left > 0 ? { count: leaked.count + 1, bytes: leaked.bytes + left } : leaked,
    };
  }
  return sums;
}

/** `Leak` counts what was not freed, `Allocation` everything. */
export async function blocksText(asked: Asked, state: PrintState, what: 'Leak' | 'Allocation'): Promise<string> {
  if (!hasHeap(asked.experiment)) return `\n${NO_HEAP}`;
  const profile = await asked.profile();
  const blocksOf = ({ allocated, leaked }: StackBlocks): Blocks => (what === 'Leak' ? leaked : allocated);
  const found = blocksByStack(asked.experiment, profile).filter((each) => blocksOf(each).count > 0);
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
  return all.reduce((sum, { count, bytes }) => ({ count: sum.count + count, bytes: sum.bytes + bytes }), NO_BLOCKS);
}

/** Allocations and leaks of each stack, those that lost most first. */
export async function heapByStack(asked: Asked, state: PrintState): Promise<string> {
  if (!hasHeap(asked.experiment)) return NO_HEAP;
  const profile = await asked.profile();
  const { experiment } = asked;
  const found = experiment.strict ? blocksByProcess(profile) : blocksByStack(experiment, profile);
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
