/* The start of the agent: -agentpath:LIBRARY=FOLDER, where FOLDER has the socket and the token of the front end. */
#include "bridge/bridge.h"
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

jvmtiEnv *jvmti;
JavaVM *vm;

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
  if (value != NULL) (*jvmti)->Deallocate(jvmti, (unsigned char *)value);
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
  put_u64(&hello, now_ns());
  put_u64(&hello, (uint64_t)wall.tv_sec * 1000000000u + (uint64_t)wall.tv_nsec);
  put_string(&hello, token);
  put_property(&hello, "java.vm.name");
  put_property(&hello, "java.vm.version");
  if (!hello.failed) wire_frame(HELLO, hello.bytes, hello.length, WAIT);
  drop_buffer(&hello);
}

static jint fail(const char *why) {
  fprintf(stderr, "kansoku: the agent cannot start: %s\n", why);
  return JNI_ERR;
}

/* What both halves need. */
static jint open_jvmti(void) {
  if ((*vm)->GetEnv(vm, (void **)&jvmti, JVMTI_VERSION_11) != JNI_OK) return fail("JDK 11 or later is required");
  jvmtiCapabilities usual = {.can_tag_objects = 1, .can_get_line_numbers = 1, .can_get_source_file_name = 1};
  if ((*jvmti)->AddCapabilities(jvmti, &usual) != JVMTI_ERROR_NONE) return fail("the VM refuses tags");
  return JNI_OK;
}

static bool is_bridge(const char *options) { return options != NULL && strncmp(options, "c,", 2) == 0; }

/* Connects to the front end, and runs its calls until the program may go on. */
static jint serve_front_end(JNIEnv *jni, const char *folder) {
  char token[TOKEN_ROOM];
  if (folder == NULL || !read_token(folder, token)) return fail("its option is not a folder of Kansoku");
  if (!wire_open(folder) || !wire_start())
    return fail(wire_alive() ? "another Kansoku is connected" : "nobody listens on its socket; start it by `kansoku jvmpi`");
  say_hello(token);
  return serve(jni, true) == SUCCESS ? JNI_OK : fail("JVM_OnLoad failed");
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *loading, char *options, void *reserved) {
  (void)reserved;
  vm = loading;
  if (open_jvmti() != JNI_OK) return JNI_ERR;
  if (is_bridge(options)) return bridge_load(vm, options + 2, false);
  if (!events_init()) return fail("the VM refuses events");
  /* Granted at the start only; MONITOR_DUMP is not available without. */
  jvmtiCapabilities monitors = {.can_get_owned_monitor_info = 1, .can_get_current_contended_monitor = 1};
  (*jvmti)->AddCapabilities(jvmti, &monitors);
  return serve_front_end(NULL, options);
}

/* A VM unloads the library of an agent that fails late, but its threads and callbacks may still run. */
static bool stay(void) {
  Dl_info own;
  return dladdr((void *)(uintptr_t)&Agent_OnAttach, &own) != 0 && dlopen(own.dli_fname, RTLD_NOW | RTLD_NODELETE) != NULL;
}

/* Late, and also again after a front end has gone: this library stays in the VM. */
JNIEXPORT jint JNICALL Agent_OnAttach(JavaVM *loading, char *options, void *reserved) {
  (void)reserved;
  static bool has_events;
  JNIEnv *jni = NULL;
  jthread thread = NULL;
  vm = loading;
  if (!stay()) return fail("its library cannot be kept");
  if (bridge_interface.version != 0) return fail("an agent in C runs already");
  if (wire_alive()) return fail("another Kansoku is connected");
  if (jvmti == NULL && open_jvmti() != JNI_OK) return JNI_ERR;
  if ((*vm)->GetEnv(vm, (void **)&jni, JNI_VERSION_1_6) != JNI_OK) return fail("this is no thread of Java");
  if (is_bridge(options)) return bridge_load(vm, options + 2, true);
  if (!has_events && !events_init()) return fail("the VM refuses events");
  has_events = true;
  forget_announced();
  forget_sent();
  atomic_store(&live, true);
  jint code = serve_front_end(jni, options);
  if (code == JNI_OK && (*jvmti)->GetCurrentThread(jvmti, &thread) == JVMTI_ERROR_NONE) vm_is_live(jni, thread);
  else if (code != JNI_OK) events_off();
  return code;
}
