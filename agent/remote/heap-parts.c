/*
 * HEAP_DUMP and OBJECT_DUMP in parts, from which the front end makes the dump (docs/jvmpi-wire.md). They go to it while the VM stands still:
 * the dump takes no more memory in the program.
 */
#include "../heap.h"
#include "remote.h"

enum { ROOT = 1, OBJECT, REFERENCE, FIELD_VALUE, ARRAY_VALUES };
#define PART_BYTES (1u << 20)
/* Frames of a thread in a dump. */
#define TRACE_FRAMES 64

typedef struct {
  buffer *to;
  uint8_t *seen; /* a bit for each id that was described */
  size_t room;
  uint32_t call_id;
} parts;

static void put_tag(buffer *to, jlong tag) { put_varint(to, (uint64_t)tag); }

/* Marks an id; true if it was not marked before. */
static bool mark(parts *of, jlong tag) {
  size_t at = (size_t)tag / 8;
  if (at >= of->room) {
    size_t room = at * 2 + 4096;
    uint8_t *grown = realloc(of->seen, room);
    of->to->failed = of->to->failed || grown == NULL;
    if (grown == NULL) return false;
    memset(grown + of->room, 0, room - of->room);
    of->seen = grown;
    of->room = room;
  }
  uint8_t bit = (uint8_t)(1 << (tag & 7));
  bool is_new = (of->seen[at] & bit) == 0;
  of->seen[at] |= bit;
  return is_new;
}

static void put_object(void *data, jlong tag, jlong class_tag, jlong bytes, jint length) {
  parts *of = data;
  if (!mark(of, tag)) return;
  put_u8(of->to, OBJECT);
  put_tag(of->to, tag);
  put_tag(of->to, class_tag);
  put_varint(of->to, (uint64_t)bytes);
  put_signed(of->to, length);
}

static void put_root(void *data, jvmtiHeapReferenceKind kind, jlong tag, jlong thread, jint depth) {
  parts *of = data;
  put_u8(of->to, ROOT);
  put_u8(of->to, (uint8_t)kind);
  put_tag(of->to, tag);
  put_tag(of->to, thread);
  put_signed(of->to, depth);
}

static void put_reference(void *data, jvmtiHeapReferenceKind kind, jlong from, jlong from_class, jlong tag, jint index) {
  parts *of = data;
  put_u8(of->to, REFERENCE);
  put_u8(of->to, (uint8_t)kind);
  put_tag(of->to, from);
  put_tag(of->to, tag);
  put_varint(of->to, (uint64_t)index);
}

static void put_value(void *data, bool is_static, jlong tag, jlong class_tag, jint index, char letter, jvalue value) {
  parts *of = data;
  put_u8(of->to, FIELD_VALUE);
  put_u8(of->to, is_static);
  put_tag(of->to, tag);
  put_varint(of->to, (uint64_t)index);
  put_u8(of->to, (uint8_t)letter);
  put_bytes(of->to, &value, 8);
}

static void put_elements(void *data, jlong tag, char letter, size_t count, const void *elements) {
  parts *of = data;
  put_u8(of->to, ARRAY_VALUES);
  put_tag(of->to, tag);
  put_u8(of->to, (uint8_t)letter);
  put_varint(of->to, count);
  put_bytes(of->to, elements, (size_t)value_bytes(letter, JVMPI_DUMP_LEVEL_2) * count);
}

/* Begins the next part, behind the number of the call. */
static void begin_part(parts *of) {
  of->to->length = 0;
  put_u32(of->to, of->call_id);
}

/* Sends what there is as a part when it is long enough. True if memory ran out, or the front end does not take it. */
static bool is_over(void *data) {
  parts *of = data;
  if (of->to->failed || of->to->length < PART_BYTES) return of->to->failed;
  if (!wire_frame(PART, of->to, WAIT)) of->to->failed = true;
  else begin_part(of);
  return of->to->failed;
}

/* Number, object and trace of each thread. */
static void put_threads(buffer *to) {
  agent_thread **threads;
  JVMPI_CallFrame frames[TRACE_FRAMES];
  size_t count = all_threads(&threads);
  for (size_t i = 0; i < count; i++) {
    jobject thread = threads[i]->thread;
    if (thread == NULL) continue;
    put_varint(to, threads[i]->number);
    put_tag(to, tag_of(thread, false));
    put_frames(to, trace_of(thread, TRACE_FRAMES, frames), frames);
  }
  put_varint(to, 0);
  free(threads);
}

static void put_classes(buffer *to, const layouts *all) {
  put_varint(to, all->count);
  for (size_t i = 0; i < all->count; i++) {
    const class_layout *of = all->classes[i];
    put_tag(to, of->tag);
    put_tag(to, of->above);
    put_string(to, of->signature);
    put_varint(to, (uint64_t)of->interface_count);
    for (jint k = 0; k < of->interface_count; k++) put_tag(to, of->interfaces[k]);
    put_varint(to, (uint64_t)of->field_count);
    for (jint k = 0; k < of->field_count; k++) {
      put_u8(to, of->fields[k].is_static);
      put_u8(to, (uint8_t)of->fields[k].letter);
    }
  }
}

/* The heap, or `only` one object. Afterwards `to` is empty. False if it failed. */
bool put_heap(buffer *to, JNIEnv *jni, jint level, jobject only, uint32_t call_id) {
  static const heap_visitor VISITOR = {put_object, put_root, put_reference, put_value, put_elements, is_over};
  parts of = {.to = to, .call_id = call_id};
  layouts classes = {0};
  begin_part(&of);
  put_threads(to);
  bool whole = layouts_make(&classes, jni, level);
  if (whole) put_classes(to, &classes);
  whole = whole && walk_heap(jni, level, only, &classes, &VISITOR, &of) && wire_frame(PART, to, WAIT);
  pool_drop(&classes.memory);
  free(of.seen);
  to->length = 0;
  return whole;
}
