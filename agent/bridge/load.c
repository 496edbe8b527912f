/* Loads an agent in C: its JVM_OnLoad gets a JavaVM whose GetEnv knows the versions of JVMPI. */
#include "bridge.h"
#include <dlfcn.h>
#include <stdio.h>

static jint JNICALL get_env(JavaVM *of, void **env, jint version) {
  if (version < JVMPI_VERSION_1 || version > JVMPI_VERSION_1_2) return (*vm)->GetEnv(vm, env, version);
  *env = &jvmpi;
  return JNI_OK;
}

static void deliver(message *what) {
  if (!atomic_load(&stopped) && jvmpi.NotifyEvent != NULL) jvmpi.NotifyEvent(&what->event);
}

typedef jint(JNICALL *on_load)(JavaVM *, char *, void *);

static jint fail(const char *library, const char *why) {
  fprintf(stderr, "kansoku: %s: %s\n", library, why == NULL ? "it cannot be loaded" : why);
  return JNI_ERR;
}

/* `LIBRARY[:OPTIONS]`. The library's constructors and JVM_OnLoad run before the program, or now if the VM runs already. */
static jint load(JNIEnv *jni, char *options) {
  /* The functions of the VM's own table do not look at their first argument. */
  static struct JNIInvokeInterface_ functions;
  static JavaVM own_vm = &functions;
  char *colon = strchr(options, ':');
  if (colon != NULL) *colon = '\0';
  char *words = colon == NULL ? options + strlen(options) : colon + 1;
  void *library = dlopen(options, RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) return fail(options, dlerror());
  on_load run;
  *(void **)&run = dlsym(library, "JVM_OnLoad");
  if (run == NULL) return fail(options, "an agent of JVMPI exports JVM_OnLoad, this library does not");
  fill_raw_monitor_functions(&jvmpi);
  functions = **vm;
  functions.GetEnv = get_env;
  /* Agents keep the text of their options. */
  char *kept = strdup(words);
  if (kept == NULL || run(&own_vm, kept, NULL) != JNI_OK) return fail(options, "JVM_OnLoad failed");
  return JNI_OK;
}

static void end(void) { atomic_store(&stopped, true); }

const half bridge_half = {
    .in_process = true,
    .load = load,
    .run = deliver_thread,
    .deliver = deliver,
    .add_callbacks = add_collection_callbacks,
    .deliver_collections = deliver_collections,
    .put_monitor = put_jvmpi_monitor,
    .put_raw_monitors = put_raw_monitors,
    .heap_dump = heap_dump,
    .object_dump = object_dump,
    .end = end,
};
