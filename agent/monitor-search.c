/*
 * Monitors that the VM does not list. JDK 23 and later do not say for which monitor a thread is in Object.wait, and agents that come late may not
 * ask which monitors a thread is in. Both are among the objects that the frames of the thread refer to, and the VM does tell who uses the
 * monitor of an object.
 */
#include "agent.h"

#define ACC_STATIC 0x8
#define ACC_SYNCHRONIZED 0x20

typedef struct {
  tag_map threads; /* objects of the threads that are searched */
  tag_map seen;
  buffer tags;
  jlong class_of_classes;
} search;

/* References that begin in a frame. Nothing is followed, and nothing here may call the VM: it stands still. */
static jint JNICALL on_reference(jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo *info, jlong class_tag,
                                 jlong from_class, jlong size, jlong *tag, jlong *from, jint length, void *data) {
  search *of = data;
  jlong thread = kind == JVMTI_HEAP_REFERENCE_STACK_LOCAL  ? info->stack_local.thread_tag
                 : kind == JVMTI_HEAP_REFERENCE_JNI_LOCAL ? info->jni_local.thread_tag
                                                          : 0;
  const size_t *wanted = thread == 0 ? NULL : map_place(&of->threads, thread);
  if (wanted == NULL || *wanted == 0) return 0;
  if (*tag == 0) *tag = new_tag(class_tag == of->class_of_classes);
  size_t *seen = map_place(&of->seen, *tag);
  if (seen == NULL || *seen != 0) return 0;
  *seen = 1;
  put_bytes(&of->tags, tag, sizeof *tag);
  return 0;
}

/* Classes whose static methods are synchronized stand in no frame. */
static void each_class_of(JNIEnv *jni, jthread thread, monitor_visitor visit, void *to) {
  jvmtiFrameInfo frames[MAX_FRAMES];
  jint count = 0, modifiers = 0;
  jclass type = NULL;
  if ((*jvmti)->GetStackTrace(jvmti, thread, 0, MAX_FRAMES, frames, &count) != JVMTI_ERROR_NONE) return;
  for (jint i = 0; i < count; i++) {
    if ((*jvmti)->GetMethodModifiers(jvmti, frames[i].method, &modifiers) != JVMTI_ERROR_NONE) continue;
    if ((modifiers & ACC_STATIC) == 0 || (modifiers & ACC_SYNCHRONIZED) == 0) continue;
    if ((*jvmti)->GetMethodDeclaringClass(jvmti, frames[i].method, &type) != JVMTI_ERROR_NONE) continue;
    visit(jni, type, to);
    (*jni)->DeleteLocalRef(jni, type);
  }
}

static void each_object(JNIEnv *jni, const search *of, monitor_visitor visit, void *to) {
  jint count = 0, wanted = (jint)(of->tags.length / sizeof(jlong));
  jobject *objects = NULL;
  if (wanted == 0) return;
  const jlong *tags = (const jlong *)(const void *)of->tags.bytes;
  if ((*jvmti)->GetObjectsWithTags(jvmti, wanted, tags, &count, &objects, NULL) != JVMTI_ERROR_NONE) return;
  for (jint i = 0; i < count; i++) {
    visit(jni, objects[i], to);
    (*jni)->DeleteLocalRef(jni, objects[i]);
  }
  release(objects);
}

/* Visits the objects whose monitors these threads may be in or wait for. */
void search_monitors(JNIEnv *jni, size_t count, const jthread *threads, monitor_visitor visit, void *to) {
  search made = {0};
  jvmtiHeapCallbacks callbacks = {.heap_reference_callback = on_reference};
  for (size_t i = 0; i < count; i++) {
    jclass of_thread = (*jni)->GetObjectClass(jni, threads[i]);
    jclass of_classes = (*jni)->GetObjectClass(jni, of_thread);
    size_t *wanted = map_place(&made.threads, (jlong)(intptr_t)id_of(threads[i]));
    if (wanted != NULL) *wanted = 1;
    made.class_of_classes = tag_of(of_classes, true);
    (*jni)->DeleteLocalRef(jni, of_classes);
    (*jni)->DeleteLocalRef(jni, of_thread);
    each_class_of(jni, threads[i], visit, to);
  }
  if (count > 0 && (*jvmti)->FollowReferences(jvmti, 0, NULL, NULL, &callbacks, &made) == JVMTI_ERROR_NONE)
    each_object(jni, &made, visit, to);
  free(made.threads.slots);
  free(made.seen.slots);
  drop_buffer(&made.tags);
}
