/* The rows of SITES. */
#include "sites-rows.h"
#include "../output.h"
#include <math.h>

site_choice usual_sites(void) {
  return (site_choice){.cutoff = chosen.cutoff, .by_allocation = !chosen.every_object, .forced = chosen.collects};
}

static int by_number(const site_row *first, const site_row *second) { return first->site->number < second->site->number ? -1 : 1; }

static int by_live(const void *a, const void *b) {
  const site_row *first = a, *second = b;
  if (first->live_bytes != second->live_bytes) return first->live_bytes < second->live_bytes ? 1 : -1;
  if (first->bytes != second->bytes) return first->bytes < second->bytes ? 1 : -1;
  return by_number(first, second);
}

static int by_bytes(const void *a, const void *b) {
  const site_row *first = a, *second = b;
  if (first->bytes != second->bytes) return first->bytes < second->bytes ? 1 : -1;
  return by_number(first, second);
}

static size_t take_rows(site_row *rows, size_t count) {
  size_t kept = 0;
  for (size_t i = 0; i < count; i++) {
    allocation_site *site = site_with((uint32_t)i + 1);
    site_row row = {site, (uint64_t)llround(site->live_objects), (uint64_t)llround(site->live_bytes), atomic_load(&site->objects),
                    atomic_load(&site->bytes)};
    const heap_class *type = class_with(site->type);
    if (!chosen.every_object && type->signature[0] == 'L') row.bytes = row.objects * type->bytes;
    /* An estimate may say more than was ever allocated here: that much is known. */
    if (!chosen.every_object && row.live_objects > row.objects) row.live_objects = row.objects;
    if (!chosen.every_object && row.live_bytes > row.bytes) row.live_bytes = row.bytes;
    if (row.objects + row.live_objects == 0) continue;
    print_stack(site->stack);
    rows[kept++] = row;
  }
  return kept;
}

/* The rows that are not as they were written last, in the same order; their number. */
static size_t changed_rows(site_row *rows, size_t count) {
  size_t kept = 0;
  for (size_t i = 0; i < count; i++)
    if (rows[i].live_bytes != rows[i].site->written_live || rows[i].bytes != rows[i].site->written) rows[kept++] = rows[i];
  return kept;
}

site_rows take_sites(const site_choice *as) {
  size_t count = site_count();
  site_rows all = {.rows = malloc((count + 1) * sizeof(site_row))};
  if (all.rows == NULL) return all;
  size_t kept = take_rows(all.rows, count);
  qsort(all.rows, kept, sizeof *all.rows, as->by_allocation ? by_bytes : by_live);
  for (size_t i = 0; i < kept; i++) {
    const site_row *row = &all.rows[i];
    all.live_objects += row->live_objects;
    all.live_bytes += row->live_bytes;
    all.objects += row->objects;
    all.bytes += row->bytes;
    all.total += (double)ordered(row, as);
  }
  while (all.shown < kept && (double)ordered(&all.rows[all.shown], as) >= as->cutoff * all.total) all.shown++;
  if (as->incremental) all.shown = changed_rows(all.rows, all.shown);
  for (size_t i = 0; i < all.shown; i++) {
    all.rows[i].site->written_live = all.rows[i].live_bytes;
    all.rows[i].site->written = all.rows[i].bytes;
  }
  return all;
}
