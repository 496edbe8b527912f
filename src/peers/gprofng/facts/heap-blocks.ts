/** Leaks and allocations by call stack, the largest first. */
import { nativeSites } from '../../../analysis/sites.js';
import type { Profile } from '../../../models/profile/profile.js';
import { peerSort } from '../code/peer-sort.js';
import type { Experiment } from '../peer/experiment.js';
import type { PrintState } from '../state.js';
import type { Asked } from '../values.js';
import { hasHeap, NO_HEAP } from './heap-statistics.js';
import { stackPrinter } from './stack-text.js';

interface Blocks {
  readonly count: number;
  readonly bytes: number;
}

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

const NO_BLOCKS: Blocks = { count: 0, bytes: 0 };

function sumOf(all: readonly Blocks[]): Blocks {
  return all.reduce((sum, { count, bytes }) => ({ count: sum.count + count, bytes: sum.bytes + bytes }), NO_BLOCKS);
}

/** Allocations and leaks of each stack, those that lost most first. */
export async function heapByStack(asked: Asked, state: PrintState): Promise<string> {
  if (!hasHeap(asked.experiment)) return NO_HEAP;
  const profile = await asked.profile();
  const found = blocksByStack(asked.experiment, profile);
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
