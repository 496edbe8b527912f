/**
 * What the rules of JVMPI depend on: the mode of the process, suspended threads, ids that events ended. A call that breaks a
 * rule throws, or is only reported (`lenient`).
 */
import { KansokuError } from '../../base/errors.js';
import { phrase, theOption } from '../../base/phrase.js';
import type { JNIEnv, jobjectID, Mode, VmEvent } from '../../formats/jvmpi/document/index.js';
import { JVMPI_EVENT_JVM_INIT_DONE } from '../../formats/jvmpi/document/index.js';
import { current } from './current.js';
import { type FunctionName, MODE_NAMES, RULES } from './rules.js';

/** A fault of an agent. */
export class AgentError extends KansokuError {}

/** An agent broke a rule of the document. */
export class JvmpiRuleError extends AgentError {}

/** A call that broke a rule, or may end in a deadlock. */
export interface RuleFinding {
  readonly rule: string;
  readonly place: string;
  readonly message: string;
}

/** What ids name, and the event that ends them. */
const ENDS = {
  thread: 'THREAD_END',
  class: 'CLASS_UNLOAD',
  method: 'CLASS_UNLOAD',
  object: 'ARENA_DELETE',
  reference: 'JNI_GLOBALREF_FREE',
} as const;
type IdKind = keyof typeof ENDS;

/** As with Sun's VMs, all objects of HotSpot are in one arena, which is never deleted. */
const ONLY_ARENA = 1;

export class JvmpiState {
  readonly findings: RuleFinding[] = [];
  readonly #lenient: boolean;
  #gcDisabled = 0;
  #inCollection = false;
  #started = false;
  readonly suspended = new Set<JNIEnv>();
  readonly #ended: Readonly<Record<IdKind, Set<number>>> = {
    thread: new Set(),
    class: new Set(),
    method: new Set(),
    object: new Set(),
    reference: new Set(),
  };
  /** The objects of JNI global references that were announced. */
  readonly #references = new Map<number, jobjectID>();
  /** The objects of each arena but the usual one. */
  readonly #arenas = new Map<number, Set<jobjectID>>();
  readonly #methodsOf = new Map<jobjectID, readonly number[]>();

  constructor(lenient: boolean) {
    this.#lenient = lenient;
  }

  /**
   * The mode for a call that is made now. During a collection only its own handlers run in the VM of the document. All other threads stand
   * still there, so what they do here between the handlers happens before the collection or behind it.
   */
  mode(): Mode {
    const { mode, event } = current();
    if ((this.#inCollection && event === 'GC_START') || this.suspended.size > 0) return 'suspended';
    if (mode === 'multi' && this.#gcDisabled > 0) return 'no-gc';
    return mode;
  }

  /** Reports a broken rule: throws it, unless such are only collected. */
  broke(finding: RuleFinding): void {
    const known = this.findings.some(({ message }) => message === finding.message);
    if (!known) this.findings.push(finding);
    if (this.#lenient) return;
    throw new JvmpiRuleError(`JVMPI ${finding.place}: ${finding.message}`, {
      code: 'rule-broken',
      advice: phrase`use ${theOption('lenient')} to go on and only report such calls`,
      action: { set: { lenient: true } },
    });
  }

  /** A warning, which never stops an agent. */
  warn(finding: RuleFinding): void {
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
    const what = kind === 'object' ? 'an object' : kind === 'reference' ? 'a JNI reference' : `a ${kind}`;
    this.warn({
      rule: 'ended-id',
      place: '§1.4',
      message: `${name} got the id of ${what} that ended by ${ENDS[kind]}: ${id}`,
    });
    return false;
  }

  /** Reports an id that the VM does not know, or no more. Gives 0, the result of such a call. */
  namesNothing(kind: IdKind, name: FunctionName, id: number): 0 {
    if (id !== 0)
      this.warn({ rule: 'unknown-id', place: '§1.4', message: `${name} got ${id}, which is the id of no ${kind} now` });
    return 0;
  }

  /** The object of a JNI global reference; undefined if no event announced it. */
  referenceTo(reference: number): jobjectID | undefined {
    return this.#references.get(reference);
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
    // The most frequent ones define nothing.
    if ('method' in u) return;
    // Its handler is where agents of the document start their threads.
    if (event.event_type === JVMPI_EVENT_JVM_INIT_DONE) this.#started = true;
    if ('gc_info' in u) this.#inCollection = false;
    if ('thread_start' in u) this.#ended.thread.delete(u.thread_start.thread_env_id);
    if ('jni_globalref_alloc' in u) {
      const { ref_id, obj_id } = u.jni_globalref_alloc;
      this.#ended.reference.delete(ref_id);
      this.#references.set(ref_id, obj_id);
    }
    if ('obj_alloc' in u) this.#enters(u.obj_alloc.arena_id, u.obj_alloc.obj_id);
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
    if ('method' in u) return;
    if ('jni_globalref_free' in u) {
      this.#references.delete(u.jni_globalref_free.ref_id);
      this.#ended.reference.add(u.jni_globalref_free.ref_id);
    }
    if ('obj_move' in u) {
      const { arena_id, obj_id, new_arena_id, new_obj_id } = u.obj_move;
      this.#arenas.get(arena_id)?.delete(obj_id);
      this.#enters(new_arena_id, new_obj_id);
    }
    if ('delete_arena' in u) {
      for (const object of this.#arenas.get(u.delete_arena.arena_id) ?? []) this.#ended.object.add(object);
      this.#arenas.delete(u.delete_arena.arena_id);
    }
    if (!('class_unload' in u)) return;
    const { class_id } = u.class_unload;
    this.#ended.class.add(class_id);
    for (const method of this.#methodsOf.get(class_id) ?? []) this.#ended.method.add(method);
    this.#methodsOf.delete(class_id);
  }

  /** An object is in an arena from now on. */
  #enters(arena: number, object: jobjectID): void {
    if (arena === ONLY_ARENA) return;
    this.#ended.object.delete(object);
    const objects = this.#arenas.get(arena) ?? new Set();
    this.#arenas.set(arena, objects.add(object));
  }
}
