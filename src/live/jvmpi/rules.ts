/**
 * Which function may be called in which mode of the process, and why. The document has these rules as guidelines (§1.4,
 * §1.5, §2); here they are checked.
 */
import type { Mode } from '../../formats/jvmpi/document/index.js';
import type { JVMPI_Interface } from './interface.js';

export type FunctionName = Exclude<keyof JVMPI_Interface, 'version' | 'NotifyEvent'>;

interface Rule {
  readonly modes: readonly Mode[];
  /** Why not in the others. */
  readonly why: string;
  readonly place: string;
}

const ANY: readonly Mode[] = ['multi', 'no-gc', 'suspended'];
const anywhere = (place: string): Rule => ({ modes: ANY, why: '', place });
const unlessSuspended = (place: string): Rule => ({
  modes: ['multi', 'no-gc'],
  why: 'it may block on a lock that a suspended thread holds',
  place,
});
const withoutGc = (place: string, why: string): Rule => ({ modes: ['no-gc', 'suspended'], why, place });
const ID = 'ids of objects may end during a collection: call DisableGC first';

/** The rule of each function. */
export const RULES: Readonly<Record<FunctionName, Rule>> = {
  EnableEvent: anywhere('§2 EnableEvent'),
  DisableEvent: anywhere('§2 DisableEvent'),
  RequestEvent: anywhere('§2 RequestEvent'),
  GetCallTrace: anywhere('§2 GetCallTrace'),
  ProfilerExit: anywhere('§2 ProfilerExit'),
  RawMonitorCreate: unlessSuspended('§2 RawMonitorCreate'),
  RawMonitorEnter: unlessSuspended('§2 RawMonitorEnter'),
  RawMonitorExit: unlessSuspended('§2 RawMonitorExit'),
  RawMonitorWait: unlessSuspended('§2 RawMonitorWait'),
  RawMonitorNotifyAll: unlessSuspended('§2 RawMonitorNotifyAll'),
  RawMonitorDestroy: unlessSuspended('§2 RawMonitorDestroy'),
  GetCurrentThreadCpuTime: anywhere('§2 GetCurrentThreadCpuTime'),
  SuspendThread: withoutGc('§2 SuspendThread', 'the GC must be disabled until all threads are resumed'),
  ResumeThread: anywhere('§2 ResumeThread'),
  SuspendThreadList: withoutGc('§2 SuspendThreadList', 'the GC must be disabled until all threads are resumed'),
  ResumeThreadList: anywhere('§2 ResumeThreadList'),
  GetThreadStatus: anywhere('§2 GetThreadStatus'),
  ThreadHasRun: anywhere('§2 ThreadHasRun'),
  CreateSystemThread: {
    modes: ['multi'],
    why: 'it makes Java objects, which needs the GC',
    place: '§2 CreateSystemThread',
  },
  SetThreadLocalStorage: anywhere('§2 SetThreadLocalStorage'),
  GetThreadLocalStorage: anywhere('§2 GetThreadLocalStorage'),
  DisableGC: anywhere('§2 DisableGC'),
  EnableGC: anywhere('§2 EnableGC'),
  RunGC: { modes: ['multi'], why: 'the GC is disabled', place: '§2 RunGC' },
  GetThreadObject: withoutGc('§2 GetThreadObject', ID),
  GetMethodClass: withoutGc('§2 GetMethodClass', ID),
  jobjectID2jobject: withoutGc('§2 jobjectID2jobject', ID),
  jobject2jobjectID: withoutGc('§2 jobject2jobjectID', ID),
};

/** Modes in words. */
export const MODE_NAMES: Readonly<Record<Mode, string>> = {
  multi: 'multi-threaded mode with the GC enabled',
  'no-gc': 'multi-threaded mode with the GC disabled',
  suspended: 'thread-suspended mode',
};
