/* MONITOR_DUMP (§4.4): monitors of Java that a thread is in or waits for, raw monitors, and all threads. */
#include "bridge.h"
#include <stdlib.h>
#include <string.h>

static void drop_list(JNIEnv *jni, jint count, jobject *list) {
  for (jint i = 0; i < count; i++)
    if (list[i] != NULL) (*jni)->DeleteLocalRef(jni, list[i]);
  if (list != NULL) (*jvmti)->Deallocate(jvmti, (unsigned char *)list);
}

void drop_usage(JNIEnv *jni, jvmtiMonitorUsage *usage) {
  if (usage->owner != NULL) (*jni)->DeleteLocalRef(jni, usage->owner);
  drop_list(jni, usage->waiter_count, usage->waiters);
  drop_list(jni, usage->notify_waiter_count, usage->notify_waiters);
}

typedef struct {
  bridge_thread **threads;
  size_t count;
  jlong *seen;
  size_t seen_count, seen_room;
  buffer bytes;
} monitors;

static JNIEnv *env_of(JNIEnv *jni, const monitors *in, jthread thread) {
  for (size_t i = 0; i < in->count; i++)
    if (thread != NULL && (*jni)->IsSameObject(jni, in->threads[i]->thread, thread)) return in->threads[i]->env;
  return NULL;
}

static bool is_among(JNIEnv *jni, jthread thread, jint count, const jthread *list) {
  for (jint i = 0; i < count; i++)
    if ((*jni)->IsSameObject(jni, list[i], thread)) return true;
  return false;
}

static bool is_first(monitors *in, jlong tag) {
  for (size_t i = 0; i < in->seen_count; i++)
    if (in->seen[i] == tag) return false;
  if (in->seen_count == in->seen_room) {
    size_t room = in->seen_room == 0 ? 64 : in->seen_room * 2;
    jlong *grown = realloc(in->seen, room * sizeof *grown);
    if (grown == NULL) return false;
    in->seen = grown;
    in->seen_room = room;
  }
  in->seen[in->seen_count++] = tag;
  return true;
}

/* JDK 17 lists threads in Object.wait() among those that wait to enter, too; here they are in one list. */
static void put_monitor(JNIEnv *jni, monitors *to, jobject object) {
  jvmtiMonitorUsage usage = {0};
  jlong tag = (jlong)(intptr_t)id_of(object);
  if (!is_first(to, tag) || (*jvmti)->GetObjectMonitorUsage(jvmti, object, &usage) != JVMTI_ERROR_NONE) return;
  buffer *out = &to->bytes;
  uint32_t entering = 0;
  for (jint i = 0; i < usage.waiter_count; i++)
    if (!is_among(jni, usage.waiters[i], usage.notify_waiter_count, usage.notify_waiters)) entering++;
  put_u8(out, JVMPI_MONITOR_JAVA);
  put_word(out, id_of(object));
  put_word(out, env_of(jni, to, usage.owner));
  put_big(out, (uint64_t)usage.entry_count, 4);
  put_big(out, entering, 4);
  for (jint i = 0; i < usage.waiter_count; i++)
    if (!is_among(jni, usage.waiters[i], usage.notify_waiter_count, usage.notify_waiters))
      put_word(out, env_of(jni, to, usage.waiters[i]));
  put_big(out, (uint64_t)usage.notify_waiter_count, 4);
  for (jint i = 0; i < usage.notify_waiter_count; i++) put_word(out, env_of(jni, to, usage.notify_waiters[i]));
  drop_usage(jni, &usage);
}

static void put_monitors_of(JNIEnv *jni, monitors *to, jthread thread) {
  jint count = 0;
  jobject *owned = NULL, contended = NULL;
  if ((*jvmti)->GetOwnedMonitorInfo(jvmti, thread, &count, &owned) != JVMTI_ERROR_NONE) count = 0;
  for (jint i = 0; i < count; i++) put_monitor(jni, to, owned[i]);
  drop_list(jni, count, owned);
  if ((*jvmti)->GetCurrentContendedMonitor(jvmti, thread, &contended) != JVMTI_ERROR_NONE || contended == NULL) return;
  put_monitor(jni, to, contended);
  (*jni)->DeleteLocalRef(jni, contended);
}

/* Of a VM to which the agent came late, the VM tells no owned monitors: NOT_AVAILABLE. */
jint monitor_dump(JNIEnv *jni) {
  jvmtiCapabilities needs = {
      .can_get_owned_monitor_info = 1, .can_get_current_contended_monitor = 1, .can_get_monitor_info = 1};
  if ((*jvmti)->AddCapabilities(jvmti, &needs) != JVMTI_ERROR_NONE) return JVMPI_NOT_AVAILABLE;
  pool memory = {0};
  monitors made = {0};
  size_t room = bridge_threads(jni, NULL, 0);
  made.threads = pool_take(&memory, (room + 1) * sizeof *made.threads);
  JVMPI_CallTrace *traces = pool_take(&memory, (room + 1) * sizeof *traces);
  jint *states = pool_take(&memory, (room + 1) * sizeof *states);
  bool whole = made.threads != NULL && traces != NULL && states != NULL;
  made.count = whole ? bridge_threads(jni, made.threads, room) : 0;
  if (made.count > room) made.count = room;
  for (size_t i = 0; i < made.count; i++) {
    JVMPI_CallFrame frames[1024];
    jint found = bridge_trace(made.threads[i]->thread, 1024, frames);
    traces[i] = (JVMPI_CallTrace){made.threads[i]->env, found, pool_take(&memory, (size_t)found * sizeof *frames + 1)};
    if (traces[i].frames == NULL) traces[i].num_frames = 0;
    else memcpy(traces[i].frames, frames, (size_t)found * sizeof *frames);
    thread_status(made.threads[i]->thread, &states[i]);
    put_monitors_of(jni, &made, made.threads[i]->thread);
  }
  put_raw_monitors(&made.bytes);
  whole = whole && !made.bytes.failed;
  JVMPI_Event event = {0};
  event.u.monitor_dump.begin = (char *)made.bytes.bytes;
  event.u.monitor_dump.end = (char *)made.bytes.bytes + made.bytes.length;
  event.u.monitor_dump.num_traces = (jint)made.count;
  event.u.monitor_dump.traces = traces;
  event.u.monitor_dump.threads_status = states;
  if (whole) notify(JVMPI_EVENT_MONITOR_DUMP | JVMPI_REQUESTED_EVENT, jni, &event);
  free(made.seen);
  drop_buffer(&made.bytes);
  pool_drop(&memory);
  return whole ? JVMPI_SUCCESS : JVMPI_FAIL;
}
