/* Delivery of events, memory for their contents, ids, and RequestEvent. */
#include "bridge.h"
#include <stdlib.h>
#include <string.h>

typedef struct part {
  struct part *before;
  max_align_t bytes[];
} part;

/* Memory until pool_drop, zeroed; NULL if memory ran out. */
void *pool_take(pool *of, size_t bytes) {
  part *made = calloc(1, sizeof *made + bytes);
  if (made == NULL) return NULL;
  made->before = of->last;
  of->last = made;
  return made->bytes;
}

/* A copy; of NULL, too, an empty text: agents print names without a look. */
char *pool_text(pool *of, const char *text) {
  size_t length = text == NULL ? 0 : strlen(text);
  char *copy = pool_take(of, length + 1);
  static char nothing[1];
  if (copy == NULL) return nothing;
  if (length > 0) memcpy(copy, text, length);
  return copy;
}

void pool_drop(pool *of) {
  for (part *at = of->last; at != NULL;) {
    part *before = at->before;
    free(at);
    at = before;
  }
  of->last = NULL;
}

bool is_enabled(int type) { return atomic_load_explicit(&enabled[type], memory_order_relaxed) != 0; }

void notify(int type, JNIEnv *env, JVMPI_Event *event) {
  if (atomic_load(&bridge_stopped) || bridge_interface.NotifyEvent == NULL) return;
  event->event_type = type;
  event->env_id = env;
  bridge_interface.NotifyEvent(event);
}

/* NULL if this is no Java thread. */
JNIEnv *env_here(void) {
  JNIEnv *env = NULL;
  return (*vm)->GetEnv(vm, (void **)&env, JNI_VERSION_1_6) == JNI_OK ? env : NULL;
}

jobjectID class_id_of(jclass type) { return (jobjectID)(intptr_t)tag_of(type, true); }

jobjectID id_of(jobject object) {
  jlong tag = known_tag(object);
  jint modifiers = 0;
  if (object == NULL || tag != 0) return (jobjectID)(intptr_t)tag;
  bool is_class = (*jvmti)->GetClassModifiers(jvmti, object, &modifiers) == JVMTI_ERROR_NONE;
  return (jobjectID)(intptr_t)tag_of(object, is_class);
}

static jint request_thread(JNIEnv *jni, jobject object) {
  size_t room = bridge_threads(jni, NULL, 0);
  bridge_thread **threads = calloc(room + 1, sizeof *threads);
  size_t count = threads == NULL ? 0 : bridge_threads(jni, threads, room);
  jint code = JVMPI_FAIL;
  for (size_t i = 0; i < count && i < room && code != JVMPI_SUCCESS; i++) {
    if (!(*jni)->IsSameObject(jni, threads[i]->thread, object)) continue;
    thread_started_event(jni, threads[i], JVMPI_EVENT_THREAD_START | JVMPI_REQUESTED_EVENT);
    code = JVMPI_SUCCESS;
  }
  free(threads);
  return code;
}

static jint request_about(JNIEnv *jni, jint type, jobject object) {
  jlong size = 0;
  jint code = JVMPI_FAIL, modifiers = 0;
  if (type == JVMPI_EVENT_THREAD_START) return request_thread(jni, object);
  if (type == JVMPI_EVENT_OBJECT_DUMP) return object_dump(jni, object);
  if (type == JVMPI_EVENT_CLASS_LOAD && (*jvmti)->GetClassModifiers(jvmti, object, &modifiers) == JVMTI_ERROR_NONE) {
    class_load_event(jni, object, type | JVMPI_REQUESTED_EVENT);
    code = JVMPI_SUCCESS;
  }
  if (type == JVMPI_EVENT_OBJECT_ALLOC && (*jvmti)->GetObjectSize(jvmti, object, &size) == JVMTI_ERROR_NONE) {
    jclass class = (*jni)->GetObjectClass(jni, object);
    code = allocation_event(jni, object, class, size, type | JVMPI_REQUESTED_EVENT);
    (*jni)->DeleteLocalRef(jni, class);
  }
  return code;
}

/* The event is delivered before this returns. */
jint request_event(jint type, void *arg) {
  JNIEnv *jni = env_here();
  switch (type) {
    case JVMPI_EVENT_HEAP_DUMP:
    case JVMPI_EVENT_MONITOR_DUMP:
    case JVMPI_EVENT_OBJECT_DUMP:
    case JVMPI_EVENT_CLASS_LOAD:
    case JVMPI_EVENT_THREAD_START:
    case JVMPI_EVENT_OBJECT_ALLOC: break;
    default: return JVMPI_NOT_AVAILABLE;
  }
  if (jni == NULL || !atomic_load(&live)) return JVMPI_FAIL;
  if (type == JVMPI_EVENT_MONITOR_DUMP) return monitor_dump(jni);
  if (type == JVMPI_EVENT_HEAP_DUMP) {
    jint level = arg == NULL ? JVMPI_DUMP_LEVEL_2 : ((JVMPI_HeapDumpArg *)arg)->heap_dump_level;
    return level < JVMPI_DUMP_LEVEL_0 || level > JVMPI_DUMP_LEVEL_2 ? JVMPI_FAIL : heap_dump(jni, level);
  }
  jobject object = object_of((jlong)(intptr_t)arg);
  if (object == NULL) return JVMPI_FAIL;
  jint code = request_about(jni, type, object);
  (*jni)->DeleteLocalRef(jni, object);
  return code;
}
