/* The rows of SITES. */
#include "sites-rows.h"
#include "../output.h"
#include <math.h>

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

site_rows take_sites(void) {
  size_t count = site_count();
  site_rows all = {.rows = malloc((count + 1) * sizeof(site_row))};
  if (all.rows == NULL) return all;
  size_t kept = take_rows(all.rows, count);
  qsort(all.rows, kept, sizeof *all.rows, by_bytes);
  for (size_t i = 0; i < kept; i++) {
    const site_row *row = &all.rows[i];
    all.live_objects += row->live_objects;
    all.live_bytes += row->live_bytes;
    all.objects += row->objects;
    all.bytes += row->bytes;
    all.total += (double)ordered(row);
  }
  while (all.shown < kept && (double)ordered(&all.rows[all.shown]) >= chosen.cutoff * all.total) all.shown++;
  return all;
}
