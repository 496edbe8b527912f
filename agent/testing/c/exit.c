/* Ends the VM with code 5 at the moment that its options name: in handlers, and by a thread of its own, which may be in a monitor that a handler wants. */
#include <jvmpi.h>
#include <string.h>

static JVMPI_Interface *jvmpi;
static const char *moment;
static JVMPI_RawMonitor lock;

static int is(const char *name) { return strcmp(moment, name) == 0; }

static void own_thread(void *unused) {
  (void)unused;
  if (is("monitor")) {
    jvmpi->RawMonitorEnter(lock);
    jvmpi->RawMonitorWait(lock, 200);
  }
  jvmpi->ProfilerExit(5);
}

static void notify_event(JVMPI_Event *event) {
  static const struct {
    int type;
    const char *name;
  } ENDS[] = {
      {JVMPI_EVENT_JVM_INIT_DONE, "start"},
      {JVMPI_EVENT_GC_FINISH, "collection"},
      {JVMPI_EVENT_THREAD_END, "thread end"},
      {JVMPI_EVENT_JVM_SHUT_DOWN, "end"},
  };
  int type = event->event_type;
  for (unsigned i = 0; i < sizeof ENDS / sizeof *ENDS; i++)
    if (type == ENDS[i].type && is(ENDS[i].name)) jvmpi->ProfilerExit(5);
  if (type == JVMPI_EVENT_JVM_INIT_DONE && (is("own thread") || is("monitor"))) jvmpi->CreateSystemThread("own", 5, own_thread);
  if (type == JVMPI_EVENT_GC_FINISH && is("monitor")) {
    jvmpi->RawMonitorEnter(lock);
    jvmpi->RawMonitorExit(lock);
  }
}

JNIEXPORT jint JNICALL JVM_OnLoad(JavaVM *vm, char *options, void *reserved) {
  static const jint EVENTS[] = {JVMPI_EVENT_JVM_INIT_DONE, JVMPI_EVENT_GC_START,   JVMPI_EVENT_GC_FINISH,
                                JVMPI_EVENT_THREAD_END,    JVMPI_EVENT_THREAD_START, JVMPI_EVENT_JVM_SHUT_DOWN};
  (void)reserved;
  moment = options;
  if ((*vm)->GetEnv(vm, (void **)&jvmpi, JVMPI_VERSION_1_2) != JNI_OK) return JNI_ERR;
  lock = jvmpi->RawMonitorCreate("lock");
  jvmpi->NotifyEvent = notify_event;
  for (unsigned i = 0; i < sizeof EVENTS / sizeof *EVENTS; i++) jvmpi->EnableEvent(EVENTS[i], NULL);
  return JNI_OK;
}
