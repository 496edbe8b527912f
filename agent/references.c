/* JNI global references: the VM's function table gets functions of ours that tell a watcher, and call the VM's own. */
#include "agent.h"

static jniNativeInterface *original;
static _Atomic(reference_watcher) watcher;

static void tell(JNIEnv *jni, jint number, jobject object, jobject reference) {
  reference_watcher to = atomic_load(&watcher);
  if (to != NULL) to(jni, number, object, reference);
}

static jobject JNICALL new_global(JNIEnv *jni, jobject object) {
  jobject made = original->NewGlobalRef(jni, object);
  tell(jni, JVMPI_EVENT_JNI_GLOBALREF_ALLOC, object, made);
  return made;
}

static void JNICALL delete_global(JNIEnv *jni, jobject reference) {
  tell(jni, JVMPI_EVENT_JNI_GLOBALREF_FREE, NULL, reference);
  original->DeleteGlobalRef(jni, reference);
}

static jweak JNICALL new_weak(JNIEnv *jni, jobject object) {
  jweak made = original->NewWeakGlobalRef(jni, object);
  tell(jni, JVMPI_EVENT_JNI_WEAK_GLOBALREF_ALLOC, object, made);
  return made;
}

static void JNICALL delete_weak(JNIEnv *jni, jweak reference) {
  tell(jni, JVMPI_EVENT_JNI_WEAK_GLOBALREF_FREE, NULL, reference);
  original->DeleteWeakGlobalRef(jni, reference);
}

/* References of the agent itself are no events. */
jobject own_reference(JNIEnv *jni, jobject to) { return (original == NULL ? *jni : original)->NewGlobalRef(jni, to); }

void drop_own_reference(JNIEnv *jni, jobject reference) {
  (original == NULL ? *jni : original)->DeleteGlobalRef(jni, reference);
}

/* Puts the functions into the table; NULL: the VM's own again. */
bool watch_references(reference_watcher to) {
  jniNativeInterface *table = NULL;
  if (original == NULL && (*jvmti)->GetJNIFunctionTable(jvmti, &original) != JVMTI_ERROR_NONE) return false;
  if ((*jvmti)->GetJNIFunctionTable(jvmti, &table) != JVMTI_ERROR_NONE) return false;
  atomic_store(&watcher, to);
  bool on = to != NULL;
  table->NewGlobalRef = on ? new_global : original->NewGlobalRef;
  table->DeleteGlobalRef = on ? delete_global : original->DeleteGlobalRef;
  table->NewWeakGlobalRef = on ? new_weak : original->NewWeakGlobalRef;
  table->DeleteWeakGlobalRef = on ? delete_weak : original->DeleteWeakGlobalRef;
  bool set = (*jvmti)->SetJNIFunctionTable(jvmti, table) == JVMTI_ERROR_NONE;
  release(table);
  return set;
}
