/*
 * Yardstick of the heap benchmarks: reads a heap dump once, on one core, and counts instances and bytes by class.
 *
 *   gcc -O3 -o scan scan.c && ./scan FILE
 *
 * Windows of 16 MB; values are skipped, not read. Prints objects, elements and bytes of values, then the ten classes with
 * the most bytes. For sound dumps of HotSpot: stops at anything else.
 */
#define _FILE_OFFSET_BITS 64
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WINDOW (16 << 20)
/* More than any sub-record without its values, but for class dumps, which read on demand. */
#define HEAD 64
#define SLOTS (1 << 18)

struct counts {
  uint64_t id, objects, bytes;
};

static struct counts classes[SLOTS], primitives[12];
static uint64_t used;
static unsigned char *window;
static int file, id_size;
static uint64_t base, filled, class_dumps, roots;

static void fail(const char *what, uint64_t at) {
  fprintf(stderr, "%s at %llu\n", what, (unsigned long long)at);
  exit(1);
}

/* Bytes from a place in the file: at least `need`, or NULL behind the end. */
static unsigned char *bytes_at(uint64_t at, uint64_t need) {
  if (at < base || at + need > base + filled) {
    base = at;
    filled = 0;
    while (filled < WINDOW) {
      ssize_t count = pread(file, window + filled, WINDOW - filled, base + filled);
      if (count < 0) fail("cannot read", at);
      if (count == 0) break;
      filled += count;
    }
    if (need > filled) return NULL;
  }
  return window + (at - base);
}

static uint32_t u4(const unsigned char *p) {
  uint32_t value;
  memcpy(&value, p, 4);
  return __builtin_bswap32(value);
}

static uint64_t id_of(const unsigned char *p) {
  uint64_t value;
  if (id_size == 4) return u4(p);
  memcpy(&value, p, 8);
  return __builtin_bswap64(value);
}

static struct counts *class_of(uint64_t id) {
  uint64_t slot = (id >> 3) * 0x9e3779b97f4a7c15ull >> 46;
  while (classes[slot].id != id && classes[slot].objects != 0) slot = (slot + 1) & (SLOTS - 1);
  if (classes[slot].objects == 0) {
    if (++used > SLOTS / 2) fail("too many classes", base);
    classes[slot].id = id;
  }
  return &classes[slot];
}

static const int sizes[12] = {0, 0, 0, 0, 1, 2, 4, 8, 1, 2, 4, 8};

static int size_of(int type, uint64_t at) {
  if (type == 2) return id_size;
  if (type > 11 || sizes[type] == 0) fail("unknown type", at);
  return sizes[type];
}

static uint64_t class_dump(uint64_t at) {
  uint64_t next = at + 1 + 7 * id_size + 8;
  for (int kind = 0; kind < 3; kind++) {
    unsigned char *p = bytes_at(next, 2);
    if (!p) fail("cut", at);
    int count = p[0] << 8 | p[1];
    next += 2;
    for (int i = 0; i < count; i++) {
      int before = kind == 0 ? 2 : id_size;
      p = bytes_at(next, before + 1);
      if (!p) fail("cut", at);
      next += before + 1 + (kind == 2 ? 0 : size_of(p[before], next));
    }
  }
  class_dumps++;
  return next;
}

static uint64_t sub_record(uint64_t at) {
  unsigned char *p = bytes_at(at, HEAD);
  /* At the end of the file, a sub-record may be shorter than HEAD. */
  if (!p && !(p = bytes_at(at, 1))) fail("cut", at);
  unsigned char *rest = p + 5 + id_size;
  switch (*p) {
    case 0x21: {
      struct counts *type = class_of(id_of(rest));
      uint32_t bytes = u4(rest + id_size);
      type->objects++;
      type->bytes += bytes;
      return at + 9 + 2 * id_size + bytes;
    }
    case 0x22: {
      struct counts *type = class_of(id_of(rest + 4));
      uint64_t bytes = (uint64_t)u4(rest) * id_size;
      type->objects++;
      type->bytes += bytes;
      return at + 9 + 2 * id_size + bytes;
    }
    case 0x23: {
      int type = rest[4];
      uint64_t bytes = (uint64_t)u4(rest) * size_of(type, at);
      primitives[type].objects++;
      primitives[type].bytes += bytes;
      return at + 10 + id_size + bytes;
    }
    case 0x20: return class_dump(at);
    case 0x01: roots++; return at + 1 + 2 * id_size;
    case 0x02: case 0x03: case 0x08: roots++; return at + 9 + id_size;
    case 0x04: case 0x06: roots++; return at + 5 + id_size;
    case 0x05: case 0x07: case 0xff: roots++; return at + 1 + id_size;
    default: fail("unknown sub-record", at);
  }
  return 0;
}

static int by_bytes(const void *a, const void *b) {
  const struct counts *x = a, *y = b;
  return x->bytes < y->bytes ? 1 : x->bytes > y->bytes ? -1 : 0;
}

int main(int count, char **words) {
  if (count != 2 || (file = open(words[1], O_RDONLY)) < 0) fail("cannot open", 0);
  window = malloc(WINDOW);
  unsigned char *p = bytes_at(0, 31);
  if (!p || memcmp(p, "JAVA PROFILE 1.0", 16) != 0) fail("no heap dump", 0);
  uint64_t at = strlen((char *)p) + 1;
  id_size = u4(p + at);
  if (id_size != 4 && id_size != 8) fail("size of ids", at);
  at += 12;
  while ((p = bytes_at(at, 9))) {
    uint64_t end = at + 9 + u4(p + 5);
    if (*p != 0x0c && *p != 0x1c) {
      at = end;
      continue;
    }
    at += 9;
    while (at < end) at = sub_record(at);
  }
  uint64_t objects = 0, bytes = 0;
  for (int i = 0; i < SLOTS; i++) objects += classes[i].objects, bytes += classes[i].bytes;
  for (int i = 0; i < 12; i++) objects += primitives[i].objects, bytes += primitives[i].bytes;
  printf("%llu objects, %llu bytes of values, %llu classes, %llu roots\n", (unsigned long long)objects,
         (unsigned long long)bytes, (unsigned long long)class_dumps, (unsigned long long)roots);
  qsort(classes, SLOTS, sizeof *classes, by_bytes);
  for (int i = 0; i < 10 && classes[i].objects; i++)
    printf("%llx %llu %llu\n", (unsigned long long)classes[i].id, (unsigned long long)classes[i].objects,
           (unsigned long long)classes[i].bytes);
  for (int i = 0; i < 12; i++)
    if (primitives[i].objects)
      printf("type %d %llu %llu\n", i, (unsigned long long)primitives[i].objects, (unsigned long long)primitives[i].bytes);
  return 0;
}
