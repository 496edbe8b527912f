/** The fields of each event in listings: names, meaning and values. Ids of classes and methods become rows at the end. */
import { NONE } from '../../../base/flavor.js';
import type { Unit } from '../../../base/units.js';
import type { FieldMeaning } from '../../../models/table.js';
import type { EventContents, EventName } from '../document/types.js';
import type { StreamNames } from './names.js';

export interface StreamField<Name extends EventName> {
  readonly key: string;
  readonly label: string;
  readonly holds: FieldMeaning;
  readonly unit: Unit;
  /** A number; of classes and methods the id in the stream. */
  readonly of: (content: EventContents[Name], names: StreamNames) => number;
}

type Of<Name extends EventName> = StreamField<Name>['of'];

const field = <Name extends EventName>(
  key: string,
  label: string,
  holds: FieldMeaning,
  of: Of<Name>,
  unit: Unit = 'none',
): StreamField<Name> => ({ key, label, holds, unit, of });

/** -1 is unknown. */
const bytesOf = (space: number): number => (space < 0 ? Number.NaN : space);

const method = field<'METHOD_ENTRY' | 'METHOD_EXIT'>(
  'method',
  'Method',
  'function',
  ({ method: { method_id } }) => method_id,
);
const object = field<'MONITOR_CONTENDED_ENTER' | 'MONITOR_CONTENDED_ENTERED' | 'MONITOR_CONTENDED_EXIT'>(
  'object',
  'Object',
  'number',
  ({ monitor }) => monitor.object,
);
const WAIT = [
  field<'MONITOR_WAIT' | 'MONITOR_WAITED'>('object', 'Object', 'number', ({ monitor_wait }) => monitor_wait.object),
  field<'MONITOR_WAIT' | 'MONITOR_WAITED'>(
    'timeout',
    'Timeout',
    'number',
    ({ monitor_wait }) => monitor_wait.timeout * 1e6,
    'ns',
  ),
];
const REFERENCE = [
  field<'JNI_GLOBALREF_ALLOC' | 'JNI_WEAK_GLOBALREF_ALLOC'>(
    'object',
    'Object',
    'number',
    ({ jni_globalref_alloc }) => jni_globalref_alloc.obj_id,
  ),
  field<'JNI_GLOBALREF_ALLOC' | 'JNI_WEAK_GLOBALREF_ALLOC'>(
    'reference',
    'Reference',
    'number',
    ({ jni_globalref_alloc }) => jni_globalref_alloc.ref_id,
  ),
];
const FREED = field<'JNI_GLOBALREF_FREE' | 'JNI_WEAK_GLOBALREF_FREE'>(
  'reference',
  'Reference',
  'number',
  ({ jni_globalref_free }) => jni_globalref_free.ref_id,
);

/** Fields beside time, thread, stack and CPU time. */
export const EVENT_FIELDS: { readonly [Name in EventName]: readonly StreamField<Name>[] } = {
  METHOD_ENTRY: [method],
  METHOD_EXIT: [method],
  METHOD_ENTRY2: [
    field('method', 'Method', 'function', ({ method_entry2 }) => method_entry2.method_id),
    field('object', 'Object', 'number', ({ method_entry2 }) => method_entry2.obj_id),
  ],
  OBJECT_ALLOC: [
    field('class', 'Class', 'class', ({ obj_alloc }, names) => names.allocated(obj_alloc)),
    field('bytes', 'Bytes', 'number', ({ obj_alloc }) => obj_alloc.size, 'bytes'),
    field('object', 'Object', 'number', ({ obj_alloc }) => obj_alloc.obj_id),
  ],
  OBJECT_FREE: [field('object', 'Object', 'number', ({ obj_free }) => obj_free.obj_id)],
  OBJECT_MOVE: [
    field('object', 'Object', 'number', ({ obj_move }) => obj_move.obj_id),
    field('newObject', 'New object', 'number', ({ obj_move }) => obj_move.new_obj_id),
  ],
  COMPILED_METHOD_LOAD: [
    field('method', 'Method', 'function', ({ compiled_method_load }) => compiled_method_load.method_id),
    field('bytes', 'Bytes', 'number', ({ compiled_method_load }) => compiled_method_load.code_size, 'bytes'),
  ],
  COMPILED_METHOD_UNLOAD: [
    field('method', 'Method', 'function', ({ compiled_method_unload }) => compiled_method_unload.method_id),
  ],
  INSTRUCTION_START: [
    field('method', 'Method', 'function', ({ instruction }) => instruction.method_id),
    field('offset', 'Offset', 'number', ({ instruction }) => instruction.offset),
  ],
  THREAD_START: [
    field('started', 'Started', 'thread', ({ thread_start }, names) => names.thread(thread_start.thread_env_id)),
    field('group', 'Group', 'string', ({ thread_start }, names) => names.text(thread_start.group_name)),
    field('parent', 'Parent group', 'string', ({ thread_start }, names) => names.text(thread_start.parent_name)),
  ],
  THREAD_END: [],
  CLASS_LOAD_HOOK: [
    field('bytes', 'Bytes', 'number', ({ class_load_hook }) => class_load_hook.class_data_len, 'bytes'),
  ],
  HEAP_DUMP: [
    field('level', 'Level', 'number', ({ heap_dump }) => heap_dump.dump_level),
    field('bytes', 'Bytes', 'number', ({ heap_dump }) => heap_dump.data.length, 'bytes'),
  ],
  JNI_GLOBALREF_ALLOC: REFERENCE,
  JNI_GLOBALREF_FREE: [FREED],
  JNI_WEAK_GLOBALREF_ALLOC: REFERENCE,
  JNI_WEAK_GLOBALREF_FREE: [FREED],
  CLASS_LOAD: [
    field('class', 'Class', 'class', ({ class_load }) => class_load.class_id),
    field('source', 'Source', 'string', ({ class_load }, names) =>
      class_load.source_name === '' ? NONE : names.text(class_load.source_name),
    ),
    field('methods', 'Methods', 'number', ({ class_load }) => class_load.num_methods),
    field(
      'fields',
      'Fields',
      'number',
      ({ class_load }) => class_load.num_static_fields + class_load.num_instance_fields,
    ),
  ],
  CLASS_UNLOAD: [field('class', 'Class', 'class', ({ class_unload }) => class_unload.class_id)],
  DATA_DUMP_REQUEST: [],
  DATA_RESET_REQUEST: [],
  JVM_INIT_DONE: [],
  JVM_SHUT_DOWN: [],
  ARENA_NEW: [],
  ARENA_DELETE: [],
  OBJECT_DUMP: [field('bytes', 'Bytes', 'number', ({ object_dump }) => object_dump.data_len, 'bytes')],
  RAW_MONITOR_CONTENDED_ENTER: [],
  RAW_MONITOR_CONTENDED_ENTERED: [],
  RAW_MONITOR_CONTENDED_EXIT: [],
  MONITOR_CONTENDED_ENTER: [object],
  MONITOR_CONTENDED_ENTERED: [object],
  MONITOR_CONTENDED_EXIT: [object],
  MONITOR_WAIT: WAIT,
  MONITOR_WAITED: WAIT,
  MONITOR_DUMP: [field('bytes', 'Bytes', 'number', ({ monitor_dump }) => monitor_dump.data.length, 'bytes')],
  GC_START: [],
  GC_FINISH: [
    field('used', 'Used', 'number', ({ gc_info }) => bytesOf(gc_info.used_object_space), 'bytes'),
    field('total', 'Total', 'number', ({ gc_info }) => bytesOf(gc_info.total_object_space), 'bytes'),
  ],
};
