/* The start of the agent: -agentpath:LIBRARY=FOLDER, where FOLDER has the socket and the token of the front end. */
#include "bridge/bridge.h"
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

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *loading, char *options, void *reserved) {
  (void)reserved;
  char token[TOKEN_ROOM];
  vm = loading;
  if (open_jvmti() != JNI_OK) return JNI_ERR;
  if (is_bridge(options)) return bridge_load(vm, options + 2, false);
  if (options == NULL || !read_token(options, token)) return fail("its option is not a folder of Kansoku");
  if (!wire_open(options) || !wire_start()) return fail("nobody listens on its socket; start it by `kansoku jvmpi run`");
  if (!events_init()) return fail("the VM refuses events");
  /* Granted at the start only; MONITOR_DUMP is not available without. */
  jvmtiCapabilities monitors = {.can_get_owned_monitor_info = 1, .can_get_current_contended_monitor = 1};
  (*jvmti)->AddCapabilities(jvmti, &monitors);
  say_hello(token);
  return serve(NULL, true) == SUCCESS ? JNI_OK : fail("JVM_OnLoad failed");
}
