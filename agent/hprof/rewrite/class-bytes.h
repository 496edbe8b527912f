/* Class files as bytes: reading inside bounds, big-endian numbers, the constant pool by index. */
#ifndef KANSOKU_HPROF_CLASS_BYTES_H
#define KANSOKU_HPROF_CLASS_BYTES_H

#include "../../buffer.h"

/* Bytes that are read one after another. A read behind the end gives 0 and sets `failed`. */
typedef struct {
  const uint8_t *bytes;
  size_t length, at;
  bool failed;
} byte_reader;

/* Bytes of a text in modified UTF-8, within the class file. */
typedef struct {
  const char *bytes;
  size_t length;
} class_text;

/* Where each entry of a constant pool begins; 0: none. */
typedef struct {
  const uint8_t *bytes;
  size_t length;
  uint32_t *places;
  uint16_t count;
} class_pool;

uint32_t read_u8(byte_reader *from);
uint32_t read_u16(byte_reader *from);
uint32_t read_u32(byte_reader *from);
/* The next bytes as a reader of their own. */
byte_reader read_part(byte_reader *from, size_t length);
void put_u16_be(buffer *to, uint32_t value);
void put_u32_be(buffer *to, uint32_t value);
/* Writes a number over bytes that are there already. */
void patch_u16_be(buffer *to, size_t at, uint32_t value);
void patch_u32_be(buffer *to, size_t at, uint32_t value);

/* Entries of a constant pool that is made: a text, and the class that the entry `name` names. */
void put_text(buffer *to, const char *text);
void put_class_of(buffer *to, uint32_t name);

/* Reads the pool behind the count; false if it is invalid. The caller frees `places`. */
bool read_pool(byte_reader *from, class_pool *pool);
/* The text of a Utf8 entry, or of the class that an entry names; empty if the entry is another one. */
class_text text_at(const class_pool *pool, uint32_t index);
class_text class_name_at(const class_pool *pool, uint32_t index);
/* The parts of a method that code calls; empty texts if the entry is another one. */
typedef struct {
  class_text type, name, descriptor;
} member_text;
member_text method_at(const class_pool *pool, uint32_t index);
bool is_text(class_text text, const char *expected);

#endif
