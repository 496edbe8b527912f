/* Events of JVMTI as events of JVMPI, delivered on their thread. */
#include "bridge.h"
#include <stdlib.h>
#include <string.h>

_Atomic bool bridge_stopped;
static bool classes_from_start;

/* The thread of an event; false if the event is not for the agent: the thread is one of the bridge, or the VM is not complete. */
static bool is_due(JNIEnv *jni, jthread thread, int type) {
  return is_enabled(type) && atomic_load(&live) && !atomic_load(&bridge_stopped) && bridge_here(jni, thread) != NULL;
}

static void JNICALL on_class_prepare(jvmtiEnv *ti, JNIEnv *jni, jthread thread, jclass type) {
  (void)ti;
  if (is_due(jni, thread, CLASS_LOAD) && mark_sent(tag_of(type, true))) class_load_event(jni, type, CLASS_LOAD);
}

static void method_event(JNIEnv *jni, int type, jmethodID method) {
  JVMPI_Event event = {0};
  event.u.method.method_id = method;
  notify(type, jni, &event);
}

static void JNICALL on_method_entry(jvmtiEnv *ti, JNIEnv *jni, jthread thread, jmethodID method) {
  if (is_due(jni, thread, METHOD_ENTRY)) method_event(jni, METHOD_ENTRY, method);
  if (!is_due(jni, thread, METHOD_ENTRY2)) return;
  jobject self = NULL;
  jint modifiers = 0;
  (*ti)->GetMethodModifiers(ti, method, &modifiers);
  bool has_self = (modifiers & 0x8) == 0 && (*ti)->GetLocalInstance(ti, thread, 0, &self) == JVMTI_ERROR_NONE;
  JVMPI_Event event = {0};
  event.u.method_entry2.method_id = method;
  event.u.method_entry2.obj_id = has_self ? id_of(self) : NULL;
  notify(METHOD_ENTRY2, jni, &event);
  if (self != NULL) (*jni)->DeleteLocalRef(jni, self);
}

static void JNICALL on_method_exit(jvmtiEnv *ti, JNIEnv *jni, jthread thread, jmethodID method, jboolean popped,
                                   jvalue value) {
  (void)ti, (void)popped, (void)value;
  if (is_due(jni, thread, METHOD_EXIT)) method_event(jni, METHOD_EXIT, method);
}

/* Which way a branch goes is not known before it has gone. */
static void JNICALL on_instruction(jvmtiEnv *ti, JNIEnv *jni, jthread thread, jmethodID method, jlocation location) {
  (void)ti;
  if (!is_due(jni, thread, EVENT_INSTRUCTION)) return;
  JVMPI_Event event = {0};
  event.u.instruction.method_id = method;
  event.u.instruction.offset = (jint)location;
  notify(EVENT_INSTRUCTION, jni, &event);
}

static void JNICALL on_allocation(jvmtiEnv *ti, JNIEnv *jni, jthread thread, jobject object, jclass type, jlong size) {
  (void)ti;
  if (is_due(jni, thread, OBJECT_ALLOC)) allocation_event(jni, object, type, size, OBJECT_ALLOC);
}

static void monitor_event(JNIEnv *env, int type, jobject object) {
  JVMPI_Event event = {0};
  event.u.monitor.object = id_of(object);
  notify(type, env, &event);
}

/* The thread that was in the monitor when this one came: it leaves when this one enters. */
static _Thread_local JNIEnv *entered_before;

static JNIEnv *owner_of(JNIEnv *jni, jobject object) {
  jvmtiMonitorUsage usage = {0};
  JNIEnv *env = NULL;
  if ((*jvmti)->GetObjectMonitorUsage(jvmti, object, &usage) != JVMTI_ERROR_NONE) return NULL;
  size_t room = bridge_threads(jni, NULL, 0);
  bridge_thread **threads = calloc(room + 1, sizeof *threads);
  size_t count = threads == NULL || usage.owner == NULL ? 0 : bridge_threads(jni, threads, room);
  for (size_t i = 0; i < count && i < room && env == NULL; i++)
    if ((*jni)->IsSameObject(jni, threads[i]->thread, usage.owner)) env = threads[i]->env;
  free(threads);
  drop_usage(jni, &usage);
  return env;
}

static void JNICALL on_contended(jvmtiEnv *ti, JNIEnv *jni, jthread thread, jobject object) {
  (void)ti;
  entered_before = is_due(jni, thread, EVENT_CONTENDED_EXIT) ? owner_of(jni, object) : NULL;
  if (is_due(jni, thread, MONITOR_CONTENDED_ENTER)) monitor_event(jni, MONITOR_CONTENDED_ENTER, object);
}

static void JNICALL on_entered(jvmtiEnv *ti, JNIEnv *jni, jthread thread, jobject object) {
  (void)ti;
  if (entered_before != NULL && is_due(jni, thread, EVENT_CONTENDED_EXIT))
    monitor_event(entered_before, EVENT_CONTENDED_EXIT, object);
  if (is_due(jni, thread, MONITOR_CONTENDED_ENTERED)) monitor_event(jni, MONITOR_CONTENDED_ENTERED, object);
}

static void wait_event(JNIEnv *jni, int type, jobject object, jlong ms) {
  JVMPI_Event event = {0};
  event.u.monitor_wait.object = id_of(object);
  event.u.monitor_wait.timeout = ms;
  notify(type, jni, &event);
}

static _Thread_local uint64_t wait_began;

static void JNICALL on_wait(jvmtiEnv *ti, JNIEnv *jni, jthread thread, jobject object, jlong timeout) {
  (void)ti;
  if (is_due(jni, thread, MONITOR_WAIT)) wait_event(jni, MONITOR_WAIT, object, timeout);
  wait_began = now_ns();
}

static void JNICALL on_waited(jvmtiEnv *ti, JNIEnv *jni, jthread thread, jobject object, jboolean timed_out) {
  (void)ti, (void)timed_out;
  uint64_t waited = wait_began == 0 ? 0 : (now_ns() - wait_began) / 1000000;
  if (is_due(jni, thread, MONITOR_WAITED)) wait_event(jni, MONITOR_WAITED, object, (jlong)waited);
}

static void JNICALL on_compiled(jvmtiEnv *ti, jmethodID method, jint size, const void *address, jint map_length,
                                const jvmtiAddrLocationMap *map, const void *info) {
  (void)ti, (void)info;
  if (!is_enabled(COMPILED_METHOD_LOAD) || !atomic_load(&live)) return;
  pool memory = {0};
  JVMPI_Event event = {0};
  JVMPI_Lineno *lines = map == NULL ? NULL : pool_take(&memory, (size_t)map_length * sizeof *lines);
  for (jint i = 0; lines != NULL && i < map_length; i++)
    lines[i] = (JVMPI_Lineno){.offset = (jint)((uintptr_t)map[i].start_address - (uintptr_t)address),
                              .lineno = line_of(method, map[i].location)};
  event.u.compiled_method_load.method_id = method;
  event.u.compiled_method_load.code_addr = (void *)(uintptr_t)address;
  event.u.compiled_method_load.code_size = size;
  event.u.compiled_method_load.lineno_table_size = lines == NULL ? 0 : map_length;
  event.u.compiled_method_load.lineno_table = lines;
  notify(COMPILED_METHOD_LOAD, env_here(), &event);
  pool_drop(&memory);
}

static void JNICALL on_uncompiled(jvmtiEnv *ti, jmethodID method, const void *address) {
  (void)ti, (void)address;
  JVMPI_Event event = {0};
  event.u.compiled_method_unload.method_id = method;
  if (is_enabled(COMPILED_METHOD_UNLOAD)) notify(COMPILED_METHOD_UNLOAD, NULL, &event);
}

static void *class_memory(unsigned int bytes) {
  unsigned char *memory = NULL;
  return (*jvmti)->Allocate(jvmti, (jlong)bytes, &memory) == JVMTI_ERROR_NONE ? memory : NULL;
}

static void JNICALL on_class_file(jvmtiEnv *ti, JNIEnv *jni, jclass again, jobject loader, const char *name,
                                  jobject domain, jint length, const unsigned char *bytes, jint *new_length,
                                  unsigned char **new_bytes) {
  (void)ti, (void)again, (void)loader, (void)name, (void)domain;
  if (!is_enabled(CLASS_LOAD_HOOK)) return;
  JVMPI_Event event = {0};
  event.u.class_load_hook.class_data = (unsigned char *)(uintptr_t)bytes;
  event.u.class_load_hook.class_data_len = length;
  event.u.class_load_hook.new_class_data = event.u.class_load_hook.class_data;
  event.u.class_load_hook.new_class_data_len = length;
  event.u.class_load_hook.malloc_f = class_memory;
  notify(CLASS_LOAD_HOOK, jni, &event);
  unsigned char *changed = event.u.class_load_hook.new_class_data;
  if (changed == NULL || changed == bytes) return;
  *new_bytes = changed;
  *new_length = event.u.class_load_hook.new_class_data_len;
}

static void JNICALL on_thread_start(jvmtiEnv *ti, JNIEnv *jni, jthread thread) {
  (void)ti;
  if (!atomic_load(&bridge_stopped)) bridge_here(jni, thread);
}

static void JNICALL on_thread_end(jvmtiEnv *ti, JNIEnv *jni, jthread thread) {
  (void)ti;
  bridge_thread *of = atomic_load(&bridge_stopped) ? NULL : bridge_here(jni, thread);
  if (of == NULL) return;
  JVMPI_Event event = {0};
  if (is_enabled(THREAD_END) && atomic_load(&live)) notify(THREAD_END, jni, &event);
  bridge_thread_ended(jni, of);
}

/* The VMs of the document sent both on the same signal. */
static void JNICALL on_data_dump(jvmtiEnv *ti) {
  (void)ti;
  JVMPI_Event dump = {0}, reset = {0};
  if (is_enabled(DATA_DUMP_REQUEST)) notify(DATA_DUMP_REQUEST, env_here(), &dump);
  if (is_enabled(EVENT_RESET)) notify(EVENT_RESET, env_here(), &reset);
}

static void on_reference(JNIEnv *jni, int type, jobject object, jobject reference) {
  if (!is_enabled(type) || reference == NULL || !atomic_load(&live)) return;
  JVMPI_Event event = {0};
  if (object != NULL) {
    event.u.jni_globalref_alloc.obj_id = id_of(object);
    event.u.jni_globalref_alloc.ref_id = reference;
  } else {
    event.u.jni_globalref_free.ref_id = reference;
  }
  notify(type, jni, &event);
}

/* The VM is complete: what exists already is told, threads first. */
void bridge_live(JNIEnv *jni, jthread thread) {
  atomic_store(&live, true);
  start_own_thread(jni, deliver_thread);
  sample_from_now();
  for (int type = EVENT_GLOBALREF_ALLOC; type <= EVENT_WEAK_GLOBALREF_FREE; type++)
    if (is_enabled(type)) watch_references(on_reference);
  bridge_here(jni, thread);
  bridge_announce_all(jni);
  if (is_enabled(CLASS_LOAD)) {
    classes_from_start = true;
    send_loaded_classes(jni, false);
  }
  /* Before the VM is complete, HotSpot takes the wish for single steps, but forgets it. */
  for (int on = 0; on < 2 && is_enabled(EVENT_INSTRUCTION); on++)
    (*jvmti)->SetEventNotificationMode(jvmti, on ? JVMTI_ENABLE : JVMTI_DISABLE, JVMTI_EVENT_SINGLE_STEP, NULL);
  JVMPI_Event event = {0};
  if (is_enabled(JVM_INIT_DONE)) notify(JVM_INIT_DONE, jni, &event);
}

static void JNICALL on_vm_init(jvmtiEnv *ti, JNIEnv *jni, jthread thread) {
  (void)ti;
  bridge_live(jni, thread);
}

static void JNICALL on_vm_death(jvmtiEnv *ti, JNIEnv *jni) {
  (void)ti;
  bridge_here(jni, NULL);
  deliver_collections(jni);
  if (is_enabled(CLASS_LOAD) && classes_from_start) send_loaded_classes(jni, true);
  JVMPI_Event event = {0};
  if (is_enabled(JVM_SHUT_DOWN)) notify(JVM_SHUT_DOWN, jni, &event);
  atomic_store(&bridge_stopped, true);
}

/* Events that the remote half has no switch for. */
static jint enable_own(jint type, bool on) {
  jvmtiCapabilities step = {.can_generate_single_step_events = 1}, monitors = {.can_generate_monitor_events = 1};
  jvmtiEventMode mode = on ? JVMTI_ENABLE : JVMTI_DISABLE;
  switch (type) {
    case JVMPI_EVENT_INSTRUCTION_START:
      if (on && (*jvmti)->AddCapabilities(jvmti, &step) != JVMTI_ERROR_NONE) return NOT_AVAILABLE;
      atomic_store(&enabled[type], on);
      return (*jvmti)->SetEventNotificationMode(jvmti, mode, JVMTI_EVENT_SINGLE_STEP, NULL) == JVMTI_ERROR_NONE ? SUCCESS
                                                                                                              : FAIL;
    case JVMPI_EVENT_MONITOR_CONTENDED_EXIT:
      if (on && (*jvmti)->AddCapabilities(jvmti, &monitors) != JVMTI_ERROR_NONE) return NOT_AVAILABLE;
      atomic_store(&enabled[type], on);
      for (int i = 0; i < 2; i++) {
        jvmtiEvent of = i == 0 ? JVMTI_EVENT_MONITOR_CONTENDED_ENTER : JVMTI_EVENT_MONITOR_CONTENDED_ENTERED;
        bool other = is_enabled(MONITOR_CONTENDED_ENTER + i);
        if (!other) (*jvmti)->SetEventNotificationMode(jvmti, mode, of, NULL);
      }
      return SUCCESS;
    case JVMPI_EVENT_DATA_RESET_REQUEST:
      atomic_store(&enabled[type], on);
      if (is_enabled(DATA_DUMP_REQUEST)) return SUCCESS;
      return (*jvmti)->SetEventNotificationMode(jvmti, mode, JVMTI_EVENT_DATA_DUMP_REQUEST, NULL) == JVMTI_ERROR_NONE
                 ? SUCCESS
                 : FAIL;
    case JVMPI_EVENT_JNI_GLOBALREF_ALLOC:
    case JVMPI_EVENT_JNI_GLOBALREF_FREE:
    case JVMPI_EVENT_JNI_WEAK_GLOBALREF_ALLOC:
    case JVMPI_EVENT_JNI_WEAK_GLOBALREF_FREE: {
      atomic_store(&enabled[type], on);
      bool any = false;
      for (int i = EVENT_GLOBALREF_ALLOC; i <= EVENT_WEAK_GLOBALREF_FREE; i++) any = any || is_enabled(i);
      /* Before the VM runs there is no table yet: bridge_live sets it. */
      return !atomic_load(&live) || watch_references(any ? on_reference : NULL) ? SUCCESS : FAIL;
    }
    case JVMPI_EVENT_RAW_MONITOR_CONTENDED_ENTER:
    case JVMPI_EVENT_RAW_MONITOR_CONTENDED_ENTERED:
    case JVMPI_EVENT_RAW_MONITOR_CONTENDED_EXIT: atomic_store(&enabled[type], on); return SUCCESS;
    default: return NOT_AVAILABLE;
  }
}

/* The end of collections is wanted as long as one of their events is on. */
static jint watch_collections(void) {
  jvmtiCapabilities needs = {.can_generate_garbage_collection_events = 1};
  bool any = is_enabled(GC_START) || is_enabled(GC_FINISH) || is_enabled(OBJECT_FREE) || is_enabled(CLASS_UNLOAD);
  if ((*jvmti)->AddCapabilities(jvmti, &needs) != JVMTI_ERROR_NONE) return NOT_AVAILABLE;
  jvmtiEventMode mode = any ? JVMTI_ENABLE : JVMTI_DISABLE;
  (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_DISABLE, JVMTI_EVENT_GARBAGE_COLLECTION_START, NULL);
  return (*jvmti)->SetEventNotificationMode(jvmti, mode, JVMTI_EVENT_GARBAGE_COLLECTION_FINISH, NULL) == JVMTI_ERROR_NONE
             ? SUCCESS
             : FAIL;
}

static jint change(jint type, bool on) {
  if (type <= 0 || type >= EVENTS || atomic_load(&bridge_stopped)) return NOT_AVAILABLE;
  jint code = enable_own(type, on);
  if (code != NOT_AVAILABLE) return code;
  code = enable_event(type, on);
  /* All events of a collection are delivered when it has ended. */
  if (code == SUCCESS && (type == GC_START || type == GC_FINISH || type == OBJECT_FREE || type == CLASS_UNLOAD))
    return watch_collections();
  return code;
}

jint bridge_enable(jint type, void *arg) {
  (void)arg;
  return change(type, true);
}

jint bridge_disable(jint type, void *arg) {
  (void)arg;
  return change(type, false);
}

bool bridge_events_init(void) {
  jvmtiEventCallbacks callbacks = {
      .VMInit = on_vm_init,
      .VMDeath = on_vm_death,
      .ThreadStart = on_thread_start,
      .ThreadEnd = on_thread_end,
      .ClassFileLoadHook = on_class_file,
      .ClassPrepare = on_class_prepare,
      .MethodEntry = on_method_entry,
      .MethodExit = on_method_exit,
      .SingleStep = on_instruction,
      .CompiledMethodLoad = on_compiled,
      .CompiledMethodUnload = on_uncompiled,
      .MonitorContendedEnter = on_contended,
      .MonitorContendedEntered = on_entered,
      .MonitorWait = on_wait,
      .MonitorWaited = on_waited,
      .GarbageCollectionFinish = on_gc_ended,
      .ObjectFree = on_tag_freed,
      .DataDumpRequest = on_data_dump,
      .SampledObjectAlloc = on_allocation,
  };
  return set_callbacks(&callbacks);
}
