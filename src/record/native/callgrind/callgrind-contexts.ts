/**
 * A callgrind file in which each function is separated by its callers, so that a function of the file is a stack: a context. Its own costs are those of
 * its instructions, and calls lead from contexts to contexts. Memory: a number an instruction of a context.
 *
 *   ob=(1) /usr/bin/shop            object of the following contexts
 *   fn=(9) price'sell'main          a context; later only fn=(9)
 *   0x1139 31 5                     instruction, line, cost of its own
 *   +4 32 1
 *   cob=(2) /lib/libc.so.6          object and context that the next instruction calls
 *   cfn=(7) qsort'price'sell'main
 *   calls=1 0x3df40 30
 *   * 33 71                         the instruction, and the cost of what it called
 */

import { type CalledFunction, CallgrindLines, type CostPlace } from '../../../formats/callgrind/index.js';

/** Where a context is called from. */
export interface ContextCall {
  readonly caller: CallContext;
  readonly instruction: number;
  cost: number;
}

export class CallContext {
  /** By instruction, its own cost. */
  readonly costs = new Map<number, number>();
  readonly calls: ContextCall[] = [];

  /** `object`: path of its file. */
  constructor(readonly object: string) {}

  /** A call that makes up most of its cost; undefined of those that nothing calls. Recursion below it does not count. */
  callAbove(below: ReadonlySet<CallContext>): ContextCall | undefined {
    let most: ContextCall | undefined;
    for (const call of this.calls) if (!below.has(call.caller) && call.cost >= (most?.cost ?? 0)) most = call;
    return most;
  }
}

/** Takes the lines of a file with `positions: instr line` and one kind of event. */
export class CallgrindContexts {
  readonly contexts: CallContext[] = [];
  readonly headers = new Map<string, string>();
  /** Lines that are none of the known ones. */
  unknown = 0;
  /** By object and name: names are long, so they are not joined to keys. */
  readonly #byName = new Map<string, Map<string, CallContext>>();
  readonly #lines = new CallgrindLines({
    header: (key, value) => this.headers.set(key, value),
    cost: (place, costs) => this.#cost(place, costs[0] ?? 0),
    call: (place, called, _, costs) => this.#call(place, called, costs[0] ?? 0),
    unknown: () => this.unknown++,
  });

  line(text: string): void {
    this.#lines.line(text);
  }

  #contextOf({ object, function: name }: CalledFunction): CallContext {
    const contexts = this.#byName.get(object) ?? new Map<string, CallContext>();
    this.#byName.set(object, contexts);
    const existing = contexts.get(name);
    if (existing !== undefined) return existing;
    const context = new CallContext(object);
    contexts.set(name, context);
    this.contexts.push(context);
    return context;
  }

  #cost(place: CostPlace, cost: number): void {
    const { costs } = this.#contextOf(place);
    costs.set(place.instruction, (costs.get(place.instruction) ?? 0) + cost);
  }

  #call(place: CostPlace, called: CalledFunction, cost: number): void {
    const { instruction } = place;
    const caller = this.#contextOf(place);
    const { calls } = this.#contextOf(called);
    const call = calls.find((each) => each.caller === caller && each.instruction === instruction);
    if (call === undefined) calls.push({ caller, instruction, cost });
    else call.cost += cost;
  }
}
