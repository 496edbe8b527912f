/** The 28 functions over a host: each checks its rule, then asks the VM. */
import type { EventName, JNIEnv, JVMPI_HeapDumpArg, VmEvent } from '../../formats/jvmpi/document/index.js';
import {
  eventKind,
  eventName,
  JNI_ERR,
  JNI_OK,
  JVMPI_DUMP_LEVEL_2,
  JVMPI_FAIL,
  JVMPI_NOT_AVAILABLE,
  JVMPI_SUCCESS,
  JVMPI_VERSION_1_2,
  writeMonitors,
} from '../../formats/jvmpi/document/index.js';
import { current } from './current.js';
import type { EventWants, JVMPI_Interface } from './interface.js';
import type { RawMonitors } from './raw-monitors.js';
import type { FunctionName } from './rules.js';
import type { JvmpiState } from './state.js';
import type { Vm } from './vm.js';

/** Events that come from this interface itself. */
const isOwn = (name: EventName): boolean => name.startsWith('RAW_MONITOR_');

/** JVMTI's error for a thread that ended. */
const THREAD_NOT_ALIVE = 15;
/** JVMTI's errors for threads that are no more. */
const ENDED: readonly number[] = [10, THREAD_NOT_ALIVE];

/** What the functions work on: the host of an agent. */
export interface FunctionHost {
  readonly vm: Vm;
  readonly state: JvmpiState;
  readonly monitors: RawMonitors;
  readonly enabled: Set<EventName>;
  readonly storage: Map<JNIEnv, unknown>;
  /** Gives the agent an event that it requested. */
  deliverRequested(event: VmEvent): void;
  /** Runs the code of a system thread. */
  runThread(env: JNIEnv, code: () => void | Promise<void>): void;
}

export function makeFunctions(host: FunctionHost): JVMPI_Interface {
  const { state } = host;
  return {
    version: JVMPI_VERSION_1_2,
    NotifyEvent: undefined,
    ...eventFunctions(host),
    ...monitorFunctions(host),
    ...threadFunctions(host),
    ...suspending(host),
    ...idFunctions(host),
    DisableGC: () => {
      state.check('DisableGC');
      state.disableGc();
    },
    EnableGC: () => {
      state.check('EnableGC');
      state.enableGc();
    },
    RunGC: () => {
      state.check('RunGC');
      host.vm.runGC();
    },
    ProfilerExit: (code) => {
      state.check('ProfilerExit');
      host.vm.exit(code);
    },
  };
}

type Some<Name extends FunctionName> = Pick<JVMPI_Interface, Name>;

function eventFunctions(host: FunctionHost): Some<'EnableEvent' | 'DisableEvent' | 'RequestEvent'> {
  const { state, vm, enabled } = host;
  const change = (type: number, on: boolean, wants: EventWants): number => {
    const name = eventName(type);
    if (name === undefined || eventKind(name).type !== type || eventKind(name).once) return JVMPI_NOT_AVAILABLE;
    const code = isOwn(name) ? JVMPI_SUCCESS : on ? vm.enable(name, wants) : vm.disable(name);
    if (code !== JVMPI_SUCCESS) return code;
    if (on) enabled.add(name);
    else enabled.delete(name);
    return code;
  };
  return {
    EnableEvent: (type, wants) => {
      state.check('EnableEvent');
      return change(type, true, wants ?? {});
    },
    DisableEvent: (type) => {
      state.check('DisableEvent');
      return change(type, false, {});
    },
    RequestEvent: (type, arg) => {
      state.check('RequestEvent');
      return request(host, type, arg ?? null);
    },
  };
}

function request(host: FunctionHost, type: number, arg: number | JVMPI_HeapDumpArg | null): number {
  const name = eventName(type);
  const kind = name === undefined ? undefined : eventKind(name);
  if (name === undefined || kind?.request === undefined || kind.type !== type) return JVMPI_NOT_AVAILABLE;
  let value = 0;
  if (kind.request === 'level') value = levelOf(arg);
  else if (kind.request === 'object') {
    if (typeof arg !== 'number' || arg === 0) return JVMPI_FAIL;
    host.state.checkIdArgument('RequestEvent');
    if (name === 'CLASS_LOAD' && !host.state.isDefined('class', arg, 'RequestEvent')) return JVMPI_FAIL;
    value = arg;
  }
  if (value < 0) return JVMPI_FAIL;
  const { code, event } = host.vm.request(name, value);
  if (code === JVMPI_SUCCESS && event !== undefined) host.deliverRequested(withRawMonitors(host, event));
  if (code === JVMPI_FAIL && kind.request === 'object') host.state.namesNothing('object', 'RequestEvent', value);
  return code;
}

/** A dump of monitors with those of this interface, which the VM does not know. */
function withRawMonitors({ vm, monitors }: FunctionHost, event: VmEvent): VmEvent {
  if (!('monitor_dump' in event.u)) return event;
  const { monitor_dump } = event.u;
  const raw = writeMonitors(monitors.states(), vm.form);
  const data = new Uint8Array(monitor_dump.data.length + raw.length);
  data.set(monitor_dump.data);
  data.set(raw, monitor_dump.data.length);
  return { ...event, u: { monitor_dump: { ...monitor_dump, data } } };
}

/** The level of a dump; -1 if there is no such level. */
function levelOf(arg: number | JVMPI_HeapDumpArg | null): number {
  if (arg === null) return JVMPI_DUMP_LEVEL_2;
  const level = typeof arg === 'number' ? arg : arg.heap_dump_level;
  return Number.isInteger(level) && level >= 0 && level <= JVMPI_DUMP_LEVEL_2 ? level : -1;
}

function monitorFunctions(
  host: FunctionHost,
): Some<
  | 'RawMonitorCreate'
  | 'RawMonitorEnter'
  | 'RawMonitorExit'
  | 'RawMonitorWait'
  | 'RawMonitorNotifyAll'
  | 'RawMonitorDestroy'
> {
  const { state, monitors } = host;
  return {
    RawMonitorCreate: (name) => {
      state.check('RawMonitorCreate');
      return monitors.create(name);
    },
    RawMonitorEnter: (id) => {
      state.check('RawMonitorEnter');
      return monitors.enter(id);
    },
    RawMonitorExit: (id) => {
      state.check('RawMonitorExit');
      monitors.exit(id);
    },
    RawMonitorWait: (id, ms) => {
      state.check('RawMonitorWait');
      return monitors.wait(id, ms);
    },
    RawMonitorNotifyAll: (id) => {
      state.check('RawMonitorNotifyAll');
      monitors.notifyAll(id);
    },
    RawMonitorDestroy: (id) => {
      state.check('RawMonitorDestroy');
      monitors.destroy(id);
    },
  };
}

function threadFunctions(
  host: FunctionHost,
): Some<
  | 'GetCallTrace'
  | 'GetCurrentThreadCpuTime'
  | 'GetThreadStatus'
  | 'CreateSystemThread'
  | 'SetThreadLocalStorage'
  | 'GetThreadLocalStorage'
> {
  const { state, vm } = host;
  return {
    GetCallTrace: (trace, depth) => {
      state.check('GetCallTrace');
      // The trace of the event, if it has one: the thread has gone on since then.
      const { env, moment } = current();
      const own = trace.env_id === env ? moment?.trace : undefined;
      const valid = state.isDefined('thread', trace.env_id, 'GetCallTrace');
      const asked = own === undefined && valid ? vm.callTrace(trace.env_id, depth) : own;
      if (asked === undefined && valid) state.namesNothing('thread', 'GetCallTrace', trace.env_id);
      const frames = asked ?? [];
      trace.frames = frames.slice(0, Math.max(0, depth));
      trace.num_frames = trace.frames.length;
    },
    GetCurrentThreadCpuTime: () => {
      state.check('GetCurrentThreadCpuTime');
      const { env, moment } = current();
      return moment?.cpu_time ?? vm.cpuTime(env) ?? 0;
    },
    GetThreadStatus: (env) => {
      state.check('GetThreadStatus');
      if (!state.isDefined('thread', env, 'GetThreadStatus')) return 0;
      const { env: own, moment } = current();
      if (env === own && moment?.status !== undefined) return moment.status;
      return vm.status(env) ?? state.namesNothing('thread', 'GetThreadStatus', env);
    },
    CreateSystemThread: (name, priority, code) => {
      state.check('CreateSystemThread');
      const env = vm.startThread(name, priority);
      if (env === undefined) return JNI_ERR;
      host.runThread(env, code);
      return JNI_OK;
    },
    SetThreadLocalStorage: (env, value) => {
      state.check('SetThreadLocalStorage');
      if (state.isDefined('thread', env, 'SetThreadLocalStorage')) host.storage.set(env, value);
    },
    GetThreadLocalStorage: (env) => {
      state.check('GetThreadLocalStorage');
      return host.storage.get(env);
    },
  };
}

function suspending(
  host: FunctionHost,
): Some<'SuspendThread' | 'ResumeThread' | 'SuspendThreadList' | 'ResumeThreadList' | 'ThreadHasRun'> {
  const { state, vm } = host;
  /** CPU time of a thread at its last two suspensions. */
  const times = new Map<JNIEnv, readonly [number | undefined, number | undefined]>();
  const change = (name: 'SuspendThreadList' | 'ResumeThreadList', envs: readonly JNIEnv[]): number[] => {
    const known = envs.filter((env) => state.isDefined('thread', env, name));
    const results = name === 'SuspendThreadList' ? vm.suspend(known) : vm.resume(known);
    // THREAD_END may have been handled while the thread was being suspended.
    for (const env of envs) if (!known.includes(env)) state.suspended.delete(env);
    const byThread = new Map(known.map((env, place) => [env, results[place] ?? JVMPI_FAIL]));
    for (const [env, result] of byThread) {
      // A thread that was about to end may end although it was suspended.
      if (ENDED.includes(result)) state.suspended.delete(env);
      if (result !== 0) continue;
      if (name === 'ResumeThreadList') state.suspended.delete(env);
      else {
        state.suspended.add(env);
        times.set(env, [times.get(env)?.[1], vm.cpuTime(env)]);
      }
    }
    return envs.map((env) => byThread.get(env) ?? THREAD_NOT_ALIVE);
  };
  return {
    SuspendThread: (env) => {
      state.check('SuspendThread');
      change('SuspendThreadList', [env]);
    },
    ResumeThread: (env) => {
      state.check('ResumeThread');
      change('ResumeThreadList', [env]);
    },
    SuspendThreadList: (envs) => {
      state.check('SuspendThreadList');
      return change('SuspendThreadList', envs);
    },
    ResumeThreadList: (envs) => {
      state.check('ResumeThreadList');
      return change('ResumeThreadList', envs);
    },
    ThreadHasRun: (env) => {
      state.check('ThreadHasRun');
      if (!state.suspended.has(env))
        state.broke({
          rule: 'suspended',
          place: '§2 ThreadHasRun',
          message: 'ThreadHasRun of a thread that is not suspended',
        });
      const [before, now] = times.get(env) ?? [undefined, undefined];
      // Unknown counts as run, as with HotSpot, which never knew.
      return before === undefined || now === undefined || now > before;
    },
  };
}

function idFunctions(
  host: FunctionHost,
): Some<'GetThreadObject' | 'GetMethodClass' | 'jobjectID2jobject' | 'jobject2jobjectID'> {
  const { state, vm } = host;
  return {
    GetThreadObject: (env) => {
      state.check('GetThreadObject');
      if (!state.isDefined('thread', env, 'GetThreadObject')) return 0;
      return vm.threadObject(env) || state.namesNothing('thread', 'GetThreadObject', env);
    },
    GetMethodClass: (method) => {
      state.check('GetMethodClass');
      if (!state.isDefined('method', method, 'GetMethodClass')) return 0;
      return vm.methodClass(method) || state.namesNothing('method', 'GetMethodClass', method);
    },
    jobjectID2jobject: (object) => {
      state.check('jobjectID2jobject');
      if (!state.isDefined('object', object, 'jobjectID2jobject')) return 0;
      return vm.handleOf(object) || state.namesNothing('object', 'jobjectID2jobject', object);
    },
    jobject2jobjectID: (handle) => {
      state.check('jobject2jobjectID');
      if (!state.isDefined('reference', handle, 'jobject2jobjectID')) return 0;
      return state.referenceTo(handle) ?? vm.objectOf(handle);
    },
  };
}
