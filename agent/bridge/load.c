/* Loads an agent in C: its JVM_OnLoad gets a JavaVM whose GetEnv knows the versions of JVMPI. */
#include "bridge.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

JVMPI_Interface bridge_interface;

static _Atomic int gc_disabled;

static void disable_gc(void) { atomic_fetch_add(&gc_disabled, 1); }

static void enable_gc(void) {
  if (atomic_fetch_sub(&gc_disabled, 1) <= 0) atomic_fetch_add(&gc_disabled, 1);
}

static void run_gc(void) {
  JNIEnv *jni = env_here();
  if (jni == NULL || !atomic_load(&live) || atomic_load(&gc_disabled) > 0) return;
  (*jvmti)->ForceGarbageCollection(jvmti);
  deliver_collections(jni);
}

/* Once the VM is going down, its own exit would wait for the handler that asks for it. */
static void profiler_exit(jint code) {
  JNIEnv *jni = env_here();
  if (jni != NULL && atomic_load(&live) && !atomic_load(&bridge_stopped)) leave(jni, code);
  fflush(NULL);
  _exit(code);
}

static jobjectID method_class(jmethodID method) {
  JNIEnv *jni = env_here();
  jclass type = NULL;
  if (jni == NULL || method == NULL || (*jvmti)->GetMethodDeclaringClass(jvmti, method, &type) != JVMTI_ERROR_NONE)
    return NULL;
  jobjectID id = class_id_of(type);
  (*jni)->DeleteLocalRef(jni, type);
  return id;
}

static jobject object_with(jobjectID id) { return object_of((jlong)(intptr_t)id); }

static void get_call_trace(JVMPI_CallTrace *trace, jint depth) {
  trace->num_frames = 0;
  bridge_thread *of = bridge_find(trace->env_id);
  if (of == NULL || of->thread == NULL || trace->frames == NULL) return;
  trace->num_frames = bridge_trace(trace->env_id == env_here() ? NULL : of->thread, depth, trace->frames);
}

static void fill_interface(void) {
  bridge_interface = (JVMPI_Interface){
      .version = JVMPI_VERSION_1_2,
      .EnableEvent = bridge_enable,
      .DisableEvent = bridge_disable,
      .RequestEvent = request_event,
      .GetCallTrace = get_call_trace,
      .ProfilerExit = profiler_exit,
      .DisableGC = disable_gc,
      .EnableGC = enable_gc,
      .RunGC = run_gc,
      .GetMethodClass = method_class,
      .jobjectID2jobject = object_with,
      .jobject2jobjectID = id_of,
  };
  fill_thread_functions(&bridge_interface);
  fill_raw_monitor_functions(&bridge_interface);
}

static jint JNICALL destroy(JavaVM *of) {
  (void)of;
  return (*vm)->DestroyJavaVM(vm);
}

static jint JNICALL attach(JavaVM *of, void **env, void *arguments) {
  (void)of;
  return (*vm)->AttachCurrentThread(vm, env, arguments);
}

static jint JNICALL detach(JavaVM *of) {
  (void)of;
  return (*vm)->DetachCurrentThread(vm);
}

static jint JNICALL get_env(JavaVM *of, void **env, jint version) {
  (void)of;
  if (version < JVMPI_VERSION_1 || version > JVMPI_VERSION_1_2) return (*vm)->GetEnv(vm, env, version);
  *env = &bridge_interface;
  return JNI_OK;
}

static jint JNICALL attach_daemon(JavaVM *of, void **env, void *arguments) {
  (void)of;
  return (*vm)->AttachCurrentThreadAsDaemon(vm, env, arguments);
}

static const struct JNIInvokeInterface_ FUNCTIONS = {
    .DestroyJavaVM = destroy,
    .AttachCurrentThread = attach,
    .DetachCurrentThread = detach,
    .GetEnv = get_env,
    .AttachCurrentThreadAsDaemon = attach_daemon,
};
static JavaVM bridge_vm = &FUNCTIONS;

typedef jint(JNICALL *on_load)(JavaVM *, char *, void *);

static jint fail(const char *library, const char *why) {
  fprintf(stderr, "kansoku: %s: %s\n", library, why == NULL ? "it cannot be loaded" : why);
  return JNI_ERR;
}

/*
 * What agents ask for when the VM runs, but get at its start only. None of it costs anything that can be measured as long as no event
 * is enabled. Local variables do, so METHOD_ENTRY2 asks for them itself.
 */
static void ask_early(void) {
  jvmtiCapabilities possible = {0};
  (*jvmti)->GetPotentialCapabilities(jvmti, &possible);
  jvmtiCapabilities asked = {
      .can_generate_method_entry_events = possible.can_generate_method_entry_events,
      .can_generate_method_exit_events = possible.can_generate_method_exit_events,
      .can_get_owned_monitor_info = possible.can_get_owned_monitor_info,
      .can_get_current_contended_monitor = possible.can_get_current_contended_monitor,
      .can_get_monitor_info = possible.can_get_monitor_info,
      .can_get_thread_cpu_time = possible.can_get_thread_cpu_time,
  };
  (*jvmti)->AddCapabilities(jvmti, &asked);
}

/* `LIBRARY[:OPTIONS]`. The library's constructors and JVM_OnLoad run before the program, or now if the VM runs already. */
jint bridge_load(JavaVM *loading, char *options, bool late) {
  (void)loading;
  char *colon = strchr(options, ':');
  if (colon != NULL) *colon = '\0';
  char *words = colon == NULL ? options + strlen(options) : colon + 1;
  void *library = dlopen(options, RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) return fail(options, dlerror());
  on_load load;
  *(void **)&load = dlsym(library, "JVM_OnLoad");
  if (load == NULL) return fail(options, "an agent of JVMPI exports JVM_OnLoad, this library does not");
  fill_interface();
  ask_early();
  if (!bridge_events_init()) return fail(options, "the VM refuses events");
  /* Agents keep the text of their options. */
  char *kept = strdup(words);
  if (kept == NULL || load(&bridge_vm, kept, NULL) != JNI_OK) return fail(options, "JVM_OnLoad failed");
  JNIEnv *jni = late ? env_here() : NULL;
  jthread thread = NULL;
  if (jni != NULL && (*jvmti)->GetCurrentThread(jvmti, &thread) == JVMTI_ERROR_NONE) bridge_live(jni, thread);
  return JNI_OK;
}
