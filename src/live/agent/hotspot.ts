/** A VM with our agent in it. Each function is a call of the agent (agent/calls.c). */

import type { EventName, JVMPI_CallFrame } from '../../formats/jvmpi/document/index.js';
import { eventKind, JVMPI_NOT_AVAILABLE, JVMPI_SUCCESS } from '../../formats/jvmpi/document/index.js';
import { CALL, readEvent, readTrace, type WireReader } from '../../formats/jvmpi/index.js';
import type { EventWants } from '../jvmpi/interface.js';
import type { Requested, Vm } from '../jvmpi/vm.js';

/** The reply to a call: a code of JVMPI, and what was asked for. */
export interface Reply {
  readonly code: number;
  readonly content: WireReader;
}

/** What calls the agent. */
export interface Caller {
  call(name: number, values: readonly number[]): Reply;
}

/** Result of a thread that could not be asked. */
const THREAD_NOT_ALIVE = 15;

export class HotSpotVm implements Vm {
  readonly #channel: Caller;
  #lastThread = 2 ** 31;

  constructor(channel: Caller) {
    this.#channel = channel;
  }

  enable(event: EventName, { trace = 0, cpu_time = false, blocking = false }: EventWants): number {
    const values = [eventKind(event).type, trace, Number(cpu_time), Number(blocking)];
    return this.#channel.call(CALL.enable, values).code;
  }

  disable(event: EventName): number {
    return this.#channel.call(CALL.disable, [eventKind(event).type]).code;
  }

  request(event: EventName, arg: number): Requested {
    if (eventKind(event).once) return { code: JVMPI_NOT_AVAILABLE };
    const { code, content } = this.#channel.call(CALL.request, [eventKind(event).type, arg]);
    return code === JVMPI_SUCCESS ? { code, event: readEvent(event, 0, content) } : { code };
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

  /** Handles are ids here. */
  handleOf(object: number): number {
    return object;
  }

  objectOf(handle: number): number {
    return handle;
  }
}
