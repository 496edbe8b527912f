/* The commands of net=host:port. */
#include "net.h"
#include "../heap/binary.h"
#include "../heap/dump.h"
#include "../heap/sites-rows.h"
#include "../output.h"
#include "../samples/samples.h"

/* Flags of ALLOC SITES. */
enum { INCREMENTAL = 1, BY_ALLOCATION = 2, FORCED = 4 };
/* What CONTROL may set. */
enum { TRACES_ON = 1, TRACES_OFF, SAMPLING_ON, SAMPLING_OFF, CLEAR_SAMPLES, CLEAR_SITES, SET_DEPTH };

static void refuse(const char *command, const char *option) {
  fprintf(stderr, "HPROF: %s was asked for, and the agent does not record it: %s\n", command, option);
}

void collect_garbage(void) { (*hprof_ti)->ForceGarbageCollection(hprof_ti); }

void send_heap(JNIEnv *jni) {
  if (!chosen.dump) refuse("a dump of the heap", "heap=dump or heap=all");
  else dump_heap(jni);
}

void send_sites(uint32_t flags, double cutoff) {
  if (!chosen.sites) {
    refuse("sites of allocations", "heap=sites or heap=all");
    return;
  }
  if ((flags & FORCED) != 0) collect_garbage();
  count_live_objects();
  FILE *to = lock_output();
  const site_choice as = {.cutoff = cutoff, .by_allocation = (flags & BY_ALLOCATION) != 0, .forced = (flags & FORCED) != 0,
                          .incremental = (flags & INCREMENTAL) != 0};
  chosen.binary ? write_sites(to, &as) : print_sites(to, &as);
  unlock_output();
}

static void put_u64_be(buffer *to, uint64_t value) {
  put_u32_be(to, (uint32_t)(value >> 32));
  put_u32_be(to, (uint32_t)value);
}

void send_summary(void) {
  /* Texts have no such section. */
  if (!chosen.binary) return;
  if (!chosen.sites) {
    refuse("a summary of the heap", "heap=sites or heap=all");
    return;
  }
  count_live_objects();
  FILE *to = lock_output();
  site_rows all = take_sites(&(site_choice){.cutoff = 1});
  buffer body = {0};
  put_u32_be(&body, (uint32_t)all.live_bytes);
  put_u32_be(&body, (uint32_t)all.live_objects);
  put_u64_be(&body, all.bytes);
  put_u64_be(&body, all.objects);
  if (!body.failed) write_record(to, HEAP_SUMMARY_RECORD, &body);
  drop_buffer(&body);
  free(all.rows);
  unlock_output();
}

void send_traces(void) {
  lock_output();
  visit_stacks(print_stack);
  unlock_output();
}

void send_samples(JNIEnv *jni, double cutoff) {
  if (chosen.cpu != CPU_SAMPLES) {
    refuse("a table of samples", "cpu=samples");
    return;
  }
  FILE *to = lock_output();
  double before = chosen.cutoff;
  chosen.cutoff = cutoff;
  print_samples(jni, to, true);
  chosen.cutoff = before;
  unlock_output();
}

static void clear_sites(void) {
  allocation_site *site;
  for (uint32_t i = 1; (site = site_with(i)) != NULL; i++) {
    atomic_store(&site->objects, 0);
    atomic_store(&site->bytes, 0);
  }
}

bool control(JNIEnv *jni, uint32_t what, uint32_t word) {
  switch (what) {
    case TRACES_ON:
      if (chosen.sites || chosen.dump) resume_allocations();
      return true;
    case TRACES_OFF: stop_allocations(); return true;
    case SAMPLING_ON:
    case SAMPLING_OFF:
      if (word != 0) name_threads(jni);
      sample_only(word == 0 ? 0 : thread_of_object(word - FIRST_ID), what == SAMPLING_ON);
      return true;
    case CLEAR_SAMPLES: clear_samples(jni); return true;
    case CLEAR_SITES: clear_sites(); return true;
    case SET_DEPTH: chosen.depth = word; return true;
    default: return false;
  }
}
