/**
 * The 37 events: their numbers, the mode of the process while their handler runs (§1.5, §3), and what `RequestEvent` takes
 * for those that can be requested.
 */
import * as C from './constants.js';
import type { EventName, EventOf } from './types.js';

/**
 * Modes of the process (§1.5): threads run and collections may happen; threads run without collections; threads are
 * suspended, so whatever may block is forbidden.
 */
export type Mode = 'multi' | 'no-gc' | 'suspended';

export interface EventKind {
  readonly type: number;
  /** The mode of its handler. GC_START's handler runs before the collection, GC_FINISH's after it. */
  readonly mode: Mode;
  /** The argument of `RequestEvent`: an object's id, a level of dumps, nothing. Without: it cannot be requested. */
  readonly request?: 'object' | 'level' | 'none';
  /** It comes on request only: it can be neither enabled nor disabled. */
  readonly once?: true;
}

export const EVENTS = {
  METHOD_ENTRY: { type: C.JVMPI_EVENT_METHOD_ENTRY, mode: 'multi' },
  METHOD_ENTRY2: { type: C.JVMPI_EVENT_METHOD_ENTRY2, mode: 'no-gc' },
  METHOD_EXIT: { type: C.JVMPI_EVENT_METHOD_EXIT, mode: 'multi' },
  OBJECT_ALLOC: { type: C.JVMPI_EVENT_OBJECT_ALLOC, mode: 'no-gc', request: 'object' },
  OBJECT_FREE: { type: C.JVMPI_EVENT_OBJECT_FREE, mode: 'suspended' },
  OBJECT_MOVE: { type: C.JVMPI_EVENT_OBJECT_MOVE, mode: 'suspended' },
  COMPILED_METHOD_LOAD: { type: C.JVMPI_EVENT_COMPILED_METHOD_LOAD, mode: 'multi' },
  COMPILED_METHOD_UNLOAD: { type: C.JVMPI_EVENT_COMPILED_METHOD_UNLOAD, mode: 'multi' },
  INSTRUCTION_START: { type: C.JVMPI_EVENT_INSTRUCTION_START, mode: 'multi' },
  THREAD_START: { type: C.JVMPI_EVENT_THREAD_START, mode: 'no-gc', request: 'object' },
  THREAD_END: { type: C.JVMPI_EVENT_THREAD_END, mode: 'multi' },
  CLASS_LOAD_HOOK: { type: C.JVMPI_EVENT_CLASS_LOAD_HOOK, mode: 'multi' },
  HEAP_DUMP: { type: C.JVMPI_EVENT_HEAP_DUMP, mode: 'no-gc', request: 'level', once: true },
  JNI_GLOBALREF_ALLOC: { type: C.JVMPI_EVENT_JNI_GLOBALREF_ALLOC, mode: 'no-gc' },
  JNI_GLOBALREF_FREE: { type: C.JVMPI_EVENT_JNI_GLOBALREF_FREE, mode: 'multi' },
  JNI_WEAK_GLOBALREF_ALLOC: { type: C.JVMPI_EVENT_JNI_WEAK_GLOBALREF_ALLOC, mode: 'no-gc' },
  JNI_WEAK_GLOBALREF_FREE: { type: C.JVMPI_EVENT_JNI_WEAK_GLOBALREF_FREE, mode: 'multi' },
  CLASS_LOAD: { type: C.JVMPI_EVENT_CLASS_LOAD, mode: 'no-gc', request: 'object' },
  CLASS_UNLOAD: { type: C.JVMPI_EVENT_CLASS_UNLOAD, mode: 'no-gc' },
  DATA_DUMP_REQUEST: { type: C.JVMPI_EVENT_DATA_DUMP_REQUEST, mode: 'multi' },
  DATA_RESET_REQUEST: { type: C.JVMPI_EVENT_DATA_RESET_REQUEST, mode: 'multi' },
  JVM_INIT_DONE: { type: C.JVMPI_EVENT_JVM_INIT_DONE, mode: 'multi' },
  JVM_SHUT_DOWN: { type: C.JVMPI_EVENT_JVM_SHUT_DOWN, mode: 'multi' },
  ARENA_NEW: { type: C.JVMPI_EVENT_ARENA_NEW, mode: 'multi' },
  ARENA_DELETE: { type: C.JVMPI_EVENT_ARENA_DELETE, mode: 'suspended' },
  OBJECT_DUMP: { type: C.JVMPI_EVENT_OBJECT_DUMP, mode: 'no-gc', request: 'object', once: true },
  RAW_MONITOR_CONTENDED_ENTER: { type: C.JVMPI_EVENT_RAW_MONITOR_CONTENDED_ENTER, mode: 'multi' },
  RAW_MONITOR_CONTENDED_ENTERED: { type: C.JVMPI_EVENT_RAW_MONITOR_CONTENDED_ENTERED, mode: 'multi' },
  RAW_MONITOR_CONTENDED_EXIT: { type: C.JVMPI_EVENT_RAW_MONITOR_CONTENDED_EXIT, mode: 'multi' },
  MONITOR_CONTENDED_ENTER: { type: C.JVMPI_EVENT_MONITOR_CONTENDED_ENTER, mode: 'no-gc' },
  MONITOR_CONTENDED_ENTERED: { type: C.JVMPI_EVENT_MONITOR_CONTENDED_ENTERED, mode: 'no-gc' },
  MONITOR_CONTENDED_EXIT: { type: C.JVMPI_EVENT_MONITOR_CONTENDED_EXIT, mode: 'no-gc' },
  MONITOR_WAIT: { type: C.JVMPI_EVENT_MONITOR_WAIT, mode: 'no-gc' },
  MONITOR_WAITED: { type: C.JVMPI_EVENT_MONITOR_WAITED, mode: 'no-gc' },
  MONITOR_DUMP: { type: C.JVMPI_EVENT_MONITOR_DUMP, mode: 'no-gc', request: 'none', once: true },
  GC_START: { type: C.JVMPI_EVENT_GC_START, mode: 'multi' },
  GC_FINISH: { type: C.JVMPI_EVENT_GC_FINISH, mode: 'multi' },
} as const satisfies Record<EventName, EventKind>;

type Events = typeof EVENTS;

/** An event, narrowed by its `event_type`. */
export type JVMPI_Event = { [Name in EventName]: EventOf<Name, Events[Name]['type']> }[EventName];

const NAMES = new Map<number, EventName>();
for (const name in EVENTS) if (isEventName(name)) NAMES.set(EVENTS[name].type, name);

/** Whether a text names an event. */
export function isEventName(name: string): name is EventName {
  return Object.hasOwn(EVENTS, name);
}

/** The name of an event's number, whether it was requested or not; undefined if no event has it. */
export function eventName(type: number): EventName | undefined {
  return NAMES.get(type & ~C.JVMPI_REQUESTED_EVENT);
}

export function eventKind(name: EventName): EventKind {
  return EVENTS[name];
}

/** An event of a name. */
export function makeEvent<Name extends EventName>(
  name: Name,
  env_id: number,
  u: EventOf<Name>['u'],
  moment?: EventOf<Name>['moment'],
): EventOf<Name> {
  const event = { event_type: EVENTS[name].type, env_id, u };
  return moment === undefined ? event : { ...event, moment };
}
