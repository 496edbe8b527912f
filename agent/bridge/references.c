/* JNI global references: the VM's function table gets functions of the bridge that tell the agent, and then call the VM's own. */
#include "bridge.h"

static jniNativeInterface *original;

static void told(JNIEnv *jni, int type, jobject object, jobject reference) {
  if (!is_enabled(type) || reference == NULL || !atomic_load(&live)) return;
  JVMPI_Event event = {0};
  bool made = type == EVENT_GLOBALREF_ALLOC || type == EVENT_GLOBALREF_ALLOC + 2;
  if (made) event.u.jni_globalref_alloc.obj_id = id_of(object);
  if (made) event.u.jni_globalref_alloc.ref_id = reference;
  else event.u.jni_globalref_free.ref_id = reference;
  notify(type, jni, &event);
}

static jobject JNICALL new_global(JNIEnv *jni, jobject object) {
  jobject made = original->NewGlobalRef(jni, object);
  told(jni, EVENT_GLOBALREF_ALLOC, object, made);
  return made;
}

static void JNICALL delete_global(JNIEnv *jni, jobject reference) {
  told(jni, EVENT_GLOBALREF_ALLOC + 1, NULL, reference);
  original->DeleteGlobalRef(jni, reference);
}

static jweak JNICALL new_weak(JNIEnv *jni, jobject object) {
  jweak made = original->NewWeakGlobalRef(jni, object);
  told(jni, EVENT_GLOBALREF_ALLOC + 2, object, made);
  return made;
}

static void JNICALL delete_weak(JNIEnv *jni, jweak reference) {
  told(jni, EVENT_WEAK_GLOBALREF_FREE, NULL, reference);
  original->DeleteWeakGlobalRef(jni, reference);
}

/* Puts the functions into the table, or the VM's own again. */
bool watch_references(bool on) {
  jniNativeInterface *table = NULL;
  if (original == NULL && (*jvmti)->GetJNIFunctionTable(jvmti, &original) != JVMTI_ERROR_NONE) return false;
  if ((*jvmti)->GetJNIFunctionTable(jvmti, &table) != JVMTI_ERROR_NONE) return false;
  table->NewGlobalRef = on ? new_global : original->NewGlobalRef;
  table->DeleteGlobalRef = on ? delete_global : original->DeleteGlobalRef;
  table->NewWeakGlobalRef = on ? new_weak : original->NewWeakGlobalRef;
  table->DeleteWeakGlobalRef = on ? delete_weak : original->DeleteWeakGlobalRef;
  bool set = (*jvmti)->SetJNIFunctionTable(jvmti, table) == JVMTI_ERROR_NONE;
  (*jvmti)->Deallocate(jvmti, (unsigned char *)table);
  return set;
}
