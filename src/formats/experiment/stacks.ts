/**
 * Stacks of the events of one process, as users see them: of Java threads the Java frames, with native frames only where Java called native
 * methods; of OpenMP programs the stacks of the program, with the state of the thread in front. All other stacks are the native ones.
 */
import { Int32Builder } from '../../base/columns/columns.js';
import type { StackEnding, StackId } from '../../models/profile/profile.js';
import { rootOf, type StackBuilder } from '../../models/profile/stack-builder.js';
import { type LocationId, NO_LINE, REFUSED_BCI, UNKNOWN_BCI } from '../../models/program/program.js';
import type { ProgramBuilder } from '../../models/program/program-builder.js';
import type { ViewMode } from '../../models/scope.js';
import { LEAF_BCI } from './facts.js';
import type { Frames, RawStack } from './frames.js';
import type { JavaMethods } from './java-classes.js';
import type { Wide } from './log.js';
import type { AddressSpace } from './places/address-space.js';

const UNKNOWN = -2;
const VARIES = -3;
/** Values at the end of a stack: it was too deep, or unwinding failed. Inside: the next value is a register that may be a return address. */
const TRUNCATED = -2;
const FAILED = -3;
const LEAF_CHECK = -1;
/** Bytecode indexes of native methods, and of compiled code for which the JVM knows none. */
const NATIVE_METHOD = -3;
const COMPILED_LEAF = -1;
/** Pseudo functions by state, as the Performance Analyzer names them. */
const OPENMP_STATES: Readonly<Record<number, string>> = {
  3: '<OMP-implicit_barrier>',
  4: '<OMP-explicit_barrier>',
  5: '<OMP-idle>',
  7: '<OMP-reduction>',
  8: '<OMP-lock_wait>',
  9: '<OMP-critical_section_wait>',
  10: '<OMP-ordered_section_wait>',
  11: '<OMP-atomic_wait>',
};

/** Lowest number by which a JVM says why it has no stack. */
const LOWEST_REFUSAL = -10;

/** A range of frames. */
interface Part {
  readonly from: number;
  readonly to: number;
}

/** What runs on a thread: code of the program, Java code of it, the JVM itself, or what the stack says, where the JVM names no thread. */
export type RunsOn = 'native' | 'java' | 'jvm' | 'unnamed';

export interface StackSources {
  readonly frames: Frames;
  readonly space: AddressSpace;
  readonly methods: JavaMethods;
  readonly program: ProgramBuilder;
  readonly stacks: StackBuilder;
  /** Bytes of an address. */
  readonly word: 4 | 8;
  readonly littleEndian: boolean;
}

export class ProcessStacks {
  readonly #from: StackSources;
  /** By frame: the stack of its events, if it is the same at all times. */
  readonly #native = new Int32Builder();
  readonly #java = new Int32Builder();
  /** The same of the native stacks of frames with OpenMP states. */
  readonly #machine = new Int32Builder();

  constructor(from: StackSources) {
    this.#from = from;
  }

  /** The stack of an event: row of its frame, time in nanoseconds. -1 if the frame is unknown and nothing can be said. */
  of(frame: number, time: number, runsOn: RunsOn): StackId {
    if (runsOn === 'jvm' || (runsOn === 'unnamed' && !this.#isOfJava(frame))) return this.#pseudo('<JVM-System>');
    if (frame < 0) return -1;
    // The JVM records a refused stack, too: a frame without one is that of code that never was in Java.
    if (runsOn === 'native' || !this.#from.frames.has(frame, 'java'))
      return this.#kept(this.#native, frame, () => this.#nativeOf(frame, time));
    if (!this.#hasJava(frame)) return this.#pseudo('<no Java callstack recorded>', this.#refusal(frame));
    return this.#kept(this.#java, frame, () => this.#javaOf(frame, time));
  }

  /** A stack of these addresses, from leaf to root; -1 if there are none. */
  ofAddresses(addresses: readonly Wide[], time: number): StackId {
    const { stacks, space } = this.#from;
    let stack = rootOf('whole');
    for (const { high, low } of addresses.toReversed()) stack = stacks.add(stack, space.locationOf(high, low, time));
    return stack < 0 ? -1 : stack;
  }

  /** The same stack in another view mode. */
  inMode(mode: Exclude<ViewMode, 'user'>, frame: number, time: number, runsOn: RunsOn): StackId {
    if (frame < 0) return -1;
    const { frames } = this.#from;
    // Experts see what the program ran, also the JVM's own threads; of the JVM, and where it refused a stack, the native code.
    if (mode === 'expert' && this.#isOfJava(frame)) return this.of(frame, time, 'java');
    if (mode === 'expert' && runsOn === 'native') return this.of(frame, time, runsOn);
    if (frames.stateOf(frame) < 0) return this.#kept(this.#native, frame, () => this.#nativeOf(frame, time));
    return this.#kept(this.#machine, frame, () => this.#nativeOf(frame, time, 'native'));
  }

  #isOfJava(frame: number): boolean {
    return frame >= 0 && this.#from.frames.has(frame, 'java') && this.#hasJava(frame);
  }

  /** The JVM refuses some stacks; then the frame has one of a single method without an id, or an empty one. */
  #hasJava(frame: number): boolean {
    const { frames } = this.#from;
    const { length, high, low } = frames.stack(frame, 'java');
    return length > 2 || (length === 2 && (high[1] !== 0 || low[1] !== 0));
  }

  #kept(kept: Int32Builder, frame: number, make: () => { readonly stack: StackId; readonly fixed: boolean }): StackId {
    while (kept.length <= frame) kept.push(UNKNOWN);
    const known = kept.values[frame];
    if (known >= -1) return known;
    const { stack, fixed } = make();
    kept.values[frame] = fixed ? stack : VARIES;
    return stack;
  }

  #pseudo(name: string, bci = UNKNOWN_BCI): StackId {
    const { program, stacks } = this.#from;
    return stacks.add(rootOf('whole'), program.location(program.pseudo(name), NO_LINE, bci));
  }

  /** Why the JVM refused a stack, as a bytecode index. */
  #refusal(frame: number): number {
    const { length, low } = this.#from.frames.stack(frame, 'java');
    return length > 0 && low[0] < 0 && low[0] >= LOWEST_REFUSAL ? REFUSED_BCI + low[0] : UNKNOWN_BCI;
  }

  #nativeOf(
    frame: number,
    time: number,
    of: 'user' | 'native' = this.#from.frames.stateOf(frame) >= 0 ? 'user' : 'native',
  ): { stack: StackId; fixed: boolean } {
    const { frames, program, stacks } = this.#from;
    const isUser = of === 'user';
    const state = isUser ? OPENMP_STATES[frames.stateOf(frame)] : undefined;
    const raw = frames.stack(frame, isUser ? 'user' : 'native');
    const { depth, ending } = this.#ending(raw);
    let stack = rootOf(ending);
    for (let i = depth - 1; i >= 0; i--) if (!this.#isCheck(raw, i)) stack = this.#push(stack, raw, i, time);
    if (state !== undefined) stack = stacks.add(stack, program.location(program.pseudo(state)));
    const fixed = this.#isFixed(raw, depth);
    return { stack: stack < 0 ? -1 : stack, fixed };
  }

  #push(parent: StackId, raw: RawStack, i: number, time: number): StackId {
    return this.#from.stacks.add(parent, this.#from.space.locationOf(raw.high[i], raw.low[i], time));
  }

  /** The mark of a leaf check, and the register after it. */
  #isCheck(raw: RawStack, i: number): boolean {
    return this.#isMark(raw, i, LEAF_CHECK) || (i > 0 && this.#isMark(raw, i - 1, LEAF_CHECK));
  }

  #isMark(raw: RawStack, i: number, mark: number): boolean {
    return raw.low[i] === mark && (raw.high[i] === -1 || this.#from.word === 4);
  }

  #ending(raw: RawStack): { readonly depth: number; readonly ending: StackEnding } {
    const last = raw.length - 1;
    if (last >= 0 && this.#isMark(raw, last, TRUNCATED)) return { depth: last, ending: 'cut' };
    if (last >= 0 && this.#isMark(raw, last, FAILED)) return { depth: last, ending: 'failed' };
    return { depth: raw.length, ending: 'whole' };
  }

  #isFixed(raw: RawStack, depth: number): boolean {
    for (let i = 0; i < depth; i++) if (!this.#from.space.isFixed(raw.high[i], raw.low[i])) return false;
    return true;
  }

  /** Java frames, and after each native method the native frames that it called, up to the JVM. */
  #javaOf(frame: number, time: number): { stack: StackId; fixed: boolean } {
    const { frames, stacks, littleEndian } = this.#from;
    const java = frames.stack(frame, 'java');
    const native = frames.stack(frame, 'native');
    const { depth, ending } = this.#ending(java);
    const nativeDepth = this.#ending(native).depth;
    const bci = littleEndian ? java.low : java.high;
    /** From leaf to root: locations. */
    const path: LocationId[] = [];
    let at = 0;
    for (let i = 0; i + 1 < depth; i += 2) {
      if (bci[i] === NATIVE_METHOD) {
        const part =
          i === 0 ? this.#leafPart(native, nativeDepth, time) : this.#innerPart(native, at, nativeDepth, time);
        for (let k = part.from; k < part.to; k++)
          path.push(this.#from.space.locationOf(native.high[k], native.low[k], time));
        at = part.to;
      }
      path.push(this.#javaLocation(java, i + 1, bci[i]));
    }
    let stack = rootOf(ending);
    for (let i = path.length - 1; i >= 0; i--) stack = stacks.add(stack, path[i] ?? -1);
    return { stack: stack < 0 ? -1 : stack, fixed: this.#isFixed(native, nativeDepth) };
  }

  /**
   * The native frames of a native method that is the leaf of Java: all up to the code that called it. None where the JVM itself implements the method, or
   * no code of Java is found that called it.
   */
  #leafPart(native: RawStack, depth: number, time: number): Part {
    const kind = (i: number) => this.#from.space.kindOf(native.high[i], native.low[i], time);
    let from = 0;
    while (from < depth && kind(from) === 'generated') from++;
    let to = from;
    while (to < depth && kind(to) !== 'generated') to++;
    const isFound = to > from && to < depth && kind(to - 1) !== 'jvm';
    return isFound ? { from, to } : { from: to, to };
  }

  /**
   * The native frames of a native method that called Java through the JVM: those between the JVM and the code that called it. `at`: where the
   * part of the Java methods that it called begins.
   */
  #innerPart(native: RawStack, at: number, depth: number, time: number): Part {
    const kind = (i: number) => this.#from.space.kindOf(native.high[i], native.low[i], time);
    let to = at;
    while (to < depth && kind(to) !== 'generated') to++;
    while (to < depth) {
      while (to < depth && kind(to) === 'generated') to++;
      while (to < depth && kind(to) !== 'generated') to++;
      let from = to;
      while (from > at && kind(from - 1) !== 'jvm' && kind(from - 1) !== 'generated') from--;
      // The JVM alone called Java here, as for static initializers: the method is further down.
      if (from < to) return { from, to };
    }
    return { from: depth, to: depth };
  }

  #javaLocation(java: RawStack, i: number, bci: number): LocationId {
    const { methods, program } = this.#from;
    const method = methods.find({ high: java.high[i], low: java.low[i] });
    const known = method < 0 ? program.pseudo('[unknown Java method]') : method;
    return program.location(known, NO_LINE, bci >= 0 ? bci : bci === COMPILED_LEAF ? LEAF_BCI : UNKNOWN_BCI);
  }
}
