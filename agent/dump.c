/*
 * HEAP_DUMP, OBJECT_DUMP and MONITOR_DUMP: what the front end makes a dump of. A dump gives each object that it reaches an id. docs/jvmpi-wire.md
 * describes the records.
 */
#include "agent.h"
#include <stdlib.h>
#include <string.h>

enum { ROOT = 1, OBJECT, REFERENCE, FIELD_VALUE, ARRAY_VALUES };
#define TRACE_FRAMES 64
/* Bytes of a dump that go to the front end together, while the VM stands still: the dump takes no more memory in the program. */
#define PART_BYTES (1u << 20)

typedef struct {
  buffer *to;
  /* A bit for each id that was described. */
  uint8_t *seen;
  size_t room;
  jlong class_of_classes;
  bool follows;
  uint32_t call_id;
} walk;

static void release(void *memory) {
  if (memory != NULL) (*jvmti)->Deallocate(jvmti, memory);
}

static void put_tag(buffer *to, jlong tag) { put_varint(to, (uint64_t)tag); }

/* Marks an id; true if it was not marked before. */
static bool mark(walk *of, jlong tag) {
  size_t at = (size_t)tag / 8;
  if (at >= of->room) {
    size_t room = at * 2 + 4096;
    uint8_t *grown = realloc(of->seen, room);
    if (grown == NULL) {
      of->to->failed = true;
      return false;
    }
    memset(grown + of->room, 0, room - of->room);
    of->seen = grown;
    of->room = room;
  }
  uint8_t bit = (uint8_t)(1 << (tag & 7));
  bool is_new = (of->seen[at] & bit) == 0;
  of->seen[at] |= bit;
  return is_new;
}

static jlong describe(walk *of, jlong *tag, jlong class_tag, jlong size, jint length) {
  if (*tag == 0) *tag = new_tag(class_tag == of->class_of_classes);
  if (!mark(of, *tag)) return *tag;
  put_u8(of->to, OBJECT);
  put_tag(of->to, *tag);
  put_tag(of->to, class_tag);
  put_varint(of->to, (uint64_t)size);
  put_signed(of->to, length);
  return *tag;
}

/* Begins the next part, behind the number of the call. */
static void begin_part(walk *of) {
  of->to->length = 0;
  put_u32(of->to, of->call_id);
}

/* Sends what there is as a part when it is long enough. True if memory ran out, or the front end does not take it. */
static bool is_over(walk *of) {
  if (of->to->failed || of->to->length < PART_BYTES) return of->to->failed;
  if (!wire_frame(PART, of->to->bytes, of->to->length, WAIT)) of->to->failed = true;
  else begin_part(of);
  return of->to->failed;
}

static jint JNICALL on_reference(jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo *info, jlong class_tag,
                                 jlong referrer_class, jlong size, jlong *tag, jlong *referrer, jint length,
                                 void *data) {
  (void)referrer_class;
  walk *of = data;
  if (is_over(of)) return JVMTI_VISIT_ABORT;
  jlong to = describe(of, tag, class_tag, size, length);
  if (referrer == NULL) {
    bool local = kind == JVMTI_HEAP_REFERENCE_STACK_LOCAL, jni = kind == JVMTI_HEAP_REFERENCE_JNI_LOCAL;
    put_u8(of->to, ROOT);
    put_u8(of->to, (uint8_t)kind);
    put_tag(of->to, to);
    put_tag(of->to, local ? info->stack_local.thread_tag : jni ? info->jni_local.thread_tag : 0);
    put_signed(of->to, local ? info->stack_local.depth : jni ? info->jni_local.depth : -1);
  } else {
    bool field = kind == JVMTI_HEAP_REFERENCE_FIELD || kind == JVMTI_HEAP_REFERENCE_STATIC_FIELD;
    put_u8(of->to, REFERENCE);
    put_u8(of->to, (uint8_t)kind);
    put_tag(of->to, *referrer);
    put_tag(of->to, to);
    put_varint(of->to, field                                              ? (uint64_t)info->field.index
                       : kind == JVMTI_HEAP_REFERENCE_ARRAY_ELEMENT ? (uint64_t)info->array.index
                                                                          : 0);
  }
  return of->follows ? JVMTI_VISIT_OBJECTS : 0;
}

static jint JNICALL on_field(jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo *info, jlong class_tag,
                             jlong *tag, jvalue value, jvmtiPrimitiveType type, void *data) {
  (void)class_tag;
  walk *of = data;
  if (is_over(of)) return JVMTI_VISIT_ABORT;
  put_u8(of->to, FIELD_VALUE);
  put_u8(of->to, kind == JVMTI_HEAP_REFERENCE_STATIC_FIELD);
  put_tag(of->to, *tag);
  put_varint(of->to, (uint64_t)info->field.index);
  put_u8(of->to, (uint8_t)type);
  put_bytes(of->to, &value, 8);
  return JVMTI_VISIT_OBJECTS;
}

static size_t bytes_of(jvmtiPrimitiveType type) {
  switch (type) {
    case JVMTI_PRIMITIVE_TYPE_BOOLEAN:
    case JVMTI_PRIMITIVE_TYPE_BYTE: return 1;
    case JVMTI_PRIMITIVE_TYPE_CHAR:
    case JVMTI_PRIMITIVE_TYPE_SHORT: return 2;
    case JVMTI_PRIMITIVE_TYPE_INT:
    case JVMTI_PRIMITIVE_TYPE_FLOAT: return 4;
    default: return 8;
  }
}

static jint JNICALL on_array(jlong class_tag, jlong size, jlong *tag, jint count, jvmtiPrimitiveType type,
                             const void *values, void *data) {
  walk *of = data;
  if (is_over(of)) return JVMTI_VISIT_ABORT;
  describe(of, tag, class_tag, size, count);
  put_u8(of->to, ARRAY_VALUES);
  put_tag(of->to, *tag);
  put_u8(of->to, (uint8_t)type);
  put_varint(of->to, (uint64_t)count);
  put_bytes(of->to, values, bytes_of(type) * (size_t)count);
  return JVMTI_VISIT_OBJECTS;
}

/* Threads with an event so far: number, object, trace. */
static void put_threads(buffer *to, JNIEnv *jni) {
  uint32_t all = thread_count();
  for (uint32_t number = 1; number <= all; number++) {
    agent_thread *of = thread_by_number(number);
    jobject thread = of->thread == NULL ? NULL : (*jni)->NewLocalRef(jni, of->thread);
    if (thread == NULL || is_own(jni, thread)) continue;
    put_varint(to, number);
    put_tag(to, tag_of(thread, false));
    put_trace(to, thread, TRACE_FRAMES);
    (*jni)->DeleteLocalRef(jni, thread);
  }
  put_varint(to, 0);
}

/* A class: id, the class above, signature, interfaces, fields in the order in which JVMTI numbers them. */
static void put_shape(buffer *to, JNIEnv *jni, jclass type) {
  char *signature = NULL;
  jint count = 0, modifiers = 0;
  jclass *interfaces = NULL;
  jfieldID *fields = NULL;
  jclass above = (*jni)->GetSuperclass(jni, type);
  (*jvmti)->GetClassSignature(jvmti, type, &signature, NULL);
  put_tag(to, tag_of(type, true));
  put_tag(to, tag_of(above, true));
  put_string(to, signature);
  release(signature);
  if (above != NULL) (*jni)->DeleteLocalRef(jni, above);
  if ((*jvmti)->GetImplementedInterfaces(jvmti, type, &count, &interfaces) != JVMTI_ERROR_NONE) count = 0;
  put_varint(to, (uint64_t)count);
  for (jint i = 0; i < count; i++) {
    put_tag(to, tag_of(interfaces[i], true));
    (*jni)->DeleteLocalRef(jni, interfaces[i]);
  }
  release(interfaces);
  count = 0;
  if ((*jvmti)->GetClassFields(jvmti, type, &count, &fields) != JVMTI_ERROR_NONE) count = 0;
  put_varint(to, (uint64_t)count);
  for (jint i = 0; i < count; i++) {
    char *kind = NULL;
    (*jvmti)->GetFieldModifiers(jvmti, type, fields[i], &modifiers);
    (*jvmti)->GetFieldName(jvmti, type, fields[i], NULL, &kind, NULL);
    put_u8(to, (modifiers & 0x8) != 0);
    put_u8(to, kind == NULL ? 'L' : (uint8_t)kind[0]);
    release(kind);
  }
  release(fields);
}

static bool put_shapes(buffer *to, JNIEnv *jni) {
  jint count = 0;
  jclass *classes = NULL;
  if ((*jvmti)->GetLoadedClasses(jvmti, &count, &classes) != JVMTI_ERROR_NONE) return false;
  put_varint(to, (uint64_t)count);
  for (jint i = 0; i < count; i++) {
    put_shape(to, jni, classes[i]);
    (*jni)->DeleteLocalRef(jni, classes[i]);
  }
  release(classes);
  return true;
}

/* The heap, or with `only` one object, in parts. Level 2 has values of primitive types. */
jint put_heap(buffer *to, JNIEnv *jni, int level, jobject only, uint32_t call_id) {
  jvmtiHeapCallbacks callbacks = {.heap_reference_callback = on_reference};
  if (level == 2) {
    callbacks.primitive_field_callback = on_field;
    callbacks.array_primitive_value_callback = on_array;
  }
  jclass classes = (*jni)->FindClass(jni, "java/lang/Class");
  walk of = {.to = to, .class_of_classes = tag_of(classes, true), .follows = only == NULL, .call_id = call_id};
  begin_part(&of);
  (*jni)->DeleteLocalRef(jni, classes);
  put_threads(to, jni);
  if (!put_shapes(to, jni)) return FAIL;
  if (only != NULL) {
    jclass type = (*jni)->GetObjectClass(jni, only);
    jlong size = 0, tag = tag_of(only, known_tag(type) == of.class_of_classes);
    (*jvmti)->GetObjectSize(jvmti, only, &size);
    char *signature = NULL;
    (*jvmti)->GetClassSignature(jvmti, type, &signature, NULL);
    bool array = signature != NULL && signature[0] == '[';
    release(signature);
    describe(&of, &tag, known_tag(type), size, array ? (*jni)->GetArrayLength(jni, only) : -1);
    (*jni)->DeleteLocalRef(jni, type);
  }
  jvmtiError error = (*jvmti)->FollowReferences(jvmti, 0, NULL, only, &callbacks, &of);
  free(of.seen);
  if (error != JVMTI_ERROR_NONE || to->failed || !wire_frame(PART, to->bytes, to->length, WAIT)) return FAIL;
  to->length = 0; /* the reply has nothing more */
  return SUCCESS;
}

uint32_t number_of(JNIEnv *jni, jthread thread) {
  uint32_t all = thread_count();
  for (uint32_t number = 1; thread != NULL && number <= all; number++) {
    agent_thread *of = thread_by_number(number);
    if (of->thread != NULL && (*jni)->IsSameObject(jni, of->thread, thread)) return number;
  }
  return 0;
}

static void put_numbers(buffer *to, JNIEnv *jni, jint count, const jthread *threads, jint others,
                        const jthread *without) {
  for (jint i = 0; i < count; i++) {
    uint32_t number = number_of(jni, threads[i]);
    /* JDK 17 lists threads in Object.wait() among those that wait to enter, too. */
    for (jint k = 0; k < others; k++)
      if ((*jni)->IsSameObject(jni, threads[i], without[k])) number = 0;
    if (number != 0) put_varint(to, number);
  }
  put_varint(to, 0);
}

/* A monitor: object, owner, entries, threads that enter, threads that wait to be notified. */
static void put_monitor(buffer *to, JNIEnv *jni, jobject object) {
  jvmtiMonitorUsage usage = {0};
  if ((*jvmti)->GetObjectMonitorUsage(jvmti, object, &usage) != JVMTI_ERROR_NONE) return;
  put_tag(to, tag_of(object, false));
  put_varint(to, number_of(jni, usage.owner));
  put_varint(to, (uint64_t)usage.entry_count);
  put_numbers(to, jni, usage.waiter_count, usage.waiters, usage.notify_waiter_count, usage.notify_waiters);
  put_numbers(to, jni, usage.notify_waiter_count, usage.notify_waiters, 0, NULL);
  release(usage.waiters);
  release(usage.notify_waiters);
}

static void once(buffer *to, JNIEnv *jni, walk *of, jobject object) {
  if (object == NULL) return;
  if (mark(of, tag_of(object, false))) put_monitor(to, jni, object);
  (*jni)->DeleteLocalRef(jni, object);
}

/* All threads with their states, and the monitors that they own or wait for. */
jint put_monitors(buffer *to, JNIEnv *jni) {
  jvmtiCapabilities needs = {.can_get_monitor_info = 1};
  if ((*jvmti)->AddCapabilities(jvmti, &needs) != JVMTI_ERROR_NONE) return NOT_AVAILABLE;
  walk of = {.to = to};
  buffer states = {0};
  uint32_t all = thread_count();
  jint code = SUCCESS;
  (*jni)->PushLocalFrame(jni, 64);
  for (uint32_t number = 1; number <= all && code == SUCCESS; number++) {
    agent_thread *thread = thread_by_number(number);
    if (thread->thread == NULL || is_own(jni, thread->thread)) continue;
    put_varint(&states, number);
    if (status_of(thread->thread, &states) != SUCCESS) put_varint(&states, 0);
    put_trace(&states, thread->thread, TRACE_FRAMES);
    jint count = 0;
    jobject *owned = NULL, contended = NULL;
    jvmtiError error = (*jvmti)->GetOwnedMonitorInfo(jvmti, thread->thread, &count, &owned);
    if (error == JVMTI_ERROR_MUST_POSSESS_CAPABILITY) code = NOT_AVAILABLE;
    for (jint i = 0; error == JVMTI_ERROR_NONE && i < count; i++) once(to, jni, &of, owned[i]);
    if (error == JVMTI_ERROR_NONE) release(owned);
    if ((*jvmti)->GetCurrentContendedMonitor(jvmti, thread->thread, &contended) == JVMTI_ERROR_NONE)
      once(to, jni, &of, contended);
  }
  put_varint(to, 0);
  put_varint(&states, 0);
  put_bytes(to, states.bytes, states.length);
  if (states.failed) to->failed = true;
  drop_buffer(&states);
  free(of.seen);
  (*jni)->PopLocalFrame(jni, NULL);
  return code;
}
