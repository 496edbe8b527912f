/*
 * A frame around the fragments of the JVMPI document: §1.2 (start), §1.5 (thread-local method counter). They are not ours, so the test takes
 * them from the document into files of their own, as it prints them.
 */
#include <jvmpi.h>
#include <stdio.h>
#include <stdlib.h>

#define CALL(routine) (*jvmpi_interface->routine)
/* The counter of the document starts with what is in the memory. */
#define malloc(bytes) calloc(1, bytes)
/* It prints a pointer as a number. */
#pragma GCC diagnostic ignored "-Wformat"

static void start(void);
#include "document-start.inc"
    start();
    return JNI_OK;
}

#include "document-counter.inc"

static void notify_event(JVMPI_Event *event) {
  switch (event->event_type) {
    case JVMPI_EVENT_THREAD_START: ThreadStartHandler(event->u.thread_start.thread_env_id); break;
    case JVMPI_EVENT_METHOD_ENTRY: MethodEntryHandler(event->u.method.method_id, event->env_id); break;
    case JVMPI_EVENT_THREAD_END: ThreadEndHandler(event->env_id); break;
    case JVMPI_EVENT_CLASS_LOAD: fprintf(stdout, "Class Load : %s\n", event->u.class_load.class_name); break;
    default: break;
  }
}

/* The class-load tracer (§8.1, by name only in the document) as well. */
static void start(void) {
  jvmpi_interface->NotifyEvent = notify_event;
  CALL(EnableEvent)(JVMPI_EVENT_THREAD_START, NULL);
  CALL(EnableEvent)(JVMPI_EVENT_METHOD_ENTRY, NULL);
  CALL(EnableEvent)(JVMPI_EVENT_THREAD_END, NULL);
  CALL(EnableEvent)(JVMPI_EVENT_CLASS_LOAD, NULL);
}
