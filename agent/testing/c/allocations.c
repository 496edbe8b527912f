/* Prints how many objects of Allocations.java were allocated in each of its turns. */
#include <jvmpi.h>
#include <stdio.h>
#include <string.h>

static JVMPI_Interface *jvmpi;
static jobjectID counted;
static int count;

static void notify_event(JVMPI_Event *event) {
  switch (event->event_type) {
    case JVMPI_EVENT_CLASS_LOAD:
      if (strcmp(event->u.class_load.class_name, "Allocations$Counted") == 0) counted = event->u.class_load.class_id;
      break;
    case JVMPI_EVENT_OBJECT_ALLOC:
      if (counted != NULL && event->u.obj_alloc.class_id == counted) count++;
      break;
    case JVMPI_EVENT_THREAD_START:
      if (strcmp(event->u.thread_start.thread_name, "end of turn") != 0) break;
      printf("%d\n", count);
      fflush(stdout);
      count = 0;
      break;
    default: break;
  }
}

JNIEXPORT jint JNICALL JVM_OnLoad(JavaVM *jvm, char *options, void *reserved) {
  (void)options, (void)reserved;
  if ((*jvm)->GetEnv(jvm, (void **)&jvmpi, JVMPI_VERSION_1) != JNI_OK) return JNI_ERR;
  jvmpi->NotifyEvent = notify_event;
  jvmpi->EnableEvent(JVMPI_EVENT_OBJECT_ALLOC, NULL);
  jvmpi->EnableEvent(JVMPI_EVENT_CLASS_LOAD, NULL);
  jvmpi->EnableEvent(JVMPI_EVENT_THREAD_START, NULL);
  return JNI_OK;
}
