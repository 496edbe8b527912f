/* What all of the agent needs: the VM, which events are on, and the half that takes them. */
#include "agent.h"
#include <stdio.h>

jvmtiEnv *jvmti;
JavaVM *vm;
JVMPI_Interface jvmpi;
const half *receiver;
_Atomic bool live, stopped;
_Atomic int enabled[EVENTS];

/* Gives an event to the profiler. `of` is its thread: NULL if that is none of Java, or has no record. */
void notify(agent_thread *of, jint type, message *what) {
  if (of != NULL) what->event.env_id = of->env;
  what->event.event_type = type;
  what->thread = of == NULL ? 0 : of->number;
  receiver->deliver(what);
}

/* Agents in C get events from a complete VM only, but class files. */
bool is_due(jint type) {
  return atomic_load_explicit(&enabled[type], memory_order_relaxed) != 0 &&
         (!receiver->in_process || ((atomic_load(&live) || type == JVMPI_EVENT_CLASS_LOAD_HOOK) && !atomic_load(&stopped)));
}

jint cannot_start(const char *why) {
  fprintf(stderr, "kansoku: the agent cannot start: %s\n", why);
  return JNI_ERR;
}
