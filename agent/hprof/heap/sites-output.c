/* The section SITES. */
#include "heap.h"
#include "../output.h"
#include <inttypes.h>
#include <math.h>

typedef struct {
  allocation_site *site;
  uint64_t live_objects, live_bytes, objects, bytes;
} site_row;

/* Estimates do not say which site has more: then what was allocated decides. */
static uint64_t ordered(const site_row *of) { return chosen.every_object ? of->live_bytes : of->bytes; }

static int by_bytes(const void *a, const void *b) {
  const site_row *first = a, *second = b;
  if (ordered(first) != ordered(second)) return ordered(first) < ordered(second) ? 1 : -1;
  if (first->bytes != second->bytes) return first->bytes < second->bytes ? 1 : -1;
  return first->site->number < second->site->number ? -1 : 1;
}

static size_t take_rows(site_row *rows, size_t count) {
  size_t kept = 0;
  for (size_t i = 0; i < count; i++) {
    allocation_site *site = site_with((uint32_t)i + 1);
    site_row row = {site, (uint64_t)llround(site->live_objects), (uint64_t)llround(site->live_bytes), atomic_load(&site->objects),
                    atomic_load(&site->bytes)};
    if (row.objects + row.live_objects == 0) continue;
    print_stack(site->stack);
    rows[kept++] = row;
  }
  return kept;
}

static void print_row(FILE *to, const site_row *row, size_t rank, double self, double sum) {
  const heap_class *type = class_with(row->site->type);
  fprintf(to, "%5zu %5.2f%% %5.2f%% %9" PRIu64 " %4" PRIu64 " %9" PRIu64 " %5" PRIu64 " %5u %s\n", rank, self, sum, row->live_bytes,
          row->live_objects, row->bytes, row->objects, row->site->stack->trace, type->name == NULL ? type->signature : type->name);
}

void print_sites(FILE *to) {
  char text[32];
  size_t count = site_count();
  site_row *rows = malloc((count + 1) * sizeof *rows);
  double total = 0, sum = 0;
  if (rows == NULL) return;
  size_t kept = take_rows(rows, count);
  qsort(rows, kept, sizeof *rows, by_bytes);
  for (size_t i = 0; i < kept; i++) total += (double)ordered(&rows[i]);
  fprintf(to, "SITES BEGIN (ordered by %s bytes) %s", chosen.every_object ? "live" : "allocated", time_text(text));
  fputs("          percent          live          alloc'ed  stack class\n"
        " rank   self  accum     bytes objs     bytes  objs trace name\n", to);
  for (size_t i = 0; i < kept; i++) {
    double self = total > 0 ? (double)ordered(&rows[i]) / total : 0;
    if (self < chosen.cutoff) break;
    sum += self * 100;
    print_row(to, &rows[i], i + 1, self * 100, sum);
  }
  fputs("SITES END\n", to);
  free(rows);
}
