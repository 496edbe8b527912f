/** data.frameinfo of a written experiment: a frame with a native stack for each stack that events have. */
import type { MachineLayout, PacketBlocks } from './packets.js';

const FRAME = 11;
const STACK_UID = 17;
const NATIVE = 1;
const LINKED = 0x80000000;
/** Addresses in one packet; deeper stacks continue in further ones. */
const MOST_ADDRESSES = 2000;
/** Ids of the parts of a stack: the row of the stack, and the number of the part. */
const PART = 0x40000000;
/** In place of the outermost address: the stack was too deep, or unwinding failed. */
export const TRUNCATED = -0xfffffffe;
export const FAILED = -0xfffffffd;

/** Adds the frame of stack `id`, whose addresses are given from leaf to root; events name it by `id` plus 1. Yields full blocks. */
export function* addFrame(
  blocks: PacketBlocks,
  machine: MachineLayout,
  id: number,
  addresses: readonly number[],
): Generator<Uint8Array> {
  const parts = Math.max(1, Math.ceil(addresses.length / MOST_ADDRESSES));
  for (let part = 0; part < parts; part++) {
    const own = addresses.slice(part * MOST_ADDRESSES, (part + 1) * MOST_ADDRESSES);
    const full = addStack(blocks, machine, { id, part, own, isLast: part === parts - 1 });
    if (full !== undefined) yield full;
  }
}

interface StackPart {
  readonly id: number;
  readonly part: number;
  readonly own: readonly number[];
  readonly isLast: boolean;
}

/** The first part of a stack is in the packet of its frame, the others in packets of their own. Returns a full block. */
function addStack(
  blocks: PacketBlocks,
  machine: MachineLayout,
  { id, part, own, isLast }: StackPart,
): Uint8Array | undefined {
  const header = part === 0 ? 24 : 8;
  const bytes = 8 + own.length * machine.word + (isLast ? 0 : 8);
  // With addresses of 32 bits, packets stay multiples of 4.
  const { fields, full } = blocks.packet(header + bytes, part === 0 ? FRAME : STACK_UID);
  const flag = isLast ? 0 : LINKED;
  if (part === 0) {
    fields.word(4, 16);
    fields.wide(8, id + 1);
    fields.word(16, 8 + bytes);
    fields.word(20, NATIVE + flag);
  } else fields.word(4, flag);
  fields.halves(header, PART + part, id);
  let at = header + 8;
  for (const address of own) {
    const mark = address < 0 ? -address : undefined;
    if (machine.word === 4) fields.word(at, mark ?? address);
    else if (mark === undefined) fields.wide(at, address);
    else fields.halves(at, 0xffffffff, mark);
    at += machine.word;
  }
  if (!isLast) fields.halves(at, PART + part + 1, id, true);
  return full;
}
