/* The start of the agent: -agentpath:LIBRARY=FOLDER, where FOLDER has the socket and the token of the front end. */
#include "../bridge/bridge.h"
#include "remote.h"
#include <dlfcn.h>
#include <stdio.h>
#include <unistd.h>

#define MAGIC 0x49504d4b /* KMPI */
#define TOKEN_ROOM 128

/* The secret that proves to the front end that this is the program that it started. */
static bool read_token(const char *folder, char *token) {
  char path[4096];
  if (snprintf(path, sizeof path, "%s/token", folder) >= (int)sizeof path) return false;
  FILE *file = fopen(path, "re");
  if (file == NULL) return false;
  size_t length = fread(token, 1, TOKEN_ROOM - 1, file);
  token[length] = '\0';
  fclose(file);
  return length > 0;
}

static void put_property(buffer *to, const char *name) {
  char *value = NULL;
  if ((*jvmti)->GetSystemProperty(jvmti, name, &value) != JVMTI_ERROR_NONE) value = NULL;
  put_string(to, value);
  release(value);
}

static void say_hello(const char *token) {
  const uint16_t one = 1;
  struct timespec wall;
  jint version = 0;
  buffer hello = {0};
  clock_gettime(CLOCK_REALTIME, &wall);
  (*jvmti)->GetVersionNumber(jvmti, &version);
  put_u32(&hello, MAGIC);
  put_u32(&hello, PROTOCOL);
  put_u32(&hello, (uint32_t)getpid());
  put_u32(&hello, (uint32_t)version);
  put_u8(&hello, (uint8_t)sizeof(void *));
  put_u8(&hello, *(const uint8_t *)&one); /* 1: little-endian */
  put_u8(&hello, atomic_load(&live));
  put_u8(&hello, 0);
  uint64_t clocks[2] = {now_ns(), (uint64_t)wall.tv_sec * 1000000000u + (uint64_t)wall.tv_nsec};
  put_bytes(&hello, clocks, sizeof clocks);
  put_string(&hello, token);
  put_property(&hello, "java.vm.name");
  put_property(&hello, "java.vm.version");
  if (!hello.failed) wire_frame(HELLO, &hello, WAIT);
  drop_buffer(&hello);
}

static jint fail(const char *why) {
  fprintf(stderr, "kansoku: the agent cannot start: %s\n", why);
  return JNI_ERR;
}

static bool is_bridge(const char *options) { return options != NULL && strncmp(options, "c,", 2) == 0; }

/* What both halves need. */
static jint start(const char *options) {
  if (jvmti == NULL && (*vm)->GetEnv(vm, (void **)&jvmti, JVMTI_VERSION_11) != JNI_OK) return fail("JDK 11 or later is required");
  in_process = is_bridge(options);
  deliver = in_process ? bridge_deliver : remote_deliver;
  put_monitor = in_process ? put_jvmpi_monitor : put_monitor_use;
  fill_interface();
  if (!ask_early()) return fail("the VM refuses tags");
  return set_callbacks() ? JNI_OK : fail("the VM refuses events");
}

/* Connects to the front end, and runs its calls until the program may go on. */
static jint serve_front_end(JNIEnv *jni, const char *folder) {
  char token[TOKEN_ROOM];
  if (folder == NULL || !read_token(folder, token)) return fail("its option is not a folder of Kansoku");
  if (!wire_open(folder))
    return fail(wire_alive() ? "another Kansoku is connected" : "nobody listens on its socket; start it by `kansoku jvmpi`");
  say_hello(token);
  return serve(jni, true) == JNI_OK ? JNI_OK : fail("JVM_OnLoad failed");
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *loading, char *options, void *reserved) {
  vm = loading;
  if (start(options) != JNI_OK) return JNI_ERR;
  return in_process ? bridge_load(options + 2) : serve_front_end(NULL, options);
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
  if (!stay()) return fail("its library cannot be kept");
  if (in_process) return fail("an agent in C runs already");
  if (wire_alive()) return fail("another Kansoku is connected");
  if ((*vm)->GetEnv(vm, (void **)&jni, JNI_VERSION_1_6) != JNI_OK) return fail("this is no thread of Java");
  if ((jvmti == NULL || is_bridge(options)) && start(options) != JNI_OK) return JNI_ERR;
  forget_announced();
  forget_classes();
  atomic_store(&live, !in_process); /* vm_is_live does it for an agent in C: its JVM_OnLoad comes first */
  jint code = in_process ? bridge_load(options + 2) : serve_front_end(jni, options);
  if (code == JNI_OK && (*jvmti)->GetCurrentThread(jvmti, &thread) == JVMTI_ERROR_NONE) vm_is_live(jni, thread);
  if (code != JNI_OK) events_off();
  return code;
}
