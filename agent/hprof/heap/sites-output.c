/* The section SITES of the text. */
#include "sites-rows.h"
#include "../output.h"
#include <inttypes.h>

void print_sites(FILE *to, const site_choice *as) {
  char text[32];
  double sum = 0;
  site_rows all = take_sites(as);
  fprintf(to, "SITES BEGIN (ordered by %s bytes) %s", as->by_allocation ? "allocated" : "live", time_text(text));
  fputs("          percent          live          alloc'ed  stack class\n"
        " rank   self  accum     bytes objs     bytes  objs trace name\n", to);
  for (size_t i = 0; i < all.shown; i++) {
    const site_row *row = &all.rows[i];
    const heap_class *type = class_with(row->site->type);
    /* Shares are those of live bytes in any order, as the genuine agent has them: readers tell the bytes below the cutoff by them. */
    double self = all.live_bytes > 0 ? (double)row->live_bytes / (double)all.live_bytes * 100 : 0;
    sum += self;
    fprintf(to, "%5zu %5.2f%% %5.2f%% %9" PRIu64 " %4" PRIu64 " %9" PRIu64 " %5" PRIu64 " %5u %s\n", i + 1, self, sum, row->live_bytes,
            row->live_objects, row->bytes, row->objects, row->site->stack->trace, type->name == NULL ? type->signature : type->name);
  }
  fputs("SITES END\n", to);
  free(all.rows);
}
