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

const NAMED = /^(c?ob|c?fn)=\((\d+)\)(?: (.*))?$/;
const COST = /^(\*|[+-]?(?:0x[0-9a-f]+|\d+)) \S+(?: (\d+))?/;
const HEADER = /^(summary|pid|cmd): *(.*)$/;

/** Takes the lines of a file with `positions: instr line` and one kind of event. */
export class CallgrindContexts {
  readonly contexts: CallContext[] = [];
  readonly headers = new Map<string, string>();
  /** Lines that are none of the known ones. */
  unknown = 0;
  readonly #names = { ob: new Map<string, string>(), fn: new Map<string, string>() };
  readonly #byKey = new Map<string, CallContext>();
  #object = '';
  #calledObject: string | undefined;
  #context: CallContext | undefined;
  #called = '';
  #isCall = false;
  #instruction = 0;

  line(text: string): void {
    const name = NAMED.exec(text);
    const cost = name === null ? COST.exec(text) : null;
    if (name !== null) this.#name(name[1] ?? '', this.#nameOf(name));
    else if (cost !== null) this.#cost(cost[1] ?? '', Number(cost[2] ?? 0));
    else if (text.startsWith('calls=')) this.#isCall = true;
    else this.#other(text);
  }

  /** Names are written once and then by their numbers. */
  #nameOf([, kind = '', number = '', text]: RegExpExecArray): string {
    const names = kind.endsWith('ob') ? this.#names.ob : this.#names.fn;
    if (text !== undefined) names.set(number, text);
    return kind.endsWith('ob') ? (names.get(number) ?? '') : number;
  }

  #name(kind: string, name: string): void {
    if (kind === 'ob') this.#object = name;
    else if (kind === 'cob') this.#calledObject = name;
    else if (kind === 'cfn') this.#called = name;
    else this.#context = this.#contextOf(this.#object, name);
  }

  #contextOf(object: string, name: string): CallContext {
    const key = `${name} ${object}`;
    const existing = this.#byKey.get(key);
    if (existing !== undefined) return existing;
    const context = new CallContext(object);
    this.#byKey.set(key, context);
    this.contexts.push(context);
    return context;
  }

  #cost(position: string, cost: number): void {
    const context = this.#context;
    const relative = /^[+-]/.test(position)
      ? Number(position.slice(1)) * (position.startsWith('-') ? -1 : 1)
      : undefined;
    if (position !== '*') this.#instruction = relative === undefined ? Number(position) : this.#instruction + relative;
    if (context === undefined) return;
    const instruction = this.#instruction;
    if (!this.#isCall) {
      context.costs.set(instruction, (context.costs.get(instruction) ?? 0) + cost);
      return;
    }
    const calledContext = this.#contextOf(this.#calledObject ?? this.#object, this.#called);
    const call = calledContext.calls.find((each) => each.caller === context && each.instruction === instruction);
    if (call === undefined) calledContext.calls.push({ caller: context, instruction, cost });
    else call.cost += cost;
    this.#isCall = false;
    this.#calledObject = undefined;
  }

  #other(text: string): void {
    const [, key, value = ''] = HEADER.exec(text) ?? [];
    if (key !== undefined) this.headers.set(key, value);
    else if (text !== '' && !/^(?:#|c?f[lie]=|[a-z]+:|jump|jcnd|rcalls)/.test(text)) this.unknown++;
  }
}
