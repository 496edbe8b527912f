/**
 * The constants of JVMPI under their own names, with the values of Sun's header (`jvmpi.h` 1.4). The document names them;
 * where it gives no value, the header does.
 */

/** Versions, for `GetEnv`. A VM may give an interface of a higher version that is compatible. */
export const JVMPI_VERSION_1 = 0x10000001;
/** With INSTRUCTION_START, `jobjectID2jobject` and `jobject2jobjectID` (§6.3). */
export const JVMPI_VERSION_1_1 = 0x10000002;
/** With `SuspendThreadList` and `ResumeThreadList`. */
export const JVMPI_VERSION_1_2 = 0x10000003;

/** Results of `JVM_OnLoad`, `GetEnv` and `CreateSystemThread`. */
export const JNI_OK = 0;
export const JNI_ERR = -1;
/** `GetEnv`: the version is not supported. */
export const JNI_EVERSION = -3;

/** Results of `EnableEvent`, `DisableEvent` and `RequestEvent`. */
export const JVMPI_SUCCESS = 0;
export const JVMPI_NOT_AVAILABLE = 1;
export const JVMPI_FAIL = -1;

/** Events (§3). */
export const JVMPI_EVENT_METHOD_ENTRY = 1;
export const JVMPI_EVENT_METHOD_ENTRY2 = 2;
export const JVMPI_EVENT_METHOD_EXIT = 3;
export const JVMPI_EVENT_OBJECT_ALLOC = 4;
export const JVMPI_EVENT_OBJECT_FREE = 5;
export const JVMPI_EVENT_OBJECT_MOVE = 6;
export const JVMPI_EVENT_COMPILED_METHOD_LOAD = 7;
export const JVMPI_EVENT_COMPILED_METHOD_UNLOAD = 8;
export const JVMPI_EVENT_INSTRUCTION_START = 9;
export const JVMPI_EVENT_THREAD_START = 33;
export const JVMPI_EVENT_THREAD_END = 34;
export const JVMPI_EVENT_CLASS_LOAD_HOOK = 35;
export const JVMPI_EVENT_HEAP_DUMP = 37;
export const JVMPI_EVENT_JNI_GLOBALREF_ALLOC = 38;
export const JVMPI_EVENT_JNI_GLOBALREF_FREE = 39;
export const JVMPI_EVENT_JNI_WEAK_GLOBALREF_ALLOC = 40;
export const JVMPI_EVENT_JNI_WEAK_GLOBALREF_FREE = 41;
export const JVMPI_EVENT_CLASS_LOAD = 42;
export const JVMPI_EVENT_CLASS_UNLOAD = 43;
export const JVMPI_EVENT_DATA_DUMP_REQUEST = 44;
export const JVMPI_EVENT_DATA_RESET_REQUEST = 45;
export const JVMPI_EVENT_JVM_INIT_DONE = 46;
export const JVMPI_EVENT_JVM_SHUT_DOWN = 47;
export const JVMPI_EVENT_ARENA_NEW = 48;
export const JVMPI_EVENT_ARENA_DELETE = 49;
export const JVMPI_EVENT_OBJECT_DUMP = 50;
export const JVMPI_EVENT_RAW_MONITOR_CONTENDED_ENTER = 51;
export const JVMPI_EVENT_RAW_MONITOR_CONTENDED_ENTERED = 52;
export const JVMPI_EVENT_RAW_MONITOR_CONTENDED_EXIT = 53;
export const JVMPI_EVENT_MONITOR_CONTENDED_ENTER = 54;
export const JVMPI_EVENT_MONITOR_CONTENDED_ENTERED = 55;
export const JVMPI_EVENT_MONITOR_CONTENDED_EXIT = 56;
export const JVMPI_EVENT_MONITOR_WAIT = 57;
export const JVMPI_EVENT_MONITOR_WAITED = 58;
export const JVMPI_EVENT_MONITOR_DUMP = 59;
export const JVMPI_EVENT_GC_START = 60;
export const JVMPI_EVENT_GC_FINISH = 61;
export const JVMPI_MAX_EVENT_TYPE_VAL = 61;

/** Names of events in older headers. */
export const JVMPI_EVENT_LOAD_COMPILED_METHOD = JVMPI_EVENT_COMPILED_METHOD_LOAD;
export const JVMPI_EVENT_UNLOAD_COMPILED_METHOD = JVMPI_EVENT_COMPILED_METHOD_UNLOAD;
export const JVMPI_EVENT_NEW_ARENA = JVMPI_EVENT_ARENA_NEW;
export const JVMPI_EVENT_DELETE_ARENA = JVMPI_EVENT_ARENA_DELETE;
export const JVMPI_EVENT_DUMP_DATA_REQUEST = JVMPI_EVENT_DATA_DUMP_REQUEST;
export const JVMPI_EVENT_RESET_DATA_REQUEST = JVMPI_EVENT_DATA_RESET_REQUEST;
export const JVMPI_EVENT_OBJ_ALLOC = JVMPI_EVENT_OBJECT_ALLOC;
export const JVMPI_EVENT_OBJ_FREE = JVMPI_EVENT_OBJECT_FREE;
export const JVMPI_EVENT_OBJ_MOVE = JVMPI_EVENT_OBJECT_MOVE;

/** The bit in `event_type` of an event that `RequestEvent` caused. */
export const JVMPI_REQUESTED_EVENT = 0x10000000;

/** What `GetThreadStatus` gives: a state, and bits beside it. */
export const JVMPI_THREAD_RUNNABLE = 1;
export const JVMPI_THREAD_MONITOR_WAIT = 2;
export const JVMPI_THREAD_CONDVAR_WAIT = 3;
export const JVMPI_THREAD_INTERRUPTED = 0x4000;
export const JVMPI_THREAD_SUSPENDED = 0x8000;

/** Priorities for `CreateSystemThread`. */
export const JVMPI_MINIMUM_PRIORITY = 1;
export const JVMPI_NORMAL_PRIORITY = 5;
export const JVMPI_MAXIMUM_PRIORITY = 10;

/** Kinds of objects in dumps and OBJECT_ALLOC: objects, arrays of objects, arrays of a primitive type. */
export const JVMPI_NORMAL_OBJECT = 0;
export const JVMPI_CLASS = 2;
export const JVMPI_BOOLEAN = 4;
export const JVMPI_CHAR = 5;
export const JVMPI_FLOAT = 6;
export const JVMPI_DOUBLE = 7;
export const JVMPI_BYTE = 8;
export const JVMPI_SHORT = 9;
export const JVMPI_INT = 10;
export const JVMPI_LONG = 11;

/** Records of MONITOR_DUMP (§4.4). */
export const JVMPI_MONITOR_JAVA = 0x01;
export const JVMPI_MONITOR_RAW = 0x02;

/** Records of HEAP_DUMP (§4.2): roots. */
export const JVMPI_GC_ROOT_UNKNOWN = 0xff;
export const JVMPI_GC_ROOT_JNI_GLOBAL = 0x01;
export const JVMPI_GC_ROOT_JNI_LOCAL = 0x02;
export const JVMPI_GC_ROOT_JAVA_FRAME = 0x03;
export const JVMPI_GC_ROOT_NATIVE_STACK = 0x04;
export const JVMPI_GC_ROOT_STICKY_CLASS = 0x05;
export const JVMPI_GC_ROOT_THREAD_BLOCK = 0x06;
export const JVMPI_GC_ROOT_MONITOR_USED = 0x07;
/** In the header only: no dump has this record. */
export const JVMPI_GC_ROOT_THREAD_OBJ = 0x08;

/** Records of HEAP_DUMP and OBJECT_DUMP: classes, objects, arrays. */
export const JVMPI_GC_CLASS_DUMP = 0x20;
export const JVMPI_GC_INSTANCE_DUMP = 0x21;
export const JVMPI_GC_OBJ_ARRAY_DUMP = 0x22;
export const JVMPI_GC_PRIM_ARRAY_DUMP = 0x23;

/** How much HEAP_DUMP has: kinds and ids; without values of primitive types; everything. */
export const JVMPI_DUMP_LEVEL_0 = 0;
export const JVMPI_DUMP_LEVEL_1 = 1;
export const JVMPI_DUMP_LEVEL_2 = 2;

/** `JVMPI_CallFrame.lineno` of a native method, as HotSpot had it. */
export const NATIVE_LINE = -3;
