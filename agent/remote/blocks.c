/* Events as records in blocks (docs/jvmpi-wire.md). Frequent ones gather in a block of their thread. */
#include "remote.h"
#include <sched.h>

#define BLOCK_HEAD 24

_Atomic int trace_depth[EVENTS], wants[EVENTS], blocking[EVENTS];
buffer *reply_content;

/*
 * What the records of events have: members of their structures, one after another. m: method, p: pointer or id, i: jint, j: jlong, b: bytes of
 * an allocation; `-`: a jint that is not sent.
 */
static const char *const FORMS[EVENTS] = {
    [JVMPI_EVENT_METHOD_ENTRY] = "m",            [JVMPI_EVENT_METHOD_ENTRY2] = "mp",
    [JVMPI_EVENT_METHOD_EXIT] = "m",             [JVMPI_EVENT_INSTRUCTION_START] = "mi",
    [JVMPI_EVENT_OBJECT_ALLOC] = "-pibp",        [JVMPI_EVENT_OBJECT_FREE] = "p",
    [JVMPI_EVENT_CLASS_UNLOAD] = "p",            [JVMPI_EVENT_COMPILED_METHOD_UNLOAD] = "m",
    [JVMPI_EVENT_COMPILED_METHOD_LOAD] = "mpi",  [JVMPI_EVENT_MONITOR_CONTENDED_ENTER] = "p",
    [JVMPI_EVENT_MONITOR_WAIT] = "pj",           [JVMPI_EVENT_MONITOR_CONTENDED_ENTERED] = "p",
    [JVMPI_EVENT_MONITOR_WAITED] = "pj",         [JVMPI_EVENT_MONITOR_CONTENDED_EXIT] = "p",
    [JVMPI_EVENT_JNI_GLOBALREF_ALLOC] = "pp",    [JVMPI_EVENT_JNI_GLOBALREF_FREE] = "p",
    [JVMPI_EVENT_JNI_WEAK_GLOBALREF_ALLOC] = "pp", [JVMPI_EVENT_JNI_WEAK_GLOBALREF_FREE] = "p",
};

/* Events of which a full queue drops some; the others wait for room. */
static bool may_drop(jint type) {
  return type <= JVMPI_EVENT_OBJECT_FREE || type == JVMPI_EVENT_COMPILED_METHOD_UNLOAD || type == JVMPI_EVENT_INSTRUCTION_START ||
         type == JVMPI_EVENT_CLASS_UNLOAD || type == JVMPI_EVENT_GC_START || type == JVMPI_EVENT_GC_FINISH;
}

static void put_members(buffer *to, const char *form, const message *what) {
  size_t at = offsetof(message, event.u);
  for (; form != NULL && *form != '\0'; form++) {
    size_t bytes = *form == 'i' || *form == 'b' || *form == '-' ? sizeof(jint) : sizeof(jlong);
    at = (at + bytes - 1) / bytes * bytes;
    const void *member = (const uint8_t *)what + at;
    if (*form == 'm') put_varint(to, method_number(*(const jmethodID *)member));
    else if (*form == 'b') put_varint(to, (uint64_t)what->bytes);
    else if (*form != '-') put_varint(to, bytes == sizeof(jint) ? *(const uint32_t *)member : *(const uint64_t *)member);
    at += bytes;
  }
}

static void put_class(buffer *to, const message *what) {
  const JVMPI_Event *event = &what->event;
  put_varint(to, (uint64_t)(uintptr_t)event->u.class_load.class_id);
  put_string(to, what->text);
  put_u8(to, what->linked);
  if (!what->linked) return;
  put_string(to, event->u.class_load.source_name);
  put_varint(to, (uint64_t)event->u.class_load.num_interfaces);
  put_varint(to, (uint64_t)event->u.class_load.num_methods);
  for (jint i = 0; i < event->u.class_load.num_methods; i++) {
    const JVMPI_Method *method = &event->u.class_load.methods[i];
    put_varint(to, method_number(method->method_id));
    put_string(to, method->method_name);
    put_string(to, method->method_signature);
    put_signed(to, method->start_lineno);
    put_signed(to, method->end_lineno);
  }
  jint statics = event->u.class_load.num_static_fields, all = statics + event->u.class_load.num_instance_fields;
  put_varint(to, (uint64_t)all);
  for (jint i = 0; i < all; i++) {
    const JVMPI_Field *field = i < statics ? &event->u.class_load.statics[i] : &event->u.class_load.instances[i - statics];
    put_u8(to, i < statics);
    put_string(to, field->field_name);
    put_string(to, field->field_signature);
  }
}

static void put_compiled(buffer *to, const JVMPI_Event *event) {
  put_varint(to, (uint64_t)event->u.compiled_method_load.lineno_table_size);
  for (jint i = 0; i < event->u.compiled_method_load.lineno_table_size; i++) {
    put_varint(to, (uint64_t)event->u.compiled_method_load.lineno_table[i].offset);
    put_signed(to, event->u.compiled_method_load.lineno_table[i].lineno);
  }
}

/* The innermost frames of a thread, each a method and a line. */
void put_frames(buffer *to, jint count, const JVMPI_CallFrame *frames) {
  put_varint(to, count < 0 ? 0 : (uint64_t)count);
  for (jint i = 0; i < count; i++) {
    put_varint(to, method_number(frames[i].method_id));
    put_signed(to, frames[i].lineno);
  }
}

static void put_numbers(buffer *to, size_t count, agent_thread *const *threads) {
  for (size_t i = 0; i < count; i++) put_varint(to, threads[i]->number);
  put_varint(to, 0);
}

void put_monitor_use(void *data, const monitor_use *use) {
  buffer *to = data;
  put_varint(to, (uint64_t)use->object);
  put_varint(to, use->owner == NULL ? 0 : use->owner->number);
  put_varint(to, (uint64_t)use->entries);
  put_numbers(to, use->entering_count, use->entering);
  put_numbers(to, use->waiting_count, use->waiting);
}

/* Monitors, then threads with their states. */
static void put_monitor_dump(buffer *to, const JVMPI_Event *event) {
  put_bytes(to, event->u.monitor_dump.begin, (size_t)(event->u.monitor_dump.end - event->u.monitor_dump.begin));
  put_varint(to, 0);
  for (jint i = 0; i < event->u.monitor_dump.num_traces; i++) {
    const JVMPI_CallTrace *trace = &event->u.monitor_dump.traces[i];
    const agent_thread *of = thread_of(trace->env_id);
    if (of == NULL) continue; /* it has ended */
    put_varint(to, of->number);
    put_varint(to, (uint64_t)event->u.monitor_dump.threads_status[i]);
    put_frames(to, trace->num_frames, trace->frames);
  }
  put_varint(to, 0);
}

static void put_thread(buffer *to, const message *what) {
  put_varint(to, what->started);
  put_varint(to, (uint64_t)(uintptr_t)what->event.u.thread_start.thread_id);
  put_string(to, what->event.u.thread_start.thread_name);
  put_string(to, what->event.u.thread_start.group_name);
  put_string(to, what->event.u.thread_start.parent_name);
}

static void put_class_file(buffer *to, const message *what) {
  put_string(to, what->text);
  put_varint(to, (uint64_t)what->event.u.class_load_hook.class_data_len);
  put_bytes(to, what->event.u.class_load_hook.class_data, (size_t)what->event.u.class_load_hook.class_data_len);
}

static void put_content(buffer *to, jint type, const message *what) {
  put_members(to, FORMS[type], what);
  switch (type) {
    case JVMPI_EVENT_CLASS_LOAD: put_class(to, what); break;
    case JVMPI_EVENT_CLASS_LOAD_HOOK: put_class_file(to, what); break;
    case JVMPI_EVENT_COMPILED_METHOD_LOAD: put_compiled(to, &what->event); break;
    case JVMPI_EVENT_MONITOR_DUMP: put_monitor_dump(to, &what->event); break;
    case JVMPI_EVENT_THREAD_START: put_thread(to, what); break;
    case JVMPI_EVENT_GC_FINISH:
      put_signed(to, what->event.u.gc_info.used_object_space);
      put_signed(to, what->event.u.gc_info.total_object_space);
      break;
    default: break;
  }
}

static void acquire(agent_thread *of) {
  while (atomic_flag_test_and_set_explicit(&of->busy, memory_order_acquire)) sched_yield();
}

static void let_go(agent_thread *of) { atomic_flag_clear_explicit(&of->busy, memory_order_release); }

/* Sends the block of a thread. Called while it is acquired. */
static void send_block(agent_thread *of) {
  buffer block = {.bytes = of->block, .length = of->length};
  if (of->length > BLOCK_HEAD) wire_frame(BLOCK, &block, DROP);
  of->length = 0;
}

static void flush_thread(agent_thread *of) {
  acquire(of);
  send_block(of);
  let_go(of);
}

void flush_threads(void) {
  agent_thread **threads;
  size_t count = all_threads(&threads);
  for (size_t i = 0; i < count; i++) flush_thread(threads[i]);
  free(threads);
}

void end_blocks(agent_thread *of) {
  acquire(of);
  send_block(of);
  free(of->block);
  of->block = NULL;
  let_go(of);
}

/* Starts a block: count of records, thread and time, padded to BLOCK_HEAD. Called while the thread is acquired. */
static bool start_block(agent_thread *of, uint64_t now) {
  if (of->block == NULL && (of->block = malloc(BLOCK_BYTES)) == NULL) return false;
  memset(of->block, 0, BLOCK_HEAD);
  memcpy(of->block + 4, &of->number, 4);
  memcpy(of->block + 8, &now, 8);
  of->last = now;
  of->length = BLOCK_HEAD;
  return true;
}

/* A record with one number, into the thread's block. */
static void fast_event(agent_thread *of, jint type, uint64_t one) {
  uint64_t now = now_ns();
  acquire(of);
  if (of->length + 24 > BLOCK_BYTES) send_block(of);
  if (of->length == 0 && !start_block(of, now)) {
    wire_count_drop(type);
    let_go(of);
    return;
  }
  uint8_t *to = of->block + of->length;
  *to++ = (uint8_t)type;
  to += write_varint(to, now - of->last);
  to += write_varint(to, one);
  of->last = now;
  of->length = (uint32_t)(to - of->block);
  uint32_t records;
  memcpy(&records, of->block, 4);
  records++;
  memcpy(of->block, &records, 4);
  let_go(of);
}

/* What the front end asked for beside each event of this type: trace, CPU time and status of the thread that runs this. */
static void put_extras(buffer *to, jint type) {
  JVMPI_CallFrame frames[MAX_FRAMES];
  int depth = atomic_load(&trace_depth[type]);
  int also = atomic_load(&wants[type]);
  put_u8(to, (uint8_t)((depth > 0 ? 1 : 0) | also << 1));
  if (depth > 0) put_frames(to, trace_of(NULL, depth, frames), frames);
  if ((also & WANTS_CPU) != 0) put_varint(to, (uint64_t)jvmpi.GetCurrentThreadCpuTime());
  if ((also & WANTS_STATUS) != 0) put_varint(to, (uint64_t)jvmpi.GetThreadStatus(env_here()));
}

/* Holds the thread until the front end has the new class file; without an answer the class stays as it is. */
static void take_class(JVMPI_Event *event, const buffer *answer) {
  void *made = answer->length == 0 || answer->failed ? NULL : event->u.class_load_hook.malloc_f((unsigned)answer->length);
  if (made == NULL) return;
  event->u.class_load_hook.new_class_data = memcpy(made, answer->bytes, answer->length);
  event->u.class_load_hook.new_class_data_len = (jint)answer->length;
}

/* Sends an event as a block of its own, after what the thread has recorded. Some hold their thread until the handler is done. */
void remote_deliver(message *what) {
  jint type = what->event.event_type & ~JVMPI_REQUESTED_EVENT;
  if (type != what->event.event_type) {
    put_content(reply_content, type, what);
    return;
  }
  agent_thread *of = what->thread == 0 ? NULL : thread_by_number(what->thread);
  bool is_here = of != NULL && thread_known(of->env) == of, held = atomic_load(&blocking[type]) != 0;
  bool extras = is_here && (atomic_load(&trace_depth[type]) != 0 || atomic_load(&wants[type]) != 0);
  if (is_here && !extras && !held && (type == JVMPI_EVENT_METHOD_ENTRY || type == JVMPI_EVENT_METHOD_EXIT)) {
    fast_event(of, type, method_number(what->event.u.method.method_id));
    return;
  }
  held = held || type == JVMPI_EVENT_CLASS_LOAD_HOOK || type == JVMPI_EVENT_JVM_SHUT_DOWN;
  buffer block = {0}, answer = {0};
  put_u32(&block, 1);
  put_u32(&block, what->thread);
  uint64_t head[2] = {now_ns(), 0};
  put_bytes(&block, head, sizeof head);
  put_u8(&block, (uint8_t)(type | (extras ? EXTRAS : 0)));
  put_varint(&block, 0);
  if (extras) put_extras(&block, type);
  put_content(&block, type, what);
  if (of != NULL) flush_thread(of);
  bool lost = block.failed || (held && !wire_hold(&block, &answer));
  if (lost) wire_count_drop(type);
  else if (!held) wire_frame(BLOCK, &block, may_drop(type) ? DROP : WAIT);
  if (type == JVMPI_EVENT_CLASS_LOAD_HOOK) take_class(&what->event, &answer);
  drop_buffer(&answer);
  drop_buffer(&block);
}
