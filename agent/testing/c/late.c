/* An agent for a VM that runs already: its start, its classes and new threads are told. */
#include <jvmpi.h>
#include <stdatomic.h>
#include <stdio.h>

static JVMPI_Interface *jvmpi;
static _Atomic int init, classes, threads;

static void notify_event(JVMPI_Event *event) {
  if (event->event_type == JVMPI_EVENT_JVM_INIT_DONE) init++;
  if (event->event_type == JVMPI_EVENT_CLASS_LOAD) classes++;
  if (event->event_type == JVMPI_EVENT_THREAD_START) threads++;
  if (event->event_type != JVMPI_EVENT_JVM_SHUT_DOWN) return;
  printf("late agent: init %d, classes %d, threads %d\n", init, classes > 300, threads > 0);
  fflush(stdout);
}

JNIEXPORT jint JNICALL JVM_OnLoad(JavaVM *jvm, char *options, void *reserved) {
  (void)options, (void)reserved;
  if ((*jvm)->GetEnv(jvm, (void **)&jvmpi, JVMPI_VERSION_1) != JNI_OK) return JNI_ERR;
  jvmpi->NotifyEvent = notify_event;
  const jint events[] = {JVMPI_EVENT_JVM_INIT_DONE, JVMPI_EVENT_CLASS_LOAD, JVMPI_EVENT_THREAD_START, JVMPI_EVENT_JVM_SHUT_DOWN};
  for (int i = 0; i < 4; i++) jvmpi->EnableEvent(events[i], NULL);
  return JNI_OK;
}
