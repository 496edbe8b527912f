/*
 * Bytes of the heap as the VM counts them. Its counters are plain memory of this process, so callbacks of a collection may read them. The
 * VM exports where they are (gHotSpotVMStructs); their layout is that of the files hsperfdata.
 */
#include "agent.h"

#define MAX_COUNTERS 32
#define LONG_VALUE 'J'

/* Counters of the spaces of the heap. */
static const jlong *used_counters[MAX_COUNTERS], *capacity_counters[MAX_COUNTERS];
static size_t used_count, capacity_count;

static uint32_t u32_at(const uint8_t *at) {
  uint32_t value;
  memcpy(&value, at, sizeof value);
  return value;
}

static uint64_t exported_number(const char *name) {
  const uint64_t *at = exported_by_vm(name);
  return at == NULL ? 0 : *at;
}

static const char *text_at(const uint8_t *entry, uint64_t offset) {
  const char *text;
  memcpy(&text, entry + offset, sizeof text);
  return text;
}

/* The start of the memory of counters; NULL without them (-XX:-UsePerfData). */
static const uint8_t *counters(void) {
  uint8_t *const *list = exported_by_vm("gHotSpotVMStructs");
  uint64_t stride = exported_number("gHotSpotVMStructEntryArrayStride"), of_type = exported_number("gHotSpotVMStructEntryTypeNameOffset");
  uint64_t of_field = exported_number("gHotSpotVMStructEntryFieldNameOffset"), of_address = exported_number("gHotSpotVMStructEntryAddressOffset");
  if (list == NULL || stride == 0) return NULL;
  for (const uint8_t *entry = *list; entry != NULL && text_at(entry, of_type) != NULL; entry += stride) {
    if (strcmp(text_at(entry, of_type), "PerfMemory") != 0 || strcmp(text_at(entry, of_field), "_start") != 0) continue;
    const char *address = text_at(entry, of_address), *start = NULL;
    if (address != NULL) memcpy(&start, address, sizeof start);
    return (const uint8_t *)start;
  }
  return NULL;
}

static bool has_end(const char *text, const char *end) {
  size_t length = strlen(text), tail = strlen(end);
  return length >= tail && strcmp(text + length - tail, end) == 0;
}

static void add_counter(const char *name, const jlong *value) {
  if (strncmp(name, "sun.gc.generation.", 18) != 0 || strstr(name, ".space.") == NULL) return;
  if (has_end(name, ".used") && used_count < MAX_COUNTERS) used_counters[used_count++] = value;
  if (has_end(name, ".capacity") && capacity_count < MAX_COUNTERS) capacity_counters[capacity_count++] = value;
}

/* Called once, in a VM that has its heap. */
void find_heap_counters(void) {
  const uint8_t *start = used_count == 0 ? counters() : NULL;
  if (start == NULL) return;
  /* Head: magic 4, byte order 1, version 2, accessible 1, used 4, overflow 4, time 8, first entry 4, entries 4. */
  const uint8_t *entry = start + u32_at(start + 24);
  for (uint32_t left = u32_at(start + 28); left > 0; left--, entry += u32_at(entry)) {
    /* Entry: length 4, name at 4, elements 4, type 1, flags 1, unit 1, variability 1, value at 4. */
    if (u32_at(entry) == 0) return;
    if (u32_at(entry + 8) == 0 && entry[12] == LONG_VALUE)
      add_counter((const char *)entry + u32_at(entry + 4), (const jlong *)(const void *)(entry + u32_at(entry + 16)));
  }
}

static jlong sum(const jlong *const *values, size_t count) {
  jlong all = 0;
  for (size_t i = 0; i < count; i++) all += *(const volatile jlong *)values[i];
  return all;
}

/* What GC_FINISH tells of the heap: -1 each where the VM does not count. No VM tells the number of objects. */
void put_heap_usage(message *what) {
  jlong used = sum(used_counters, used_count), total = sum(capacity_counters, capacity_count);
  bool counts = used > 0 && used <= total;
  what->event.u.gc_info.used_objects = -1;
  what->event.u.gc_info.used_object_space = counts ? used : -1;
  what->event.u.gc_info.total_object_space = counts ? total : -1;
}
