/* The rows of SITES, as both formats have them. */
#ifndef KANSOKU_HPROF_SITES_ROWS_H
#define KANSOKU_HPROF_SITES_ROWS_H

#include "heap.h"

typedef struct {
  allocation_site *site;
  uint64_t live_objects, live_bytes, objects, bytes;
} site_row;

/* Sums are those of all rows; `shown` have at least the part of the total that is asked for. The caller frees `rows`. */
typedef struct {
  site_row *rows;
  size_t shown;
  uint64_t live_objects, live_bytes, objects, bytes;
  double total; /* of what they are ordered by */
} site_rows;

/* sites-rows.c: prints the traces, too. */
site_rows take_sites(const site_choice *as);
/* The bytes that a row has its place by: estimates do not say which site has more, then what was allocated decides. */
static inline uint64_t ordered(const site_row *of, const site_choice *as) { return as->by_allocation ? of->bytes : of->live_bytes; }

#endif
