/* Class files as bytes; bounds are checked here only. */
#include "class-bytes.h"
#include <string.h>

enum { UTF8 = 1, LONG = 5, DOUBLE = 6, CLASS = 7, METHOD = 10, NAME_AND_TYPE = 12 };

/* Bytes behind the tag of each kind of entry; 0: no such kind. */
static const uint8_t ENTRY_BYTES[] = {0, 2, 0, 4, 4, 8, 8, 2, 2, 4, 4, 4, 4, 0, 0, 3, 2, 4, 4, 2, 2};

static bool has(byte_reader *from, size_t length) {
  if (from->length - from->at < length) from->failed = true;
  return !from->failed;
}

uint32_t read_u8(byte_reader *from) { return has(from, 1) ? from->bytes[from->at++] : 0; }

uint32_t read_u16(byte_reader *from) {
  uint32_t high = read_u8(from);
  return high << 8 | read_u8(from);
}

uint32_t read_u32(byte_reader *from) {
  uint32_t high = read_u16(from);
  return high << 16 | read_u16(from);
}

byte_reader read_part(byte_reader *from, size_t length) {
  if (!has(from, length)) return (byte_reader){.failed = true};
  byte_reader part = {.bytes = from->bytes + from->at, .length = length};
  from->at += length;
  return part;
}

void put_u16_be(buffer *to, uint32_t value) {
  uint8_t bytes[2] = {(uint8_t)(value >> 8), (uint8_t)value};
  put_bytes(to, bytes, 2);
}

void put_u32_be(buffer *to, uint32_t value) {
  put_u16_be(to, value >> 16);
  put_u16_be(to, value & 0xffff);
}

void put_text(buffer *to, const char *text) {
  put_u8(to, UTF8);
  put_u16_be(to, (uint32_t)strlen(text));
  put_bytes(to, text, strlen(text));
}

void put_class_of(buffer *to, uint32_t name) {
  put_u8(to, CLASS);
  put_u16_be(to, name);
}

void patch_u16_be(buffer *to, size_t at, uint32_t value) {
  if (to->failed || at + 2 > to->length) return;
  to->bytes[at] = (uint8_t)(value >> 8);
  to->bytes[at + 1] = (uint8_t)value;
}

void patch_u32_be(buffer *to, size_t at, uint32_t value) {
  patch_u16_be(to, at, value >> 16);
  patch_u16_be(to, at + 2, value & 0xffff);
}

bool read_pool(byte_reader *from, class_pool *pool) {
  *pool = (class_pool){.bytes = from->bytes, .length = from->length, .count = (uint16_t)read_u16(from)};
  pool->places = calloc((size_t)pool->count + 1, sizeof *pool->places);
  if (pool->places == NULL) return false;
  for (uint32_t i = 1; i < pool->count && !from->failed; i++) {
    pool->places[i] = (uint32_t)from->at;
    uint32_t tag = read_u8(from);
    if (tag >= sizeof ENTRY_BYTES || ENTRY_BYTES[tag] == 0) from->failed = true;
    else if (tag == UTF8) read_part(from, read_u16(from));
    else read_part(from, ENTRY_BYTES[tag]);
    /* The place behind a long or double is no entry. */
    if (tag == LONG || tag == DOUBLE) i++;
  }
  return !from->failed;
}

/* A reader behind the tag of an entry; failed if the entry is of another kind. */
static byte_reader entry(const class_pool *pool, uint32_t index, uint32_t kind) {
  byte_reader from = {.bytes = pool->bytes, .length = pool->length};
  from.at = index < pool->count ? pool->places[index] : 0;
  uint32_t tag = from.at == 0 ? 0 : read_u8(&from);
  if (tag != kind) from.failed = true;
  return from;
}

class_text text_at(const class_pool *pool, uint32_t index) {
  byte_reader from = entry(pool, index, UTF8);
  byte_reader text = read_part(&from, read_u16(&from));
  return text.failed || from.failed ? (class_text){"", 0} : (class_text){(const char *)text.bytes, text.length};
}

class_text class_name_at(const class_pool *pool, uint32_t index) {
  byte_reader from = entry(pool, index, CLASS);
  uint32_t name = read_u16(&from);
  return from.failed ? (class_text){"", 0} : text_at(pool, name);
}

member_text method_at(const class_pool *pool, uint32_t index) {
  byte_reader from = entry(pool, index, METHOD);
  uint32_t type = read_u16(&from), pair = read_u16(&from);
  byte_reader names = entry(pool, from.failed ? 0 : pair, NAME_AND_TYPE);
  uint32_t name = read_u16(&names), descriptor = read_u16(&names);
  if (from.failed || names.failed) return (member_text){{"", 0}, {"", 0}, {"", 0}};
  return (member_text){class_name_at(pool, type), text_at(pool, name), text_at(pool, descriptor)};
}

bool is_text(class_text text, const char *expected) {
  return text.length == strlen(expected) && memcmp(text.bytes, expected, text.length) == 0;
}
