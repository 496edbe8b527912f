/** Events in the agent's blocks, as events of JVMPI. */
import { eventName, makeEvent } from '../document/events.js';
import type { EventMoment, EventName, JVMPI_CallFrame, JVMPI_Field, JVMPI_Method, VmEvent } from '../document/types.js';
import { WireError, WireReader } from './frames.js';

/** Number of records, thread, time of the block, eight bytes that are 0. */
const BLOCK_HEAD = 24;
const [REQUESTED, EXTRAS] = [0x40, 0x80];
const [HAS_TRACE, HAS_CPU, HAS_STATUS] = [1, 2, 4];
/** Arenas do not exist here: as with Sun's VMs, the only id is 1. */
const ARENA = 1;

/** Reads the events of a block one after another. `from` is behind each event while that is used. */
export function* readBlock(bytes: Uint8Array, from = new WireReader(bytes)): Generator<VmEvent> {
  if (from.left < BLOCK_HEAD) throw new WireError('block without a head');
  from.u32();
  const env = from.u32();
  let time = Number(from.u64());
  from.u64();
  while (from.left > 0) {
    const byte = from.u8();
    time += from.varint();
    const extras = (byte & EXTRAS) === 0 ? {} : readExtras(from);
    const name = eventName(byte & ~(REQUESTED | EXTRAS));
    if (name === undefined) throw new WireError(`event ${byte} at ${from.at}`);
    yield readEvent(name, env, from, { time, ...extras });
  }
}

export function readTrace(from: WireReader): JVMPI_CallFrame[] {
  return Array.from({ length: from.count() }, () => {
    const method_id = from.varint();
    return { method_id, lineno: from.signed() };
  });
}

function readExtras(from: WireReader): Omit<EventMoment, 'time'> {
  const has = from.u8();
  const trace = (has & HAS_TRACE) === 0 ? {} : { trace: readTrace(from) };
  const timed = (has & HAS_CPU) === 0 ? trace : { ...trace, cpu_time: from.varint() };
  return (has & HAS_STATUS) === 0 ? timed : { ...timed, status: from.varint() };
}

/** The contents of an event, in a block or in the reply to a request. */
export function readEvent(name: EventName, env: number, from: WireReader, moment?: EventMoment): VmEvent {
  switch (name) {
    case 'METHOD_ENTRY':
    case 'METHOD_EXIT':
      return makeEvent(name, env, { method: { method_id: from.varint() } }, moment);
    case 'METHOD_ENTRY2':
      return makeEvent(name, env, { method_entry2: { method_id: from.varint(), obj_id: from.varint() } }, moment);
    case 'OBJECT_ALLOC': {
      const [class_id, is_array, size, obj_id] = [from.varint(), from.u8(), from.varint(), from.varint()];
      return makeEvent(name, env, { obj_alloc: { arena_id: ARENA, class_id, is_array, size, obj_id } }, moment);
    }
    case 'OBJECT_FREE':
      return makeEvent(name, env, { obj_free: { obj_id: from.varint() } }, moment);
    case 'COMPILED_METHOD_LOAD':
      return makeEvent(name, env, { compiled_method_load: readCompiled(from) }, moment);
    case 'COMPILED_METHOD_UNLOAD':
      return makeEvent(name, env, { compiled_method_unload: { method_id: from.varint() } }, moment);
    case 'CLASS_LOAD':
      return makeEvent(name, env, { class_load: readClass(from) }, moment);
    case 'INSTRUCTION_START':
      // JVMTI does not tell which way a branch goes.
      return makeEvent(name, env, { instruction: { method_id: from.varint(), offset: from.varint(), u: {} } }, moment);
    case 'JNI_GLOBALREF_ALLOC':
    case 'JNI_WEAK_GLOBALREF_ALLOC':
      return makeEvent(name, env, { jni_globalref_alloc: { obj_id: from.varint(), ref_id: from.varint() } }, moment);
    case 'JNI_GLOBALREF_FREE':
    case 'JNI_WEAK_GLOBALREF_FREE':
      return makeEvent(name, env, { jni_globalref_free: { ref_id: from.varint() } }, moment);
    case 'CLASS_UNLOAD':
      return makeEvent(name, env, { class_unload: { class_id: from.varint() } }, moment);
    case 'CLASS_LOAD_HOOK':
      return makeEvent(name, env, { class_load_hook: readHook(from) }, moment);
    case 'THREAD_START':
      return makeEvent(name, env, { thread_start: readThread(from) }, moment);
    case 'MONITOR_CONTENDED_ENTER':
    case 'MONITOR_CONTENDED_ENTERED':
    case 'MONITOR_CONTENDED_EXIT':
      return makeEvent(name, env, { monitor: { object: from.varint() } }, moment);
    case 'MONITOR_WAIT':
    case 'MONITOR_WAITED':
      return makeEvent(name, env, { monitor_wait: { object: from.varint(), timeout: from.varint() } }, moment);
    case 'GC_FINISH': {
      // No VM tells the number of objects. Recordings of earlier agents have no bytes either.
      const [used_object_space, total_object_space] = from.left === 0 ? [-1, -1] : [from.signed(), from.signed()];
      const gc_info = { used_objects: -1, used_object_space, total_object_space };
      return makeEvent(name, env, { gc_info }, moment);
    }
    case 'GC_START':
    case 'THREAD_END':
    case 'DATA_DUMP_REQUEST':
    case 'DATA_RESET_REQUEST':
    case 'JVM_INIT_DONE':
    case 'JVM_SHUT_DOWN':
      return makeEvent(name, env, {}, moment);
    default:
      throw new WireError(`the agent sends no ${name}`);
  }
}

function readThread(from: WireReader) {
  const [thread_env_id, thread_id] = [from.varint(), from.varint()];
  const [thread_name = '', group_name = '', parent_name = ''] = [from.text(), from.text(), from.text()];
  return { thread_name, group_name, parent_name, thread_id, thread_env_id };
}

function readCompiled(from: WireReader) {
  const [method_id, code_addr, code_size] = [from.varint(), from.bigVarint(), from.varint()];
  const lineno_table = Array.from({ length: from.count() }, () => ({ offset: from.varint(), lineno: from.signed() }));
  return { method_id, code_addr, code_size, lineno_table_size: lineno_table.length, lineno_table };
}

/** A class that is not linked yet has no fields and methods: the VM does not tell them. */
function readClass(from: WireReader) {
  const class_id = from.varint();
  const class_name = classNameOf(from.text() ?? '');
  const linked = from.u8() === 1;
  const source_name = linked ? (from.text() ?? '') : '';
  const num_interfaces = linked ? from.varint() : 0;
  const methods = linked ? readMethods(from) : [];
  const [statics, instances]: [JVMPI_Field[], JVMPI_Field[]] = [[], []];
  for (let left = linked ? from.count() : 0; left > 0; left--) {
    const to = from.u8() === 1 ? statics : instances;
    const [field_name = '', field_signature = ''] = [from.text(), from.text()];
    to.push({ field_name, field_signature });
  }
  return {
    class_name,
    source_name,
    num_interfaces,
    num_methods: methods.length,
    methods,
    num_static_fields: statics.length,
    statics,
    num_instance_fields: instances.length,
    instances,
    class_id,
  };
}

function readMethods(from: WireReader): JVMPI_Method[] {
  return Array.from({ length: from.count() }, () => {
    const method_id = from.varint();
    const [method_name = '', method_signature = ''] = [from.text(), from.text()];
    const [start_lineno, end_lineno] = [from.signed(), from.signed()];
    return { method_name, method_signature, start_lineno, end_lineno, method_id };
  });
}

/** `Ljava/lang/String;` as `java.lang.String`; arrays as `[Ljava.lang.String;`. */
function classNameOf(signature: string): string {
  const name = signature.startsWith('L') ? signature.slice(1, -1) : signature;
  return name.replaceAll('/', '.');
}

function readHook(from: WireReader) {
  from.text();
  const class_data = from.part(from.varint());
  return {
    class_data,
    class_data_len: class_data.length,
    new_class_data: class_data,
    new_class_data_len: class_data.length,
    malloc_f: (size: number) => new Uint8Array(size),
  };
}
