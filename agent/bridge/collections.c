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
static jlong *freed;
static size_t freed_count, freed_room;

void JNICALL on_gc_ended(jvmtiEnv *ti) {
  pthread_mutex_lock(&lock);
  finished++;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&lock);
}

/* An object that had an id, or a class, is gone. If memory runs out, the event is lost. */
void JNICALL on_tag_freed(jvmtiEnv *ti, jlong tag) {
  pthread_mutex_lock(&lock);
  if (freed_count == freed_room) {
    size_t room = freed_room == 0 ? 1024 : freed_room * 2;
    jlong *grown = realloc(freed, room * sizeof *grown);
    if (grown != NULL) {
      freed = grown;
      freed_room = room;
    }
  }
  if (freed_count < freed_room) freed[freed_count++] = tag;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&lock);
}

/* Bytes of the heap, as java.lang.Runtime tells them; -1 if it does not. */
static void heap_bytes(JNIEnv *jni, message *what) {
  jlong values[2] = {-1, -1};
  static const char *const names[] = {"totalMemory", "freeMemory"};
  jclass type = (*jni)->FindClass(jni, "java/lang/Runtime");
  jmethodID get = type == NULL ? NULL : (*jni)->GetStaticMethodID(jni, type, "getRuntime", "()Ljava/lang/Runtime;");
  jobject runtime = get == NULL ? NULL : (*jni)->CallStaticObjectMethod(jni, type, get);
  for (int i = 0; i < 2 && runtime != NULL; i++) {
    jmethodID method = (*jni)->GetMethodID(jni, type, names[i], "()J");
    if (method != NULL) values[i] = (*jni)->CallLongMethod(jni, runtime, method);
  }
  if ((*jni)->ExceptionCheck(jni)) (*jni)->ExceptionClear(jni);
  if (runtime != NULL) (*jni)->DeleteLocalRef(jni, runtime);
  if (type != NULL) (*jni)->DeleteLocalRef(jni, type);
  what->event.u.gc_info.used_objects = -1;
  what->event.u.gc_info.total_object_space = values[0];
  what->event.u.gc_info.used_object_space = values[0] < 0 || values[1] < 0 ? -1 : values[0] - values[1];
}

/* The VM tells some of the objects late; it tells all of them before it switches their event off. */
static void tell_freed(void) {
  if (!is_due(JVMPI_EVENT_OBJECT_FREE) && !is_due(JVMPI_EVENT_CLASS_UNLOAD)) return;
  (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_DISABLE, JVMTI_EVENT_OBJECT_FREE, NULL);
  (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_OBJECT_FREE, NULL);
}

static void send(jint type, jlong tag, JNIEnv *jni) {
  message what = {.event.u.obj_free = {(jobjectID)(intptr_t)tag}};
  if (type == JVMPI_EVENT_GC_FINISH) heap_bytes(jni, &what);
  if (is_due(type)) notify(NULL, type, &what);
}

static void send_all(JNIEnv *jni, unsigned collections, const jlong *tags, size_t count) {
  for (unsigned left = collections; left > 0; left--) {
    send(JVMPI_EVENT_GC_START, 0, jni);
    for (size_t i = 0; left == 1 && i < count; i++)
      if ((tags[i] & 1) == 0) send(JVMPI_EVENT_OBJECT_FREE, tags[i], jni);
    send(JVMPI_EVENT_GC_FINISH, 0, jni);
  }
  for (size_t i = 0; i < count; i++)
    if ((tags[i] & 1) != 0) send(JVMPI_EVENT_CLASS_UNLOAD, tags[i], jni);
}

/* Delivers what has happened so far. Objects that the VM tells after their collection wait for the next one. */
void deliver_collections(JNIEnv *jni) {
  if (delivering) return;
  pthread_mutex_lock(&delivery);
  delivering = true;
  tell_freed();
  pthread_mutex_lock(&lock);
  unsigned collections = finished;
  jlong *tags = collections > 0 ? freed : NULL;
  size_t count = collections > 0 ? freed_count : 0;
  if (collections > 0) {
    freed = NULL;
    freed_count = freed_room = 0;
  }
  finished = 0;
  pthread_mutex_unlock(&lock);
  send_all(jni, collections, tags, count);
  free(tags);
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
