/**
 * The function interface of JVMPI (§1.2, §2). An agent is a module with `JVM_OnLoad`. Its handlers run in Kansoku's process, after
 * the event, unless `blocking` holds the thread. All functions return when their work is done, except where a promise is shown.
 */
import type {
  JNIEnv,
  JVMPI_CallTrace,
  JVMPI_Event,
  JVMPI_HeapDumpArg,
  JVMPI_RawMonitor,
  jmethodID,
  jobject,
  jobjectID,
} from '../../formats/jvmpi/document/index.js';

/** What each event of a type brings along; the document's `arg`, which is for each type its own. */
export interface EventWants {
  /** Frames of the call trace of its thread. Handlers get it from `GetCallTrace`. */
  readonly trace?: number;
  /** The CPU time of its thread. Handlers get it from `GetCurrentThreadCpuTime`. */
  readonly cpu_time?: boolean;
  /** The status of its thread. Handlers get it from `GetThreadStatus`. */
  readonly status?: boolean;
  /** The thread waits until the handler is done, 10 s at most. */
  readonly blocking?: boolean;
}

type MaybeLater = void | Promise<void>;

export interface JVMPI_Interface {
  /** The version of this interface, which may be higher than the one asked for. */
  readonly version: number;

  /** Set by the agent before `JVM_OnLoad` returns: gets each event that is enabled or requested. */
  NotifyEvent: ((event: JVMPI_Event) => MaybeLater) | undefined;

  /** Switches events of a type on. JVMPI_NOT_AVAILABLE: dumps come on request only, or the VM cannot send it (now). */
  EnableEvent(event_type: number, arg?: EventWants | null): number;
  /** Switches events of a type off. */
  DisableEvent(event_type: number, arg?: null): number;
  /**
   * Sends one event, which arrives before the call returns, with JVMPI_REQUESTED_EVENT in its type: a dump, or the defining event of
   * a class (`arg` is its id), a thread (the id of its object) or an object.
   */
  RequestEvent(event_type: number, arg?: jobjectID | JVMPI_HeapDumpArg | null): number;

  /** Fills `frames` and `num_frames` of the thread `trace.env_id`, at most `depth` frames. */
  GetCallTrace(trace: JVMPI_CallTrace, depth: number): void;

  /** Ends the VM with this exit code. */
  ProfilerExit(err_code: number): void;

  /** Makes a raw monitor. No events are sent about one whose name begins with an underscore. */
  RawMonitorCreate(lock_name: string): JVMPI_RawMonitor;
  /** Gives a promise only if another thread is in the monitor: await it where system threads share the monitor. */
  RawMonitorEnter(lock_id: JVMPI_RawMonitor): MaybeLater;
  RawMonitorExit(lock_id: JVMPI_RawMonitor): void;
  /** Leaves the monitor until another thread notifies it, at most `ms` (0: for ever). A thread that is not in it does not wait. */
  RawMonitorWait(lock_id: JVMPI_RawMonitor, ms: number): Promise<void>;
  RawMonitorNotifyAll(lock_id: JVMPI_RawMonitor): void;
  RawMonitorDestroy(lock_id: JVMPI_RawMonitor): void;

  /** Ns of CPU that the current thread has used. */
  GetCurrentThreadCpuTime(): number;
  /** Suspends a thread, while the GC is disabled. */
  SuspendThread(env: JNIEnv): void;
  ResumeThread(env: JNIEnv): void;
  /** Suspends several threads at once. Gives a result for each: 0, or JVMTI's error. Since JVMPI_VERSION_1_2. */
  SuspendThreadList(envs: readonly JNIEnv[]): number[];
  ResumeThreadList(envs: readonly JNIEnv[]): number[];
  /** JVMPI_THREAD_RUNNABLE, …; that of a thread which this interface suspended is the one before. */
  GetThreadStatus(env: JNIEnv): number;
  /** Whether the thread used CPU time between its last two suspensions. */
  ThreadHasRun(env: JNIEnv): boolean;
  /** Starts a daemon thread, whose code is `f`. */
  CreateSystemThread(name: string, priority: number, f: () => MaybeLater): number;
  /** Keeps a value for a thread until its end. */
  SetThreadLocalStorage(env_id: JNIEnv, value: unknown): void;
  /** The value that was kept for the thread; undefined if there is none. */
  GetThreadLocalStorage(env_id: JNIEnv): unknown;

  /**
   * Ids stay valid until `EnableGC`. Calls nest. Ids are stable here even if objects move, so collections do go on: this only
   * changes the mode.
   */
  DisableGC(): void;
  EnableGC(): void;
  /** Runs a full collection. */
  RunGC(): void;

  /** The object of a thread; 0 if it ended. */
  GetThreadObject(env: JNIEnv): jobjectID;
  /** The class of a method; 0 if it was unloaded. */
  GetMethodClass(mid: jmethodID): jobjectID;

  /** A JNI handle of an object; 0 if it is gone. Since JVMPI_VERSION_1_1. */
  jobjectID2jobject(jid: jobjectID): jobject;
  jobject2jobjectID(j: jobject): jobjectID;
}

/** Where `GetEnv` puts the interface. */
export interface EnvBox {
  env?: JVMPI_Interface;
}

/** What `JVM_OnLoad` gets. */
export interface JavaVM {
  /** Puts the interface of a version into `box`: JNI_OK, or JNI_EVERSION if there is none. */
  GetEnv(box: EnvBox, version: number): number;
}

/** The module of an agent. */
export interface AgentModule {
  /** Runs before the program does; what it enables misses nothing. Gives JNI_OK or JNI_ERR. */
  readonly JVM_OnLoad: (jvm: JavaVM, options: string) => number;
}
