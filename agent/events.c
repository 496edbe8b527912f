/* Callbacks of JVMTI, and which of them are on. */
#include "agent.h"
#include <stdlib.h>
#include <string.h>

_Atomic int enabled[EVENTS];
_Atomic int trace_depth[EVENTS];
_Atomic int wants_cpu[EVENTS];
_Atomic int blocking[EVENTS];
_Atomic bool live;

static bool is_on(int number) { return atomic_load_explicit(&enabled[number], memory_order_relaxed) != 0; }

static bool classes_from_start;

static void send_class(JNIEnv *jni, jclass type, bool prepared) {
  buffer content = {0};
  jthread thread = NULL;
  if (trace_depth[CLASS_LOAD] != 0 || wants_cpu[CLASS_LOAD] != 0) (*jvmti)->GetCurrentThread(jvmti, &thread);
  int number = CLASS_LOAD | put_extras(&content, CLASS_LOAD, thread);
  put_class(&content, jni, type, prepared);
  event(thread_known(), number, &content, WAIT);
  drop_buffer(&content);
  if (thread != NULL) (*jni)->DeleteLocalRef(jni, thread);
}

/* An event whose content is one number at most. */
static void simple(JNIEnv *jni, jthread thread, int number, bool has_one, uint64_t one, policy full) {
  agent_thread *of = jni == NULL ? NULL : thread_here(jni, thread);
  buffer content = {0};
  int bits = number | put_extras(&content, number, thread);
  if (has_one) put_varint(&content, one);
  event(of, bits, &content, full);
  drop_buffer(&content);
}

static void JNICALL on_class_prepare(jvmtiEnv *ti, JNIEnv *jni, jthread thread, jclass type) {
  (void)ti;
  if (!is_on(CLASS_LOAD)) return;
  thread_here(jni, thread);
  if (mark_sent(tag_of(type, true))) send_class(jni, type, true);
}

static void method_event(JNIEnv *jni, jthread thread, int number, jmethodID method) {
  agent_thread *of = thread_here(jni, thread);
  if (of == NULL) return;
  bool plain = atomic_load_explicit(&trace_depth[number], memory_order_relaxed) == 0 &&
               atomic_load_explicit(&wants_cpu[number], memory_order_relaxed) == 0 &&
               atomic_load_explicit(&blocking[number], memory_order_relaxed) == 0;
  if (plain) fast_event(of, number, method_number(method));
  else simple(jni, thread, number, true, method_number(method), DROP);
}

static void JNICALL on_method_entry(jvmtiEnv *ti, JNIEnv *jni, jthread thread, jmethodID method) {
  if (is_on(METHOD_ENTRY)) method_event(jni, thread, METHOD_ENTRY, method);
  if (!is_on(METHOD_ENTRY2)) return;
  jobject self = NULL;
  jint modifiers = 0;
  (*ti)->GetMethodModifiers(ti, method, &modifiers);
  bool has_self = (modifiers & 0x8) == 0 && (*ti)->GetLocalInstance(ti, thread, 0, &self) == JVMTI_ERROR_NONE;
  buffer content = {0};
  int number = METHOD_ENTRY2 | put_extras(&content, METHOD_ENTRY2, thread);
  put_varint(&content, method_number(method));
  put_varint(&content, has_self ? (uint64_t)tag_of(self, false) : 0);
  event(thread_here(jni, thread), number, &content, DROP);
  drop_buffer(&content);
  if (self != NULL) (*jni)->DeleteLocalRef(jni, self);
}

static void JNICALL on_method_exit(jvmtiEnv *ti, JNIEnv *jni, jthread thread, jmethodID method, jboolean popped,
                                   jvalue value) {
  (void)ti, (void)popped, (void)value;
  if (is_on(METHOD_EXIT)) method_event(jni, thread, METHOD_EXIT, method);
}

static void JNICALL on_allocation(jvmtiEnv *ti, JNIEnv *jni, jthread thread, jobject object, jclass type, jlong size) {
  (void)ti;
  if (!is_on(OBJECT_ALLOC)) return;
  buffer content = {0};
  int number = OBJECT_ALLOC | put_extras(&content, OBJECT_ALLOC, thread);
  if (put_allocation(&content, object, type, size) == SUCCESS) event(thread_here(jni, thread), number, &content, DROP);
  drop_buffer(&content);
}

static void JNICALL on_free(jvmtiEnv *ti, jlong tag) {
  (void)ti;
  int number = (tag & 1) != 0 ? CLASS_UNLOAD : OBJECT_FREE;
  if (is_on(number)) simple(NULL, NULL, number, true, (uint64_t)tag, DROP);
}

static void JNICALL on_gc_start(jvmtiEnv *ti) {
  (void)ti;
  if (is_on(GC_START)) simple(NULL, NULL, GC_START, false, 0, DROP);
}

static void JNICALL on_gc_finish(jvmtiEnv *ti) {
  (void)ti;
  if (is_on(GC_FINISH)) simple(NULL, NULL, GC_FINISH, false, 0, DROP);
}

static void monitor_event(JNIEnv *jni, jthread thread, int number, jobject object, bool has_time, jlong time) {
  if (!is_on(number)) return;
  buffer content = {0};
  int bits = number | put_extras(&content, number, thread);
  put_varint(&content, (uint64_t)tag_of(object, false));
  if (has_time) put_varint(&content, (uint64_t)time);
  event(thread_here(jni, thread), bits, &content, WAIT);
  drop_buffer(&content);
}

/* The thread that was in the monitor when this one came: it has left when this one enters. JVMTI does not send its exit. */
static _Thread_local agent_thread *entered_before;

static agent_thread *owner_of(JNIEnv *jni, jobject object) {
  jvmtiMonitorUsage usage = {0};
  if ((*jvmti)->GetObjectMonitorUsage(jvmti, object, &usage) != JVMTI_ERROR_NONE) return NULL;
  uint32_t number = usage.owner == NULL ? 0 : number_of(jni, usage.owner);
  if (usage.waiters != NULL) (*jvmti)->Deallocate(jvmti, (unsigned char *)usage.waiters);
  if (usage.notify_waiters != NULL) (*jvmti)->Deallocate(jvmti, (unsigned char *)usage.notify_waiters);
  return number == 0 ? NULL : thread_by_number(number);
}

static void JNICALL on_contended(jvmtiEnv *ti, JNIEnv *jni, jthread thread, jobject object) {
  (void)ti;
  entered_before = is_on(MONITOR_CONTENDED_EXIT) ? owner_of(jni, object) : NULL;
  monitor_event(jni, thread, MONITOR_CONTENDED_ENTER, object, false, 0);
}

static void JNICALL on_entered(jvmtiEnv *ti, JNIEnv *jni, jthread thread, jobject object) {
  (void)ti;
  agent_thread *left = entered_before;
  entered_before = NULL;
  if (left != NULL && is_on(MONITOR_CONTENDED_EXIT)) {
    buffer content = {0};
    put_varint(&content, (uint64_t)tag_of(object, false));
    event(left, MONITOR_CONTENDED_EXIT, &content, WAIT);
    drop_buffer(&content);
  }
  monitor_event(jni, thread, MONITOR_CONTENDED_ENTERED, object, false, 0);
}

static _Thread_local uint64_t wait_began;

static void JNICALL on_wait(jvmtiEnv *ti, JNIEnv *jni, jthread thread, jobject object, jlong timeout) {
  (void)ti;
  monitor_event(jni, thread, MONITOR_WAIT, object, true, timeout);
  wait_began = now_ns();
}

static void JNICALL on_waited(jvmtiEnv *ti, JNIEnv *jni, jthread thread, jobject object, jboolean timed_out) {
  (void)ti, (void)timed_out;
  uint64_t waited = wait_began == 0 ? 0 : (now_ns() - wait_began) / 1000000;
  monitor_event(jni, thread, MONITOR_WAITED, object, true, (jlong)waited);
}

static void JNICALL on_compiled(jvmtiEnv *ti, jmethodID method, jint size, const void *address, jint map_length,
                                const jvmtiAddrLocationMap *map, const void *info) {
  (void)info;
  if (!is_on(COMPILED_METHOD_LOAD)) return;
  jint lines = 0;
  jvmtiLineNumberEntry *list = NULL;
  if ((*ti)->GetLineNumberTable(ti, method, &lines, &list) != JVMTI_ERROR_NONE) lines = 0;
  buffer content = {0};
  put_varint(&content, method_number(method));
  put_varint(&content, (uint64_t)(uintptr_t)address);
  put_varint(&content, (uint64_t)size);
  put_varint(&content, (uint64_t)(map == NULL ? 0 : map_length));
  for (jint i = 0; map != NULL && i < map_length; i++) {
    jint line = -1;
    for (jint k = 0; k < lines; k++)
      if (list[k].start_location <= map[i].location) line = list[k].line_number;
    put_varint(&content, (uint64_t)((uintptr_t)map[i].start_address - (uintptr_t)address));
    put_signed(&content, line);
  }
  if (list != NULL) (*ti)->Deallocate(ti, (unsigned char *)list);
  event(thread_known(), COMPILED_METHOD_LOAD, &content, WAIT);
  drop_buffer(&content);
}

static void JNICALL on_uncompiled(jvmtiEnv *ti, jmethodID method, const void *address) {
  (void)ti, (void)address;
  if (is_on(COMPILED_METHOD_UNLOAD)) simple(NULL, NULL, COMPILED_METHOD_UNLOAD, true, method_number(method), DROP);
}

/* Holds the thread until the front end has the new class file; without an answer the class stays as it is. */
static void JNICALL on_class_file(jvmtiEnv *ti, JNIEnv *jni, jclass again, jobject loader, const char *name,
                                  jobject domain, jint length, const unsigned char *bytes, jint *new_length,
                                  unsigned char **new_bytes) {
  (void)again, (void)loader, (void)domain;
  if (!is_on(CLASS_LOAD_HOOK)) return;
  buffer content = {0}, answer = {0};
  put_string(&content, name);
  put_varint(&content, (uint64_t)length);
  put_bytes(&content, bytes, (size_t)length);
  bool released = held_event(jni == NULL ? NULL : thread_here(jni, NULL), CLASS_LOAD_HOOK, &content, &answer);
  drop_buffer(&content);
  if (released && answer.length > 0 && !answer.failed &&
      (*ti)->Allocate(ti, (jlong)answer.length, new_bytes) == JVMTI_ERROR_NONE) {
    memcpy(*new_bytes, answer.bytes, answer.length);
    *new_length = (jint)answer.length;
  }
  drop_buffer(&answer);
}

static void JNICALL on_thread_start(jvmtiEnv *ti, JNIEnv *jni, jthread thread) {
  (void)ti;
  if (!is_own(jni, thread)) thread_here(jni, thread);
}

static void JNICALL on_thread_end(jvmtiEnv *ti, JNIEnv *jni, jthread thread) {
  (void)ti;
  agent_thread *of = thread_known();
  if (of == NULL || of->env != jni) return;
  if (is_on(THREAD_END)) simple(jni, thread, THREAD_END, false, 0, WAIT);
  thread_ended(jni, of);
}

static void JNICALL on_data_dump(jvmtiEnv *ti) {
  (void)ti;
  if (is_on(DATA_DUMP_REQUEST)) simple(NULL, NULL, DATA_DUMP_REQUEST, false, 0, WAIT);
  if (is_on(DATA_RESET_REQUEST)) simple(NULL, NULL, DATA_RESET_REQUEST, false, 0, WAIT);
}

static void JNICALL on_step(jvmtiEnv *ti, JNIEnv *jni, jthread thread, jmethodID method, jlocation location) {
  (void)ti;
  if (!is_on(INSTRUCTION_START)) return;
  buffer content = {0};
  int number = INSTRUCTION_START | put_extras(&content, INSTRUCTION_START, thread);
  put_varint(&content, method_number(method));
  put_varint(&content, (uint64_t)location);
  event(thread_here(jni, thread), number, &content, DROP);
  drop_buffer(&content);
}

/* A global reference was made (`object` is given), or is freed. References that we make ourselves for it do not count. */
static void on_reference(JNIEnv *jni, int number, jobject object, jobject reference) {
  static _Thread_local bool within;
  if (!is_on(number) || within || reference == NULL || !atomic_load(&live)) return;
  within = true;
  jthread thread = NULL;
  if ((*jvmti)->GetCurrentThread(jvmti, &thread) == JVMTI_ERROR_NONE && thread != NULL && !is_own(jni, thread)) {
    buffer content = {0};
    int bits = number | put_extras(&content, number, thread);
    if (object != NULL) put_varint(&content, (uint64_t)tag_of(object, false));
    put_varint(&content, (uint64_t)(uintptr_t)reference);
    event(thread_here(jni, thread), bits, &content, WAIT);
    drop_buffer(&content);
  }
  if (thread != NULL) (*jni)->DeleteLocalRef(jni, thread);
  within = false;
}

static bool any_reference_on(void) {
  for (int number = JNI_GLOBALREF_ALLOC; number <= JNI_WEAK_GLOBALREF_FREE; number++)
    if (is_on(number)) return true;
  return false;
}

/* Puts our functions into the VM's table, or its own again. Before the VM runs there is no table: vm_is_live does it. */
static jint follow_references(void) {
  return !atomic_load(&live) || watch_references(any_reference_on() ? on_reference : NULL) ? SUCCESS : FAIL;
}

/*
 * Before JDK 25, a thread's first samples come with its next allocation buffer: what fits into the one that it has would be missed. A
 * collection takes all buffers away.
 */
void sample_from_now(void) {
  jint version = 0;
  (*jvmti)->GetVersionNumber(jvmti, &version);
  if (is_on(OBJECT_ALLOC) && atomic_load(&live) && ((version & JVMTI_VERSION_MASK_MAJOR) >> JVMTI_VERSION_SHIFT_MAJOR) < 25)
    (*jvmti)->ForceGarbageCollection(jvmti);
}

/* The VM is complete, or was when we came. */
void vm_is_live(JNIEnv *jni, jthread thread) {
  atomic_store(&live, true);
  thread_here(jni, thread);
  start_own_thread(jni, serve_thread);
  if (any_reference_on()) follow_references();
  /* Before the VM is complete, HotSpot takes the wish for single steps, but forgets it. */
  for (int on = 0; on < 2 && is_on(INSTRUCTION_START); on++)
    (*jvmti)->SetEventNotificationMode(jvmti, on ? JVMTI_ENABLE : JVMTI_DISABLE, JVMTI_EVENT_SINGLE_STEP, NULL);
  sample_from_now();
  if (is_on(CLASS_LOAD)) {
    classes_from_start = true;
    each_unsent_class(jni, false, send_class);
  }
  if (is_on(JVM_INIT_DONE)) simple(jni, thread, JVM_INIT_DONE, false, 0, WAIT);
}

static void JNICALL on_vm_init(jvmtiEnv *ti, JNIEnv *jni, jthread thread) {
  (void)ti;
  vm_is_live(jni, thread);
}

static void JNICALL on_vm_death(jvmtiEnv *ti, JNIEnv *jni) {
  jthread thread = NULL;
  (*ti)->GetCurrentThread(ti, &thread);
  agent_thread *of = thread_here(jni, thread);
  if (is_on(CLASS_LOAD) && classes_from_start) each_unsent_class(jni, true, send_class);
  flush_threads();
  buffer nothing = {0};
  if (is_on(JVM_SHUT_DOWN)) held_event(of, JVM_SHUT_DOWN, &nothing, NULL);
  flush_threads();
  wire_drain(HOLD_MS);
}

/* What each event needs. */
typedef struct {
  int number;
  jvmtiEvent event; /* 0: always on, or without an event of JVMTI */
  jvmtiCapabilities needs;
} event_row;

static const event_row ROWS[] = {
    {METHOD_ENTRY, JVMTI_EVENT_METHOD_ENTRY, {.can_generate_method_entry_events = 1}},
    {METHOD_ENTRY2, JVMTI_EVENT_METHOD_ENTRY, {.can_generate_method_entry_events = 1, .can_access_local_variables = 1}},
    {METHOD_EXIT, JVMTI_EVENT_METHOD_EXIT, {.can_generate_method_exit_events = 1}},
    {OBJECT_ALLOC, JVMTI_EVENT_SAMPLED_OBJECT_ALLOC, {.can_generate_sampled_object_alloc_events = 1}},
    {OBJECT_FREE, JVMTI_EVENT_OBJECT_FREE, {.can_generate_object_free_events = 1}},
    {CLASS_UNLOAD, JVMTI_EVENT_OBJECT_FREE, {.can_generate_object_free_events = 1}},
    {COMPILED_METHOD_LOAD, JVMTI_EVENT_COMPILED_METHOD_LOAD, {.can_generate_compiled_method_load_events = 1}},
    {COMPILED_METHOD_UNLOAD, JVMTI_EVENT_COMPILED_METHOD_UNLOAD, {.can_generate_compiled_method_load_events = 1}},
    {CLASS_LOAD_HOOK, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, {.can_generate_all_class_hook_events = 1}},
    {CLASS_LOAD, JVMTI_EVENT_CLASS_PREPARE, {0}},
    {MONITOR_CONTENDED_ENTER, JVMTI_EVENT_MONITOR_CONTENDED_ENTER, {.can_generate_monitor_events = 1}},
    {MONITOR_CONTENDED_ENTERED, JVMTI_EVENT_MONITOR_CONTENDED_ENTERED, {.can_generate_monitor_events = 1}},
    {MONITOR_CONTENDED_EXIT, JVMTI_EVENT_MONITOR_CONTENDED_ENTER, {.can_generate_monitor_events = 1, .can_get_monitor_info = 1}},
    {MONITOR_CONTENDED_EXIT, JVMTI_EVENT_MONITOR_CONTENDED_ENTERED, {.can_generate_monitor_events = 1}},
    {MONITOR_WAIT, JVMTI_EVENT_MONITOR_WAIT, {.can_generate_monitor_events = 1}},
    {MONITOR_WAITED, JVMTI_EVENT_MONITOR_WAITED, {.can_generate_monitor_events = 1}},
    {GC_START, JVMTI_EVENT_GARBAGE_COLLECTION_START, {.can_generate_garbage_collection_events = 1}},
    {GC_FINISH, JVMTI_EVENT_GARBAGE_COLLECTION_FINISH, {.can_generate_garbage_collection_events = 1}},
    {DATA_DUMP_REQUEST, JVMTI_EVENT_DATA_DUMP_REQUEST, {0}},
    {DATA_RESET_REQUEST, JVMTI_EVENT_DATA_DUMP_REQUEST, {0}},
    {INSTRUCTION_START, JVMTI_EVENT_SINGLE_STEP, {.can_generate_single_step_events = 1}},
    {JNI_GLOBALREF_ALLOC, 0, {0}},
    {JNI_GLOBALREF_FREE, 0, {0}},
    {JNI_WEAK_GLOBALREF_ALLOC, 0, {0}},
    {JNI_WEAK_GLOBALREF_FREE, 0, {0}},
    {THREAD_START, 0, {0}},
    {THREAD_END, 0, {0}},
    {JVM_INIT_DONE, 0, {0}},
    {JVM_SHUT_DOWN, 0, {0}},
};
#define ROW_COUNT (sizeof ROWS / sizeof *ROWS)

static bool any_on(jvmtiEvent needed) {
  for (size_t i = 0; i < ROW_COUNT; i++)
    if (ROWS[i].event == needed && is_on(ROWS[i].number)) return true;
  return false;
}

static jint enable_row(const event_row *row, bool on) {
  int number = row->number;
  if (on && (*jvmti)->AddCapabilities(jvmti, &row->needs) != JVMTI_ERROR_NONE) return NOT_AVAILABLE;
  atomic_store(&enabled[number], on);
  if (number >= JNI_GLOBALREF_ALLOC && number <= JNI_WEAK_GLOBALREF_FREE) return follow_references();
  if (row->event == 0) return SUCCESS;
  if (on && number == OBJECT_ALLOC) (*jvmti)->SetHeapSamplingInterval(jvmti, 0);
  jvmtiEventMode mode = any_on(row->event) ? JVMTI_ENABLE : JVMTI_DISABLE;
  if ((*jvmti)->SetEventNotificationMode(jvmti, mode, row->event, NULL) == JVMTI_ERROR_NONE) {
    if (number == OBJECT_ALLOC) sample_from_now();
    return SUCCESS;
  }
  atomic_store(&enabled[number], false);
  return FAIL;
}

/* Switches an event on or off. NOT_AVAILABLE: unknown here, or its capability is not granted (now, or to this agent). */
jint enable_event(int number, bool on) {
  jint code = NOT_AVAILABLE;
  for (size_t i = 0; i < ROW_COUNT; i++)
    if (ROWS[i].number == number && (code = enable_row(&ROWS[i], on)) != SUCCESS) break;
  return code;
}

static bool can_have(const jvmtiCapabilities *possible, const jvmtiCapabilities *needed) {
  const uint8_t *has = (const uint8_t *)possible, *wants = (const uint8_t *)needed;
  for (size_t i = 0; i < sizeof *needed; i++)
    if ((wants[i] & ~has[i]) != 0) return false;
  return true;
}

/* Which events this VM can send now, and whether it can suspend threads, tell their CPU time and their monitors. */
void put_available(buffer *to) {
  static const jvmtiCapabilities FUNCTIONS[] = {
      {.can_suspend = 1},
      {.can_get_thread_cpu_time = 1},
      {.can_get_owned_monitor_info = 1, .can_get_current_contended_monitor = 1, .can_get_monitor_info = 1},
  };
  jvmtiCapabilities possible = {0};
  (*jvmti)->GetPotentialCapabilities(jvmti, &possible);
  for (size_t i = 0; i < sizeof FUNCTIONS / sizeof *FUNCTIONS; i++) put_u8(to, can_have(&possible, &FUNCTIONS[i]));
  put_varint(to, ROW_COUNT);
  for (size_t i = 0; i < ROW_COUNT; i++) {
    put_u8(to, (uint8_t)ROWS[i].number);
    put_u8(to, can_have(&possible, &ROWS[i].needs));
  }
}

/* The front end is gone: the program goes on as if it had never been profiled. */
void events_off(void) {
  for (size_t i = 0; i < ROW_COUNT; i++)
    if (is_on(ROWS[i].number)) enable_event(ROWS[i].number, false);
}

/* Sets the callbacks, and switches those on that are always wanted. */
bool set_callbacks(const jvmtiEventCallbacks *callbacks) {
  static const jvmtiEvent ALWAYS[] = {JVMTI_EVENT_VM_INIT, JVMTI_EVENT_VM_DEATH, JVMTI_EVENT_THREAD_START,
                                      JVMTI_EVENT_THREAD_END};
  if ((*jvmti)->SetEventCallbacks(jvmti, callbacks, sizeof *callbacks) != JVMTI_ERROR_NONE) return false;
  for (size_t i = 0; i < sizeof ALWAYS / sizeof *ALWAYS; i++)
    if ((*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, ALWAYS[i], NULL) != JVMTI_ERROR_NONE) return false;
  return true;
}

bool events_init(void) {
  jvmtiEventCallbacks callbacks = {
      .VMInit = on_vm_init,
      .VMDeath = on_vm_death,
      .ThreadStart = on_thread_start,
      .ThreadEnd = on_thread_end,
      .ClassFileLoadHook = on_class_file,
      .ClassPrepare = on_class_prepare,
      .MethodEntry = on_method_entry,
      .MethodExit = on_method_exit,
      .CompiledMethodLoad = on_compiled,
      .CompiledMethodUnload = on_uncompiled,
      .MonitorContendedEnter = on_contended,
      .MonitorContendedEntered = on_entered,
      .MonitorWait = on_wait,
      .MonitorWaited = on_waited,
      .GarbageCollectionStart = on_gc_start,
      .GarbageCollectionFinish = on_gc_finish,
      .ObjectFree = on_free,
      .DataDumpRequest = on_data_dump,
      .SingleStep = on_step,
      .SampledObjectAlloc = on_allocation,
  };
  return set_callbacks(&callbacks);
}
