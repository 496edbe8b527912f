/*
 * Collections. GC_START, OBJECT_FREE and GC_FINISH are delivered together after the collection, on a thread of the bridge: in the
 * VM's own callback a handler that takes a lock, as §1.5 tells it to, could wait for a thread that waits for the collection.
 */
#include "bridge.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_mutex_t delivery = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local bool delivering;
static buffer freed;    /* ids */
static buffer finishes; /* GC_FINISH of each collection */

static void JNICALL on_gc_ended(jvmtiEnv *ti) {
  message what = {0};
  put_heap_usage(&what);
  pthread_mutex_lock(&lock);
  finishes.failed = false;
  put_bytes(&finishes, &what, sizeof what);
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

static void send_all(message *ends, size_t collections, const jlong *tags, size_t count) {
  for (size_t at = 0; at < collections; at++) {
    send(JVMPI_EVENT_GC_START, 0);
    for (size_t i = 0; at == collections - 1 && i < count; i++)
      if (end_of(tags[i]) == JVMPI_EVENT_OBJECT_FREE) send(JVMPI_EVENT_OBJECT_FREE, tags[i]);
    if (is_due(JVMPI_EVENT_GC_FINISH)) notify(NULL, JVMPI_EVENT_GC_FINISH, &ends[at]);
  }
  for (size_t i = 0; i < count; i++)
    if (end_of(tags[i]) == JVMPI_EVENT_CLASS_UNLOAD) send(JVMPI_EVENT_CLASS_UNLOAD, tags[i]);
}

/* One thread at a time delivers. False if another one still does after so many ms (0: never). */
static bool begin_delivery(uint64_t patience_ms) {
  struct timespec until = in_ms(patience_ms);
  return (patience_ms == 0 ? pthread_mutex_lock(&delivery) : pthread_mutex_timedlock(&delivery, &until)) == 0;
}

/* Delivers what has happened so far. Objects that the VM tells after their collection wait for the next one. */
void deliver_collections(uint64_t patience_ms) {
  buffer tags = {0}, ends = {0};
  if (delivering || !begin_delivery(patience_ms)) return;
  delivering = true;
  tell_freed();
  pthread_mutex_lock(&lock);
  if (finishes.length > 0) {
    ends = finishes;
    tags = freed;
    finishes = freed = (buffer){0};
  }
  pthread_mutex_unlock(&lock);
  send_all((message *)(void *)ends.bytes, ends.length / sizeof(message), (const jlong *)tags.bytes, tags.length / sizeof(jlong));
  drop_buffer(&tags);
  drop_buffer(&ends);
  delivering = false;
  pthread_mutex_unlock(&delivery);
}

void JNICALL deliver_thread(jvmtiEnv *ti, JNIEnv *jni, void *unused) {
  while (!atomic_load(&stopped)) {
    pthread_mutex_lock(&lock);
    while (finishes.length == 0) pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    deliver_collections(0);
  }
}
