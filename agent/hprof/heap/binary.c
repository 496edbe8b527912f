/* Records of format=b: one byte of kind, microseconds since the head, length and contents, all big-endian. */
#include "binary.h"

/* Serials of classes and ids of frames begin behind these. */
#define FIRST_CLASS 100000u
#define FIRST_FRAME 500000u

static uint64_t began;
static uint32_t empty_trace;
static tag_map frames; /* by method and place in its code */
static uint32_t frame_count;

/* Texts by what they say: their ids are their places, from 1. */
static char **texts;
static size_t text_count, text_room;
static uint32_t *slots;
static size_t mask;

void write_record(FILE *to, uint8_t kind, const buffer *body) {
  buffer head = {0};
  put_u8(&head, kind);
  put_u32_be(&head, (uint32_t)((now_ns() - began) / 1000));
  put_u32_be(&head, (uint32_t)body->length);
  fwrite(head.bytes, 1, head.length, to);
  if (body->length > 0) fwrite(body->bytes, 1, body->length, to);
  drop_buffer(&head);
}

/* Writes a record and lets its contents go. */
static void end_record(FILE *to, uint8_t kind, buffer *body) {
  if (!body->failed) write_record(to, kind, body);
  drop_buffer(body);
}

static size_t place_of(const uint32_t *in, size_t last, const char *text) {
  uint64_t hash = 14695981039346656037u;
  for (const char *at = text; *at != 0; at++) hash = (hash ^ (uint8_t)*at) * 1099511628211u;
  size_t at = (size_t)(hash >> 16) & last;
  while (in[at] != 0 && strcmp(texts[in[at] - 1], text) != 0) at = (at + 1) & last;
  return at;
}

static bool has_room(void) {
  if (text_count == text_room) {
    char **grown = realloc(texts, (text_room * 2 + 4096) * sizeof(char *));
    if (grown == NULL) return false;
    texts = grown;
    text_room = text_room * 2 + 4096;
  }
  if (slots != NULL && text_count * 2 < mask) return true;
  size_t length = slots == NULL ? 8192 : (mask + 1) * 2;
  uint32_t *made = calloc(length, sizeof *made);
  if (made == NULL) return false;
  for (size_t i = 0; i < text_count; i++) made[place_of(made, length - 1, texts[i])] = (uint32_t)i + 1;
  free(slots);
  slots = made;
  mask = length - 1;
  return true;
}

uint32_t text_id(FILE *to, const char *text) {
  if (text == NULL || !has_room()) return 0;
  size_t at = place_of(slots, mask, text);
  if (slots[at] != 0) return slots[at];
  texts[text_count] = strdup(text);
  if (texts[text_count] == NULL) return 0;
  slots[at] = (uint32_t)++text_count;
  buffer body = {0};
  put_u32_be(&body, slots[at]);
  put_bytes(&body, text, strlen(text));
  end_record(to, UTF8_TEXT, &body);
  return slots[at];
}

uint8_t code_of_type(char letter) {
  static const char LETTERS[] = "ZCFDBSIJ";
  const char *at = strchr(LETTERS, letter);
  return at == NULL || letter == 0 ? 2 : (uint8_t)(4 + (at - LETTERS));
}

void write_head(FILE *to) {
  struct timespec now;
  buffer head = {0}, settings = {0};
  clock_gettime(CLOCK_REALTIME, &now);
  began = now_ns();
  put_bytes(&head, "JAVA PROFILE 1.0.2", 19);
  put_u32_be(&head, 4);
  uint64_t ms = (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
  put_u32_be(&head, (uint32_t)(ms >> 32));
  put_u32_be(&head, (uint32_t)ms);
  fwrite(head.bytes, 1, head.length, to);
  drop_buffer(&head);
  put_u32_be(&settings, chosen.sites || chosen.dump ? 1 : 0);
  put_u16_be(&settings, chosen.depth);
  end_record(to, CONTROL_SETTINGS, &settings);
}

uint32_t loaded_class(FILE *to, uint32_t number) {
  heap_class *of = class_with(number);
  if (of == NULL || of->written) return of == NULL ? 0 : FIRST_CLASS + number;
  of->written = true;
  uint32_t name = text_id(to, of->name == NULL ? of->signature : of->name);
  buffer body = {0};
  put_u32_be(&body, FIRST_CLASS + number);
  put_u32_be(&body, of->serial == 0 ? 0 : FIRST_ID + of->serial);
  put_u32_be(&body, empty_trace);
  put_u32_be(&body, name);
  end_record(to, LOAD_CLASS, &body);
  return FIRST_CLASS + number;
}

/* The id of a frame, which is written before its first use. */
static uint32_t frame_id(FILE *to, const jvmtiFrameInfo *key, const frame_text *frame) {
  /* Code has less than 65,536 bytes, and addresses have 48 bits. */
  size_t *place = map_place(&frames, (jlong)((uint64_t)(uintptr_t)key->method << 16 ^ (uint64_t)(key->location & 0xffff)));
  if (place == NULL) return 0;
  if (*place != 0) return FIRST_FRAME + (uint32_t)*place;
  *place = ++frame_count;
  uint32_t id = FIRST_FRAME + frame_count;
  uint32_t name = text_id(to, frame->method), descriptor = text_id(to, frame->descriptor), source = text_id(to, frame->source);
  uint32_t type = loaded_class(to, frame->type);
  buffer body = {0};
  put_u32_be(&body, id);
  put_u32_be(&body, name);
  put_u32_be(&body, descriptor);
  put_u32_be(&body, source);
  put_u32_be(&body, type);
  put_u32_be(&body, (uint32_t)frame->line);
  end_record(to, STACK_FRAME, &body);
  return id;
}

void write_stack(FILE *to, const thread_stack *stack) {
  buffer body = {0};
  if (stack->length == 0 && empty_trace == 0) empty_trace = stack->trace;
  put_u32_be(&body, stack->trace);
  put_u32_be(&body, stack->thread);
  put_u32_be(&body, (uint32_t)stack->length);
  for (jint i = 0; i < stack->length; i++) put_u32_be(&body, frame_id(to, &stack->frames[i], &stack->texts[i]));
  end_record(to, STACK_TRACE, &body);
}

void write_thread_start(FILE *to, uint32_t serial, uint32_t object, const char *name, const char *group, const char *parent) {
  uint32_t name_id = text_id(to, name == NULL ? "" : name), group_id = text_id(to, group), parent_id = text_id(to, parent);
  buffer body = {0};
  put_u32_be(&body, serial);
  put_u32_be(&body, object);
  put_u32_be(&body, empty_trace);
  put_u32_be(&body, name_id);
  put_u32_be(&body, group_id);
  put_u32_be(&body, parent_id);
  end_record(to, START_THREAD, &body);
}

void write_thread_end(FILE *to, uint32_t serial) {
  buffer body = {0};
  put_u32_be(&body, serial);
  end_record(to, END_THREAD, &body);
}
