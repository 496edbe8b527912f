/* Rewrites a class file with each of its bytes changed, and cut at each: built with checks of every access. Says how often it was rewritten. */
#include "../../hprof/rewrite/allocations.h"
#include <stdio.h>

static uint32_t number(const rewritten_method *method) {
  /* Each text lies in the file. */
  volatile size_t sum = method->type.length + method->name.length + method->descriptor.length + method->source.length;
  return sum == 0 ? 1 : 2;
}

static bool take_site(uint32_t method, const allocation *of) {
  volatile uint32_t sum = 0;
  for (size_t i = 0; i < of->name.length; i++) sum += (uint8_t)of->name.bytes[i];
  return true;
}

static array_layout layout(char letter) { return (array_layout){16, 0}; }

static size_t rewritten, counted;

/* Entries only, or exits and handlers, too. */
static probe_names probe = {"kansoku/Probe", "enter", "exit", "caught"};

static void rewrite(const uint8_t *bytes, size_t length) {
  /* In memory of its own size: a read behind the end is seen. */
  uint8_t *copy = malloc(length == 0 ? 1 : length);
  memcpy(copy, bytes, length);
  rewrite_result result = rewrite_class(copy, length, number, &probe);
  if (result.bytes.length > 0) rewritten++;
  if (result.bytes.length > 8 * length + 1024) abort();
  drop_buffer(&result.bytes);
  static const allocation_counting ALLOCATIONS = {number, take_site, layout};
  result = rewrite_allocations(copy, length, &ALLOCATIONS);
  if (result.bytes.length > 0) counted++;
  drop_buffer(&result.bytes);
  free(copy);
}

int main(int count, char **paths) {
  static const uint8_t VALUES[] = {0, 1, 0x7f, 0x80, 0xff};
  static uint8_t bytes[1 << 16];
  size_t tried = 0;
  for (int file = 1; file < count; file++) {
    FILE *from = fopen(paths[file], "rb");
    size_t length = from == NULL ? 0 : fread(bytes, 1, sizeof bytes, from);
    if (from != NULL) fclose(from);
    for (size_t at = 0; at < length; at++) {
      uint8_t old = bytes[at];
      for (size_t i = 0; i < sizeof VALUES; i++, tried++) {
        probe.exit = probe.caught = i % 2 == 0 ? "exit" : NULL;
        bytes[at] = VALUES[i];
        rewrite(bytes, length);
      }
      bytes[at] = old;
      rewrite(bytes, at);
      tried++;
    }
  }
  printf("%zu of %zu rewritten, %zu for allocations\n", rewritten, tried, counted);
  return 0;
}
