/**
 * The data types of JVMPI (§5) under their own names. Pointers of the document are numbers here: an id names one thing as long as
 * no event ends it, and 0 is NULL. `char*` is a string, an array has its own length.
 */

/** A thread, from THREAD_START to THREAD_END. */
export type JNIEnv = number;
/** An object; that of a `java.lang.Class` names the class, that of a `java.lang.Thread` the thread's object. */
export type jobjectID = number;
/** A method, from the CLASS_LOAD of its class to its CLASS_UNLOAD. */
export type jmethodID = number;
/** A JNI handle. */
export type jobject = number;
/** A raw monitor. */
export type JVMPI_RawMonitor = number;

/** A method on a stack. */
export interface JVMPI_CallFrame {
  /** Line in the source file; -3 in a native method, -1 if it is unknown. */
  readonly lineno: number;
  readonly method_id: jmethodID;
}

/** A stack, the callee before its caller. */
export interface JVMPI_CallTrace {
  env_id: JNIEnv;
  num_frames: number;
  frames: JVMPI_CallFrame[];
}

/** A field of a class: `field_signature` is a descriptor, such as `Ljava/lang/String;`. */
export interface JVMPI_Field {
  readonly field_name: string;
  readonly field_signature: string;
}

/** The argument of `RequestEvent(JVMPI_EVENT_HEAP_DUMP, …)`. */
export interface JVMPI_HeapDumpArg {
  readonly heap_dump_level: number;
}

/** A line of compiled code: bytes from its start. */
export interface JVMPI_Lineno {
  readonly offset: number;
  readonly lineno: number;
}

/** A method of a class; its lines are -1 if it is native or abstract, or has no lines. */
export interface JVMPI_Method {
  readonly method_name: string;
  readonly method_signature: string;
  readonly start_lineno: number;
  readonly end_lineno: number;
  readonly method_id: jmethodID;
}

/** The branch that INSTRUCTION_START is about to take, by the kind of its instruction. */
export interface JVMPI_Branch {
  readonly if_info?: { readonly is_true: boolean };
  readonly tableswitch_info?: { readonly key: number; readonly low: number; readonly hi: number };
  /** The document has `is_default`, the shipped header `pairs_total`: the default is taken if the index equals it. */
  readonly lookupswitch_info?: {
    readonly chosen_pair_index: number;
    readonly is_default: boolean;
    readonly pairs_total: number;
  };
}

/** What events have beside their type and thread (§3), by the names of the document's structures. */
export interface EventContents {
  METHOD_ENTRY: { readonly method: { readonly method_id: jmethodID } };
  METHOD_ENTRY2: { readonly method_entry2: { readonly method_id: jmethodID; readonly obj_id: jobjectID } };
  METHOD_EXIT: { readonly method: { readonly method_id: jmethodID } };
  OBJECT_ALLOC: {
    readonly obj_alloc: {
      readonly arena_id: number;
      /** Class of the object; of arrays 0, or the class of the elements. */
      readonly class_id: jobjectID;
      /** JVMPI_NORMAL_OBJECT, JVMPI_CLASS (array of objects) or the code of a primitive type (array of these). */
      readonly is_array: number;
      /** Bytes. */
      readonly size: number;
      readonly obj_id: jobjectID;
    };
  };
  OBJECT_FREE: { readonly obj_free: { readonly obj_id: jobjectID } };
  OBJECT_MOVE: {
    readonly obj_move: {
      readonly arena_id: number;
      readonly obj_id: jobjectID;
      readonly new_arena_id: number;
      readonly new_obj_id: jobjectID;
    };
  };
  COMPILED_METHOD_LOAD: {
    readonly compiled_method_load: {
      readonly method_id: jmethodID;
      /** An address of the VM's process. */
      readonly code_addr: bigint;
      readonly code_size: number;
      readonly lineno_table_size: number;
      readonly lineno_table: readonly JVMPI_Lineno[];
    };
  };
  COMPILED_METHOD_UNLOAD: { readonly compiled_method_unload: { readonly method_id: jmethodID } };
  INSTRUCTION_START: {
    readonly instruction: { readonly method_id: jmethodID; readonly offset: number; readonly u: JVMPI_Branch };
  };
  THREAD_START: {
    readonly thread_start: {
      readonly thread_name: string;
      readonly group_name: string;
      readonly parent_name: string;
      readonly thread_id: jobjectID;
      readonly thread_env_id: JNIEnv;
    };
  };
  THREAD_END: Readonly<Record<string, never>>;
  CLASS_LOAD_HOOK: {
    readonly class_load_hook: {
      readonly class_data: Uint8Array;
      readonly class_data_len: number;
      /** The handler sets these to the class file that the VM loads instead. */
      new_class_data: Uint8Array;
      new_class_data_len: number;
      /** Memory for `new_class_data`: any array of bytes will do here. */
      readonly malloc_f: (size: number) => Uint8Array;
    };
  };
  HEAP_DUMP: {
    readonly heap_dump: {
      readonly dump_level: number;
      /** The document's `begin` to `end`. */
      readonly data: Uint8Array;
      readonly num_traces: number;
      readonly traces: readonly JVMPI_CallTrace[];
    };
  };
  JNI_GLOBALREF_ALLOC: { readonly jni_globalref_alloc: { readonly obj_id: jobjectID; readonly ref_id: jobject } };
  JNI_GLOBALREF_FREE: { readonly jni_globalref_free: { readonly ref_id: jobject } };
  JNI_WEAK_GLOBALREF_ALLOC: { readonly jni_globalref_alloc: { readonly obj_id: jobjectID; readonly ref_id: jobject } };
  JNI_WEAK_GLOBALREF_FREE: { readonly jni_globalref_free: { readonly ref_id: jobject } };
  CLASS_LOAD: {
    readonly class_load: {
      /** `java.lang.String` */
      readonly class_name: string;
      /** Name of the source file; empty if it is unknown. */
      readonly source_name: string;
      readonly num_interfaces: number;
      readonly num_methods: number;
      readonly methods: readonly JVMPI_Method[];
      readonly num_static_fields: number;
      readonly statics: readonly JVMPI_Field[];
      readonly num_instance_fields: number;
      readonly instances: readonly JVMPI_Field[];
      readonly class_id: jobjectID;
    };
  };
  CLASS_UNLOAD: { readonly class_unload: { readonly class_id: jobjectID } };
  DATA_DUMP_REQUEST: Readonly<Record<string, never>>;
  DATA_RESET_REQUEST: Readonly<Record<string, never>>;
  JVM_INIT_DONE: Readonly<Record<string, never>>;
  JVM_SHUT_DOWN: Readonly<Record<string, never>>;
  ARENA_NEW: { readonly new_arena: { readonly arena_id: number; readonly arena_name: string } };
  ARENA_DELETE: { readonly delete_arena: { readonly arena_id: number } };
  OBJECT_DUMP: { readonly object_dump: { readonly data_len: number; readonly data: Uint8Array } };
  RAW_MONITOR_CONTENDED_ENTER: { readonly raw_monitor: { readonly name: string; readonly id: JVMPI_RawMonitor } };
  RAW_MONITOR_CONTENDED_ENTERED: { readonly raw_monitor: { readonly name: string; readonly id: JVMPI_RawMonitor } };
  RAW_MONITOR_CONTENDED_EXIT: { readonly raw_monitor: { readonly name: string; readonly id: JVMPI_RawMonitor } };
  MONITOR_CONTENDED_ENTER: { readonly monitor: { readonly object: jobjectID } };
  MONITOR_CONTENDED_ENTERED: { readonly monitor: { readonly object: jobjectID } };
  MONITOR_CONTENDED_EXIT: { readonly monitor: { readonly object: jobjectID } };
  /** `object` 0 is `Thread.sleep`; `timeout` is in ms, 0 for ever. */
  MONITOR_WAIT: { readonly monitor_wait: { readonly object: jobjectID; readonly timeout: number } };
  /** `timeout` is the time waited, in ms. */
  MONITOR_WAITED: { readonly monitor_wait: { readonly object: jobjectID; readonly timeout: number } };
  MONITOR_DUMP: {
    readonly monitor_dump: {
      /** The document's `begin` to `end`. */
      readonly data: Uint8Array;
      readonly num_traces: number;
      readonly traces: readonly JVMPI_CallTrace[];
      /** The state of each trace's thread. */
      readonly threads_status: readonly number[];
    };
  };
  GC_START: Readonly<Record<string, never>>;
  /** Objects and bytes of the heap; -1 if the VM does not know them. */
  GC_FINISH: {
    readonly gc_info: {
      readonly used_objects: number;
      readonly used_object_space: number;
      readonly total_object_space: number;
    };
  };
}

/** An event by the name of its constant, without `JVMPI_EVENT_`. */
export type EventName = keyof EventContents;

/** What the thread of an event was doing then: what a handler in the VM would ask for. Each has only what `EnableEvent` named. */
export interface EventMoment {
  /** Ns of the VM's steady clock. */
  readonly time: number;
  readonly trace?: readonly JVMPI_CallFrame[];
  /** Ns of CPU that the thread had used. */
  readonly cpu_time?: number;
  /** As GetThreadStatus gives it. */
  readonly status?: number;
}

/** An event with its type as a number (§1.3). */
export interface EventOf<Name extends EventName, Type extends number = number> {
  /** The event, and JVMPI_REQUESTED_EVENT if it was requested. */
  readonly event_type: Type;
  /** The thread of the event; 0 if it is no Java thread (GC). */
  readonly env_id: JNIEnv;
  readonly u: EventContents[Name];
  /** Not in the document: see EventMoment. */
  readonly moment?: EventMoment;
}

/** An event of any name. */
export type VmEvent = EventOf<EventName>;
