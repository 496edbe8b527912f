/** What all parts of the HPROF agent share: names of classes, methods and threads, traces, and the types of objects. */
import {
  type AgentSetup,
  type EventContents,
  type JVMPI_CallFrame,
  JVMPI_EVENT_CLASS_LOAD,
  JVMPI_EVENT_OBJECT_ALLOC,
  type JVMPI_Field,
} from 'kansoku/jvmpi';
import type { Options } from './options.ts';

export interface Class {
  readonly id: number;
  readonly serial: number;
  /** `java.lang.String`, `int[]` */
  readonly name: string;
  readonly source: string;
  readonly interfaces: number;
  readonly statics: readonly JVMPI_Field[];
  readonly instances: readonly JVMPI_Field[];
}

export interface Method {
  readonly of: Class;
  readonly name: string;
  readonly signature: string;
}

export interface Thread {
  readonly serial: number;
  readonly object: number;
  readonly name: string;
  readonly group: string;
  readonly parent: string;
  ended: boolean;
}

export interface Trace {
  readonly serial: number;
  /** Serial of the thread with `thread=y`, else 0. */
  readonly thread: number;
  /** The innermost first. */
  readonly frames: readonly JVMPI_CallFrame[];
}

/** What the VM says of an object. */
export interface Described {
  readonly type: string;
  /** Bytes. */
  readonly size: number;
}

const PRIMITIVES: Readonly<Record<string, string>> = {
  Z: 'boolean',
  C: 'char',
  F: 'float',
  D: 'double',
  B: 'byte',
  S: 'short',
  I: 'int',
  J: 'long',
};
/** The code of boolean; those of the other primitive types follow. */
const BOOLEAN = 4;

/** The primitive type with a code of JVMPI. */
export function primitiveName(code: number): string {
  return Object.values(PRIMITIVES)[code - BOOLEAN] ?? '';
}

/** `[[Ljava.lang.String;` as `java.lang.String[][]`. */
function readable(name: string): string {
  const dimensions = Math.max(0, name.search(/[^[]/));
  if (dimensions === 0) return name;
  const element = name.slice(dimensions);
  return (PRIMITIVES[element] ?? element.slice(1, -1)) + '[]'.repeat(dimensions);
}

export class Profile {
  readonly options: Options;
  readonly classes = new Map<number, Class>();
  readonly methods = new Map<number, Method>();
  readonly threads = new Map<number, Thread>();
  readonly traces: Trace[] = [];
  /** The trace of what has none. */
  readonly noTrace: Trace;
  readonly #setup: AgentSetup;
  readonly #known = new Map<string, Trace>();
  readonly #types = new Map<number, string>();
  #answer: Described | undefined;
  #started = 0;

  constructor(options: Options, setup: AgentSetup) {
    this.options = options;
    this.#setup = setup;
    this.noTrace = this.trace(0, []);
    const add = (loaded: EventContents['CLASS_LOAD']['class_load']): void => this.#addClass(loaded);
    setup.on('CLASS_LOAD', add);
    setup.onRequested('CLASS_LOAD', add);
    setup.onRequested('OBJECT_ALLOC', ({ class_id, is_array, size }) => {
      this.#answer = { type: this.typeName(class_id, is_array), size };
    });
  }

  #addClass(loaded: EventContents['CLASS_LOAD']['class_load']): void {
    const { class_id: id, class_name, source_name: source, num_interfaces: interfaces, statics, instances } = loaded;
    const serial = this.classes.get(id)?.serial ?? this.classes.size + 1;
    const of = { id, serial, name: readable(class_name), source, interfaces, statics, instances };
    this.classes.set(id, of);
    for (const { method_id, method_name: name, method_signature: signature } of loaded.methods)
      this.methods.set(method_id, { of, name, signature });
  }

  /** The class with an id, which the VM describes if it was not loaded in sight; the GC must be disabled. */
  classOf(id: number): Class | undefined {
    if (id !== 0 && !this.classes.has(id)) this.#setup.jvmpi.RequestEvent(JVMPI_EVENT_CLASS_LOAD, id);
    return this.classes.get(id);
  }

  /** By OBJECT_ALLOC, which gives the class of the elements of arrays; the GC must be disabled. */
  typeName(class_id: number, is_array: number): string {
    if (is_array >= BOOLEAN) return `${primitiveName(is_array)}[]`;
    const name = this.classOf(class_id)?.name ?? '<Unknown>';
    return is_array === 0 ? name : `${name}[]`;
  }

  /** Asks the VM for type and size of an object; the GC must be disabled. */
  describe(object: number): Described | undefined {
    this.#answer = undefined;
    this.#setup.jvmpi.RequestEvent(JVMPI_EVENT_OBJECT_ALLOC, object);
    return this.#answer;
  }

  /** The type of an object that waits are about. */
  typeOf(object: number): string {
    let type = this.#types.get(object);
    if (type === undefined) {
      type = this.describe(object)?.type ?? '<Unknown>';
      this.#types.set(object, type);
    }
    return type;
  }

  forget(object: number): void {
    this.#types.delete(object);
  }

  methodName(id: number): string {
    const method = this.methods.get(id);
    return method === undefined ? '<Unknown Method>' : `${method.of.name}.${method.name}`;
  }

  /** A serial for one more thread. */
  nextThread(): number {
    return ++this.#started;
  }

  threadSerial(env: number): number {
    return this.threads.get(env)?.serial ?? 0;
  }

  /** The trace with these frames, whose innermost is the first. */
  trace(env: number, stack: readonly JVMPI_CallFrame[]): Trace {
    const { depth, lineno, thread } = this.options;
    const frames = stack.slice(0, depth).map((frame) => (lineno ? frame : { ...frame, lineno: -1 }));
    const of = thread ? this.threadSerial(env) : 0;
    const key = `${of}:${frames.map((frame) => `${frame.method_id},${frame.lineno}`).join(' ')}`;
    let trace = this.#known.get(key);
    if (trace === undefined) {
      trace = { serial: this.traces.length + 1, thread: of, frames };
      this.#known.set(key, trace);
      this.traces.push(trace);
    }
    return trace;
  }
}
