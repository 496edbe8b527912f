/* Frames of StackMapTable with one more local variable behind all others: each is written whole. */
#include "allocations.h"

enum { TOP = 0, DOUBLE = 3, LONG = 4, OBJECT = 7, UNFINISHED = 8 };
enum { SAME_LOCALS = 64, RESERVED = 128, SAME_LOCALS_FAR = 247, CHOP = 248, SAME_FAR = 251, FULL = 255 };

/* Many frames with many variables that are not used: no compiler writes those. */
#define MOST_BYTES (4u << 20)

static bool read_types(byte_reader *from, frame_types *to, uint32_t count) {
  for (; count > 0 && !from->failed; count--) {
    if (to->count == to->room) return false;
    frame_type type = {.tag = (uint8_t)read_u8(from)};
    if (type.tag > UNFINISHED) return false;
    if (type.tag >= OBJECT) type.value = (uint16_t)read_u16(from);
    to->types[to->count++] = type;
  }
  return !from->failed;
}

static bool put_types(const frame_types *of, const code_places *places, buffer *to) {
  for (uint32_t i = 0; i < of->count; i++) {
    uint32_t tag = of->types[i].tag, value = of->types[i].value;
    put_u8(to, (uint8_t)tag);
    if (tag == UNFINISHED && (value >= places->length || places->at[value] == NOWHERE)) return false;
    if (tag >= OBJECT) put_u16_be(to, tag == UNFINISHED ? places->at[value] : value);
  }
  return true;
}

/* Reads a frame: its distance, and what it changes of the locals. */
static bool read_frame(byte_reader *from, uint32_t *delta, frame_types *locals, frame_types *stack) {
  uint32_t kind = read_u8(from);
  stack->count = 0;
  if (kind >= RESERVED && kind < SAME_LOCALS_FAR) return false;
  *delta = kind < SAME_LOCALS ? kind : kind < RESERVED ? kind - SAME_LOCALS : read_u16(from);
  if ((kind >= SAME_LOCALS && kind < RESERVED) || kind == SAME_LOCALS_FAR) return read_types(from, stack, 1);
  if (kind >= CHOP && kind < SAME_FAR) {
    if (locals->count < SAME_FAR - kind) return false;
    locals->count -= SAME_FAR - kind;
  }
  if (kind > SAME_FAR && kind < FULL) return read_types(from, locals, kind - SAME_FAR);
  if (kind != FULL) return !from->failed;
  locals->count = 0;
  return read_types(from, locals, read_u16(from)) && read_types(from, stack, read_u16(from));
}

static bool put_locals(const frame_types *locals, const code_places *places, const allocation_task *task, buffer *to) {
  uint32_t slots = 0;
  for (uint32_t i = 0; i < locals->count; i++) slots += locals->types[i].tag == DOUBLE || locals->types[i].tag == LONG ? 2 : 1;
  if (slots > task->local) return false;
  put_u16_be(to, locals->count + (task->local - slots) + 1);
  if (!put_types(locals, places, to)) return false;
  put_bytes(to, NULL, task->local - slots); /* TOP */
  put_u8(to, OBJECT);
  put_u16_be(to, task->counters);
  return true;
}

static bool put_frames(byte_reader *frames, const code_places *places, frame_types *locals, frame_types *stack, const allocation_task *task, buffer *to) {
  uint32_t count = read_u16(frames), old = NOWHERE, last = NOWHERE, delta = 0;
  size_t start = to->length;
  put_u16_be(to, count);
  for (uint32_t i = 0; i < count; i++) {
    if (to->length - start > MOST_BYTES) return false;
    if (!read_frame(frames, &delta, locals, stack)) return false;
    old = old == NOWHERE ? delta : old + delta + 1;
    if (old >= places->length || places->target[old] == NOWHERE) return false;
    uint32_t place = places->target[old];
    put_u8(to, FULL);
    put_u16_be(to, last == NOWHERE ? place : place - last - 1);
    last = place;
    if (!put_locals(locals, places, task, to)) return false;
    put_u16_be(to, stack->count);
    if (!put_types(stack, places, to)) return false;
  }
  return !frames->failed;
}

bool put_full_frames(byte_reader frames, const code_places *places, const frame_types *start, const allocation_task *task, uint32_t stack_words, buffer *to) {
  frame_types locals = {.count = start->count, .room = task->local}, stack = {.room = stack_words};
  if (start->count > task->local) return false;
  locals.types = malloc(((size_t)locals.room + 1) * sizeof(frame_type));
  stack.types = malloc(((size_t)stack.room + 1) * sizeof(frame_type));
  bool done = locals.types != NULL && stack.types != NULL;
  if (done && start->count > 0) memcpy(locals.types, start->types, start->count * sizeof(frame_type));
  if (done) done = put_frames(&frames, places, &locals, &stack, task, to);
  free(locals.types);
  free(stack.types);
  return done;
}
