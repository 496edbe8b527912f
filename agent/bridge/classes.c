/* CLASS_LOAD and OBJECT_ALLOC: what events tell of classes and objects. */
#include "bridge.h"
#include <stdlib.h>
#include <string.h>

static void release(void *memory) {
  if (memory != NULL) (*jvmti)->Deallocate(jvmti, memory);
}

/* `Ljava/lang/String;` as `java.lang.String`. */
static char *class_name(pool *memory, const char *signature) {
  char *name = pool_text(memory, signature != NULL && signature[0] == 'L' ? signature + 1 : signature);
  size_t length = strlen(name);
  if (length > 0 && signature[0] == 'L') name[length - 1] = '\0';
  for (char *at = name; *at != '\0'; at++)
    if (*at == '/') *at = '.';
  return name;
}

static void put_methods(pool *memory, JVMPI_Event *event, jclass type) {
  jint count = 0;
  jmethodID *methods = NULL;
  if ((*jvmti)->GetClassMethods(jvmti, type, &count, &methods) != JVMTI_ERROR_NONE) count = 0;
  JVMPI_Method *list = pool_take(memory, (size_t)count * sizeof *list);
  for (jint i = 0; i < count && list != NULL; i++) {
    char *name = NULL, *signature = NULL;
    (*jvmti)->GetMethodName(jvmti, methods[i], &name, &signature, NULL);
    list[i] = (JVMPI_Method){.method_name = pool_text(memory, name),
                             .method_signature = pool_text(memory, signature),
                             .method_id = methods[i]};
    lines_of(methods[i], &list[i].start_lineno, &list[i].end_lineno);
    release(name);
    release(signature);
  }
  release(methods);
  event->u.class_load.num_methods = list == NULL ? 0 : count;
  event->u.class_load.methods = list;
}

static void put_fields(pool *memory, JVMPI_Event *event, jclass type) {
  jint count = 0, statics = 0, instances = 0;
  jfieldID *fields = NULL;
  if ((*jvmti)->GetClassFields(jvmti, type, &count, &fields) != JVMTI_ERROR_NONE) count = 0;
  JVMPI_Field *of_class = pool_take(memory, (size_t)count * sizeof *of_class);
  JVMPI_Field *of_object = pool_take(memory, (size_t)count * sizeof *of_object);
  for (jint i = 0; i < count && of_class != NULL && of_object != NULL; i++) {
    char *name = NULL, *signature = NULL;
    jint modifiers = 0;
    (*jvmti)->GetFieldName(jvmti, type, fields[i], &name, &signature, NULL);
    (*jvmti)->GetFieldModifiers(jvmti, type, fields[i], &modifiers);
    JVMPI_Field field = {pool_text(memory, name), pool_text(memory, signature)};
    if ((modifiers & 0x8) != 0) of_class[statics++] = field;
    else of_object[instances++] = field;
    release(name);
    release(signature);
  }
  release(fields);
  event->u.class_load.num_static_fields = statics;
  event->u.class_load.statics = of_class;
  event->u.class_load.num_instance_fields = instances;
  event->u.class_load.instances = of_object;
}

/* A class that is not linked yet has no methods and fields: the VM does not tell them. */
void class_load_event(JNIEnv *jni, jclass type, int number) {
  pool memory = {0};
  JVMPI_Event event = {0};
  char *signature = NULL, *source = NULL;
  jint status = 0, interfaces = 0;
  jclass *list = NULL;
  (*jvmti)->GetClassSignature(jvmti, type, &signature, NULL);
  (*jvmti)->GetClassStatus(jvmti, type, &status);
  event.u.class_load.class_name = class_name(&memory, signature);
  event.u.class_load.class_id = class_id_of(type);
  release(signature);
  if ((status & JVMTI_CLASS_STATUS_PREPARED) != 0) {
    if ((*jvmti)->GetSourceFileName(jvmti, type, &source) != JVMTI_ERROR_NONE) source = NULL;
    if ((*jvmti)->GetImplementedInterfaces(jvmti, type, &interfaces, &list) != JVMTI_ERROR_NONE) interfaces = 0;
    for (jint i = 0; i < interfaces; i++) (*jni)->DeleteLocalRef(jni, list[i]);
    release(list);
    put_methods(&memory, &event, type);
    put_fields(&memory, &event, type);
  }
  event.u.class_load.source_name = pool_text(&memory, source);
  event.u.class_load.num_interfaces = interfaces;
  release(source);
  notify(number, jni, &event);
  pool_drop(&memory);
}

static void send(JNIEnv *jni, jclass type, bool prepared) {
  (void)prepared;
  class_load_event(jni, type, CLASS_LOAD);
}

/* CLASS_LOAD of each class that was not announced; of those that are not linked, only if `all`. */
void send_loaded_classes(JNIEnv *jni, bool all) { each_unsent_class(jni, all, send); }

/* As with the VMs of the document, the class of arrays is not given. */
jint allocation_event(JNIEnv *jni, jobject object, jclass type, jlong size, int number) {
  char *signature = NULL;
  if ((*jvmti)->GetClassSignature(jvmti, type, &signature, NULL) != JVMTI_ERROR_NONE) return JVMPI_FAIL;
  int kind = signature[0] == '[' ? element_code(signature[1]) : JVMPI_NORMAL_OBJECT;
  bool is_class = strcmp(signature, "Ljava/lang/Class;") == 0;
  release(signature);
  JVMPI_Event event = {0};
  event.u.obj_alloc.arena_id = 1;
  event.u.obj_alloc.class_id = kind == JVMPI_NORMAL_OBJECT ? class_id_of(type) : NULL;
  event.u.obj_alloc.is_array = kind;
  event.u.obj_alloc.size = (jint)size;
  event.u.obj_alloc.obj_id = (jobjectID)(intptr_t)tag_of(object, is_class);
  notify(number, jni, &event);
  return JVMPI_SUCCESS;
}
