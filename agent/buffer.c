/* Bytes of frames and records. Numbers are little-endian; varints have 7 bits a byte, the lowest first. */
#include "agent.h"
#include <stdlib.h>
#include <string.h>

static bool reserve(buffer *to, size_t more) {
  if (to->failed) return false;
  if (to->length + more <= to->room) return true;
  size_t room = to->room == 0 ? 256 : to->room;
  while (room < to->length + more) room *= 2;
  uint8_t *bytes = realloc(to->bytes, room);
  if (bytes == NULL) {
    to->failed = true;
    return false;
  }
  to->bytes = bytes;
  to->room = room;
  return true;
}

void put_bytes(buffer *to, const void *bytes, size_t length) {
  if (length == 0 || !reserve(to, length)) return;
  memcpy(to->bytes + to->length, bytes, length);
  to->length += length;
}

void put_u8(buffer *to, uint8_t value) { put_bytes(to, &value, 1); }

void put_u32(buffer *to, uint32_t value) {
  uint8_t bytes[4];
  for (int i = 0; i < 4; i++) bytes[i] = (uint8_t)(value >> (8 * i));
  put_bytes(to, bytes, 4);
}

void put_u64(buffer *to, uint64_t value) {
  put_u32(to, (uint32_t)value);
  put_u32(to, (uint32_t)(value >> 32));
}

/* At most 10 bytes. */
size_t write_varint(uint8_t *to, uint64_t value) {
  size_t length = 0;
  while (value >= 0x80) {
    to[length++] = (uint8_t)(value | 0x80);
    value >>= 7;
  }
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
  if (text == NULL) {
    put_varint(to, 0);
    return;
  }
  size_t length = strlen(text);
  put_varint(to, (uint64_t)length + 1);
  put_bytes(to, text, length);
}

void drop_buffer(buffer *of) {
  free(of->bytes);
  memset(of, 0, sizeof *of);
}
