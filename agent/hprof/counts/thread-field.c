/* A field more for java.lang.Thread. */
#include "counts.h"
#include "../rewrite/class-bytes.h"

enum { PUBLIC_SYNTHETIC = 0x1001 };

buffer with_counter_field(const uint8_t *bytes, size_t length) {
  byte_reader from = {.bytes = bytes, .length = length};
  class_pool pool = {0};
  buffer to = {0};
  read_part(&from, 8);
  if (!read_pool(&from, &pool) || pool.count > UINT16_MAX - 2) return to;
  size_t pool_end = from.at;
  read_part(&from, 6);
  read_part(&from, (size_t)read_u16(&from) * 2);
  size_t fields_at = from.at;
  uint32_t fields = read_u16(&from);
  if (!from.failed && fields < UINT16_MAX) {
    put_bytes(&to, bytes, 8);
    put_u16_be(&to, pool.count + 2u);
    put_bytes(&to, bytes + 10, pool_end - 10);
    put_text(&to, COUNTER_FIELD);
    put_text(&to, "J");
    put_bytes(&to, bytes + pool_end, fields_at - pool_end);
    put_u16_be(&to, fields + 1);
    put_u16_be(&to, PUBLIC_SYNTHETIC);
    put_u16_be(&to, pool.count);
    put_u16_be(&to, pool.count + 1u);
    put_u16_be(&to, 0);
    put_bytes(&to, bytes + fields_at + 2, length - fields_at - 2);
  }
  free(pool.places);
  if (to.failed) drop_buffer(&to);
  return to;
}
