/* A walk over what the VM reaches. Each object that it reaches gets an id. The VM stands still: nothing here may call it. */
#include "heap.h"

typedef struct {
  const heap_visitor *visitor;
  void *to;
  jlong class_of_classes;
  bool follows;
} walk;

static jint JNICALL on_reference(jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo *info, jlong class_tag,
                                 jlong from_class, jlong size, jlong *tag, jlong *from, jint length, void *data) {
  const walk *of = data;
  if (of->visitor->is_over(of->to)) return JVMTI_VISIT_ABORT;
  if (*tag == 0) *tag = new_tag(class_tag == of->class_of_classes);
  of->visitor->object(of->to, *tag, class_tag, size, length);
  bool local = kind == JVMTI_HEAP_REFERENCE_STACK_LOCAL, jni = kind == JVMTI_HEAP_REFERENCE_JNI_LOCAL;
  bool field = kind == JVMTI_HEAP_REFERENCE_FIELD || kind == JVMTI_HEAP_REFERENCE_STATIC_FIELD;
  if (from == NULL)
    of->visitor->root(of->to, kind, *tag, local ? info->stack_local.thread_tag : jni ? info->jni_local.thread_tag : 0,
                      local ? info->stack_local.depth : jni ? info->jni_local.depth : -1);
  else
    of->visitor->reference(of->to, kind, *from, from_class, *tag, field                                        ? info->field.index
                           : kind == JVMTI_HEAP_REFERENCE_ARRAY_ELEMENT ? info->array.index
                                                                        : 0);
  return of->follows ? JVMTI_VISIT_OBJECTS : 0;
}

static jint JNICALL on_value(jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo *info, jlong class_tag,
                             jlong *tag, jvalue value, jvmtiPrimitiveType type, void *data) {
  const walk *of = data;
  if (of->visitor->is_over(of->to)) return JVMTI_VISIT_ABORT;
  bool is_static = kind == JVMTI_HEAP_REFERENCE_STATIC_FIELD;
  of->visitor->value(of->to, is_static, *tag, class_tag, info->field.index, (char)type, value);
  return JVMTI_VISIT_OBJECTS;
}

static jint JNICALL on_elements(jlong class_tag, jlong size, jlong *tag, jint count, jvmtiPrimitiveType type,
                                const void *elements, void *data) {
  const walk *of = data;
  if (of->visitor->is_over(of->to)) return JVMTI_VISIT_ABORT;
  of->visitor->elements(of->to, *tag, (char)type, (size_t)count, elements);
  return JVMTI_VISIT_OBJECTS;
}

bool walk_heap(JNIEnv *jni, jint level, jobject only, const layouts *classes, const heap_visitor *visitor, void *to) {
  walk of = {visitor, to, classes->class_of_classes, only == NULL};
  jvmtiHeapCallbacks callbacks = {.heap_reference_callback = on_reference};
  if (level == JVMPI_DUMP_LEVEL_2) {
    callbacks.primitive_field_callback = on_value;
    callbacks.array_primitive_value_callback = on_elements;
  }
  if (only != NULL) {
    jclass type = (*jni)->GetObjectClass(jni, only);
    jlong size = 0, class_tag = tag_of(type, true);
    const class_layout *layout = layout_of(classes, class_tag);
    bool array = layout != NULL && layout->signature[0] == '[';
    (*jvmti)->GetObjectSize(jvmti, only, &size);
    visitor->object(to, (jlong)(intptr_t)id_of(only), class_tag, size, array ? (*jni)->GetArrayLength(jni, only) : -1);
    (*jni)->DeleteLocalRef(jni, type);
  }
  return (*jvmti)->FollowReferences(jvmti, 0, NULL, only, &callbacks, &of) == JVMTI_ERROR_NONE && !visitor->is_over(to);
}
