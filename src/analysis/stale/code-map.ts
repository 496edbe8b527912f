/**
 * Two versions of a method's code: whether they are the same, and where a place of the old one is in the new one.
 *
 *   unchanged   the same instructions at the same BCIs
 *   moved       the same instructions, some at other BCIs: a place is the instruction of the same number
 *   changed     a place survives where its instruction and all that compute its operands stand together in both versions,
 *               and, of a branch, each way leads to the same code, or to what was put in front of it; where the count
 *               depends on values, also only where what was stored last in its variables is the same
 *
 * So a count is never moved to a branch whose condition was edited, and one whose body was edited keeps its count.
 * Cost: comparing is linear; the places of changed code cost an alignment (`align.ts`), made when first asked for.
 */
import { isSwitch } from '../../code/java/class-file/instructions.js';
import { kindOfOpcode, OPCODE } from '../../code/java/class-file/opcodes.js';
import { align, slotOf, usesSlot } from './align.js';
import { instructionNumber, type NormalCode } from './normal-code.js';

export type CodeState = 'unchanged' | 'moved' | 'changed';

export class CodeMap {
  readonly state: CodeState;
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

  /** Instructions of the old code, and those of them that the new one has, too. */
  get kept(): { readonly of: number; readonly instructions: number } {
    const kept = this.state === 'changed' ? this.#aligned().reduce((sum, to) => sum + (to < 0 ? 0 : 1), 0) : undefined;
    return { of: this.#from.length, instructions: kept ?? this.#from.length };
  }

  /** By how many bytes the instructions that were moved were moved, if that is one number; 0 if none was. */
  get shift(): number | null {
    if (this.state === 'changed') return null;
    const shifts = new Set(this.#from.bcis.map((bci, i) => this.#to.bcis[i] - bci).subarray(0, this.#from.length));
    shifts.delete(0);
    const [only = 0] = shifts;
    return shifts.size > 1 ? null : only;
  }

  /**
   * Where the instruction at `bci` is now, with its operands and ways; undefined where it is not, or begins not there.
   * `byValue`: only where the variables among its operands have their values from the same instructions, too.
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

  /** Whether an instruction and all that compute its operands are there, one behind the other, with the same ways. */
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

  /** Whether the last store in front of a load, in the order of the code, is the last one in front of what it is now. */
  #isSameVariable(load: number): boolean {
    const pairs = this.#aligned();
    this.#stores ??= { from: lastStores(this.#from), to: lastStores(this.#to) };
    const store = this.#stores.from[load];
    const now = this.#stores.to[pairs[load]];
    if (store < 0 || now < 0) return store === now && this.#from.operands[load] === this.#to.operands[pairs[load]];
    if (pairs[store] !== now || !this.#isKept(store)) return false;
    // What a loop goes over is kept in variables without a name, one made of the other: an array, and its length.
    const first = this.#operandsFrom(store);
    const isNext = first > 0 && isLoad(this.#from.opcodes[first]) && this.#stores.from[first] === first - 1;
    return !isNext || this.#isKept(first - 1);
  }

  /**
   * A switch on strings is two: the first finds the string and stores the number of its case, the second switches on that.
   * The second means the same if what stores the numbers does: these stores, and the checks in front of them.
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
   * What a target that was recorded for the branch at `bci` is now. Its own ways keep their part (taken, not taken, case
   * of a switch). Other targets are the first thing that happens behind one, and move with it, or belong to an inlined
   * method, and stay. Undefined where the code that a target was is gone.
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

  /** Ways of a branch and what they are now. A switch has many, and they are asked for one by one. */
  #wayPairs(number: number): ReadonlyMap<number, number> {
    if (this.#asked?.number !== number) {
      const old = this.#ways(this.#from, number);
      const now = this.state === 'changed' ? this.#ways(this.#to, this.#aligned()[number]) : old;
      this.#asked = { number, ways: new Map(old.map((start, way) => [start, now[way] ?? -1])) };
    }
    return this.#asked.ways;
  }

  /** Whether nothing but what is written between them happens from instruction `start` to `end`. */
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
   * The first of the instructions that compute the operands of one. Where some of them are jumped to, as behind `a && b`
   * or `a ? b : c` within an expression, those that jump there belong to them, with their own operands.
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

  /** By instruction, the first of those that jump forward to it; -1 where none does. */
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

  /** Where an instruction that jumps can go on: its targets, and of an `if` the next one. */
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

  /** Whether `now` is what `target` became, or stands before it behind all that came before `target`. */
  #isBetween(target: number, now: number): boolean {
    const { before, behind } = this.#neighbours();
    return target >= 0 && now > before[target] && now <= behind[target];
  }

  /** For each old instruction, where the nearest one before it that is kept is now, and the nearest one from it on. */
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

/** Whether the same ones of two rows of targets are equal: cases of a switch that shared their target share it still. */
function areGroupedAlike(some: readonly number[], others: readonly number[]): boolean {
  const there = new Map(some.map((target, way) => [target, others[way]]));
  return there.size === new Set(others).size && some.every((target, way) => there.get(target) === others[way]);
}

/** For each load, the last store to its variable in front of it, in the order of the code; -1 elsewhere. */
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

/** Whether an instruction puts a small number that is written in the code. */
function isPushed(opcode: number): boolean {
  const { iconst_m1, iconst_5, bipush, sipush } = OPCODE;
  return (opcode >= iconst_m1 && opcode <= iconst_5) || opcode === bipush || opcode === sipush;
}

function isIf(opcode: number): boolean {
  return kindOfOpcode(opcode) === 'if';
}

/** Whether two codes are the same but for their BCIs. Code that could not be decoded is the same as none. */
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

/** Equal texts for codes that are the same. */
export function codeText({ opcodes, operands, targets, handlers }: NormalCode): string {
  return [opcodes, operands, targets, handlers].map((part) => part.join(' ')).join('\n');
}
