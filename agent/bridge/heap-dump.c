/*
 * HEAP_DUMP and OBJECT_DUMP (§4.2, §4.3). The VM tells references and values while it stands still: an object gets its record when it is
 * seen first, with zeros, and each value is then put into its place. So the dump is one moment of the heap.
 */
#include "layout.h"
#include <stdlib.h>
#include <string.h>

typedef struct {
  jlong tag;
  size_t at; /* where the values of its record begin, plus 1 */
} place;

typedef struct {
  jlong tag;
  JNIEnv *env;
  jint frames;
} dump_thread;

typedef struct {
  jint level;
  bool failed, one_object;
  layouts classes;
  buffer roots, records;
  place *places; /* a hash table */
  size_t mask, count;
  dump_thread *threads;
  size_t thread_count;
} dump;

void put_big(buffer *to, uint64_t value, int bytes) {
  uint8_t out[8];
  for (int i = 0; i < bytes; i++) out[i] = (uint8_t)(value >> (8 * (bytes - 1 - i)));
  put_bytes(to, out, (size_t)bytes);
}

/* Pointers and ids are as they are in memory. */
void put_word(buffer *to, const void *value) { put_bytes(to, &value, sizeof value); }

static void put_id(buffer *to, jlong tag) { put_word(to, (const void *)(intptr_t)tag); }

static void put_zeros(buffer *to, size_t count) {
  static const uint8_t zeros[256];
  for (size_t left = count; left > 0;) {
    size_t part = left < sizeof zeros ? left : sizeof zeros;
    put_bytes(to, zeros, part);
    left -= part;
  }
}

static place *slot_of(place *in, size_t mask, jlong tag) {
  size_t at = (size_t)((uint64_t)tag * 0x9e3779b97f4a7c15u >> 16) & mask;
  while (in[at].tag != 0 && in[at].tag != tag) at = (at + 1) & mask;
  return &in[at];
}

static bool grow(dump *to) {
  size_t slots = to->places == NULL ? 4096 : (to->mask + 1) * 2;
  place *made = calloc(slots, sizeof *made);
  if (made == NULL) return false;
  for (size_t i = 0; to->places != NULL && i <= to->mask; i++)
    if (to->places[i].tag != 0) *slot_of(made, slots - 1, to->places[i].tag) = to->places[i];
  free(to->places);
  to->places = made;
  to->mask = slots - 1;
  return true;
}

static void put_class_record(dump *to, const class_layout *of) {
  buffer *out = &to->records;
  put_u8(out, JVMPI_GC_CLASS_DUMP);
  /* Class, class above, loader, signers, protection domain, name, reserved. */
  const jlong ids[] = {of->tag, of->above, of->loader, 0, 0, 0, 0};
  for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) put_id(out, ids[i]);
  put_big(out, of->object_bytes, 4);
  for (jint i = 0; i < of->interface_count; i++) put_id(out, of->interfaces[i]);
  put_big(out, 0, 2);
}

/* The record of an object without its values; `length` is that of an array, else -1. Gives the bytes of the values. */
static size_t put_head(dump *to, jlong tag, jlong class_tag, jint length) {
  buffer *out = &to->records;
  const class_layout *of = layout_of(&to->classes, class_tag);
  const class_layout *self = class_tag == to->classes.class_of_classes ? layout_of(&to->classes, tag) : NULL;
  char letter = of != NULL && length >= 0 && of->signature[0] == '[' ? of->signature[1] : '\0';
  if (to->level == JVMPI_DUMP_LEVEL_0) {
    put_u8(out, (uint8_t)(letter == '\0' ? JVMPI_NORMAL_OBJECT : element_code(letter)));
    put_id(out, tag);
    return 0;
  }
  /* The others are objects only: no CLASS_LOAD has told their fields. */
  if (self != NULL && self->signature[0] == 'L' && self->prepared) {
    put_class_record(to, self);
    return self->static_bytes;
  }
  bool of_objects = letter == 'L' || letter == '[';
  put_u8(out, letter == '\0' ? JVMPI_GC_INSTANCE_DUMP : of_objects ? JVMPI_GC_OBJ_ARRAY_DUMP : JVMPI_GC_PRIM_ARRAY_DUMP);
  put_id(out, tag);
  if (letter == '\0') {
    uint32_t bytes = of == NULL ? 0 : of->object_bytes;
    put_id(out, class_tag);
    put_big(out, bytes, 4);
    return bytes;
  }
  put_big(out, (uint64_t)length, 4);
  if (of_objects) put_id(out, of->element);
  else put_u8(out, (uint8_t)element_code(letter));
  return (size_t)length * (size_t)value_bytes(letter, to->level);
}

/* The place of the values of an object, which gets its record on first sight; NULL if memory ran out. */
static uint8_t *values_of(dump *to, jlong tag, jlong class_tag, jint length, bool may_add) {
  if (to->failed) return NULL;
  if ((to->places == NULL || to->count * 2 > to->mask) && !grow(to)) {
    to->failed = true;
    return NULL;
  }
  place *slot = slot_of(to->places, to->mask, tag);
  if (slot->tag == 0) {
    if (!may_add) return NULL;
    size_t bytes = put_head(to, tag, class_tag, length);
    *slot = (place){.tag = tag, .at = to->records.length + 1};
    to->count++;
    put_zeros(&to->records, bytes);
    to->failed = to->failed || to->records.failed;
  }
  return to->failed ? NULL : to->records.bytes + slot->at - 1;
}

static const dump_thread *dump_thread_of(const dump *in, jlong tag) {
  for (size_t i = 0; i < in->thread_count; i++)
    if (in->threads[i].tag == tag) return &in->threads[i];
  return NULL;
}

/* Frames count from the outermost, 1; -1: the thread has none. */
static void put_root(dump *to, jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo *info, jlong tag) {
  if (to->level == JVMPI_DUMP_LEVEL_0) return;
  bool java = kind == JVMTI_HEAP_REFERENCE_STACK_LOCAL, jni = kind == JVMTI_HEAP_REFERENCE_JNI_LOCAL;
  jlong thread_tag = java  ? info->stack_local.thread_tag
                     : jni ? info->jni_local.thread_tag
                           : kind == JVMTI_HEAP_REFERENCE_THREAD ? tag : 0;
  jint depth = java ? info->stack_local.depth : jni ? info->jni_local.depth : 0;
  const dump_thread *of = dump_thread_of(to, thread_tag);
  int root = java                                            ? JVMPI_GC_ROOT_JAVA_FRAME
             : jni                                           ? JVMPI_GC_ROOT_JNI_LOCAL
             : kind == JVMTI_HEAP_REFERENCE_JNI_GLOBAL       ? JVMPI_GC_ROOT_JNI_GLOBAL
             : kind == JVMTI_HEAP_REFERENCE_SYSTEM_CLASS     ? JVMPI_GC_ROOT_STICKY_CLASS
             : kind == JVMTI_HEAP_REFERENCE_MONITOR          ? JVMPI_GC_ROOT_MONITOR_USED
             : kind == JVMTI_HEAP_REFERENCE_THREAD           ? JVMPI_GC_ROOT_THREAD_BLOCK
                                                             : JVMPI_GC_ROOT_UNKNOWN;
  put_u8(&to->roots, (uint8_t)root);
  put_id(&to->roots, tag);
  if (root == JVMPI_GC_ROOT_JNI_GLOBAL) put_id(&to->roots, 0); /* JVMTI does not tell the reference */
  if (java || jni || root == JVMPI_GC_ROOT_THREAD_BLOCK) put_word(&to->roots, of == NULL ? NULL : of->env);
  if (!java && !jni) return;
  jint frame = of == NULL || of->frames == 0 ? -1 : of->frames - depth < 1 ? 1 : of->frames - depth;
  put_big(&to->roots, (uint32_t)frame, 4);
}

static bool is_root(jvmtiHeapReferenceKind kind) { return kind >= JVMTI_HEAP_REFERENCE_JNI_GLOBAL; }

static jint JNICALL on_reference(jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo *info, jlong class_tag,
                                 jlong referrer_class_tag, jlong size, jlong *tag, jlong *referrer, jint length,
                                 void *data) {
  (void)size;
  dump *to = data;
  if (*tag == 0) *tag = new_tag(false);
  if (!to->one_object) values_of(to, *tag, class_tag, length, true);
  if (is_root(kind)) put_root(to, kind, info, *tag);
  jint next = to->one_object ? 0 : JVMTI_VISIT_OBJECTS;
  if (to->failed) return JVMTI_VISIT_ABORT;
  if (referrer == NULL || *referrer == 0 || to->level == JVMPI_DUMP_LEVEL_0) return next;
  uint8_t *values = values_of(to, *referrer, 0, -1, false);
  const void *id = (const void *)(intptr_t)*tag;
  uint32_t offset = 0;
  char letter = '\0';
  bool is_static = kind == JVMTI_HEAP_REFERENCE_STATIC_FIELD;
  const class_layout *of = layout_of(&to->classes, is_static ? *referrer : referrer_class_tag);
  if (values == NULL || of == NULL) return next;
  if (is_static || kind == JVMTI_HEAP_REFERENCE_FIELD) {
    if (find_field(of, info->field.index, is_static, &offset, &letter) == NULL) return next;
    if (letter == 'L' || letter == '[') memcpy(values + offset, &id, sizeof id);
  } else if (kind == JVMTI_HEAP_REFERENCE_ARRAY_ELEMENT) {
    memcpy(values + (size_t)info->array.index * sizeof id, &id, sizeof id);
  } else if (kind == JVMTI_HEAP_REFERENCE_PROTECTION_DOMAIN || kind == JVMTI_HEAP_REFERENCE_SIGNERS) {
    /* Of a class: its record has these ids before interfaces and values. */
    const class_layout *self = layout_of(&to->classes, *referrer);
    if (self == NULL || self->signature[0] != 'L' || !self->prepared) return next;
    size_t words = (kind == JVMTI_HEAP_REFERENCE_SIGNERS ? 4 : 3) + (size_t)self->interface_count;
    memcpy(values - 2 - 4 - words * sizeof id, &id, sizeof id);
  }
  return next;
}

static void put_value(uint8_t *to, char letter, jvalue value) {
  int bytes = value_bytes(letter, JVMPI_DUMP_LEVEL_2);
  uint64_t bits = bytes == 8 ? (uint64_t)value.j : bytes == 4 ? (uint32_t)value.i : bytes == 2 ? value.c : value.z;
  for (int i = 0; i < bytes; i++) to[i] = (uint8_t)(bits >> (8 * (bytes - 1 - i)));
}

static jint JNICALL on_value(jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo *info, jlong class_tag,
                             jlong *tag, jvalue value, jvmtiPrimitiveType type, void *data) {
  (void)type;
  dump *to = data;
  bool is_static = kind == JVMTI_HEAP_REFERENCE_STATIC_FIELD;
  uint32_t offset = 0;
  char letter = '\0';
  uint8_t *values = *tag == 0 ? NULL : values_of(to, *tag, 0, -1, false);
  const class_layout *of = layout_of(&to->classes, is_static ? *tag : class_tag);
  if (values != NULL && of != NULL && find_field(of, info->field.index, is_static, &offset, &letter) != NULL)
    put_value(values + offset, letter, value);
  return to->failed ? JVMTI_VISIT_ABORT : 0;
}

static jint JNICALL on_elements(jlong class_tag, jlong size, jlong *tag, jint count, jvmtiPrimitiveType type,
                                const void *elements, void *data) {
  (void)class_tag, (void)size;
  dump *to = data;
  uint8_t *values = *tag == 0 ? NULL : values_of(to, *tag, 0, -1, false);
  size_t bytes = (size_t)value_bytes((char)type, JVMPI_DUMP_LEVEL_2);
  const uint8_t *from = elements;
  const uint16_t one = 1;
  bool little = *(const uint8_t *)&one == 1;
  for (size_t i = 0; values != NULL && i < (size_t)count; i++)
    for (size_t k = 0; k < bytes; k++) values[i * bytes + k] = from[i * bytes + (little ? bytes - 1 - k : k)];
  return to->failed ? JVMTI_VISIT_ABORT : 0;
}

static void take_threads(dump *to, JNIEnv *jni, pool *memory, JVMPI_CallTrace **traces) {
  size_t room = bridge_threads(jni, NULL, 0);
  bridge_thread **threads = pool_take(memory, (room + 1) * sizeof *threads);
  to->threads = pool_take(memory, (room + 1) * sizeof *to->threads);
  *traces = pool_take(memory, (room + 1) * sizeof **traces);
  if (threads == NULL || to->threads == NULL || *traces == NULL) return;
  size_t count = bridge_threads(jni, threads, room);
  for (size_t i = 0; i < count && i < room; i++) {
    if (threads[i]->thread == NULL) continue;
    JVMPI_CallFrame frames[1024];
    jint found = bridge_trace(threads[i]->thread, 1024, frames);
    JVMPI_CallFrame *kept = pool_take(memory, (size_t)found * sizeof *kept + 1);
    if (kept == NULL) continue;
    memcpy(kept, frames, (size_t)found * sizeof *kept);
    (*traces)[to->thread_count] = (JVMPI_CallTrace){threads[i]->env, found, kept};
    to->threads[to->thread_count++] =
        (dump_thread){.tag = tag_of(threads[i]->thread, false), .env = threads[i]->env, .frames = found};
  }
}

static bool follow(dump *to, jobject from) {
  jvmtiHeapCallbacks callbacks = {.heap_reference_callback = on_reference};
  if (to->level == JVMPI_DUMP_LEVEL_2) {
    callbacks.primitive_field_callback = on_value;
    callbacks.array_primitive_value_callback = on_elements;
  }
  return (*jvmti)->FollowReferences(jvmti, 0, NULL, from, &callbacks, to) == JVMTI_ERROR_NONE && !to->failed;
}

static void drop(dump *of) {
  layouts_drop(&of->classes);
  drop_buffer(&of->roots);
  drop_buffer(&of->records);
  free(of->places);
}

jint heap_dump(JNIEnv *jni, jint level) {
  dump made = {.level = level};
  pool memory = {0};
  JVMPI_CallTrace *traces = NULL;
  bool whole = layouts_make(&made.classes, jni, level);
  if (whole && level != JVMPI_DUMP_LEVEL_0) take_threads(&made, jni, &memory, &traces);
  whole = whole && follow(&made, NULL);
  put_bytes(&made.roots, made.records.bytes, made.records.length);
  whole = whole && !made.roots.failed;
  JVMPI_Event event = {0};
  event.u.heap_dump.dump_level = level;
  event.u.heap_dump.begin = (char *)made.roots.bytes;
  event.u.heap_dump.end = (char *)made.roots.bytes + made.roots.length;
  event.u.heap_dump.num_traces = (jint)made.thread_count;
  event.u.heap_dump.traces = traces;
  if (whole) notify(JVMPI_EVENT_HEAP_DUMP | JVMPI_REQUESTED_EVENT, jni, &event);
  pool_drop(&memory);
  drop(&made);
  return whole ? JVMPI_SUCCESS : JVMPI_FAIL;
}

jint object_dump(JNIEnv *jni, jobject object) {
  dump made = {.level = JVMPI_DUMP_LEVEL_2, .one_object = true};
  jclass type = (*jni)->GetObjectClass(jni, object);
  bool whole = layouts_make(&made.classes, jni, made.level);
  jlong class_tag = tag_of(type, true);
  const class_layout *of = whole ? layout_of(&made.classes, class_tag) : NULL;
  jint length = of != NULL && of->signature[0] == '[' ? (*jni)->GetArrayLength(jni, object) : -1;
  whole = whole && values_of(&made, (jlong)(intptr_t)id_of(object), class_tag, length, true) != NULL &&
          follow(&made, object);
  (*jni)->DeleteLocalRef(jni, type);
  JVMPI_Event event = {0};
  event.u.object_dump.data = (char *)made.records.bytes;
  event.u.object_dump.data_len = (jint)made.records.length;
  if (whole) notify(JVMPI_EVENT_OBJECT_DUMP | JVMPI_REQUESTED_EVENT, jni, &event);
  drop(&made);
  return whole ? JVMPI_SUCCESS : JVMPI_FAIL;
}
