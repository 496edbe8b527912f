/** A VM with our agent in it. Each function is a call of the agent (agent/remote/calls.c). */
import type { DumpForm, EventName, JVMPI_CallFrame, VmEvent } from '../../formats/jvmpi/document/index.js';
import {
  eventKind,
  JVMPI_FAIL,
  JVMPI_NOT_AVAILABLE,
  JVMPI_SUCCESS,
  makeEvent,
} from '../../formats/jvmpi/document/index.js';
import {
  CALL,
  heapDumpOf,
  objectDumpOf,
  readEvent,
  readMonitorDump,
  readTrace,
  readWalk,
  type WireReader,
} from '../../formats/jvmpi/index.js';
import type { EventWants } from '../jvmpi/interface.js';
import type { Requested, Vm } from '../jvmpi/vm.js';

/** The reply to a call: a code of JVMPI, and what was asked for. */
export interface Reply {
  readonly code: number;
  readonly content: WireReader;
  /** What came before it, of long ones. */
  readonly parts?: readonly WireReader[];
}

/** What calls the agent. */
export interface Caller {
  call(name: number, values: readonly number[]): Reply;
}

/** HotSpot wrote ids as they were in its memory. */
const FORM: DumpForm = { idSize: 8, byteOrder: 'little' };

/** A dump; undefined if the object is gone. */
function readDump(event: EventName, arg: number, { content, parts = [] }: Reply): VmEvent | undefined {
  if (event === 'MONITOR_DUMP') return makeEvent(event, 0, { monitor_dump: readMonitorDump(content, FORM) });
  const walk = readWalk([...parts, content]);
  if (event === 'OBJECT_DUMP') {
    const data = objectDumpOf(walk, arg, FORM);
    return data && makeEvent(event, 0, { object_dump: { data, data_len: data.length } });
  }
  const level = arg === 0 || arg === 1 ? arg : 2;
  const traces = level === 0 ? [] : walk.threads;
  const heap_dump = { dump_level: level, data: heapDumpOf(walk, level, FORM), num_traces: traces.length, traces };
  return makeEvent('HEAP_DUMP', 0, { heap_dump });
}

/** What comes beside an event, with its trace, as in agent/remote/remote.h. */
const [WANTS_CPU, WANTS_STATUS] = [1, 2];

/** Result of a thread that could not be asked. */
const THREAD_NOT_ALIVE = 15;

export class HotSpotVm implements Vm {
  /** Events that the VM would not send, by EnableEvent's answer. */
  readonly refused = new Set<EventName>();
  readonly form = FORM;
  readonly #channel: Caller;
  #lastThread = 2 ** 31;

  constructor(channel: Caller) {
    this.#channel = channel;
  }

  enable(event: EventName, { trace = 0, cpu_time = false, status = false, blocking = false }: EventWants): number {
    const also = (cpu_time ? WANTS_CPU : 0) | (status ? WANTS_STATUS : 0);
    const values = [eventKind(event).type, trace, also, Number(blocking)];
    const { code } = this.#channel.call(CALL.enable, values);
    if (code === JVMPI_NOT_AVAILABLE) this.refused.add(event);
    return code;
  }

  disable(event: EventName): number {
    return this.#channel.call(CALL.disable, [eventKind(event).type]).code;
  }

  request(event: EventName, arg: number): Requested {
    const reply = this.#channel.call(CALL.request, [eventKind(event).type, arg]);
    const { code, content } = reply;
    if (code !== JVMPI_SUCCESS) return { code };
    if (!eventKind(event).once) return { code, event: readEvent(event, 0, content) };
    const dump = readDump(event, arg, reply);
    return dump === undefined ? { code: JVMPI_FAIL } : { code, event: dump };
  }

  callTrace(env: number, depth: number): readonly JVMPI_CallFrame[] | undefined {
    const { code, content } = this.#channel.call(CALL.trace, [env, Math.max(0, depth)]);
    return code === JVMPI_SUCCESS ? readTrace(content) : undefined;
  }

  exit(code: number): void {
    this.#channel.call(CALL.exit, [code & 0xff]);
  }

  /** A number that the agent knows of a thread or method; undefined if it does not. */
  #ask(name: number, id: number): number | undefined {
    const { code, content } = this.#channel.call(name, [id]);
    return code === JVMPI_SUCCESS ? content.varint() : undefined;
  }

  cpuTime(env: number): number | undefined {
    return this.#ask(CALL.cpuTime, env);
  }

  #each(name: number, envs: readonly number[]): number[] {
    const { code, content } = this.#channel.call(name, [envs.length, ...envs]);
    return envs.map(() => (code === JVMPI_SUCCESS ? content.varint() : THREAD_NOT_ALIVE));
  }

  suspend(envs: readonly number[]): readonly number[] {
    return this.#each(CALL.suspend, envs);
  }

  resume(envs: readonly number[]): readonly number[] {
    return this.#each(CALL.resume, envs);
  }

  status(env: number): number | undefined {
    return this.#ask(CALL.status, env);
  }

  runGC(): void {
    this.#channel.call(CALL.runGc, []);
  }

  threadObject(env: number): number {
    return this.#ask(CALL.threadObject, env) ?? 0;
  }

  methodClass(method: number): number {
    return this.#ask(CALL.methodClass, method) ?? 0;
  }

  /** The thread exists only here: its code does not run in the VM, and no THREAD_START is sent for it. */
  startThread(): number {
    return this.#lastThread++;
  }

  endThread(): void {}

  /** Handles are ids here. The VM is asked whether there still is such an object. */
  handleOf(object: number): number {
    const { code } = this.#channel.call(CALL.request, [eventKind('OBJECT_ALLOC').type, object]);
    return code === JVMPI_SUCCESS ? object : 0;
  }

  objectOf(handle: number): number {
    return handle;
  }
}
