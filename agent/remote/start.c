/* The start of the remote half: it connects to the front end, and says what the VM is. */
#include "remote.h"
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

/* Connects to the front end, and runs its calls until the program may go on. */
static jint serve_front_end(JNIEnv *jni, char *folder) {
  char token[TOKEN_ROOM];
  if (folder == NULL || !read_token(folder, token)) return cannot_start("its option is not a folder of Kansoku");
  if (!wire_open(folder, flush_threads))
    return cannot_start(wire_alive() ? "another Kansoku is connected" : "nobody listens on its socket; start it by `kansoku jvmpi`");
  say_hello(token);
  return serve(jni, true) == JNI_OK ? JNI_OK : cannot_start("JVM_OnLoad failed");
}

static void JNICALL on_free(jvmtiEnv *ti, jlong tag) {
  jint type = end_of(tag);
  message what = {.event.u.obj_free = {(jobjectID)(intptr_t)tag}};
  if (is_due(type)) notify(NULL, type, &what);
}

static void JNICALL on_gc_start(jvmtiEnv *ti) {
  message what = {0};
  if (is_due(JVMPI_EVENT_GC_START)) notify(NULL, JVMPI_EVENT_GC_START, &what);
}

static void JNICALL on_gc_finish(jvmtiEnv *ti) {
  message what = {0};
  put_heap_usage(&what);
  if (is_due(JVMPI_EVENT_GC_FINISH)) notify(NULL, JVMPI_EVENT_GC_FINISH, &what);
}

static void add_callbacks(jvmtiEventCallbacks *callbacks) {
  callbacks->GarbageCollectionStart = on_gc_start;
  callbacks->GarbageCollectionFinish = on_gc_finish;
  callbacks->ObjectFree = on_free;
}

static void end(void) {
  end_calls();
  flush_threads();
  wire_drain();
}

/* Its front end asks for dumps of heaps by a call of its own (calls.c), and has no raw monitors. */
const half remote_half = {
    .load = serve_front_end,
    .run = serve_thread,
    .deliver = remote_deliver,
    .add_callbacks = add_callbacks,
    .end_thread = end_blocks,
    .flush = flush_threads,
    .put_monitor = put_monitor_use,
    .end = end,
};
