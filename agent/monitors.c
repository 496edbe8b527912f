/* Monitors of Java and their threads. */
#include "agent.h"

/* Granted at the start of the VM only. */
bool may_see_monitors(void) {
  jvmtiCapabilities needs = {
      .can_get_owned_monitor_info = 1, .can_get_current_contended_monitor = 1, .can_get_monitor_info = 1};
  return (*jvmti)->AddCapabilities(jvmti, &needs) == JVMTI_ERROR_NONE;
}

static void drop_usage(jvmtiMonitorUsage *usage) {
  release(usage->waiters);
  release(usage->notify_waiters);
}

agent_thread *owner_of(JNIEnv *jni, jobject object) {
  jvmtiMonitorUsage usage = {0};
  (*jni)->PushLocalFrame(jni, 16);
  bool known = (*jvmti)->GetObjectMonitorUsage(jvmti, object, &usage) == JVMTI_ERROR_NONE;
  agent_thread *owner = known ? thread_with(usage.owner) : NULL;
  if (known) drop_usage(&usage);
  (*jni)->PopLocalFrame(jni, NULL);
  return owner;
}

static bool is_among(const agent_thread *one, size_t count, agent_thread *const *list) {
  for (size_t i = 0; i < count; i++)
    if (list[i] == one) return true;
  return false;
}

static void put_use(jobject object, void *to) {
  jvmtiMonitorUsage usage = {0};
  if ((*jvmti)->GetObjectMonitorUsage(jvmti, object, &usage) != JVMTI_ERROR_NONE) return;
  agent_thread **waiting = calloc((size_t)usage.notify_waiter_count + 1, sizeof *waiting);
  agent_thread **entering = calloc((size_t)usage.waiter_count + 1, sizeof *entering);
  monitor_use use = {known_tag(object), thread_with(usage.owner), usage.entry_count, 0, 0, entering, waiting};
  for (jint i = 0; waiting != NULL && i < usage.notify_waiter_count; i++)
    if ((waiting[use.waiting_count] = thread_with(usage.notify_waiters[i])) != NULL) use.waiting_count++;
  /* JDK 17 lists threads in Object.wait() among those that wait to enter, too; here they are in one list. */
  for (jint i = 0; waiting != NULL && entering != NULL && i < usage.waiter_count; i++) {
    agent_thread *of = thread_with(usage.waiters[i]);
    if (of != NULL && !is_among(of, use.waiting_count, waiting)) entering[use.entering_count++] = of;
  }
  receiver->put_monitor(to, &use);
  free(waiting);
  free(entering);
  drop_usage(&usage);
}

/* Each monitor that a thread is in or waits for, unless it was seen. */
static void each_monitor(JNIEnv *jni, jthread thread, tag_map *seen, void *to) {
  jint count = 0;
  jobject *owned = NULL, contended = NULL;
  (*jni)->PushLocalFrame(jni, 16);
  if ((*jvmti)->GetOwnedMonitorInfo(jvmti, thread, &count, &owned) != JVMTI_ERROR_NONE) count = 0;
  if ((*jvmti)->GetCurrentContendedMonitor(jvmti, thread, &contended) != JVMTI_ERROR_NONE) contended = NULL;
  for (jint i = 0; i <= count; i++) {
    jobject object = i < count ? owned[i] : contended;
    size_t *known = object == NULL ? NULL : map_place(seen, (jlong)(intptr_t)id_of(object));
    if (known == NULL || *known != 0) continue;
    *known = 1;
    put_use(object, to);
  }
  release(owned);
  (*jni)->PopLocalFrame(jni, NULL);
}

/* MONITOR_DUMP (§4.4): monitors of Java that a thread is in or waits for, raw monitors, and all threads. */
jint monitor_dump(JNIEnv *jni) {
  pool memory = {0};
  buffer bytes = {0};
  tag_map seen = {0};
  agent_thread **threads;
  size_t count = all_threads(&threads);
  JVMPI_CallTrace *traces = all_traces(&memory, threads, count);
  jint *states = pool_take(&memory, (count + 1) * sizeof *states);
  bool whole = traces != NULL && states != NULL;
  for (size_t i = 0; whole && i < count; i++) {
    jobject thread = threads[i]->thread;
    if (thread == NULL) continue;
    states[i] = jvmpi.GetThreadStatus(threads[i]->env);
    each_monitor(jni, thread, &seen, &bytes);
  }
  if (receiver->put_raw_monitors != NULL) receiver->put_raw_monitors(&bytes);
  whole = whole && !bytes.failed;
  message what = {.event.u.monitor_dump = {.num_traces = (jint)count, .traces = traces, .threads_status = states}};
  what.event.u.monitor_dump.begin = (char *)bytes.bytes;
  what.event.u.monitor_dump.end = (char *)bytes.bytes + bytes.length;
  if (whole) notify(thread_known(jni), JVMPI_EVENT_MONITOR_DUMP | JVMPI_REQUESTED_EVENT, &what);
  free(threads);
  free(seen.slots);
  drop_buffer(&bytes);
  pool_drop(&memory);
  return whole ? JVMPI_SUCCESS : JVMPI_FAIL;
}
