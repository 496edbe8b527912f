/* What events carry: classes with their fields and methods, threads, traces, allocations. */
#include "agent.h"
#include <string.h>

static void release(void *memory) {
  if (memory != NULL) (*jvmti)->Deallocate(jvmti, memory);
}

/* First and last line of a method; -1 each if it is native, abstract or has no lines. */
void lines_of(jmethodID method, jint *first, jint *last) {
  jint count = 0;
  jvmtiLineNumberEntry *lines = NULL;
  *first = *last = -1;
  if ((*jvmti)->GetLineNumberTable(jvmti, method, &count, &lines) != JVMTI_ERROR_NONE) return;
  for (jint i = 0; i < count; i++) {
    if (*first < 0 || lines[i].line_number < *first) *first = lines[i].line_number;
    if (lines[i].line_number > *last) *last = lines[i].line_number;
  }
  release(lines);
}

static void put_methods(buffer *to, jclass type) {
  jint count = 0;
  jmethodID *methods = NULL;
  if ((*jvmti)->GetClassMethods(jvmti, type, &count, &methods) != JVMTI_ERROR_NONE) count = 0;
  put_varint(to, (uint64_t)count);
  for (jint i = 0; i < count; i++) {
    char *name = NULL, *signature = NULL;
    (*jvmti)->GetMethodName(jvmti, methods[i], &name, &signature, NULL);
    put_varint(to, method_number(methods[i]));
    put_string(to, name);
    put_string(to, signature);
    jint first, last;
    lines_of(methods[i], &first, &last);
    put_signed(to, first);
    put_signed(to, last);
    release(name);
    release(signature);
  }
  release(methods);
}

/* All fields in the order of the class file, each with whether it is static. */
static void put_fields(buffer *to, jclass type) {
  jint count = 0;
  jfieldID *fields = NULL;
  if ((*jvmti)->GetClassFields(jvmti, type, &count, &fields) != JVMTI_ERROR_NONE) count = 0;
  put_varint(to, (uint64_t)count);
  for (jint i = 0; i < count; i++) {
    char *name = NULL, *signature = NULL;
    jint modifiers = 0;
    (*jvmti)->GetFieldName(jvmti, type, fields[i], &name, &signature, NULL);
    (*jvmti)->GetFieldModifiers(jvmti, type, fields[i], &modifiers);
    put_u8(to, (modifiers & 0x8) != 0);
    put_string(to, name);
    put_string(to, signature);
    release(name);
    release(signature);
  }
  release(fields);
}

/* A class: its id and signature, and the rest if it is prepared. */
void put_class(buffer *to, JNIEnv *jni, jclass type, bool prepared) {
  char *signature = NULL, *source = NULL;
  jint interfaces = 0;
  jclass *list = NULL;
  (*jvmti)->GetClassSignature(jvmti, type, &signature, NULL);
  put_varint(to, (uint64_t)tag_of(type, true));
  put_string(to, signature);
  release(signature);
  put_u8(to, prepared);
  if (!prepared) return;
  if ((*jvmti)->GetSourceFileName(jvmti, type, &source) != JVMTI_ERROR_NONE) source = NULL;
  put_string(to, source);
  release(source);
  if ((*jvmti)->GetImplementedInterfaces(jvmti, type, &interfaces, &list) != JVMTI_ERROR_NONE) interfaces = 0;
  put_varint(to, (uint64_t)interfaces);
  for (jint i = 0; i < interfaces; i++) (*jni)->DeleteLocalRef(jni, list[i]);
  release(list);
  put_methods(to, type);
  put_fields(to, type);
}

/* The value of a field, which the class of the object or one above it has; NULL if there is none. */
static jobject field_of(JNIEnv *jni, jobject of, const char *name, const char *signature) {
  jclass type = of == NULL ? NULL : (*jni)->GetObjectClass(jni, of);
  jfieldID field = type == NULL ? NULL : (*jni)->GetFieldID(jni, type, name, signature);
  if ((*jni)->ExceptionCheck(jni)) (*jni)->ExceptionClear(jni);
  if (type != NULL) (*jni)->DeleteLocalRef(jni, type);
  return field == NULL ? NULL : (*jni)->GetObjectField(jni, of, field);
}

/* The field `name` of a thread or group, into `copy`. */
static void text_field(JNIEnv *jni, jobject of, char *copy, size_t room) {
  copy[0] = '\0';
  jstring text = field_of(jni, of, "name", "Ljava/lang/String;");
  const char *chars = text == NULL ? NULL : (*jni)->GetStringUTFChars(jni, text, NULL);
  if (chars != NULL) {
    strncat(copy, chars, room - 1);
    (*jni)->ReleaseStringUTFChars(jni, text, chars);
  }
  if (text != NULL) (*jni)->DeleteLocalRef(jni, text);
}

/* The names of a thread, its group and the group above, by their fields: JVMTI describes threads only in a VM that has started. */
static void put_early_names(buffer *to, JNIEnv *jni, jobject thread) {
  char name[256];
  jobject holder = field_of(jni, thread, "holder", "Ljava/lang/Thread$FieldHolder;"); /* since JDK 19 */
  jobject group = field_of(jni, holder == NULL ? thread : holder, "group", "Ljava/lang/ThreadGroup;");
  jobject parent = field_of(jni, group, "parent", "Ljava/lang/ThreadGroup;");
  jobject all[] = {thread, group, parent};
  for (int i = 0; i < 3; i++) {
    text_field(jni, all[i], name, sizeof name);
    put_string(to, name);
    if (i > 0 && all[i] != NULL) (*jni)->DeleteLocalRef(jni, all[i]);
  }
  if (holder != NULL) (*jni)->DeleteLocalRef(jni, holder);
}

/* A thread: its object, and the names of itself, its group and the group above. */
void put_thread(buffer *to, JNIEnv *jni, agent_thread *of) {
  jvmtiThreadInfo thread = {0};
  jvmtiThreadGroupInfo group = {0}, parent = {0};
  put_varint(to, of->number);
  put_varint(to, (uint64_t)tag_of(of->thread, false));
  if (of->thread != NULL && (*jvmti)->GetThreadInfo(jvmti, of->thread, &thread) == JVMTI_ERROR_NONE) {
    if (thread.thread_group != NULL) (*jvmti)->GetThreadGroupInfo(jvmti, thread.thread_group, &group);
    if (group.parent != NULL) (*jvmti)->GetThreadGroupInfo(jvmti, group.parent, &parent);
    put_string(to, thread.name);
    put_string(to, group.name);
    put_string(to, parent.name);
  } else {
    put_early_names(to, jni, of->thread);
  }
  release(thread.name);
  release(group.name);
  release(parent.name);
  jobject locals[] = {thread.thread_group, thread.context_class_loader, group.parent, parent.parent};
  for (size_t i = 0; i < sizeof locals / sizeof *locals; i++)
    if (locals[i] != NULL) (*jni)->DeleteLocalRef(jni, locals[i]);
}

int line_of(jmethodID method, jlocation location) {
  jint count = 0;
  jvmtiLineNumberEntry *lines = NULL;
  if (location < 0) return -3; /* as HotSpot said of native methods */
  if ((*jvmti)->GetLineNumberTable(jvmti, method, &count, &lines) != JVMTI_ERROR_NONE) return -1;
  jint line = -1;
  jlocation best = -1;
  for (jint i = 0; i < count; i++)
    if (lines[i].start_location <= location && lines[i].start_location > best) {
      best = lines[i].start_location;
      line = lines[i].line_number;
    }
  release(lines);
  return line;
}

/* The innermost frames of a thread, at most `depth`, each a method and a line; false if there is no trace. */
bool put_trace(buffer *to, jthread thread, int depth) {
  jvmtiFrameInfo frames[1024];
  jint count = 0;
  if (depth > 1024) depth = 1024;
  bool found = (*jvmti)->GetStackTrace(jvmti, thread, 0, depth, frames, &count) == JVMTI_ERROR_NONE;
  if (!found) count = 0;
  put_varint(to, (uint64_t)count);
  for (jint i = 0; i < count; i++) {
    put_varint(to, method_number(frames[i].method));
    put_signed(to, line_of(frames[i].method, frames[i].location));
  }
  return found;
}

/* JVMPI's code of the elements of an array, by the letter of their signature. */
int element_code(char letter) {
  static const char letters[] = "ZCFDBSIJ"; /* JVMPI_BOOLEAN 4 … JVMPI_LONG 11 */
  const char *found = strchr(letters, letter);
  return found == NULL || letter == '\0' ? 2 : 4 + (int)(found - letters);
}

/*
 * An allocation: class, kind, bytes, object. As with the VMs of the document, the class of an array is not given; `type` is
 * that of the object.
 */
int put_allocation(buffer *to, jobject object, jclass type, jlong size) {
  char *signature = NULL;
  if ((*jvmti)->GetClassSignature(jvmti, type, &signature, NULL) != JVMTI_ERROR_NONE) return FAIL;
  int kind = signature[0] == '[' ? element_code(signature[1]) : 0;
  bool is_class = strcmp(signature, "Ljava/lang/Class;") == 0;
  release(signature);
  put_varint(to, kind == 0 ? (uint64_t)tag_of(type, true) : 0);
  put_u8(to, (uint8_t)kind);
  put_varint(to, (uint64_t)size);
  put_varint(to, (uint64_t)tag_of(object, is_class));
  return SUCCESS;
}

/* What the front end asked for beside each event of this number: trace, CPU time of the thread. Gives the bit EXTRAS. */
int put_extras(buffer *to, int number, jthread thread) {
  int depth = atomic_load(&trace_depth[number]);
  bool cpu = atomic_load(&wants_cpu[number]) != 0;
  if (depth == 0 && !cpu) return 0;
  put_u8(to, (uint8_t)((depth > 0 ? 1 : 0) | (cpu ? 2 : 0)));
  if (depth > 0) put_trace(to, thread, depth);
  if (cpu) {
    jlong time = 0;
    if (thread == NULL || (*jvmti)->GetThreadCpuTime(jvmti, thread, &time) != JVMTI_ERROR_NONE) time = 0;
    put_varint(to, (uint64_t)time);
  }
  return EXTRAS;
}
