/** Warnings of the map of a process: what was mapped over a part of something that still was there. */
import type { MapEvent } from '../../../formats/experiment/index.js';
import { hex } from '../numbers.js';

interface Segment {
  readonly from: bigint;
  readonly to: bigint;
  readonly name: string;
}

/** A line for each, in the order of the map. Something at the same place and of the same size replaces what was there. */
export function overlaps(map: readonly MapEvent[]): string[] {
  const lines: string[] = [];
  /** By address, rising. */
  const live: Segment[] = [];
  for (const { kind, attributes } of map) {
    const from = BigInt(attributes.get('vaddr') ?? 0);
    // The functions of a part of memory are in it.
    if (kind !== 'map' || attributes.get('object') === 'dynfunc') {
      const at = firstBehind(live, from);
      if (kind === 'unmap' && live[at]?.from === from) live.splice(at, 1);
      continue;
    }
    const to = from + BigInt(attributes.get('size') ?? 0);
    const segment = { from, to, name: attributes.get('name') ?? '' };
    const at = firstBehind(live, from);
    let end = at;
    for (let each = live[end]; each !== undefined && each.from < to; each = live[++end])
      if (each.from !== from || each.to !== to) lines.push(warning(segment, each));
    live.splice(at, end - at, segment);
  }
  return lines;
}

/** Index of the first segment that ends behind an address. Segments do not overlap. */
function firstBehind(live: readonly Segment[], address: bigint): number {
  let [low, high] = [0, live.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((live[middle]?.to ?? 0n) > address) high = middle;
    else low = middle + 1;
  }
  return low;
}

function warning(segment: Segment, before: Segment): string {
  const text = ({ name, from, to }: Segment): string => `${name} [${hex(from, 1)}-${hex(to, 1)}]`;
  return `*** Warning: Segment ${text(segment)} overlaps ${text(before)}, which has been implicitly unloaded`;
}
