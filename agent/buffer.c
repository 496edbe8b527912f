/* Bytes of frames and records, memory of events, and a table by ids. Numbers are little-endian; varints have 7 bits a byte, the lowest first. */
#include "buffer.h"

static bool reserve(buffer *to, size_t more) {
  if (to->failed) return false;
  if (to->length + more <= to->room) return true;
  size_t room = to->room == 0 ? 256 : to->room;
  while (room < to->length + more) room *= 2;
  uint8_t *bytes = realloc(to->bytes, room);
  to->failed = bytes == NULL;
  if (to->failed) return false;
  to->bytes = bytes;
  to->room = room;
  return true;
}

/* `bytes` NULL: zeros. */
void put_bytes(buffer *to, const void *bytes, size_t length) {
  if (length == 0 || !reserve(to, length)) return;
  if (bytes == NULL) memset(to->bytes + to->length, 0, length);
  else memcpy(to->bytes + to->length, bytes, length);
  to->length += length;
}

void put_u8(buffer *to, uint8_t value) { put_bytes(to, &value, 1); }

void put_u32(buffer *to, uint32_t value) {
  uint8_t bytes[4];
  for (int i = 0; i < 4; i++) bytes[i] = (uint8_t)(value >> (8 * i));
  put_bytes(to, bytes, 4);
}

/* At most 10 bytes. */
size_t write_varint(uint8_t *to, uint64_t value) {
  size_t length = 0;
  for (; value >= 0x80; value >>= 7) to[length++] = (uint8_t)(value | 0x80);
  to[length++] = (uint8_t)value;
  return length;
}

void put_varint(buffer *to, uint64_t value) {
  uint8_t bytes[10];
  put_bytes(to, bytes, write_varint(bytes, value));
}

/* Small negative numbers stay small. */
void put_signed(buffer *to, int64_t value) { put_varint(to, ((uint64_t)value << 1) ^ (uint64_t)(value >> 63)); }

/* Length + 1 and the bytes, or 0 for NULL. */
void put_string(buffer *to, const char *text) {
  size_t length = text == NULL ? 0 : strlen(text);
  put_varint(to, text == NULL ? 0 : (uint64_t)length + 1);
  put_bytes(to, text, length);
}

void drop_buffer(buffer *of) {
  free(of->bytes);
  memset(of, 0, sizeof *of);
}

typedef struct part {
  struct part *before;
  max_align_t bytes[];
} part;

/* Memory until pool_drop, zeroed; NULL if memory ran out. */
void *pool_take(pool *of, size_t bytes) {
  part *made = calloc(1, sizeof *made + bytes);
  if (made == NULL) return NULL;
  made->before = of->last;
  of->last = made;
  return made->bytes;
}

/* A copy; of NULL, too, an empty text: agents print names without a look. */
char *pool_text(pool *of, const char *text) {
  static char nothing[1];
  size_t length = text == NULL ? 0 : strlen(text);
  char *copy = length == 0 ? NULL : pool_take(of, length + 1);
  return copy == NULL ? nothing : memcpy(copy, text, length);
}

void pool_drop(pool *of) {
  for (part *at = of->last, *before; at != NULL; at = before) {
    before = at->before;
    free(at);
  }
  of->last = NULL;
}

static struct tagged *slot_of(struct tagged *in, size_t mask, jlong tag) {
  size_t at = (size_t)((uint64_t)tag * 0x9e3779b97f4a7c15u >> 16) & mask;
  while (in[at].tag != 0 && in[at].tag != tag) at = (at + 1) & mask;
  return &in[at];
}

size_t *map_place(tag_map *of, jlong tag) {
  if (of->slots == NULL || of->count * 2 > of->mask) {
    size_t slots = of->slots == NULL ? 1024 : (of->mask + 1) * 2;
    struct tagged *made = calloc(slots, sizeof *made);
    if (made == NULL) return NULL;
    for (size_t i = 0; of->slots != NULL && i <= of->mask; i++)
      if (of->slots[i].tag != 0) *slot_of(made, slots - 1, of->slots[i].tag) = of->slots[i];
    free(of->slots);
    of->slots = made;
    of->mask = slots - 1;
  }
  struct tagged *slot = slot_of(of->slots, of->mask, tag);
  if (slot->tag == 0) of->count++;
  slot->tag = tag;
  return &slot->value;
}

uint64_t now_ns(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

/* For waits that end at a time. */
struct timespec in_ms(uint64_t ms) {
  struct timespec time;
  clock_gettime(CLOCK_REALTIME, &time);
  uint64_t ns = (uint64_t)time.tv_nsec + ms % 1000 * 1000000;
  return (struct timespec){time.tv_sec + (time_t)(ms / 1000 + ns / 1000000000), (long)(ns % 1000000000)};
}
