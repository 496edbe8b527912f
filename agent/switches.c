/* Which events are on, and what the VM must grant for each. */
#include "agent.h"

/* What each event needs. Agents in C get the events of a collection when it has ended. */
static const struct row {
  jint type;
  jvmtiEvent event; /* 0: always on, or without an event of JVMTI */
  jvmtiCapabilities needs;
} ROWS[] = {
    {JVMPI_EVENT_METHOD_ENTRY, JVMTI_EVENT_METHOD_ENTRY, {.can_generate_method_entry_events = 1}},
    {JVMPI_EVENT_METHOD_ENTRY2, JVMTI_EVENT_METHOD_ENTRY, {.can_generate_method_entry_events = 1, .can_access_local_variables = 1}},
    {JVMPI_EVENT_METHOD_EXIT, JVMTI_EVENT_METHOD_EXIT, {.can_generate_method_exit_events = 1}},
    {JVMPI_EVENT_OBJECT_ALLOC, JVMTI_EVENT_SAMPLED_OBJECT_ALLOC, {.can_generate_sampled_object_alloc_events = 1}},
    {JVMPI_EVENT_OBJECT_FREE, JVMTI_EVENT_OBJECT_FREE, {.can_generate_object_free_events = 1}},
    {JVMPI_EVENT_CLASS_UNLOAD, JVMTI_EVENT_OBJECT_FREE, {.can_generate_object_free_events = 1}},
    {JVMPI_EVENT_CLASS_UNLOAD, JVMTI_EVENT_CLASS_PREPARE, {0}}, /* gives classes their ids */
    {JVMPI_EVENT_COMPILED_METHOD_LOAD, JVMTI_EVENT_COMPILED_METHOD_LOAD, {.can_generate_compiled_method_load_events = 1}},
    {JVMPI_EVENT_COMPILED_METHOD_UNLOAD, JVMTI_EVENT_COMPILED_METHOD_UNLOAD, {.can_generate_compiled_method_load_events = 1}},
    {JVMPI_EVENT_CLASS_LOAD_HOOK, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, {.can_generate_all_class_hook_events = 1}},
    {JVMPI_EVENT_CLASS_LOAD, JVMTI_EVENT_CLASS_PREPARE, {0}},
    {JVMPI_EVENT_MONITOR_CONTENDED_ENTER, JVMTI_EVENT_MONITOR_CONTENDED_ENTER, {.can_generate_monitor_events = 1}},
    {JVMPI_EVENT_MONITOR_CONTENDED_ENTERED, JVMTI_EVENT_MONITOR_CONTENDED_ENTERED, {.can_generate_monitor_events = 1}},
    {JVMPI_EVENT_MONITOR_CONTENDED_EXIT, JVMTI_EVENT_MONITOR_CONTENDED_ENTER, {.can_generate_monitor_events = 1, .can_get_monitor_info = 1}},
    {JVMPI_EVENT_MONITOR_CONTENDED_EXIT, JVMTI_EVENT_MONITOR_CONTENDED_ENTERED, {.can_generate_monitor_events = 1}},
    {JVMPI_EVENT_MONITOR_WAIT, JVMTI_EVENT_MONITOR_WAIT, {.can_generate_monitor_events = 1}},
    {JVMPI_EVENT_MONITOR_WAITED, JVMTI_EVENT_MONITOR_WAIT, {.can_generate_monitor_events = 1}}, /* when it began */
    {JVMPI_EVENT_MONITOR_WAITED, JVMTI_EVENT_MONITOR_WAITED, {.can_generate_monitor_events = 1}},
    {JVMPI_EVENT_GC_START, JVMTI_EVENT_GARBAGE_COLLECTION_START, {.can_generate_garbage_collection_events = 1}},
    {JVMPI_EVENT_GC_FINISH, JVMTI_EVENT_GARBAGE_COLLECTION_FINISH, {.can_generate_garbage_collection_events = 1}},
    {JVMPI_EVENT_GC_START, JVMTI_EVENT_GARBAGE_COLLECTION_FINISH, {.can_generate_garbage_collection_events = 1}},
    {JVMPI_EVENT_OBJECT_FREE, JVMTI_EVENT_GARBAGE_COLLECTION_FINISH, {.can_generate_garbage_collection_events = 1}},
    {JVMPI_EVENT_CLASS_UNLOAD, JVMTI_EVENT_GARBAGE_COLLECTION_FINISH, {.can_generate_garbage_collection_events = 1}},
    {JVMPI_EVENT_DATA_DUMP_REQUEST, JVMTI_EVENT_DATA_DUMP_REQUEST, {0}},
    {JVMPI_EVENT_DATA_RESET_REQUEST, JVMTI_EVENT_DATA_DUMP_REQUEST, {0}},
    {JVMPI_EVENT_INSTRUCTION_START, JVMTI_EVENT_SINGLE_STEP, {.can_generate_single_step_events = 1}},
    {JVMPI_EVENT_JNI_GLOBALREF_ALLOC, 0, {0}},
    {JVMPI_EVENT_JNI_GLOBALREF_FREE, 0, {0}},
    {JVMPI_EVENT_JNI_WEAK_GLOBALREF_ALLOC, 0, {0}},
    {JVMPI_EVENT_JNI_WEAK_GLOBALREF_FREE, 0, {0}},
    {JVMPI_EVENT_THREAD_START, 0, {0}},
    {JVMPI_EVENT_THREAD_END, 0, {0}},
    {JVMPI_EVENT_JVM_INIT_DONE, 0, {0}},
    {JVMPI_EVENT_JVM_SHUT_DOWN, 0, {0}},
};
#define ROW_COUNT (sizeof ROWS / sizeof *ROWS)

static bool set_mode(jvmtiEvent event, bool on) {
  jvmtiEventMode mode = on ? JVMTI_ENABLE : JVMTI_DISABLE;
  return (*jvmti)->SetEventNotificationMode(jvmti, mode, event, NULL) == JVMTI_ERROR_NONE;
}

static bool any_on(jvmtiEvent needed) {
  for (size_t i = 0; i < ROW_COUNT; i++)
    if (ROWS[i].event == needed && atomic_load(&enabled[ROWS[i].type]) != 0) return true;
  return false;
}

static jint switch_row(const struct row *row, bool on) {
  jint type = row->type;
  if (on && (*jvmti)->AddCapabilities(jvmti, &row->needs) != JVMTI_ERROR_NONE) return JVMPI_NOT_AVAILABLE;
  atomic_store(&enabled[type], on);
  if (type >= JVMPI_EVENT_JNI_GLOBALREF_ALLOC && type <= JVMPI_EVENT_JNI_WEAK_GLOBALREF_FREE) follow_references();
  if (row->event == 0) return JVMPI_SUCCESS;
  if (on && type == JVMPI_EVENT_OBJECT_ALLOC) (*jvmti)->SetHeapSamplingInterval(jvmti, 0);
  bool set = set_mode(row->event, any_on(row->event));
  if (!set) atomic_store(&enabled[type], false);
  if (set && type == JVMPI_EVENT_OBJECT_ALLOC) sample_from_now();
  if (set && on && type == JVMPI_EVENT_CLASS_UNLOAD) watch_classes();
  return set ? JVMPI_SUCCESS : JVMPI_FAIL;
}

/* Switches an event on or off. NOT_AVAILABLE: unknown here, or its capability is not granted (now, or to this agent). */
static jint change(jint type, bool on) {
  jint code = JVMPI_NOT_AVAILABLE;
  if (atomic_load(&stopped)) return code;
  if (receiver->in_process && type >= JVMPI_EVENT_RAW_MONITOR_CONTENDED_ENTER && type <= JVMPI_EVENT_RAW_MONITOR_CONTENDED_EXIT) {
    atomic_store(&enabled[type], on);
    return JVMPI_SUCCESS;
  }
  for (size_t i = 0; i < ROW_COUNT; i++)
    if (ROWS[i].type == type && (code = switch_row(&ROWS[i], on)) != JVMPI_SUCCESS) break;
  return code;
}

jint enable_event(jint type, void *unused) {
  return change(type, true);
}

jint disable_event(jint type, void *unused) {
  return change(type, false);
}

/* The front end is gone: the program goes on as if it had never been profiled. */
void events_off(void) {
  for (size_t i = 0; i < ROW_COUNT; i++)
    if (atomic_load(&enabled[ROWS[i].type]) != 0) change(ROWS[i].type, false);
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
      {.can_get_monitor_info = 1},
  };
  jvmtiCapabilities possible = {0};
  (*jvmti)->GetPotentialCapabilities(jvmti, &possible);
  for (size_t i = 0; i < sizeof FUNCTIONS / sizeof *FUNCTIONS; i++) put_u8(to, can_have(&possible, &FUNCTIONS[i]));
  put_varint(to, ROW_COUNT);
  for (size_t i = 0; i < ROW_COUNT; i++) {
    put_u8(to, (uint8_t)ROWS[i].type);
    put_u8(to, can_have(&possible, &ROWS[i].needs));
  }
}

/*
 * What both halves need; false if the VM refuses it. Beside that, what agents ask for when the VM runs, but get at its start only: an agent in C
 * cannot be asked what it will want. None of it costs anything that can be measured as long as no event is enabled. Local variables do, so
 * METHOD_ENTRY2 asks for them itself.
 */
bool ask_early(void) {
  jvmtiCapabilities possible = {0};
  jvmtiCapabilities usual = {.can_tag_objects = 1, .can_get_line_numbers = 1, .can_get_source_file_name = 1};
  if ((*jvmti)->AddCapabilities(jvmti, &usual) != JVMTI_ERROR_NONE) return false;
  (*jvmti)->GetPotentialCapabilities(jvmti, &possible);
  jvmtiCapabilities asked = {
      .can_generate_method_entry_events = receiver->in_process && possible.can_generate_method_entry_events,
      .can_generate_method_exit_events = receiver->in_process && possible.can_generate_method_exit_events,
      .can_get_thread_cpu_time = receiver->in_process && possible.can_get_thread_cpu_time,
      .can_get_owned_monitor_info = possible.can_get_owned_monitor_info,
      .can_get_current_contended_monitor = possible.can_get_current_contended_monitor,
  };
  (*jvmti)->AddCapabilities(jvmti, &asked);
  return true;
}

/*
 * Before JDK 25, a thread's first samples come with its next allocation buffer: what fits into the one that it has would be missed. A
 * collection takes all buffers away.
 */
void sample_from_now(void) {
  if (jdk_version() < 25 && atomic_load(&live) && atomic_load(&enabled[JVMPI_EVENT_OBJECT_ALLOC]) != 0)
    (*jvmti)->ForceGarbageCollection(jvmti);
}
