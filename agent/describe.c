/* What events say of classes with their fields and methods, and of allocations. */
#include "agent.h"
#include "lines.h"

#define ACC_STATIC 0x8

/* First and last line of a method; -1 each if it is native, abstract or has no lines. */
static void find_lines(JVMPI_Method *of) {
  jint count = 0;
  jvmtiLineNumberEntry *lines = NULL;
  of->start_lineno = of->end_lineno = -1;
  if ((*jvmti)->GetLineNumberTable(jvmti, of->method_id, &count, &lines) != JVMTI_ERROR_NONE) return;
  for (jint i = 0; i < count; i++) {
    if (of->start_lineno < 0 || lines[i].line_number < of->start_lineno) of->start_lineno = lines[i].line_number;
    if (lines[i].line_number > of->end_lineno) of->end_lineno = lines[i].line_number;
  }
  release(lines);
}

int line_of(jmethodID method, jlocation location) {
  return location < 0 ? -3 /* as HotSpot said of native methods */ : line_at(jvmti, method, location);
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
    find_lines(&list[i]);
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
    if ((modifiers & ACC_STATIC) != 0) of_class[statics++] = field;
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

/* CLASS_LOAD. A class that is not linked yet has no methods and fields: the VM does not tell them. */
void send_class(JNIEnv *jni, jclass type, jint number) {
  pool memory = {0};
  message what = {0};
  char *signature = NULL, *source = NULL;
  jint status = 0, interfaces = 0;
  jclass *list = NULL;
  (*jvmti)->GetClassSignature(jvmti, type, &signature, NULL);
  (*jvmti)->GetClassStatus(jvmti, type, &status);
  what.text = signature;
  what.linked = (status & JVMTI_CLASS_STATUS_PREPARED) != 0;
  what.event.u.class_load.class_name = class_name(&memory, signature);
  what.event.u.class_load.class_id = (jobjectID)(intptr_t)tag_of(type, true);
  if (what.linked) {
    if ((*jvmti)->GetSourceFileName(jvmti, type, &source) != JVMTI_ERROR_NONE) source = NULL;
    if ((*jvmti)->GetImplementedInterfaces(jvmti, type, &interfaces, &list) != JVMTI_ERROR_NONE) interfaces = 0;
    for (jint i = 0; i < interfaces; i++) (*jni)->DeleteLocalRef(jni, list[i]);
    release(list);
    put_methods(&memory, &what.event, type);
    put_fields(&memory, &what.event, type);
  }
  what.event.u.class_load.source_name = pool_text(&memory, source);
  what.event.u.class_load.num_interfaces = interfaces;
  release(source);
  what.event.env_id = jni;
  notify(thread_known(jni), number, &what);
  release(signature);
  pool_drop(&memory);
}

/* The classes whose CLASS_LOAD was sent. */
static pthread_mutex_t sent_lock = PTHREAD_MUTEX_INITIALIZER;
static tag_map sent;

/* Sends CLASS_LOAD once. */
void send_class_once(JNIEnv *jni, jclass type) {
  jlong tag = tag_of(type, true);
  pthread_mutex_lock(&sent_lock);
  size_t *known = map_place(&sent, tag);
  bool first = known != NULL && *known == 0;
  if (first) *known = 1;
  pthread_mutex_unlock(&sent_lock);
  if (first) send_class(jni, type, JVMPI_EVENT_CLASS_LOAD);
}

/* A new front end knows no class. */
void forget_classes(void) {
  pthread_mutex_lock(&sent_lock);
  free(sent.slots);
  sent = (tag_map){0};
  pthread_mutex_unlock(&sent_lock);
}

/* Does something with each loaded class; with those that are not yet linked, only if `all`. */
static void each_class(JNIEnv *jni, bool all, void (*act)(JNIEnv *, jclass)) {
  jint count = 0;
  jclass *classes = NULL;
  if ((*jvmti)->GetLoadedClasses(jvmti, &count, &classes) != JVMTI_ERROR_NONE) return;
  for (jint i = 0; i < count; i++) {
    jint status = 0;
    (*jvmti)->GetClassStatus(jvmti, classes[i], &status);
    bool of_vm = (status & (JVMTI_CLASS_STATUS_ARRAY | JVMTI_CLASS_STATUS_PRIMITIVE)) != 0;
    if (!of_vm && (all || (status & JVMTI_CLASS_STATUS_PREPARED) != 0)) act(jni, classes[i]);
    (*jni)->DeleteLocalRef(jni, classes[i]);
  }
  release(classes);
}

/* Sends each loaded class that was not sent; those that are not yet linked, only if `all`. */
void send_classes(JNIEnv *jni, bool all) {
  each_class(jni, all, send_class_once);
}

/* The classes whose end is a CLASS_UNLOAD. The VM also makes objects of java.lang.Class that never become a class. */
static tag_map linked;

void give_class_id(JNIEnv *jni, jclass type) {
  jlong tag = tag_of(type, true);
  pthread_mutex_lock(&sent_lock);
  size_t *known = tag == 0 ? NULL : map_place(&linked, tag);
  if (known != NULL) *known = 1;
  pthread_mutex_unlock(&sent_lock);
}

/* The event of an object that is gone. For callbacks of collections, too: no thread holds this lock while it waits. */
jint end_of(jlong tag) {
  if ((tag & 1) == 0) return JVMPI_EVENT_OBJECT_FREE;
  pthread_mutex_lock(&sent_lock);
  const size_t *known = map_place(&linked, tag);
  bool is_class = known != NULL && *known != 0;
  pthread_mutex_unlock(&sent_lock);
  return is_class ? JVMPI_EVENT_CLASS_UNLOAD : JVMPI_EVENT_OBJECT_FREE;
}

/* The VM tells the end of objects with an id only: for CLASS_UNLOAD, classes that exist get theirs. Before the VM is complete, none can go. */
void watch_classes(void) {
  JNIEnv *jni = env_here();
  if (atomic_load(&live) && jni != NULL && atomic_load(&enabled[JVMPI_EVENT_CLASS_UNLOAD]) != 0) each_class(jni, false, give_class_id);
}

/* JVMPI's code of the elements of an array, by the first letter of their signature. */
jint type_code(char letter) {
  static const char letters[] = "ZCFDBSIJ"; /* JVMPI_BOOLEAN 4 … JVMPI_LONG 11 */
  const char *found = letter == '\0' ? NULL : strchr(letters, letter);
  return found == NULL ? JVMPI_CLASS : JVMPI_BOOLEAN + (jint)(found - letters);
}

/*
 * The id of the class of an array's elements; NULL if the VM does not have it where we look for it. JNI has no function for it, and a method of
 * Java would be an event of its own. An array of arrays has elements of a class that is never linked: it is announced here.
 */
static jobjectID element_class(JNIEnv *jni, jclass array) {
  static _Atomic(jfieldID) component;
  jfieldID field = atomic_load(&component);
  if (field == NULL) {
    jclass of_classes = (*jni)->GetObjectClass(jni, array);
    field = (*jni)->GetFieldID(jni, of_classes, "componentType", "Ljava/lang/Class;");
    if ((*jni)->ExceptionCheck(jni)) (*jni)->ExceptionClear(jni);
    (*jni)->DeleteLocalRef(jni, of_classes);
    atomic_store(&component, field);
  }
  jclass element = field == NULL ? NULL : (*jni)->GetObjectField(jni, array, field);
  jint status = 0;
  if (element == NULL) return NULL;
  (*jvmti)->GetClassStatus(jvmti, element, &status);
  if ((status & JVMTI_CLASS_STATUS_ARRAY) != 0 && is_due(JVMPI_EVENT_CLASS_LOAD)) send_class_once(jni, element);
  jobjectID id = (jobjectID)(intptr_t)tag_of(element, true);
  (*jni)->DeleteLocalRef(jni, element);
  return id;
}

/* `type` is the class of the object. That of an array of primitive values is said by its kind. */
jint send_allocation(JNIEnv *jni, jobject object, jclass type, jlong size, jint number) {
  char *signature = NULL;
  if ((*jvmti)->GetClassSignature(jvmti, type, &signature, NULL) != JVMTI_ERROR_NONE) return JVMPI_FAIL;
  jint kind = signature[0] == '[' ? type_code(signature[1]) : JVMPI_NORMAL_OBJECT;
  bool is_class = strcmp(signature, "Ljava/lang/Class;") == 0;
  release(signature);
  jobjectID class_id = kind == JVMPI_NORMAL_OBJECT ? (jobjectID)(intptr_t)tag_of(type, true)
                       : kind == JVMPI_CLASS       ? element_class(jni, type)
                                                   : NULL;
  jobjectID id = (jobjectID)(intptr_t)tag_of(object, is_class);
  message what = {.bytes = size, .event = {.env_id = jni, .u.obj_alloc = {1, class_id, kind, (jint)size, id}}};
  notify(thread_known(jni), number, &what);
  return JVMPI_SUCCESS;
}
