/* Callbacks of JVMTI: each makes an event of JVMPI. */
#include "agent.h"

/* How long the end of the VM waits for a handler of a collection. */
#define PATIENCE_MS 2000

static bool classes_from_start;

static void simple(agent_thread *of, jint type, JNIEnv *env) {
  message what = {.event = {.env_id = env}};
  if (is_due(type)) notify(of, type, &what);
}

static void JNICALL on_class_prepare(jvmtiEnv *ti, JNIEnv *jni, jthread thread, jclass type) {
  if (atomic_load_explicit(&enabled[JVMPI_EVENT_CLASS_UNLOAD], memory_order_relaxed) != 0) give_class_id(jni, type);
  if (due_thread(jni, thread, JVMPI_EVENT_CLASS_LOAD) != NULL) send_class_once(jni, type);
}

static void method_event(agent_thread *of, jint type, jmethodID method) {
  message what = {.event.u.method = {method}};
  if (of != NULL) notify(of, type, &what);
}

static void JNICALL on_method_entry(jvmtiEnv *ti, JNIEnv *jni, jthread thread, jmethodID method) {
  method_event(due_thread(jni, thread, JVMPI_EVENT_METHOD_ENTRY), JVMPI_EVENT_METHOD_ENTRY, method);
  agent_thread *of = due_thread(jni, thread, JVMPI_EVENT_METHOD_ENTRY2);
  jobject self = NULL;
  jint modifiers = 0;
  if (of == NULL) return;
  (*ti)->GetMethodModifiers(ti, method, &modifiers);
  bool is_static = (modifiers & 0x8) != 0;
  if (is_static || (*ti)->GetLocalInstance(ti, thread, 0, &self) != JVMTI_ERROR_NONE) self = NULL;
  message what = {.event = {.u = {.method_entry2 = {method, id_of(self)}}}};
  notify(of, JVMPI_EVENT_METHOD_ENTRY2, &what);
  if (self != NULL) (*jni)->DeleteLocalRef(jni, self);
}

static void JNICALL on_method_exit(jvmtiEnv *ti, JNIEnv *jni, jthread thread, jmethodID method, jboolean popped, jvalue value) {
  method_event(due_thread(jni, thread, JVMPI_EVENT_METHOD_EXIT), JVMPI_EVENT_METHOD_EXIT, method);
}

/* Which way a branch goes is not known before it has gone. */
static void JNICALL on_step(jvmtiEnv *ti, JNIEnv *jni, jthread thread, jmethodID method, jlocation location) {
  agent_thread *of = due_thread(jni, thread, JVMPI_EVENT_INSTRUCTION_START);
  message what = {.event.u.instruction = {.method_id = method, .offset = (jint)location}};
  if (of != NULL) notify(of, JVMPI_EVENT_INSTRUCTION_START, &what);
}

static void JNICALL on_allocation(jvmtiEnv *ti, JNIEnv *jni, jthread thread, jobject object, jclass type, jlong size) {
  if (due_thread(jni, thread, JVMPI_EVENT_OBJECT_ALLOC) != NULL) send_allocation(jni, object, type, size, JVMPI_EVENT_OBJECT_ALLOC);
}

/* An event of a monitor; `ms` of those that wait. */
static void monitor_event(agent_thread *of, jint type, jobject object, jlong ms) {
  if (of == NULL) return;
  message what = {.event.u.monitor_wait = {id_of(object), ms}};
  notify(of, type, &what);
}

/* The thread that was in the monitor when this one came: it has left when this one enters. JVMTI does not send its exit. */
static _Thread_local uint32_t entered_before;

static void JNICALL on_contended(jvmtiEnv *ti, JNIEnv *jni, jthread thread, jobject object) {
  agent_thread *owner = due_thread(jni, thread, JVMPI_EVENT_MONITOR_CONTENDED_EXIT) == NULL ? NULL : owner_of(jni, object);
  entered_before = owner == NULL ? 0 : owner->number;
  monitor_event(due_thread(jni, thread, JVMPI_EVENT_MONITOR_CONTENDED_ENTER), JVMPI_EVENT_MONITOR_CONTENDED_ENTER, object, 0);
}

static void JNICALL on_entered(jvmtiEnv *ti, JNIEnv *jni, jthread thread, jobject object) {
  if (entered_before != 0 && is_due(JVMPI_EVENT_MONITOR_CONTENDED_EXIT))
    monitor_event(thread_by_number(entered_before), JVMPI_EVENT_MONITOR_CONTENDED_EXIT, object, 0);
  entered_before = 0;
  monitor_event(due_thread(jni, thread, JVMPI_EVENT_MONITOR_CONTENDED_ENTERED), JVMPI_EVENT_MONITOR_CONTENDED_ENTERED, object, 0);
}

static _Thread_local uint64_t wait_began;

static void JNICALL on_wait(jvmtiEnv *ti, JNIEnv *jni, jthread thread, jobject object, jlong timeout) {
  monitor_event(due_thread(jni, thread, JVMPI_EVENT_MONITOR_WAIT), JVMPI_EVENT_MONITOR_WAIT, object, timeout);
  wait_began = now_ns();
}

static void JNICALL on_waited(jvmtiEnv *ti, JNIEnv *jni, jthread thread, jobject object, jboolean timed_out) {
  jlong waited = wait_began == 0 ? 0 : (jlong)((now_ns() - wait_began) / 1000000);
  monitor_event(due_thread(jni, thread, JVMPI_EVENT_MONITOR_WAITED), JVMPI_EVENT_MONITOR_WAITED, object, waited);
}

static void JNICALL on_compiled(jvmtiEnv *ti, jmethodID method, jint size, const void *address, jint map_length,
                                const jvmtiAddrLocationMap *map, const void *info) {
  if (!is_due(JVMPI_EVENT_COMPILED_METHOD_LOAD)) return;
  pool memory = {0};
  JNIEnv *env = env_here();
  JVMPI_Lineno *lines = map == NULL ? NULL : pool_take(&memory, (size_t)map_length * sizeof *lines);
  for (jint i = 0; lines != NULL && i < map_length; i++)
    lines[i] = (JVMPI_Lineno){.offset = (jint)((uintptr_t)map[i].start_address - (uintptr_t)address),
                              .lineno = line_of(method, map[i].location)};
  jint count = lines == NULL ? 0 : map_length;
  message what = {.event = {.env_id = env, .u.compiled_method_load = {method, (void *)(uintptr_t)address, size, count, lines}}};
  notify(thread_known(env), JVMPI_EVENT_COMPILED_METHOD_LOAD, &what);
  pool_drop(&memory);
}

static void JNICALL on_uncompiled(jvmtiEnv *ti, jmethodID method, const void *address) {
  message what = {.event.u.compiled_method_unload = {method}};
  if (is_due(JVMPI_EVENT_COMPILED_METHOD_UNLOAD)) notify(NULL, JVMPI_EVENT_COMPILED_METHOD_UNLOAD, &what);
}

static void *class_memory(unsigned int bytes) {
  unsigned char *memory = NULL;
  return (*jvmti)->Allocate(jvmti, (jlong)bytes, &memory) == JVMTI_ERROR_NONE ? memory : NULL;
}

static void JNICALL on_class_file(jvmtiEnv *ti, JNIEnv *jni, jclass again, jobject loader, const char *name,
                                  jobject domain, jint length, const unsigned char *bytes, jint *new_length,
                                  unsigned char **new_bytes) {
  if (!is_due(JVMPI_EVENT_CLASS_LOAD_HOOK)) return;
  unsigned char *old = (unsigned char *)(uintptr_t)bytes, *changed;
  message what = {.text = name, .event = {.env_id = jni, .u = {.class_load_hook = {old, length, old, length, class_memory}}}};
  notify(thread_here(jni, NULL), JVMPI_EVENT_CLASS_LOAD_HOOK, &what);
  changed = what.event.u.class_load_hook.new_class_data;
  if (changed == NULL || changed == old) return;
  *new_bytes = changed;
  *new_length = what.event.u.class_load_hook.new_class_data_len;
}

static void JNICALL on_thread_start(jvmtiEnv *ti, JNIEnv *jni, jthread thread) {
  if (!atomic_load(&stopped)) thread_started(jni, thread);
}

static void JNICALL on_thread_end(jvmtiEnv *ti, JNIEnv *jni, jthread thread) {
  agent_thread *of = thread_of(jni);
  if (of == NULL) return;
  simple(of, JVMPI_EVENT_THREAD_END, jni);
  if (receiver->end_thread != NULL) receiver->end_thread(of);
  thread_ended(jni, of);
}

/* The VMs of the document sent both on the same signal. */
static void JNICALL on_data_dump(jvmtiEnv *ti) {
  simple(NULL, JVMPI_EVENT_DATA_DUMP_REQUEST, env_here());
  simple(NULL, JVMPI_EVENT_DATA_RESET_REQUEST, env_here());
}

/* The VM is complete, or was when we came. What exists already is sent, threads first. */
void vm_is_live(JNIEnv *jni, jthread thread) {
  find_heap_counters();
  atomic_store(&live, true);
  adopt_threads(jni);
  start_own_thread(jni, SERVES, receiver->run, NULL);
  sample_from_now();
  follow_references();
  agent_thread *of = thread_here(jni, thread);
  announce_all(jni);
  /* Before the VM is complete, HotSpot takes the wish for single steps, but forgets it. */
  for (int on = 0; on < 2 && is_due(JVMPI_EVENT_INSTRUCTION_START); on++)
    (*jvmti)->SetEventNotificationMode(jvmti, on ? JVMTI_ENABLE : JVMTI_DISABLE, JVMTI_EVENT_SINGLE_STEP, NULL);
  classes_from_start = is_due(JVMPI_EVENT_CLASS_LOAD);
  if (classes_from_start) send_classes(jni, false);
  watch_classes();
  simple(of, JVMPI_EVENT_JVM_INIT_DONE, jni);
}

static void JNICALL on_vm_init(jvmtiEnv *ti, JNIEnv *jni, jthread thread) {
  vm_is_live(jni, thread);
}

/* The thread of the end has ended for JVMTI: its last events are of no thread, or it would be announced again. */
static void JNICALL on_vm_death(jvmtiEnv *ti, JNIEnv *jni) {
  agent_thread *of = thread_known(jni);
  if (receiver->deliver_collections != NULL) receiver->deliver_collections(PATIENCE_MS);
  if (classes_from_start && is_due(JVMPI_EVENT_CLASS_LOAD)) send_classes(jni, true);
  if (receiver->flush != NULL) receiver->flush();
  simple(of, JVMPI_EVENT_JVM_SHUT_DOWN, jni);
  receiver->end();
  exit_as_asked();
}

bool set_callbacks(void) {
  static const jvmtiEvent ALWAYS[] = {JVMTI_EVENT_VM_INIT, JVMTI_EVENT_VM_DEATH, JVMTI_EVENT_THREAD_START,
                                      JVMTI_EVENT_THREAD_END};
  jvmtiEventCallbacks callbacks = {
      .VMInit = on_vm_init,
      .VMDeath = on_vm_death,
      .ThreadStart = on_thread_start,
      .ThreadEnd = on_thread_end,
      .ClassFileLoadHook = on_class_file,
      .ClassPrepare = on_class_prepare,
      .MethodEntry = on_method_entry,
      .MethodExit = on_method_exit,
      .SingleStep = on_step,
      .CompiledMethodLoad = on_compiled,
      .CompiledMethodUnload = on_uncompiled,
      .NativeMethodBind = on_native_bind,
      .MonitorContendedEnter = on_contended,
      .MonitorContendedEntered = on_entered,
      .MonitorWait = on_wait,
      .MonitorWaited = on_waited,
      .DataDumpRequest = on_data_dump,
      .SampledObjectAlloc = on_allocation,
  };
  receiver->add_callbacks(&callbacks);
  if ((*jvmti)->SetEventCallbacks(jvmti, &callbacks, sizeof callbacks) != JVMTI_ERROR_NONE) return false;
  for (size_t i = 0; i < sizeof ALWAYS / sizeof *ALWAYS; i++)
    if ((*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, ALWAYS[i], NULL) != JVMTI_ERROR_NONE) return false;
  return true;
}
