/* Bytes that grow, memory of events, a table by ids, and the clock (buffer.c). */
#ifndef KANSOKU_BUFFER_H
#define KANSOKU_BUFFER_H

#include <jni.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Bytes that grow; `failed` if memory ran out. */
typedef struct {
  uint8_t *bytes;
  size_t length, room;
  bool failed;
} buffer;

/* Memory of one event. */
typedef struct {
  void *last;
} pool;

/* A hash table from ids that are not 0 to numbers. */
typedef struct {
  struct tagged {
    jlong tag;
    size_t value;
  } *slots;
  size_t mask, count;
} tag_map;

void put_bytes(buffer *to, const void *bytes, size_t length);
void put_u8(buffer *to, uint8_t value);
void put_u32(buffer *to, uint32_t value);
void put_varint(buffer *to, uint64_t value);
void put_signed(buffer *to, int64_t value);
void put_string(buffer *to, const char *text);
void drop_buffer(buffer *of);
size_t write_varint(uint8_t *to, uint64_t value);
void *pool_take(pool *of, size_t bytes);
char *pool_text(pool *of, const char *text);
void pool_drop(pool *of);
/* The value of an id, 0 when it is new; NULL if memory ran out. */
size_t *map_place(tag_map *of, jlong tag);
uint64_t now_ns(void);
struct timespec in_ms(uint64_t ms);

#endif
