/**
 * What the rules of JVMPI depend on: the mode of the process, suspended threads, ids that events ended. A call that breaks a
 * rule throws, or is only reported (`lenient`).
 */
import { KansokuError } from '../../base/errors.js';
import type { JNIEnv, jobjectID, Mode, VmEvent } from '../../formats/jvmpi/document/index.js';
import { JVMPI_EVENT_JVM_INIT_DONE } from '../../formats/jvmpi/document/index.js';
import { current } from './current.js';
import { type FunctionName, MODE_NAMES, RULES } from './rules.js';

/** A fault of an agent. */
export class AgentError extends KansokuError {}

/** An agent broke a rule of the document. */
export class JvmpiRuleError extends AgentError {}

/** A call that broke a rule, or may end in a deadlock. */
export interface Finding {
  readonly rule: string;
  readonly place: string;
  readonly message: string;
}

type IdKind = 'thread' | 'class' | 'method';

export class JvmpiState {
  readonly findings: Finding[] = [];
  readonly #lenient: boolean;
  #gcDisabled = 0;
  #inCollection = false;
  #started = false;
  readonly suspended = new Set<JNIEnv>();
  readonly #ended: Readonly<Record<IdKind, Set<number>>> = { thread: new Set(), class: new Set(), method: new Set() };
  readonly #methodsOf = new Map<jobjectID, readonly number[]>();

  constructor(lenient: boolean) {
    this.#lenient = lenient;
  }

  /** The mode for a call that is made now. */
  mode(): Mode {
    if (this.#inCollection || this.suspended.size > 0) return 'suspended';
    const { mode } = current();
    if (mode === 'multi' && this.#gcDisabled > 0) return 'no-gc';
    return mode;
  }

  /** Reports a broken rule: throws it, unless such are only collected. */
  broke(finding: Finding): void {
    const known = this.findings.some(({ message }) => message === finding.message);
    if (!known) this.findings.push(finding);
    if (this.#lenient) return;
    throw new JvmpiRuleError(
      `JVMPI ${finding.place}: ${finding.message}`,
      'use --lenient to go on and only report such calls',
    );
  }

  /** A warning, which never stops an agent. */
  warn(finding: Finding): void {
    if (!this.findings.some(({ message }) => message === finding.message)) this.findings.push(finding);
  }

  /** Checks that a function may be called now. */
  check(name: FunctionName): void {
    const { modes, why, place } = RULES[name];
    const mode = this.mode();
    if (!modes.includes(mode))
      this.broke({
        rule: 'mode',
        place,
        message: `${name} is not allowed in ${MODE_NAMES[mode]}${this.#where()}: ${why}`,
      });
    if (name === 'CreateSystemThread' && !this.#started)
      this.broke({ rule: 'phase', place, message: 'CreateSystemThread is allowed only after JVM_INIT_DONE' });
  }

  #where(): string {
    const { event } = current();
    return event === undefined ? '' : `, in the handler of ${event}`;
  }

  /** Checks that an argument which is an object's id is safe: the GC is disabled (§1.4). */
  checkIdArgument(name: FunctionName): void {
    if (this.mode() !== 'multi') return;
    this.broke({
      rule: 'id',
      place: '§1.4',
      message: `${name} takes the id of an object${this.#where()}, so the GC must be disabled: call DisableGC first`,
    });
  }

  /** Checks that an id still names something; false if an event ended it. */
  isDefined(kind: IdKind, id: number, name: FunctionName): boolean {
    if (!this.#ended[kind].has(id)) return true;
    const by = kind === 'thread' ? 'THREAD_END' : 'CLASS_UNLOAD';
    this.warn({
      rule: 'ended-id',
      place: '§1.4',
      message: `${name} got the id of a ${kind} that ended by ${by}: ${id}`,
    });
    return false;
  }

  /** Reports an id that the VM does not know, or no more. Gives 0, the result of such a call. */
  namesNothing(kind: IdKind | 'object', name: FunctionName, id: number): 0 {
    if (id !== 0)
      this.warn({ rule: 'unknown-id', place: '§1.4', message: `${name} got ${id}, which is the id of no ${kind} now` });
    return 0;
  }

  disableGc(): void {
    this.#gcDisabled++;
  }

  enableGc(): void {
    const place = '§2 EnableGC';
    // An inner one of nested calls leaves the GC disabled.
    if (this.suspended.size > 0 && this.#gcDisabled <= 1)
      this.broke({ rule: 'suspended', place: '§2 SuspendThread', message: 'EnableGC before all threads are resumed' });
    if (this.#gcDisabled === 0)
      this.broke({ rule: 'nesting', place, message: 'EnableGC without a DisableGC before it' });
    else this.#gcDisabled--;
  }

  /** Before the handler of an event: what it defines is valid in it, and GC_FINISH ends the suspended mode. */
  before(event: VmEvent): void {
    const { u } = event;
    // Its handler is where agents of the document start their threads.
    if (event.event_type === JVMPI_EVENT_JVM_INIT_DONE) this.#started = true;
    if ('gc_info' in u) this.#inCollection = false;
    if ('thread_start' in u) this.#ended.thread.delete(u.thread_start.thread_env_id);
    if ('class_load' in u) {
      const methods = u.class_load.methods.map(({ method_id }) => method_id);
      this.#ended.class.delete(u.class_load.class_id);
      for (const method of methods) this.#ended.method.delete(method);
      this.#methodsOf.set(u.class_load.class_id, methods);
    }
  }

  /** After the handler: ids that the event ended are no longer valid. */
  after(name: string, event: VmEvent): void {
    if (name === 'GC_START') this.#inCollection = true;
    if (name === 'THREAD_END') {
      this.#ended.thread.add(event.env_id);
      this.suspended.delete(event.env_id);
    }
    const { u } = event;
    if (!('class_unload' in u)) return;
    const { class_id } = u.class_unload;
    this.#ended.class.add(class_id);
    for (const method of this.#methodsOf.get(class_id) ?? []) this.#ended.method.add(method);
    this.#methodsOf.delete(class_id);
  }
}
