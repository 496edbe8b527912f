/**
 * Maps the code of a method to a newer version: whether they are the same, and the new place of each old one.
 *
 *   unchanged   the same instructions at the same BCIs
 *   moved       the same instructions, some at other BCIs: a place maps to the instruction of the same number
 *   changed     a place is kept if its instruction and all that compute its operands are adjacent in both versions,
 *               and each outcome of a branch leads to the same code, or to code inserted before it; if the count
 *               depends on values, the last stores to its variables must be the same, too
 *
 * So a count never moves to a branch with an edited condition, and a branch with an edited body keeps its count. Cost:
 * comparing is linear; the places of changed code need an alignment (`align.ts`), made on demand.
 */
import { isSwitch } from '../../code/java/class-file/instructions.js';
import { kindOfOpcode, OPCODE } from '../../code/java/class-file/opcodes.js';
import { align, slotOf, usesSlot } from './align.js';
import { instructionNumber, type NormalCode } from './normal-code.js';

export type CodeChange = 'unchanged' | 'moved' | 'changed';

export class CodeMap {
  readonly state: CodeChange;
  readonly #from: NormalCode;
  readonly #to: NormalCode;
  #pairs: Int32Array | undefined;
  #sources: Int32Array | undefined;
  #stores: { readonly from: Int32Array; readonly to: Int32Array } | undefined;
  #asked: { readonly number: number; readonly ways: ReadonlyMap<number, number> } | undefined;
  #near: { readonly before: Int32Array; readonly behind: Int32Array } | undefined;

  constructor(from: NormalCode, to: NormalCode) {
    this.#from = from;
    this.#to = to;
    this.state = !isSame(from, to) ? 'changed' : equal(from.bcis, to.bcis) ? 'unchanged' : 'moved';
  }

  /** The number of instructions of the old code, and how many of them the new code has. */
  get kept(): { readonly of: number; readonly instructions: number } {
    const kept = this.state === 'changed' ? this.#aligned().reduce((sum, to) => sum + (to < 0 ? 0 : 1), 0) : undefined;
    return { of: this.#from.length, instructions: kept ?? this.#from.length };
  }

  /** The shift in bytes of the instructions that moved, if it is the same for all; 0 if none moved. */
  get shift(): number | null {
    if (this.state === 'changed') return null;
    const shifts = new Set(this.#from.bcis.map((bci, i) => this.#to.bcis[i] - bci).subarray(0, this.#from.length));
    shifts.delete(0);
    const [only = 0] = shifts;
    return shifts.size > 1 ? null : only;
  }

  /**
   * The new index of the instruction at `bci` with its operands and outcomes; undefined if it is gone or no instruction
   * begins at `bci`. `byValue`: only if the variables among its operands get their values from the same instructions,
   * too.
   */
  place(bci: number, byValue: boolean): number | undefined {
    const number = instructionNumber(this.#from.bcis, this.#from.length, bci);
    if (number < 0) return undefined;
    if (this.state !== 'changed') return this.#to.bcis[number];
    const kept =
      this.#isKept(number) &&
      (!byValue || this.#hasSameVariables(number)) &&
      this.#selectorStores(number).every((store) => this.#isKept(store));
    return kept ? this.#to.bcis[this.#aligned()[number]] : undefined;
  }

  /** Whether an instruction and all that compute its operands are kept and adjacent, with the same outcomes. */
  #isKept(number: number): boolean {
    const pairs = this.#aligned();
    const now = pairs[number];
    if (now < 0) return false;
    for (let k = this.#operandsFrom(number); k <= number; k++) {
      const to = now - (number - k);
      if (pairs[k] !== to || !this.#leadsToTheSame(k, to)) return false;
    }
    return true;
  }

  #hasSameVariables(number: number): boolean {
    for (let k = this.#operandsFrom(number); k <= number; k++)
      if (isLoad(this.#from.opcodes[k]) && !this.#isSameVariable(k)) return false;
    return true;
  }

  /** Whether the last store before a load, in the order of the code, corresponds to the last one before the new load. */
  #isSameVariable(load: number): boolean {
    const pairs = this.#aligned();
    this.#stores ??= { from: lastStores(this.#from), to: lastStores(this.#to) };
    const store = this.#stores.from[load];
    const now = this.#stores.to[pairs[load]];
    if (store < 0 || now < 0) return store === now && this.#from.operands[load] === this.#to.operands[pairs[load]];
    if (pairs[store] !== now || !this.#isKept(store)) return false;
    // The collection of a loop is kept in unnamed variables, each computed from the one before: an array, and its
    // length.
    const first = this.#operandsFrom(store);
    const isNext = first > 0 && isLoad(this.#from.opcodes[first]) && this.#stores.from[first] === first - 1;
    return !isNext || this.#isKept(first - 1);
  }

  /**
   * A switch on strings consists of two: the first finds the string and stores the number of its case, the second
   * switches on that number. The second means the same if these stores, and the checks before them, are the same.
   */
  #selectorStores(number: number): number[] {
    const { opcodes, operands } = this.#from;
    const stores: number[] = [];
    if (!isSwitch({ kind: kindOfOpcode(opcodes[number]) }) || opcodes[number - 1] !== OPCODE.iload) return stores;
    for (let k = 1; k < number; k++) {
      if (opcodes[k] !== OPCODE.istore || operands[k] !== operands[number - 1] || !isPushed(opcodes[k - 1])) continue;
      stores.push(k);
      if (k > 1 && isIf(opcodes[k - 2])) stores.push(k - 2);
    }
    return stores;
  }

  /**
   * The new BCI of a recorded target of the branch at `bci`. The branch's own targets keep their role (taken, not
   * taken, case of a switch). Other targets are the first instruction with an event after one of these, and move with
   * it, or belong to an inlined method, and stay. Undefined if the code of the target is gone.
   */
  target(bci: number, target: number): number | undefined {
    const from = this.#from;
    const number = instructionNumber(from.bcis, from.length, bci);
    const at = instructionNumber(from.bcis, from.length, target);
    if (number < 0 || at < 0) return target;
    const ways = this.#wayPairs(number);
    if (!ways.has(at) && ![...ways.keys()].some((start) => this.#isStraight(start, at))) return target;
    if (this.state !== 'changed') return this.#to.bcis[at];
    const to = ways.get(at) ?? this.#aligned()[at];
    return to === undefined || to < 0 || to >= this.#to.length ? undefined : this.#to.bcis[to];
  }

  /** Old and new targets of a branch's outcomes, cached since a switch has many. */
  #wayPairs(number: number): ReadonlyMap<number, number> {
    if (this.#asked?.number !== number) {
      const old = this.#ways(this.#from, number);
      const now = this.state === 'changed' ? this.#ways(this.#to, this.#aligned()[number]) : old;
      this.#asked = { number, ways: new Map(old.map((start, way) => [start, now[way] ?? -1])) };
    }
    return this.#asked.ways;
  }

  /** Whether no instruction from `start` to before `end` ends a block. */
  #isStraight(start: number, end: number): boolean {
    if (start < 0 || start > end) return false;
    for (let at = start; at < end; at++) if (this.#endsBlock(at)) return false;
    return true;
  }

  #aligned(): Int32Array {
    this.#pairs ??= align(this.#from, this.#to);
    return this.#pairs;
  }

  /**
   * The first of the instructions that compute the operands of an instruction. If some of these are jump targets, as
   * after `a && b` or `a ? b : c` within an expression, the jumps there belong to them, with their own operands.
   */
  #operandsFrom(number: number): number {
    const sources = this.#firstSources();
    const { taken, put } = this.#from;
    let first = number;
    for (let source = number; source >= 0; ) {
      let needed = taken[source];
      first = source;
      while (needed > 0 && first > 0 && !this.#endsBlock(first - 1)) {
        first--;
        needed = Math.max(0, needed - put[first]) + taken[first];
      }
      source = -1;
      for (let k = needed > 0 ? first : first + 1; k <= number && source < 0; k++)
        if (sources[k] >= 0 && sources[k] < first) source = sources[k];
    }
    return first;
  }

  /** By instruction, the first one that jumps forward to it; -1 if none does. */
  #firstSources(): Int32Array {
    if (this.#sources === undefined) {
      const { length, targets, targetStarts } = this.#from;
      this.#sources = new Int32Array(length).fill(-1);
      for (let k = length - 1; k >= 0; k--)
        for (let i = targetStarts[k]; i < targetStarts[k + 1]; i++) if (targets[i] > k) this.#sources[targets[i]] = k;
    }
    return this.#sources;
  }

  #endsBlock(number: number): boolean {
    const kind = kindOfOpcode(this.#from.opcodes[number]);
    const jumps = this.#from.targetStarts[number + 1] > this.#from.targetStarts[number];
    return jumps || kind === 'return' || kind === 'athrow';
  }

  /** The successors of a jump: its targets, and for an `if` the next instruction. */
  #ways(code: NormalCode, number: number): number[] {
    const targets = [...code.targets.subarray(code.targetStarts[number], code.targetStarts[number + 1])];
    return targets.length > 0 && isIf(code.opcodes[number]) ? [...targets, number + 1] : targets;
  }

  #leadsToTheSame(number: number, now: number): boolean {
    const old = this.#ways(this.#from, number);
    const ways = this.#ways(this.#to, now);
    return (
      old.length === ways.length &&
      old.every((target, way) => this.#isBetween(target, ways[way] ?? -1)) &&
      areGroupedAlike(old, ways)
    );
  }

  /** Whether `now` is the new place of `target`, or is before it and after everything that preceded `target`. */
  #isBetween(target: number, now: number): boolean {
    const { before, behind } = this.#neighbours();
    return target >= 0 && now > before[target] && now <= behind[target];
  }

  /**
   * For each old instruction, the new places of the nearest kept instruction before it, and of the nearest one at or
   * after it.
   */
  #neighbours(): { readonly before: Int32Array; readonly behind: Int32Array } {
    if (this.#near === undefined) {
      const pairs = this.#aligned();
      const before = new Int32Array(pairs.length + 1);
      const behind = new Int32Array(pairs.length + 1);
      let last = -1;
      for (let k = 0; k <= pairs.length; k++) {
        before[k] = last;
        if (k < pairs.length && pairs[k] >= 0) last = pairs[k];
      }
      last = this.#to.length;
      for (let k = pairs.length; k >= 0; k--) {
        if (k < pairs.length && pairs[k] >= 0) last = pairs[k];
        behind[k] = last;
      }
      this.#near = { before, behind };
    }
    return this.#near;
  }
}

/** Whether equal targets are at the same positions in two lists: cases of a switch that shared a target still share it. */
function areGroupedAlike(some: readonly number[], others: readonly number[]): boolean {
  const there = new Map(some.map((target, way) => [target, others[way]]));
  return there.size === new Set(others).size && some.every((target, way) => there.get(target) === others[way]);
}

/** For each load, the last store to its variable before it in the order of the code; -1 for other instructions. */
function lastStores({ length, opcodes, operands }: NormalCode): Int32Array {
  const last = new Int32Array(length).fill(-1);
  const stores = new Map<number, number>();
  for (let k = 0; k < length; k++) {
    if (!usesSlot(opcodes[k])) continue;
    const slot = slotOf(operands[k]);
    if (isLoad(opcodes[k])) last[k] = stores.get(slot) ?? -1;
    else stores.set(slot, k);
  }
  return last;
}

function isLoad(opcode: number): boolean {
  return opcode >= OPCODE.iload && opcode <= OPCODE.aload;
}

/** Whether an instruction pushes a small constant. */
function isPushed(opcode: number): boolean {
  const { iconst_m1, iconst_5, bipush, sipush } = OPCODE;
  return (opcode >= iconst_m1 && opcode <= iconst_5) || opcode === bipush || opcode === sipush;
}

function isIf(opcode: number): boolean {
  return kindOfOpcode(opcode) === 'if';
}

/** Whether two codes are the same except for BCIs. Code that could not be decoded equals no other. */
export function isSame(from: NormalCode, to: NormalCode): boolean {
  return (
    from.whole &&
    to.whole &&
    equal(from.opcodes, to.opcodes) &&
    equal(from.operands, to.operands) &&
    equal(from.targets, to.targets) &&
    equal(from.handlers, to.handlers)
  );
}

function equal(some: Int32Array | Uint8Array, others: Int32Array | Uint8Array): boolean {
  return some.length === others.length && some.every((value, i) => value === others[i]);
}

/** A text that is equal for codes that are the same. */
export function codeText({ opcodes, operands, targets, handlers }: NormalCode): string {
  return [opcodes, operands, targets, handlers].map((part) => part.join(' ')).join('\n');
}
