/* Events of global references of JNI. */
#include "agent.h"

/* A global reference was made (`object` is given), or is freed. */
static void on_reference(JNIEnv *jni, jint type, jobject object, jobject reference) {
  agent_thread *of = reference == NULL || !atomic_load(&live) ? NULL : due_thread(jni, NULL, type);
  if (of == NULL) return;
  message what = {.event.u.jni_globalref_free = {reference}};
  if (object != NULL) {
    what.event.u.jni_globalref_alloc.obj_id = id_of(object);
    what.event.u.jni_globalref_alloc.ref_id = reference;
  }
  notify(of, type, &what);
}

/* Puts our functions into the VM's table where one of their events is on, or its own again. Before the VM runs there is no table. */
void follow_references(void) {
  bool any = false;
  for (jint type = JVMPI_EVENT_JNI_GLOBALREF_ALLOC; type <= JVMPI_EVENT_JNI_WEAK_GLOBALREF_FREE; type++)
    any = any || atomic_load(&enabled[type]) != 0;
  if (atomic_load(&live)) watch_references(any ? on_reference : NULL);
}
