/*
 * Thread.sleep, which JVMPI reports as MONITOR_WAIT and MONITOR_WAITED without an object. JVMTI has no event for it. So its native method
 * is replaced by one of ours where the VM binds it, which is once, at the start: an agent that comes later sees no sleeps. Without these
 * events it only calls the VM's.
 */
#include "agent.h"

typedef void(JNICALL *sleep_function)(JNIEnv *jni, jclass type, jlong time);

static sleep_function sleep_of_vm;
static jlong units_per_ms;

static void tell(JNIEnv *jni, jint type, jlong ms) {
  agent_thread *of = due_thread(jni, NULL, type);
  message what = {.event.u.monitor_wait = {NULL, ms}};
  if (of != NULL) notify(of, type, &what);
}

static void JNICALL sleep_here(JNIEnv *jni, jclass type, jlong time) {
  /* A part of a millisecond counts as one. */
  tell(jni, JVMPI_EVENT_MONITOR_WAIT, (time + units_per_ms - 1) / units_per_ms);
  uint64_t began = is_due(JVMPI_EVENT_MONITOR_WAITED) ? now_ns() : 0;
  sleep_of_vm(jni, type, time);
  if (began == 0) return;
  jthrowable interrupt = (*jni)->ExceptionOccurred(jni);
  if (interrupt != NULL) (*jni)->ExceptionClear(jni);
  tell(jni, JVMPI_EVENT_MONITOR_WAITED, (jlong)((now_ns() - began) / 1000000));
  if (interrupt != NULL) (*jni)->Throw(jni, interrupt);
}

static void set_event(bool on) {
  jvmtiEventMode mode = on ? JVMTI_ENABLE : JVMTI_DISABLE;
  (*jvmti)->SetEventNotificationMode(jvmti, mode, JVMTI_EVENT_NATIVE_METHOD_BIND, NULL);
}

/* Methods cannot be asked for their name this early, but all methods that are bound to this function sleep. */
void JNICALL on_native_bind(jvmtiEnv *ti, JNIEnv *jni, jthread thread, jmethodID method, void *address, void **replacement) {
  if (address != *(void **)&sleep_of_vm) return;
  *(sleep_function *)replacement = sleep_here;
  set_event(false);
}

/* Before the VM has started. */
void follow_sleeps(void) {
  jvmtiCapabilities needs = {.can_generate_native_method_bind_events = 1};
  /* Until JDK 20 its time was in milliseconds. */
  units_per_ms = jdk_version() < 21 ? 1 : 1000000;
  void *found = exported_by_vm(jdk_version() < 22 ? "JVM_Sleep" : "JVM_SleepNanos");
  *(void **)&sleep_of_vm = found;
  if (found != NULL && (*jvmti)->AddCapabilities(jvmti, &needs) == JVMTI_ERROR_NONE) set_event(true);
}
