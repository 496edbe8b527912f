/* The start of the agent, its events, and the rewriting of classes. */
#include "counts/counts.h"
#include "heap/counting.h"
#include "monitors.h"
#include "net/net.h"
#include "output.h"
#include "probe-class.h"
#include "samples/samples.h"
#include <inttypes.h>
#include <unistd.h>

static _Atomic uint64_t left_alone;
/* The class that counts is there. */
static _Atomic bool has_probe;
/* From a complete VM until its end. */
static _Atomic bool running;

/* Whether allocations are counted by code in classes. */
static bool counts_allocations(void) { return chosen.sites && !chosen.every_object; }

static void JNICALL on_class_file(jvmtiEnv *ti, JNIEnv *jni, jclass again, jobject loader, const char *name, jobject domain,
                                  jint length, const unsigned char *bytes, jint *new_length, unsigned char **new_bytes) {
  static const allocation_counting ALLOCATIONS = {number_method, add_allocation, layout_of_arrays};
  static const probe_names TIMED = {PROBE_CLASS, "enter", "exit", "caught"}, COUNTED = {COUNTER_CLASS, COUNTER_METHOD, NULL, NULL};
  if (name != NULL && (strcmp(name, PROBE_CLASS) == 0 || strcmp(name, COUNTER_CLASS) == 0 || strcmp(name, ALLOCATIONS_CLASS) == 0)) return;
  bool has_field = chosen.cpu == CPU_COUNTS && loader == NULL && name != NULL && strcmp(name, "java/lang/Thread") == 0;
  rewrite_result result = {0};
  buffer with_field = {0};
  if (has_field) with_field = with_counter_field(bytes, (size_t)length);
  if (with_field.length > 0) {
    bytes = with_field.bytes;
    length = (jint)with_field.length;
  }
  /* Before there is a probe, only the field is added. */
  if (atomic_load(&has_probe) && counts_allocations()) result = rewrite_allocations(bytes, (size_t)length, &ALLOCATIONS);
  else if (atomic_load(&has_probe)) result = rewrite_class(bytes, (size_t)length, chosen.cpu == CPU_COUNTS ? number_counted : number_method, chosen.cpu == CPU_COUNTS ? &COUNTED : &TIMED);
  if (result.bytes.length == 0) put_bytes(&result.bytes, with_field.bytes, with_field.length);
  drop_buffer(&with_field);
  unsigned char *memory = NULL;
  atomic_fetch_add(&left_alone, result.left_alone);
  if (result.bytes.length > 0 && (*ti)->Allocate(ti, (jlong)result.bytes.length, &memory) == JVMTI_ERROR_NONE) {
    memcpy(memory, result.bytes.bytes, result.bytes.length);
    *new_bytes = memory;
    *new_length = (jint)result.bytes.length;
  }
  drop_buffer(&result.bytes);
}

/* Rewrites the classes that are there already. */
static void rewrite_loaded(JNIEnv *jni) {
  jint count = 0, kept = 0;
  jclass *classes = NULL;
  if ((*hprof_ti)->GetLoadedClasses(hprof_ti, &count, &classes) != JVMTI_ERROR_NONE) return;
  for (jint i = 0; i < count; i++) {
    jboolean can_change = JNI_FALSE;
    (*hprof_ti)->IsModifiableClass(hprof_ti, classes[i], &can_change);
    if (can_change) classes[kept++] = classes[i];
    else (*jni)->DeleteLocalRef(jni, classes[i]);
  }
  /* One that the VM refuses keeps all others from being changed: then each is tried alone. */
  if ((*hprof_ti)->RetransformClasses(hprof_ti, kept, classes) != JVMTI_ERROR_NONE)
    for (jint i = 0; i < kept; i++)
      if ((*hprof_ti)->RetransformClasses(hprof_ti, 1, &classes[i]) != JVMTI_ERROR_NONE) atomic_fetch_add(&left_alone, 1);
  for (jint i = 0; i < kept; i++) (*jni)->DeleteLocalRef(jni, classes[i]);
  free_of_vm(classes);
}

static bool counts_calls(void) { return chosen.cpu == CPU_TIMES || chosen.cpu == CPU_OLD || chosen.cpu == CPU_COUNTS; }

static bool changes_classes(void) { return counts_calls() || counts_allocations(); }

static void JNICALL on_vm_init(jvmtiEnv *ti, JNIEnv *jni, jthread thread) {
  thread_is_here(jni, thread);
  if (chosen.net != NULL) start_listener(jni, output_socket());
  if (chosen.monitors) watch_monitors();
  if ((chosen.sites || chosen.dump) && !watch_allocations(jni)) fputs("HPROF ERROR: the VM refuses to tell of objects\n", stderr);
  atomic_store(&running, true);
  if (chosen.cpu == CPU_SAMPLES) begin_samples(jni);
  if (chosen.cpu == CPU_SAMPLES) sample_thread(jni, serial_of(thread));
  if (!changes_classes()) return;
  atomic_store(&has_probe, counts_allocations() ? make_allocation_probe(jni) : chosen.cpu == CPU_COUNTS ? make_counters(jni) : make_probe(jni));
  if (!atomic_load(&has_probe) ||
      (*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, NULL) != JVMTI_ERROR_NONE) {
    fputs("HPROF ERROR: the VM refuses to have its classes changed\n", stderr);
    return;
  }
  rewrite_loaded(jni);
  atomic_store(&counting, counts_calls());
}

static void JNICALL on_thread_start(jvmtiEnv *ti, JNIEnv *jni, jthread thread) {
  thread_is_here(jni, thread);
  if (chosen.cpu == CPU_SAMPLES) sample_thread(jni, serial_of(thread));
  if (chosen.cpu == CPU_COUNTS) give_counters(jni, thread);
}

static void JNICALL on_thread_end(jvmtiEnv *ti, JNIEnv *jni, jthread thread) {
  stop_sampling_thread();
  if (chosen.cpu == CPU_COUNTS) keep_counts(jni, thread);
  if (counts_allocations()) end_counting_thread(jni, serial_of(thread));
  thread_is_over(jni, thread);
}

static void JNICALL on_virtual_thread_end(jvmtiEnv *ti, JNIEnv *jni, jthread thread) {
  if (counts_allocations()) end_counting_thread(jni, serial_of(thread));
  thread_is_over(jni, thread);
}

/* Events of HotSpot beside those of JVMTI have their own way of calling. */
static void JNICALL on_mount(jvmtiEnv *ti, ...) {
  va_list words;
  va_start(words, ti);
  JNIEnv *jni = va_arg(words, JNIEnv *);
  jthread thread = va_arg(words, jthread);
  thread_mounts(jni, thread);
  if (chosen.cpu == CPU_SAMPLES) sample_as(serial_of(thread));
  va_end(words);
}

static void JNICALL on_unmount(jvmtiEnv *ti, ...) {
  va_list words;
  va_start(words, ti);
  JNIEnv *jni = va_arg(words, JNIEnv *);
  uint32_t carrier = thread_unmounts(jni, va_arg(words, jthread));
  if (chosen.cpu == CPU_SAMPLES) sample_as(carrier);
  va_end(words);
}

static const char *title_of(cpu_choice cpu) {
  if (chosen.dump) return "Dumping Java heap ...";
  if (chosen.sites) return "Dumping allocation sites ...";
  if (cpu == CPU_NONE) return "Dumping monitors ...";
  if (cpu == CPU_SAMPLES) return "Dumping CPU usage by sampling running threads ...";
  if (cpu == CPU_COUNTS) return "Dumping calls of methods ...";
  return cpu == CPU_OLD ? "Dumping CPU usage in old prof format ..." : "Dumping CPU usage by timing methods ...";
}

static void write_profile(JNIEnv *jni, bool at_end) {
  if (chosen.monitors) take_monitors(jni, at_end);
  visit_calls(take_calls);
  if (counts_allocations()) take_allocations(jni);
  if (counts_allocations()) take_instance_sizes(jni);
  if (chosen.sites) count_live_objects();
  if (chosen.verbose) fputs(title_of(chosen.cpu), stderr);
  FILE *to = lock_output();
  if (chosen.monitors) print_monitors(to);
  if (chosen.monitors) print_monitor_times(to);
  unlock_output();
  if (chosen.dump) dump_heap(jni);
  lock_output();
  const site_choice sites = usual_sites();
  if (chosen.sites) chosen.binary ? write_sites(to, &sites) : print_sites(to, &sites);
  if (chosen.cpu == CPU_SAMPLES) print_samples(jni, to, false);
  if (chosen.cpu == CPU_COUNTS) print_counts(to);
  else if (counts_calls()) print_calls();
  fflush(to);
  unlock_output();
  if (chosen.verbose) fputs(" done.\n", stderr);
  if (lost_calls() > 0)
    fprintf(stderr, "HPROF: the stacks of %" PRIu64 " calls were not kept: they are in the row of the empty trace\n", lost_calls());
  if (lost_objects() > 0) fprintf(stderr, "HPROF: %" PRIu64 " objects were not counted: memory ran out\n", lost_objects());
  if (unknown_sizes() > 0) fprintf(stderr, "HPROF: the sizes of %" PRIu64 " objects of unloaded classes are not known\n", unknown_sizes());
}

static void JNICALL on_data_dump(jvmtiEnv *ti) {
  JNIEnv *jni = NULL;
  if (atomic_load(&running) && (*hprof_vm)->GetEnv(hprof_vm, (void **)&jni, JNI_VERSION_1_6) == JNI_OK)
    write_profile(jni, false);
}

static void JNICALL on_vm_death(jvmtiEnv *ti, JNIEnv *jni) {
  bool ran = atomic_exchange(&running, false);
  stop_listener();
  atomic_store(&counting, false);
  stop_allocations();
  if (ran && chosen.dump_on_exit) write_profile(jni, true);
  uint64_t left = atomic_load(&left_alone);
  if (left > 0 && chosen.verbose)
    fprintf(stderr, "HPROF: %" PRIu64 " methods were left as they are, and are not counted\n", left);
  fflush(NULL);
}

/* Of JDK 21 and later, whose headers this library is not always built with: numbers of events and the place of a capability. */
enum { FIRST_EVENT = 50, VIRTUAL_THREAD_END = 88, EVENTS_OF_ALL = 89 - FIRST_EVENT, VIRTUAL_THREADS_BIT = 44 };

/* Asks for an event of HotSpot beside those of JVMTI: with a callback of its own, and as any other event. */
static void ask_for(const jvmtiExtensionEventInfo *event, jvmtiExtensionEvent callback) {
  if ((*hprof_ti)->SetExtensionEventCallback(hprof_ti, event->extension_event_index, callback) == JVMTI_ERROR_NONE)
    (*hprof_ti)->SetEventNotificationMode(hprof_ti, JVMTI_ENABLE, (jvmtiEvent)event->extension_event_index, NULL);
}

static void follow_virtual_threads(void) {
  jint count = 0;
  jvmtiExtensionEventInfo *events = NULL;
  if ((*hprof_ti)->GetExtensionEvents(hprof_ti, &count, &events) != JVMTI_ERROR_NONE) return;
  for (jint i = 0; i < count; i++) {
    if (strcmp(events[i].id, "com.sun.hotspot.events.VirtualThreadMount") == 0) ask_for(&events[i], on_mount);
    if (strcmp(events[i].id, "com.sun.hotspot.events.VirtualThreadUnmount") == 0) ask_for(&events[i], on_unmount);
  }
  (*hprof_ti)->SetEventNotificationMode(hprof_ti, JVMTI_ENABLE, (jvmtiEvent)VIRTUAL_THREAD_END, NULL);
}

/* True if the VM has virtual threads. */
static bool ask_for_virtual_threads(void) {
  union {
    jvmtiCapabilities capabilities;
    uint8_t bytes[sizeof(jvmtiCapabilities)];
  } possible = {0}, asked = {0};
  uint8_t bit = 1 << VIRTUAL_THREADS_BIT % 8;
  (*hprof_ti)->GetPotentialCapabilities(hprof_ti, &possible.capabilities);
  if ((possible.bytes[VIRTUAL_THREADS_BIT / 8] & bit) == 0) return false;
  asked.bytes[VIRTUAL_THREADS_BIT / 8] = bit;
  return (*hprof_ti)->AddCapabilities(hprof_ti, &asked.capabilities) == JVMTI_ERROR_NONE;
}

static bool set_callbacks(void) {
  static const jvmtiEvent ALWAYS[] = {JVMTI_EVENT_VM_INIT, JVMTI_EVENT_VM_DEATH, JVMTI_EVENT_THREAD_START, JVMTI_EVENT_THREAD_END,
                                      JVMTI_EVENT_DATA_DUMP_REQUEST};
  jvmtiCapabilities wanted = {0};
  jvmtiEventCallbacks callbacks = {
      .VMInit = on_vm_init,
      .VMDeath = on_vm_death,
      .ThreadStart = on_thread_start,
      .ThreadEnd = on_thread_end,
      .ClassFileLoadHook = on_class_file,
      .DataDumpRequest = on_data_dump,
  };
  if (chosen.monitors) ask_for_monitors(&wanted, &callbacks);
  if (chosen.binary) wanted.can_tag_objects = 1;
  if (chosen.sites || chosen.dump) ask_for_allocations(&wanted, &callbacks);
  if (chosen.cpu == CPU_SAMPLES) ask_for_samples(&callbacks);
  if ((*hprof_ti)->AddCapabilities(hprof_ti, &wanted) != JVMTI_ERROR_NONE) return false;
  if ((chosen.sites || chosen.dump) && !set_interval()) return false;
  /* One function an event, in the order of the events' numbers. */
  jvmtiEventThreadEnd all[EVENTS_OF_ALL] = {0};
  memcpy(all, &callbacks, sizeof callbacks < sizeof all ? sizeof callbacks : sizeof all);
  all[VIRTUAL_THREAD_END - FIRST_EVENT] = on_virtual_thread_end;
  if ((*hprof_ti)->SetEventCallbacks(hprof_ti, (jvmtiEventCallbacks *)(void *)all, sizeof all) != JVMTI_ERROR_NONE) return false;
  if (chosen.cpu == CPU_COUNTS) (*hprof_ti)->SetEventNotificationMode(hprof_ti, JVMTI_ENABLE, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, NULL);
  return enable_events(ALWAYS, sizeof ALWAYS / sizeof *ALWAYS);
}

static _Noreturn void stop(const char *why) {
  fprintf(stderr, "HPROF ERROR: %s\n", why);
  fflush(NULL);
  _exit(1);
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *loading, char *text, void *reserved) {
  jvmtiCapabilities wanted = {.can_get_line_numbers = 1, .can_get_source_file_name = 1}, possible = {0};
  hprof_vm = loading;
  read_options(text, &chosen);
  if ((*hprof_vm)->GetEnv(hprof_vm, (void **)&hprof_ti, JVMTI_VERSION_11) != JNI_OK) stop("JDK 11 or later is required");
  (*hprof_ti)->GetPotentialCapabilities(hprof_ti, &possible);
  /* java.lang.Thread is loaded long before the VM is complete. */
  if (chosen.cpu == CPU_COUNTS) wanted.can_generate_early_class_hook_events = wanted.can_generate_all_class_hook_events = 1;
  if (changes_classes()) wanted.can_retransform_classes = 1;
  if (changes_classes()) wanted.can_retransform_any_class = possible.can_retransform_any_class;
  if ((*hprof_ti)->AddCapabilities(hprof_ti, &wanted) != JVMTI_ERROR_NONE) stop("the VM refuses to have its classes changed");
  if (chosen.cpu == CPU_SAMPLES && !prepare_samples()) stop("this VM has no AsyncGetCallTrace, by which samples are taken");
  if (!open_output(chosen.cpu == CPU_SAMPLES ? print_sampler : chosen.cpu == CPU_COUNTS ? print_about_counts : NULL)) stop(chosen.net == NULL ? "the file cannot be written" : "nobody listens at the address of net");
  if (ask_for_virtual_threads()) follow_virtual_threads();
  if (!set_callbacks()) stop("the VM refuses events");
  return JNI_OK;
}
