/** What JVMPI needs of a VM: HotSpot through the agent, a recorded stream, or the scripted one of the tests. */
import type {
  DumpForm,
  EventName,
  JNIEnv,
  JVMPI_CallFrame,
  jmethodID,
  jobject,
  jobjectID,
  VmEvent,
} from '../../formats/jvmpi/document/index.js';
import type { EventWants } from './interface.js';

/** What `request` found: one of the codes of JVMPI, and the event if it succeeded. */
export interface Requested {
  readonly code: number;
  readonly event?: VmEvent;
}

export interface Vm {
  /** How ids and pointers stand in its dumps. */
  readonly form: DumpForm;
  /** A code of JVMPI. */
  enable(event: EventName, wants: EventWants): number;
  disable(event: EventName): number;
  /** A dump or a defining event; `arg` is an id, a level, or 0. */
  request(event: EventName, arg: number): Requested;
  /** The innermost frames of a thread; undefined if it has none (it ended, or never ran Java). */
  callTrace(env: JNIEnv, depth: number): readonly JVMPI_CallFrame[] | undefined;
  exit(code: number): void;
  /** Ns; undefined if they are unknown. */
  cpuTime(env: JNIEnv): number | undefined;
  /** A result for each thread: 0, or JVMTI's error. */
  suspend(envs: readonly JNIEnv[]): readonly number[];
  resume(envs: readonly JNIEnv[]): readonly number[];
  /** JVMPI's status; undefined if the thread ended. */
  status(env: JNIEnv): number | undefined;
  runGC(): void;
  /** 0 if there is none. */
  threadObject(env: JNIEnv): jobjectID;
  methodClass(method: jmethodID): jobjectID;
  /** A daemon thread that does nothing in the VM: the agent's code for it runs here. Undefined if it cannot be made. */
  startThread(name: string, priority: number): JNIEnv | undefined;
  endThread(env: JNIEnv): void;
  /** 0 if the object is gone. */
  handleOf(object: jobjectID): jobject;
  objectOf(handle: jobject): jobjectID;
}
