/*
 * The start of the agent: -agentpath:LIBRARY=FOLDER, where FOLDER has the socket and the token of the front end, or LIBRARY=c,AGENT[:OPTIONS]
 * with an agent in C.
 */
#include "bridge/bridge.h"
#include "remote/remote.h"
#include <dlfcn.h>

#define BRIDGE "c,"

static bool is_bridge(const char *options) { return options != NULL && strncmp(options, BRIDGE, strlen(BRIDGE)) == 0; }

/* Starts the profiler with its own part of the options. */
static jint load(JNIEnv *jni, char *options) {
  return receiver->load(jni, receiver->in_process ? options + strlen(BRIDGE) : options);
}

/* What both halves need. */
static jint start(const char *options) {
  if (jvmti == NULL && (*vm)->GetEnv(vm, (void **)&jvmti, JVMTI_VERSION_11) != JNI_OK) return cannot_start("JDK 11 or later is required");
  receiver = is_bridge(options) ? &bridge_half : &remote_half;
  fill_interface();
  if (!ask_early()) return cannot_start("the VM refuses tags");
  return set_callbacks() ? JNI_OK : cannot_start("the VM refuses events");
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *loading, char *options, void *reserved) {
  vm = loading;
  if (start(options) != JNI_OK) return JNI_ERR;
  follow_sleeps();
  return load(NULL, options);
}

/* A VM unloads the library of an agent that fails late, but its threads and callbacks may still run. */
static bool stay(void) {
  Dl_info own;
  return dladdr((void *)(uintptr_t)&Agent_OnAttach, &own) != 0 && dlopen(own.dli_fname, RTLD_NOW | RTLD_NODELETE) != NULL;
}

/* Late, and also again after a front end has gone: this library stays in the VM. */
JNIEXPORT jint JNICALL Agent_OnAttach(JavaVM *loading, char *options, void *reserved) {
  JNIEnv *jni = NULL;
  jthread thread = NULL;
  vm = loading;
  if (!stay()) return cannot_start("its library cannot be kept");
  if (receiver != NULL && receiver->in_process) return cannot_start("an agent in C runs already");
  if (wire_alive()) return cannot_start("another Kansoku is connected");
  if ((*vm)->GetEnv(vm, (void **)&jni, JNI_VERSION_1_6) != JNI_OK) return cannot_start("this is no thread of Java");
  if ((jvmti == NULL || is_bridge(options)) && start(options) != JNI_OK) return JNI_ERR;
  forget_announced();
  forget_classes();
  atomic_store(&live, !receiver->in_process); /* vm_is_live does it for an agent in C: its JVM_OnLoad comes first */
  jint code = load(jni, options);
  if (code == JNI_OK && (*jvmti)->GetCurrentThread(jvmti, &thread) == JVMTI_ERROR_NONE) vm_is_live(jni, thread);
  if (code != JNI_OK) events_off();
  return code;
}
