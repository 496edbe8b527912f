/** Contents for each of the 37 events. */
import type { EventContents } from '../../../formats/jvmpi/document/index.js';

const bytes = new Uint8Array([1, 2, 3]);
const monitor = { monitor: { object: 31 } };
const raw = { raw_monitor: { name: 'lock', id: 7 } };
const reference = { jni_globalref_alloc: { obj_id: 31, ref_id: 40 } };

export const CONTENTS: EventContents = {
  METHOD_ENTRY: { method: { method_id: 21 } },
  METHOD_ENTRY2: { method_entry2: { method_id: 21, obj_id: 31 } },
  METHOD_EXIT: { method: { method_id: 21 } },
  OBJECT_ALLOC: { obj_alloc: { arena_id: 1, class_id: 11, is_array: 0, size: 24, obj_id: 31 } },
  OBJECT_FREE: { obj_free: { obj_id: 31 } },
  OBJECT_MOVE: { obj_move: { arena_id: 1, obj_id: 31, new_arena_id: 1, new_obj_id: 32 } },
  COMPILED_METHOD_LOAD: {
    compiled_method_load: {
      method_id: 21,
      code_addr: 0x7f00_0000_1000n,
      code_size: 64,
      lineno_table_size: 1,
      lineno_table: [{ offset: 4, lineno: 12 }],
    },
  },
  COMPILED_METHOD_UNLOAD: { compiled_method_unload: { method_id: 21 } },
  INSTRUCTION_START: {
    instruction: {
      method_id: 21,
      offset: 5,
      u: { lookupswitch_info: { chosen_pair_index: 3, pairs_total: 3, is_default: true } },
    },
  },
  THREAD_START: {
    thread_start: { thread_name: 'main', group_name: 'main', parent_name: 'system', thread_id: 33, thread_env_id: 1 },
  },
  THREAD_END: {},
  CLASS_LOAD_HOOK: {
    class_load_hook: {
      class_data: bytes,
      class_data_len: 3,
      new_class_data: bytes,
      new_class_data_len: 3,
      malloc_f: (size) => new Uint8Array(size),
    },
  },
  HEAP_DUMP: { heap_dump: { dump_level: 2, data: bytes, num_traces: 0, traces: [] } },
  JNI_GLOBALREF_ALLOC: reference,
  JNI_GLOBALREF_FREE: { jni_globalref_free: { ref_id: 40 } },
  JNI_WEAK_GLOBALREF_ALLOC: reference,
  JNI_WEAK_GLOBALREF_FREE: { jni_globalref_free: { ref_id: 40 } },
  CLASS_LOAD: {
    class_load: {
      class_name: 'shop.Book',
      source_name: 'Book.java',
      num_interfaces: 1,
      num_methods: 1,
      methods: [{ method_name: 'price', method_signature: '()I', start_lineno: 3, end_lineno: 5, method_id: 21 }],
      num_static_fields: 0,
      statics: [],
      num_instance_fields: 1,
      instances: [{ field_name: 'cents', field_signature: 'I' }],
      class_id: 11,
    },
  },
  CLASS_UNLOAD: { class_unload: { class_id: 11 } },
  DATA_DUMP_REQUEST: {},
  DATA_RESET_REQUEST: {},
  JVM_INIT_DONE: {},
  JVM_SHUT_DOWN: {},
  ARENA_NEW: { new_arena: { arena_id: 1, arena_name: 'Java' } },
  ARENA_DELETE: { delete_arena: { arena_id: 1 } },
  OBJECT_DUMP: { object_dump: { data_len: 3, data: bytes } },
  RAW_MONITOR_CONTENDED_ENTER: raw,
  RAW_MONITOR_CONTENDED_ENTERED: raw,
  RAW_MONITOR_CONTENDED_EXIT: raw,
  MONITOR_CONTENDED_ENTER: monitor,
  MONITOR_CONTENDED_ENTERED: monitor,
  MONITOR_CONTENDED_EXIT: monitor,
  MONITOR_WAIT: { monitor_wait: { object: 31, timeout: 0 } },
  MONITOR_WAITED: { monitor_wait: { object: 31, timeout: 12 } },
  MONITOR_DUMP: { monitor_dump: { data: bytes, num_traces: 0, traces: [], threads_status: [] } },
  GC_START: {},
  GC_FINISH: { gc_info: { used_objects: 10, used_object_space: 240, total_object_space: 4096 } },
};
