/*
 * HEAP_DUMP and OBJECT_DUMP (§4.2, §4.3). The VM tells references and values while it stands still: an object gets its record when it is
 * seen first, with zeros, and each value is then put into its place. So the dump is one moment of the heap.
 */
#include "../heap.h"
#include "bridge.h"

typedef struct {
  jint level;
  bool failed, one_object;
  layouts classes;
  buffer roots, records;
  tag_map places;  /* of objects: where the values of the record begin, plus 1 */
  tag_map threads; /* of their objects: index in `traces`, plus 1 */
  JVMPI_CallTrace *traces;
  size_t trace_count;
} dump;

void put_big(buffer *to, uint64_t value, int bytes) {
  for (int i = bytes - 1; i >= 0; i--) put_u8(to, (uint8_t)(value >> (8 * i)));
}

/* Pointers and ids are as they are in memory. */
void put_word(buffer *to, const void *value) { put_bytes(to, &value, sizeof value); }

static void put_id(buffer *to, jlong tag) { put_word(to, (const void *)(intptr_t)tag); }

static void put_envs(buffer *to, size_t count, agent_thread *const *threads) {
  put_big(to, count, 4);
  for (size_t i = 0; i < count; i++) put_word(to, threads[i]->env);
}

void put_jvmpi_monitor(void *data, const monitor_use *use) {
  buffer *to = data;
  put_u8(to, JVMPI_MONITOR_JAVA);
  put_id(to, use->object);
  put_word(to, use->owner == NULL ? NULL : use->owner->env);
  put_big(to, (uint64_t)use->entries, 4);
  put_envs(to, use->entering_count, use->entering);
  put_envs(to, use->waiting_count, use->waiting);
}

static bool has_record(const class_layout *of) { return of != NULL && of->signature[0] == 'L' && of->prepared; }

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

/* The record of an object without its values; gives their bytes. */
static size_t put_head(dump *to, jlong tag, jlong class_tag, jint length) {
  buffer *out = &to->records;
  const class_layout *of = layout_of(&to->classes, class_tag);
  const class_layout *self = class_tag == to->classes.class_of_classes ? layout_of(&to->classes, tag) : NULL;
  char letter = of != NULL && length >= 0 && of->signature[0] == '[' ? of->signature[1] : '\0';
  if (to->level == JVMPI_DUMP_LEVEL_0) {
    put_u8(out, (uint8_t)(letter == '\0' ? JVMPI_NORMAL_OBJECT : type_code(letter)));
    put_id(out, tag);
    return 0;
  }
  /* The others are objects only: no CLASS_LOAD has told their fields. */
  if (has_record(self)) {
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
  else put_u8(out, (uint8_t)type_code(letter));
  return (size_t)length * (size_t)value_bytes(letter, to->level);
}

static void put_object(void *data, jlong tag, jlong class_tag, jlong bytes, jint length) {
  dump *to = data;
  if (to->one_object && to->records.length > 0) return;
  size_t *place = map_place(&to->places, tag);
  if (place == NULL) to->failed = true;
  if (place == NULL || *place != 0) return;
  size_t values = put_head(to, tag, class_tag, length);
  *place = to->records.length + 1;
  put_bytes(&to->records, NULL, values);
}

/* The values of an object; NULL if it has no record. */
static uint8_t *values_of(dump *to, jlong tag) {
  const size_t *place = to->records.failed ? NULL : map_place(&to->places, tag);
  return place == NULL || *place == 0 ? NULL : to->records.bytes + *place - 1;
}

/* Frames count from the outermost, 1; -1: the thread has none. */
static void put_root(void *data, jvmtiHeapReferenceKind kind, jlong tag, jlong thread_tag, jint depth) {
  static const jint ROOTS[] = {JVMPI_GC_ROOT_JNI_GLOBAL, JVMPI_GC_ROOT_STICKY_CLASS, JVMPI_GC_ROOT_MONITOR_USED,
                               JVMPI_GC_ROOT_JAVA_FRAME, JVMPI_GC_ROOT_JNI_LOCAL,    JVMPI_GC_ROOT_THREAD_BLOCK};
  dump *to = data;
  if (to->level == JVMPI_DUMP_LEVEL_0) return;
  jint root = kind <= JVMTI_HEAP_REFERENCE_THREAD ? ROOTS[kind - JVMTI_HEAP_REFERENCE_JNI_GLOBAL] : JVMPI_GC_ROOT_UNKNOWN;
  bool of_thread = root == JVMPI_GC_ROOT_THREAD_BLOCK, of_frame = root == JVMPI_GC_ROOT_JAVA_FRAME || root == JVMPI_GC_ROOT_JNI_LOCAL;
  const size_t *index = of_thread || of_frame ? map_place(&to->threads, of_thread ? tag : thread_tag) : NULL;
  const JVMPI_CallTrace *of = index == NULL || *index == 0 ? NULL : &to->traces[*index - 1];
  put_u8(&to->roots, (uint8_t)root);
  put_id(&to->roots, tag);
  if (root == JVMPI_GC_ROOT_JNI_GLOBAL) put_id(&to->roots, 0); /* JVMTI does not tell the reference */
  if (of_thread || of_frame) put_word(&to->roots, of == NULL ? NULL : of->env_id);
  if (!of_frame) return;
  jint frame = of == NULL || of->num_frames == 0 ? -1 : of->num_frames - depth < 1 ? 1 : of->num_frames - depth;
  put_big(&to->roots, (uint32_t)frame, 4);
}

static void put_reference(void *data, jvmtiHeapReferenceKind kind, jlong from, jlong from_class, jlong tag, jint index) {
  dump *to = data;
  uint8_t *values = to->level == JVMPI_DUMP_LEVEL_0 ? NULL : values_of(to, from);
  const void *id = (const void *)(intptr_t)tag;
  uint32_t offset = 0;
  char letter = '\0';
  bool is_static = kind == JVMTI_HEAP_REFERENCE_STATIC_FIELD;
  const class_layout *of = layout_of(&to->classes, is_static ? from : from_class);
  if (values == NULL || of == NULL) return;
  if (is_static || kind == JVMTI_HEAP_REFERENCE_FIELD) {
    if (!find_field(of, index, is_static, &offset, &letter)) return;
    if (letter == 'L' || letter == '[') memcpy(values + offset, &id, sizeof id);
  } else if (kind == JVMTI_HEAP_REFERENCE_ARRAY_ELEMENT) {
    memcpy(values + (size_t)index * sizeof id, &id, sizeof id);
  } else if (kind == JVMTI_HEAP_REFERENCE_PROTECTION_DOMAIN || kind == JVMTI_HEAP_REFERENCE_SIGNERS) {
    /* Of a class: its record has these ids before interfaces and values. */
    const class_layout *self = layout_of(&to->classes, from);
    if (!has_record(self)) return;
    size_t words = (kind == JVMTI_HEAP_REFERENCE_SIGNERS ? 4 : 3) + (size_t)self->interface_count;
    memcpy(values - 2 - 4 - words * sizeof id, &id, sizeof id);
  }
}

/* Values are big-endian; `from` is as the VM has them. */
static void copy_values(uint8_t *to, const uint8_t *from, size_t count, size_t bytes) {
  const uint16_t one = 1;
  bool little = *(const uint8_t *)&one == 1;
  for (size_t i = 0; i < count * bytes; i += bytes)
    for (size_t k = 0; k < bytes; k++) to[i + k] = from[i + (little ? bytes - 1 - k : k)];
}

static void put_value(void *data, bool is_static, jlong tag, jlong class_tag, jint index, char letter, jvalue value) {
  dump *to = data;
  uint32_t offset = 0;
  uint8_t *values = values_of(to, tag);
  const class_layout *of = layout_of(&to->classes, is_static ? tag : class_tag);
  if (values != NULL && of != NULL && find_field(of, index, is_static, &offset, &letter))
    copy_values(values + offset, (const uint8_t *)&value, 1, (size_t)value_bytes(letter, JVMPI_DUMP_LEVEL_2));
}

static void put_elements(void *data, jlong tag, char letter, size_t count, const void *elements) {
  uint8_t *values = values_of(data, tag);
  if (values != NULL) copy_values(values, elements, count, (size_t)value_bytes(letter, JVMPI_DUMP_LEVEL_2));
}

static bool is_over(void *data) {
  const dump *to = data;
  return to->failed || to->records.failed || to->roots.failed;
}

static const heap_visitor VISITOR = {put_object, put_root, put_reference, put_value, put_elements, is_over};

static void take_traces(dump *to) {
  agent_thread **threads;
  size_t count = all_threads(&threads);
  to->traces = all_traces(&to->classes.memory, threads, count);
  to->failed = to->traces == NULL;
  for (size_t i = 0; i < count && !to->failed; i++) {
    size_t *index = threads[i]->thread == NULL ? NULL : map_place(&to->threads, tag_of(threads[i]->thread, false));
    if (index != NULL) *index = i + 1;
  }
  to->trace_count = to->failed ? 0 : count;
  free(threads);
}

static jint end_dump(JNIEnv *jni, dump *of, jint type, bool whole, message *what) {
  if (whole) notify(thread_known(jni), type | JVMPI_REQUESTED_EVENT, what);
  pool_drop(&of->classes.memory);
  drop_buffer(&of->roots);
  drop_buffer(&of->records);
  free(of->places.slots);
  free(of->threads.slots);
  return whole ? JVMPI_SUCCESS : JVMPI_FAIL;
}

jint heap_dump(JNIEnv *jni, jint level) {
  dump made = {.level = level};
  bool whole = layouts_make(&made.classes, jni, level);
  if (whole && level != JVMPI_DUMP_LEVEL_0) take_traces(&made);
  whole = whole && walk_heap(jni, level, NULL, &made.classes, &VISITOR, &made);
  put_bytes(&made.roots, made.records.bytes, made.records.length);
  message what = {.event.u.heap_dump = {.dump_level = level, .num_traces = (jint)made.trace_count, .traces = made.traces}};
  what.event.u.heap_dump.begin = (char *)made.roots.bytes;
  what.event.u.heap_dump.end = (char *)made.roots.bytes + made.roots.length;
  return end_dump(jni, &made, JVMPI_EVENT_HEAP_DUMP, whole && !made.roots.failed, &what);
}

jint object_dump(JNIEnv *jni, jobject object) {
  dump made = {.level = JVMPI_DUMP_LEVEL_2, .one_object = true};
  bool whole = layouts_make(&made.classes, jni, made.level) &&
               walk_heap(jni, made.level, object, &made.classes, &VISITOR, &made);
  message what = {.event.u.object_dump = {(jint)made.records.length, (char *)made.records.bytes}};
  return end_dump(jni, &made, JVMPI_EVENT_OBJECT_DUMP, whole, &what);
}
