/*
 * Collections. GC_START, OBJECT_FREE and GC_FINISH are delivered together after the collection, on a thread of the bridge: in the
 * VM's own callback a handler that takes a lock, as §1.5 tells it to, could wait for a thread that waits for the collection.
 */
#include "bridge.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_mutex_t delivery = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local bool delivering;
static unsigned finished;
static buffer freed; /* ids */

static void JNICALL on_gc_ended(jvmtiEnv *ti) {
  pthread_mutex_lock(&lock);
  finished++;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&lock);
}

/* An object that had an id, or a class, is gone. If memory runs out, the events of this collection are lost. */
static void JNICALL on_tag_freed(jvmtiEnv *ti, jlong tag) {
  pthread_mutex_lock(&lock);
  put_bytes(&freed, &tag, sizeof tag);
  pthread_mutex_unlock(&lock);
}

void add_collection_callbacks(jvmtiEventCallbacks *callbacks) {
  callbacks->GarbageCollectionFinish = on_gc_ended;
  callbacks->ObjectFree = on_tag_freed;
}

/* What java.lang.Runtime tells of the heap. */
static jlong heap_bytes(JNIEnv *jni, const char *name) {
  (*jni)->PushLocalFrame(jni, 16);
  jclass type = (*jni)->FindClass(jni, "java/lang/Runtime");
  jmethodID get = type == NULL ? NULL : (*jni)->GetStaticMethodID(jni, type, "getRuntime", "()Ljava/lang/Runtime;");
  jobject runtime = get == NULL ? NULL : (*jni)->CallStaticObjectMethod(jni, type, get);
  jmethodID method = runtime == NULL ? NULL : (*jni)->GetMethodID(jni, type, name, "()J");
  jlong bytes = method == NULL ? -1 : (*jni)->CallLongMethod(jni, runtime, method);
  if ((*jni)->ExceptionCheck(jni)) (*jni)->ExceptionClear(jni);
  (*jni)->PopLocalFrame(jni, NULL);
  return bytes;
}

/* The VM tells some of the objects late; it tells all of them before it switches their event off. */
static void tell_freed(void) {
  if (!is_due(JVMPI_EVENT_OBJECT_FREE) && !is_due(JVMPI_EVENT_CLASS_UNLOAD)) return;
  (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_DISABLE, JVMTI_EVENT_OBJECT_FREE, NULL);
  (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_OBJECT_FREE, NULL);
}

static void send(jint type, jlong tag) {
  message what = {.event.u.obj_free = {(jobjectID)(intptr_t)tag}};
  if (is_due(type)) notify(NULL, type, &what);
}

static void send_finish(JNIEnv *jni) {
  if (!is_due(JVMPI_EVENT_GC_FINISH)) return;
  jlong total = heap_bytes(jni, "totalMemory"), left = heap_bytes(jni, "freeMemory");
  message what = {.event.u.gc_info = {-1, total < 0 || left < 0 ? -1 : total - left, total}};
  notify(NULL, JVMPI_EVENT_GC_FINISH, &what);
}

static void send_all(JNIEnv *jni, unsigned collections, const jlong *tags, size_t count) {
  for (unsigned left = collections; left > 0; left--) {
    send(JVMPI_EVENT_GC_START, 0);
    for (size_t i = 0; left == 1 && i < count; i++)
      if ((tags[i] & 1) == 0) send(JVMPI_EVENT_OBJECT_FREE, tags[i]);
    send_finish(jni);
  }
  for (size_t i = 0; i < count; i++)
    if ((tags[i] & 1) != 0) send(JVMPI_EVENT_CLASS_UNLOAD, tags[i]);
}

/* Delivers what has happened so far. Objects that the VM tells after their collection wait for the next one. */
void deliver_collections(JNIEnv *jni) {
  buffer tags = {0};
  if (delivering) return;
  pthread_mutex_lock(&delivery);
  delivering = true;
  tell_freed();
  pthread_mutex_lock(&lock);
  unsigned collections = finished;
  finished = 0;
  if (collections > 0) {
    tags = freed;
    freed = (buffer){0};
  }
  pthread_mutex_unlock(&lock);
  send_all(jni, collections, (const jlong *)tags.bytes, tags.length / sizeof(jlong));
  drop_buffer(&tags);
  delivering = false;
  pthread_mutex_unlock(&delivery);
}

void JNICALL deliver_thread(jvmtiEnv *ti, JNIEnv *jni, void *unused) {
  while (!atomic_load(&stopped)) {
    pthread_mutex_lock(&lock);
    while (finished == 0) pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    deliver_collections(jni);
  }
}
