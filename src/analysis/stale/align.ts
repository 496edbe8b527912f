/**
 * Finds the instructions that two versions of a method have in common: the common subsequence of their normal code with
 * the largest weight. A pair weighs `PAIR`, a little more right after another pair, less where a statement begins, so
 * that a statement inserted before an equal one does not take its pairs. Jumps are compared without their targets,
 * since these move.
 *
 * Common starts and ends are removed first, except for a margin: the first instructions of an insertion may look like
 * those after it. The rest is solved exactly up to `LARGEST` pairs (8 bytes each). Beyond that, instructions that occur
 * once on each side are anchors, and the gaps between them are solved; a gap that is still too large has no pairs.
 */
import { firstNot } from '../../base/columns/search.js';
import { isSwitch } from '../../code/java/class-file/instructions.js';
import { kindOfOpcode, OPCODE } from '../../code/java/class-file/opcodes.js';
import type { NormalCode } from './normal-code.js';

const LARGEST = 1 << 22;
const MARGIN = 32;
/** Weights of a pair, of a pair where a statement begins, and of a pair right after another one. */
const PAIR = 16;
const STATEMENT = 17;
const FOLLOWING = 18;

/**
 * For each instruction of `from` the one in `to`, or -1; pairs never cross. If a variable was added or removed, the
 * slots of later variables shift; a shift is assumed if it makes more instructions equal. Parameters keep their slots.
 */
export function align(from: NormalCode, to: NormalCode): Int32Array {
  const plain = alignAs(from, to);
  if (from.maxLocals === to.maxLocals || plain.every((to) => to >= 0)) return plain;
  const shift = slotShift(from, to);
  if (shift === undefined) return plain;
  const shifted = alignAs(withSlots(from, shift), to);
  return count(shifted) > count(plain) ? shifted : plain;
}

function count(pairs: Int32Array): number {
  return pairs.reduce((sum, to) => sum + (to < 0 ? 0 : 1), 0);
}

/** From slot `from` on, variables are in slots `by` higher. */
interface SlotShift {
  readonly from: number;
  readonly by: number;
}

/** The shift of the slots of variables, and the first slot shifted, from an alignment that ignores slots. */
function slotShift(from: NormalCode, to: NormalCode): SlotShift | undefined {
  const by = to.maxLocals - from.maxLocals;
  let first = from.maxLocals;
  const pairs = alignAs(withSlots(from, undefined), withSlots(to, undefined));
  pairs.forEach((j, i) => {
    if (j < 0 || !usesSlot(from.opcodes[i])) return;
    const slot = slotOf(from.operands[i]);
    if (slot >= from.parameterSlots && slotOf(to.operands[j]) - slot === by) first = Math.min(first, slot);
  });
  return first === from.maxLocals ? undefined : { from: first, by };
}

export function usesSlot(opcode: number): boolean {
  return (
    (opcode >= OPCODE.iload && opcode <= OPCODE.aload) ||
    (opcode >= OPCODE.istore && opcode <= OPCODE.astore) ||
    opcode === OPCODE.iinc ||
    opcode === OPCODE.ret
  );
}

const SLOT_BITS = 16;

export function slotOf(operand: number): number {
  return operand >>> SLOT_BITS;
}

/** The code with its variables in other slots; undefined: all variables in one slot. */
function withSlots(code: NormalCode, shift: SlotShift | undefined): NormalCode {
  const operands = code.operands.map((operand, i) => {
    if (!usesSlot(code.opcodes[i])) return operand;
    const slot = slotOf(operand);
    const now = shift === undefined ? 0 : slot < shift.from ? slot : slot + shift.by;
    return (now << SLOT_BITS) | (operand & 0xffff);
  });
  return { ...code, operands };
}

function alignAs(from: NormalCode, to: NormalCode): Int32Array {
  const starts = statementStarts(from);
  const pairs = new Int32Array(from.length).fill(-1);
  const gaps: Gap[] = [{ a: 0, aEnd: from.length, b: 0, bEnd: to.length }];
  for (let gap = gaps.pop(); gap !== undefined; gap = gaps.pop()) {
    const rest = trim(from, to, gap, pairs);
    const [rows, columns] = [rest.aEnd - rest.a, rest.bEnd - rest.b];
    if (rows === 0 || columns === 0) continue;
    if ((rows + 1) * (columns + 1) <= LARGEST) solve(from, to, rest, pairs, starts);
    else gaps.push(...aroundAnchors(from, to, rest, pairs));
  }
  return pairs;
}

/** Instructions `a .. aEnd` of one code and `b .. bEnd` of the other. */
interface Gap {
  readonly a: number;
  readonly aEnd: number;
  readonly b: number;
  readonly bEnd: number;
}

function same(from: NormalCode, to: NormalCode, a: number, b: number): boolean {
  return from.opcodes[a] === to.opcodes[b] && from.operands[a] === to.operands[b];
}

function trim(from: NormalCode, to: NormalCode, gap: Gap, pairs: Int32Array): Gap {
  let { a, aEnd, b, bEnd } = gap;
  while (a < aEnd && b < bEnd && same(from, to, a, b)) pairs[a++] = b++;
  while (a < aEnd && b < bEnd && same(from, to, aEnd - 1, bEnd - 1)) pairs[--aEnd] = --bEnd;
  if (a === aEnd && b === bEnd) return { a, aEnd, b, bEnd };
  const before = Math.min(MARGIN, a - gap.a);
  const behind = Math.min(MARGIN, gap.aEnd - aEnd);
  pairs.fill(-1, a - before, aEnd + behind);
  return { a: a - before, aEnd: aEnd + behind, b: b - before, bEnd: bEnd + behind };
}

/**
 * `best[i][j]`: weight of the ends from (i, j) on. `behind[i][j]`: weight of the pairs that can follow if i and j are a
 * pair, plus 1; 0: they cannot be a pair.
 */
function solve(
  from: NormalCode,
  to: NormalCode,
  { a, aEnd, b, bEnd }: Gap,
  pairs: Int32Array,
  starts: Uint8Array,
): void {
  const width = bEnd - b + 1;
  const first = (i: number): number => (starts[i] === 1 ? STATEMENT : PAIR);
  const best = new Int32Array((aEnd - a + 1) * width);
  const behind = new Int32Array(best.length);
  const follow = (next: number): number => (behind[next] === 0 ? 0 : FOLLOWING + behind[next] - 1);
  for (let i = aEnd - 1; i >= a; i--) {
    for (let j = bEnd - 1; j >= b; j--) {
      const at = (i - a) * width + (j - b);
      best[at] = Math.max(best[at + 1], best[at + width]);
      if (!same(from, to, i, j)) continue;
      const next = at + width + 1;
      behind[at] = Math.max(best[next], follow(next)) + 1;
      best[at] = Math.max(best[at], first(i) + behind[at] - 1);
    }
  }
  for (let i = a, j = b, following = false; i < aEnd && j < bEnd; ) {
    const at = (i - a) * width + (j - b);
    if (following || (behind[at] > 0 && best[at] === first(i) + behind[at] - 1)) {
      pairs[i++] = j++;
      following = follow(at + width + 1) === behind[at] - 1 && behind[at + width + 1] > 0;
    } else if (best[at + 1] === best[at]) j++;
    else i++;
  }
}

/** 1 for instructions before which the operand stack is empty, by a walk through the code. */
function statementStarts({ length, opcodes, taken, put }: NormalCode): Uint8Array {
  const starts = new Uint8Array(length);
  let depth = 0;
  for (let i = 0; i < length; i++) {
    starts[i] = depth === 0 ? 1 : 0;
    depth = Math.max(0, depth - taken[i]) + put[i];
    // The next instruction is reached from elsewhere, mostly with an empty stack.
    if (neverGoesOn(opcodes[i])) depth = 0;
  }
  return starts;
}

function neverGoesOn(opcode: number): boolean {
  const kind = kindOfOpcode(opcode);
  return kind === 'goto' || kind === 'return' || kind === 'athrow' || isSwitch({ kind });
}

/** Pairs the instructions that occur once on each side and do not cross; returns the gaps between them. */
function aroundAnchors(from: NormalCode, to: NormalCode, gap: Gap, pairs: Int32Array): Gap[] {
  const once = unique(from, gap.a, gap.aEnd);
  const candidates: [number, number][] = [];
  for (const [key, j] of unique(to, gap.b, gap.bEnd)) {
    const i = once.get(key);
    if (i !== undefined && i >= 0 && j >= 0) candidates.push([i, j]);
  }
  candidates.sort(([i], [k]) => i - k);
  const gaps: Gap[] = [];
  let { a, b } = gap;
  for (const [i, j] of risingSecond(candidates)) {
    pairs[i] = j;
    gaps.push({ a, aEnd: i, b, bEnd: j });
    a = i + 1;
    b = j + 1;
  }
  // Without anchors, the same gap would be returned.
  if (gaps.length > 0) gaps.push({ a, aEnd: gap.aEnd, b, bEnd: gap.bEnd });
  return gaps;
}

/** Instruction by opcode and operand; -1 if there are several. */
function unique(code: NormalCode, from: number, to: number): Map<number, number> {
  const found = new Map<number, number>();
  for (let i = from; i < to; i++) {
    const key = code.operands[i] * 256 + code.opcodes[i];
    found.set(key, found.has(key) ? -1 : i);
  }
  return found;
}

/** The longest subsequence of the pairs in which the second numbers rise, too. */
function risingSecond(pairs: readonly (readonly [number, number])[]): (readonly [number, number])[] {
  /** Position of the pair with the smallest end among rising subsequences of each length. */
  const ends: number[] = [];
  const before = new Int32Array(pairs.length).fill(-1);
  pairs.forEach(([, second], place) => {
    const low = firstNot(0, ends.length, (at) => pairs[ends[at]][1] < second);
    before[place] = low === 0 ? -1 : ends[low - 1];
    ends[low] = place;
  });
  const rising: (readonly [number, number])[] = [];
  for (let place = ends.at(-1) ?? -1; place >= 0; place = before[place]) rising.push(pairs[place]);
  return rising.reverse();
}
