/* Monitors of Java and their threads. */
#include "agent.h"

/* Granted at the start of the VM only. */
static bool may_list_monitors(void) {
  jvmtiCapabilities needs = {.can_get_owned_monitor_info = 1, .can_get_current_contended_monitor = 1};
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

/* A dump that is being made. */
typedef struct {
  buffer bytes;
  tag_map seen;     /* objects */
  tag_map notified; /* numbers of the threads that wait for one of them */
} dump;

/* Puts the monitor of an object, unless it was seen or nobody uses it. */
static void put_use(JNIEnv *jni, jobject object, void *data) {
  dump *to = data;
  jvmtiMonitorUsage usage = {0};
  size_t *seen = map_place(&to->seen, (jlong)(intptr_t)id_of(object));
  if (seen == NULL || *seen != 0) return;
  *seen = 1;
  if ((*jvmti)->GetObjectMonitorUsage(jvmti, object, &usage) != JVMTI_ERROR_NONE) return;
  agent_thread **waiting = calloc((size_t)usage.notify_waiter_count + 1, sizeof *waiting);
  agent_thread **entering = calloc((size_t)usage.waiter_count + 1, sizeof *entering);
  monitor_use use = {known_tag(object), thread_with(usage.owner), usage.entry_count, 0, 0, entering, waiting};
  for (jint i = 0; waiting != NULL && i < usage.notify_waiter_count; i++) {
    agent_thread *of = thread_with(usage.notify_waiters[i]);
    size_t *known = of == NULL ? NULL : map_place(&to->notified, of->number);
    if (of != NULL) waiting[use.waiting_count++] = of;
    if (known != NULL) *known = 1;
  }
  /* JDK 17 lists threads in Object.wait() among those that wait to enter, too; here they are in one list. */
  for (jint i = 0; waiting != NULL && entering != NULL && i < usage.waiter_count; i++) {
    agent_thread *of = thread_with(usage.waiters[i]);
    if (of != NULL && !is_among(of, use.waiting_count, waiting)) entering[use.entering_count++] = of;
  }
  if (usage.owner != NULL || use.waiting_count > 0 || use.entering_count > 0) receiver->put_monitor(&to->bytes, &use);
  free(waiting);
  free(entering);
  drop_usage(&usage);
}

/* The monitors that a thread is in or waits for, as far as the VM lists them. */
static void put_listed(JNIEnv *jni, jthread thread, dump *to) {
  jint count = 0;
  jobject *owned = NULL, contended = NULL;
  if ((*jvmti)->GetOwnedMonitorInfo(jvmti, thread, &count, &owned) != JVMTI_ERROR_NONE) count = 0;
  if ((*jvmti)->GetCurrentContendedMonitor(jvmti, thread, &contended) != JVMTI_ERROR_NONE) contended = NULL;
  for (jint i = 0; i < count; i++) put_use(jni, owned[i], to);
  if (contended != NULL) put_use(jni, contended, to);
  release(owned);
}

/* Whether a thread may use a monitor that was not put: all may if the VM lists none, else those that wait for an unknown one. */
static bool lacks_monitor(const agent_thread *of, bool listed, dump *in) {
  jint state = 0;
  if (!listed) return true;
  if ((*jvmti)->GetThreadState(jvmti, of->thread, &state) != JVMTI_ERROR_NONE) return false;
  const size_t *known = map_place(&in->notified, of->number);
  return (state & JVMTI_THREAD_STATE_IN_OBJECT_WAIT) != 0 && (known == NULL || *known == 0);
}

static void put_monitors(JNIEnv *jni, agent_thread *const *threads, size_t count, dump *to) {
  bool listed = may_list_monitors();
  jthread *others = malloc((count + 1) * sizeof *others);
  size_t other_count = 0;
  (*jni)->PushLocalFrame(jni, 16);
  for (size_t i = 0; listed && i < count; i++)
    if (threads[i]->thread != NULL) put_listed(jni, threads[i]->thread, to);
  for (size_t i = 0; others != NULL && i < count; i++)
    if (threads[i]->thread != NULL && lacks_monitor(threads[i], listed, to)) others[other_count++] = threads[i]->thread;
  search_monitors(jni, other_count, others, put_use, to);
  (*jni)->PopLocalFrame(jni, NULL);
  free(others);
}

/* MONITOR_DUMP (§4.4): monitors of Java that a thread is in or waits for, raw monitors, and all threads. */
jint monitor_dump(JNIEnv *jni) {
  pool memory = {0};
  dump made = {0};
  agent_thread **threads;
  jvmtiCapabilities needs = {.can_get_monitor_info = 1};
  if ((*jvmti)->AddCapabilities(jvmti, &needs) != JVMTI_ERROR_NONE) return JVMPI_NOT_AVAILABLE;
  size_t count = all_threads(&threads);
  JVMPI_CallTrace *traces = all_traces(&memory, threads, count);
  jint *states = pool_take(&memory, (count + 1) * sizeof *states);
  bool whole = traces != NULL && states != NULL;
  for (size_t i = 0; whole && i < count; i++)
    if (threads[i]->thread != NULL) states[i] = jvmpi.GetThreadStatus(threads[i]->env);
  if (whole) put_monitors(jni, threads, count, &made);
  if (receiver->put_raw_monitors != NULL) receiver->put_raw_monitors(&made.bytes);
  whole = whole && !made.bytes.failed;
  message what = {.event.u.monitor_dump = {.num_traces = (jint)count, .traces = traces, .threads_status = states}};
  what.event.u.monitor_dump.begin = (char *)made.bytes.bytes;
  what.event.u.monitor_dump.end = (char *)made.bytes.bytes + made.bytes.length;
  if (whole) notify(thread_known(jni), JVMPI_EVENT_MONITOR_DUMP | JVMPI_REQUESTED_EVENT, &what);
  free(threads);
  free(made.seen.slots);
  free(made.notified.slots);
  drop_buffer(&made.bytes);
  pool_drop(&memory);
  return whole ? JVMPI_SUCCESS : JVMPI_FAIL;
}
