/* monitor=y: waits as they happen, how long threads waited to enter, and the monitors of the moment of a dump. */
#include "hprof.h"
#include "monitors.h"

/* The signature of an object's class; the caller frees it as memory of the VM. */
static char *signature_of(JNIEnv *jni, jobject object) {
  char *signature = NULL;
  jclass type = object == NULL ? NULL : (*jni)->GetObjectClass(jni, object);
  if (type != NULL) (*hprof_ti)->GetClassSignature(hprof_ti, type, &signature, NULL);
  if (type != NULL) (*jni)->DeleteLocalRef(jni, type);
  return signature;
}

static void JNICALL on_contended(jvmtiEnv *ti, JNIEnv *jni, jthread thread, jobject object) {
  waiting_thread *of = waiting_of(thread);
  if (of == NULL) return;
  of->stack = stack_of(jni, thread);
  of->began = now_ns();
}

/* How long threads waited at a place for monitors of a class. */
static void count_wait(thread_stack *at, const char *signature, uint64_t ns) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&lock);
  monitor_time *of = at->waits;
  while (of != NULL && strcmp(of->signature, signature) != 0) of = of->next;
  if (of == NULL && (of = calloc(1, sizeof *of)) != NULL) {
    of->signature = strdup(signature);
    if (of->signature == NULL) {
      free(of);
      of = NULL;
    } else {
      of->next = at->waits;
      at->waits = of;
    }
  }
  if (of != NULL) of->count++;
  if (of != NULL) of->ns += ns;
  pthread_mutex_unlock(&lock);
}

static void JNICALL on_entered(jvmtiEnv *ti, JNIEnv *jni, jthread thread, jobject object) {
  waiting_thread *of = waiting_of(thread);
  char *signature = of == NULL || of->stack == NULL ? NULL : signature_of(jni, object);
  if (signature != NULL) count_wait(of->stack, signature, now_ns() - of->began);
  if (of != NULL) of->stack = NULL;
  free_of_vm(signature);
}

static void JNICALL on_wait(jvmtiEnv *ti, JNIEnv *jni, jthread thread, jobject object, jlong timeout) {
  waiting_thread *of = waiting_of(thread);
  char *signature = signature_of(jni, object);
  print_wait(signature, timeout, serial_of(thread));
  if (of != NULL) of->wait_began = now_ns();
  free_of_vm(signature);
}

static void JNICALL on_waited(jvmtiEnv *ti, JNIEnv *jni, jthread thread, jobject object, jboolean timed_out) {
  waiting_thread *of = waiting_of(thread);
  char *signature = signature_of(jni, object);
  uint64_t ns = of == NULL || of->wait_began == 0 ? 0 : now_ns() - of->wait_began;
  print_waited(signature, ns / 1000000, serial_of(thread));
  free_of_vm(signature);
}

void ask_for_monitors(jvmtiCapabilities *wanted, jvmtiEventCallbacks *callbacks) {
  wanted->can_generate_monitor_events = 1;
  wanted->can_get_monitor_info = 1;
  wanted->can_get_owned_monitor_info = 1;
  callbacks->MonitorContendedEnter = on_contended;
  callbacks->MonitorContendedEntered = on_entered;
  callbacks->MonitorWait = on_wait;
  callbacks->MonitorWaited = on_waited;
}

void watch_monitors(void) {
  static const jvmtiEvent EVENTS[] = {JVMTI_EVENT_MONITOR_CONTENDED_ENTER, JVMTI_EVENT_MONITOR_CONTENDED_ENTERED, JVMTI_EVENT_MONITOR_WAIT,
                                      JVMTI_EVENT_MONITOR_WAITED};
  enable_events(EVENTS, sizeof EVENTS / sizeof *EVENTS);
}

/* The words of a state, as `intr|R`. */
static const char *status_of(jint state, char text[24]) {
  const char *word = "UN";
  if ((state & JVMTI_THREAD_STATE_TERMINATED) != 0) word = "ZO";
  else if ((state & JVMTI_THREAD_STATE_ALIVE) == 0) word = "NS";
  else if ((state & JVMTI_THREAD_STATE_RUNNABLE) != 0) word = "R";
  else if ((state & JVMTI_THREAD_STATE_BLOCKED_ON_MONITOR_ENTER) != 0) word = "MW";
  else if ((state & JVMTI_THREAD_STATE_SLEEPING) != 0) word = "SL";
  else if ((state & JVMTI_THREAD_STATE_WAITING) != 0) word = "CW";
  snprintf(text, 24, "%s%s%s", (state & JVMTI_THREAD_STATE_SUSPENDED) != 0 ? "S|" : "",
           (state & JVMTI_THREAD_STATE_INTERRUPTED) != 0 ? "intr|" : "", word);
  return text;
}

/* Whether a thread is among those. */
static bool has_thread(JNIEnv *jni, const jthread *threads, jint count, jthread thread) {
  for (jint i = 0; i < count; i++)
    if ((*jni)->IsSameObject(jni, threads[i], thread)) return true;
  return false;
}

static void take_monitor(JNIEnv *jni, jobject object) {
  jvmtiMonitorUsage usage = {0};
  char *signature = signature_of(jni, object);
  if (signature != NULL && (*hprof_ti)->GetObjectMonitorUsage(hprof_ti, object, &usage) == JVMTI_ERROR_NONE && usage.owner != NULL) {
    dumped_monitor *of = new_monitor(signature, serial_of(usage.owner), usage.entry_count);
    /* Before JDK 23, the VM lists threads that wait to be notified among those that wait to enter, too. */
    for (jint i = 0; i < usage.waiter_count; i++)
      if (!has_thread(jni, usage.notify_waiters, usage.notify_waiter_count, usage.waiters[i])) add_waiter(of, serial_of(usage.waiters[i]), false);
    for (jint i = 0; i < usage.notify_waiter_count; i++) add_waiter(of, serial_of(usage.notify_waiters[i]), true);
  }
  free_of_vm(signature);
  free_of_vm(usage.waiters);
  free_of_vm(usage.notify_waiters);
}

/* Whether it is the thread that ends the VM: for the VM, it is over. */
static bool is_ending(JNIEnv *jni, jthread thread, bool at_end) {
  jthread self = NULL;
  bool ends = at_end && (*hprof_ti)->GetCurrentThread(hprof_ti, &self) == JVMTI_ERROR_NONE && (*jni)->IsSameObject(jni, self, thread);
  if (self != NULL) (*jni)->DeleteLocalRef(jni, self);
  return ends;
}

/* The monitors that a thread owns, each once. */
static void take_owned(JNIEnv *jni, jthread thread) {
  jint count = 0;
  jobject *owned = NULL;
  if ((*hprof_ti)->GetOwnedMonitorInfo(hprof_ti, thread, &count, &owned) != JVMTI_ERROR_NONE) return;
  for (jint i = 0; i < count; i++)
    if (!has_thread(jni, owned, i, owned[i])) take_monitor(jni, owned[i]);
  free_of_vm(owned);
}

void take_monitors(JNIEnv *jni, bool at_end) {
  jint count = 0, state = 0;
  jthread *threads = NULL;
  char text[24];
  if ((*hprof_ti)->GetAllThreads(hprof_ti, &count, &threads) != JVMTI_ERROR_NONE) return;
  for (jint i = 0; i < count; i++) {
    if (is_ending(jni, threads[i], at_end)) continue;
    if ((*jni)->PushLocalFrame(jni, 256) != JNI_OK) break;
    announce_thread(jni, threads[i]);
    thread_stack *stack = stack_of(jni, threads[i]);
    uint32_t serial = serial_of(threads[i]);
    if (stack != NULL && serial != 0 && (*hprof_ti)->GetThreadState(hprof_ti, threads[i], &state) == JVMTI_ERROR_NONE)
      add_dumped_thread(serial, stack, status_of(state, text));
    take_owned(jni, threads[i]);
    (*jni)->PopLocalFrame(jni, NULL);
  }
  free_of_vm(threads);
}
