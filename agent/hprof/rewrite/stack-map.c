/* Frames of StackMapTable: their places and those of `new` instructions move. */
#include "rewrite.h"

enum { OBJECT = 7, UNFINISHED = 8 };
enum { SAME_LOCALS = 64, RESERVED = 128, SAME_LOCALS_FAR = 247, CHOP = 248, SAME_FAR = 251, APPEND = 252, FULL = 255 };

static bool move_types(byte_reader *from, uint32_t count, const code_places *places, buffer *to) {
  for (uint32_t i = 0; i < count && !from->failed; i++) {
    uint32_t tag = read_u8(from), value = 0;
    if (tag > UNFINISHED) return false;
    put_u8(to, (uint8_t)tag);
    if (tag < OBJECT) continue;
    value = read_u16(from);
    if (tag == UNFINISHED && (value >= places->length || places->at[value] == NOWHERE)) return false;
    put_u16_be(to, tag == UNFINISHED ? places->at[value] : value);
  }
  return !from->failed;
}

/* The parts of a frame behind its offset: types of locals and of the stack; whole: with counts. */
typedef struct {
  uint32_t kind, delta, locals, stack;
  bool whole;
} frame_head;

static frame_head read_head(byte_reader *from) {
  frame_head head = {.kind = read_u8(from)};
  uint32_t kind = head.kind;
  if (kind < SAME_LOCALS) head.delta = kind;
  else if (kind < RESERVED) head.delta = kind - SAME_LOCALS;
  else if (kind >= SAME_LOCALS_FAR) head.delta = read_u16(from);
  else from->failed = true;
  if ((kind >= SAME_LOCALS && kind < RESERVED) || kind == SAME_LOCALS_FAR) head.stack = 1;
  if (kind >= APPEND && kind < FULL) head.locals = kind - SAME_FAR;
  head.whole = kind == FULL;
  return head;
}

/* Writes the head with another offset, in the long form where the short one has no room. */
static void put_head(buffer *to, const frame_head *head, uint32_t delta) {
  uint32_t kind = head->kind;
  bool is_same = kind < SAME_LOCALS || kind == SAME_FAR, is_stack = head->stack == 1 && !head->whole;
  if (is_same && delta < SAME_LOCALS) put_u8(to, (uint8_t)delta);
  else if (is_stack && delta < SAME_LOCALS) put_u8(to, (uint8_t)(SAME_LOCALS + delta));
  else {
    put_u8(to, (uint8_t)(is_same ? SAME_FAR : is_stack ? SAME_LOCALS_FAR : kind));
    put_u16_be(to, delta);
  }
}

/* Moves one frame; `last` is the place of the frame before it, or NOWHERE. */
static bool move_frame(byte_reader *from, const code_places *places, uint32_t *old, uint32_t *last, buffer *to) {
  frame_head head = read_head(from);
  *old = *old == NOWHERE ? head.delta : *old + head.delta + 1;
  if (from->failed || *old >= places->length || places->target[*old] == NOWHERE) return false;
  uint32_t place = places->target[*old];
  put_head(to, &head, *last == NOWHERE ? place : place - *last - 1);
  *last = place;
  if (head.whole) put_u16_be(to, head.locals = read_u16(from));
  if (!move_types(from, head.locals, places, to)) return false;
  if (head.whole) put_u16_be(to, head.stack = read_u16(from));
  return move_types(from, head.stack, places, to);
}

bool move_frames(byte_reader frames, const code_places *places, buffer *to) {
  uint32_t count = read_u16(&frames), old = NOWHERE, last = NOWHERE;
  put_u16_be(to, count);
  for (uint32_t i = 0; i < count; i++)
    if (!move_frame(&frames, places, &old, &last, to)) return false;
  return !frames.failed;
}
