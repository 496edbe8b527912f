/* Sizes of instances where objects are counted and not seen: an object of each class is made for it, without its constructor. */
#include "counting.h"

static _Atomic uint64_t unknown;

uint64_t unknown_sizes(void) { return atomic_load(&unknown); }

static void measure(JNIEnv *jni, jclass type) {
  char *signature = NULL;
  jint status = 0;
  jlong size = 0;
  (*hprof_ti)->GetClassSignature(hprof_ti, type, &signature, NULL);
  heap_class *of = signature == NULL || signature[0] != 'L' ? NULL : class_with_signature(signature);
  free_of_vm(signature);
  if (of == NULL || !of->counted || of->bytes != 0) return;
  (*hprof_ti)->GetClassStatus(hprof_ti, type, &status);
  jobject made = (status & JVMTI_CLASS_STATUS_INITIALIZED) == 0 ? NULL : (*jni)->AllocObject(jni, type);
  if (made != NULL && (*hprof_ti)->GetObjectSize(hprof_ti, made, &size) == JVMTI_ERROR_NONE) of->bytes = (uint64_t)size;
  if (made != NULL) (*jni)->DeleteLocalRef(jni, made);
  if ((*jni)->ExceptionCheck(jni)) (*jni)->ExceptionClear(jni);
}

void take_instance_sizes(JNIEnv *jni) {
  jint count = 0;
  jclass *classes = NULL;
  size_t sites = site_count();
  for (size_t i = 1; i <= sites; i++) {
    const allocation_site *site = site_with((uint32_t)i);
    if (atomic_load(&site->objects) > 0) class_with(site->type)->counted = true;
  }
  if ((*hprof_ti)->GetLoadedClasses(hprof_ti, &count, &classes) != JVMTI_ERROR_NONE) return;
  telling_of_agent = true;
  for (jint i = 0; i < count; i++) {
    measure(jni, classes[i]);
    (*jni)->DeleteLocalRef(jni, classes[i]);
  }
  telling_of_agent = false;
  free_of_vm(classes);
  uint64_t objects = 0;
  for (size_t i = 1; i <= sites; i++) {
    const allocation_site *site = site_with((uint32_t)i);
    const heap_class *type = class_with(site->type);
    if (type->signature[0] == 'L' && type->bytes == 0) objects += atomic_load(&site->objects);
  }
  atomic_store(&unknown, objects);
}
