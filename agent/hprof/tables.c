/* Tables of traces: CPU SAMPLES, CPU TIME and MONITOR TIME. */
#include "output.h"
#include <inttypes.h>

const char *time_text(char text[32]) {
  time_t now = time(NULL);
  return ctime_r(&now, text);
}

/* So many bytes stay free for what is longer later. */
#define LINE_BYTES 400

void put_heading_line(heading_line *of, FILE *to) {
  char text[LINE_BYTES + 1];
  bool is_first = of->place == 0;
  long end = of->place < 0 || chosen.binary ? -1 : ftell(to);
  if (is_first) of->place = end;
  of->text(text, sizeof text);
  if (is_first && end < 0 && !chosen.binary) fputs("This is a stream: the agent says on its standard error how much was recorded, and at what price.\n", to);
  if (!is_first && end < 0 && chosen.verbose) fprintf(stderr, "\nHPROF: %s\n", text);
  if (end < 0 || (!is_first && fseek(to, of->place, SEEK_SET) != 0)) return;
  fprintf(to, "%-*s\n", LINE_BYTES, text);
  if (!is_first) fseek(to, end, SEEK_SET);
}

static int by_cost(const void *a, const void *b) {
  const table_row *first = a, *second = b;
  if (first->cost != second->cost) return first->cost < second->cost ? 1 : -1;
  return first->count < second->count ? 1 : first->count > second->count ? -1 : 0;
}

void print_table(FILE *to, const table_kind *kind, table_row *rows, size_t count) {
  double total = 0, sum = 0;
  size_t shown = 0;
  char text[32];
  if (count > 0) qsort(rows, count, sizeof *rows, by_cost);
  for (size_t i = 0; i < count; i++) total += rows[i].cost;
  while (shown < count && total > 0 && rows[shown].cost / total >= chosen.cutoff) kind->print_trace(&rows[shown++], to);
  if (shown == 0) return;
  fprintf(to, "%s BEGIN (total = %.0f%s) %srank   self  accum   count trace %s\n", kind->title, total, kind->unit, time_text(text), kind->last_column);
  for (size_t i = 0; i < shown; i++) {
    double self = rows[i].cost / total * 100;
    sum += self;
    fprintf(to, "%4zu %5.2f%% %5.2f%% %7" PRIu64 " %5u ", i + 1, self, sum, rows[i].count, kind->print_trace(&rows[i], to));
    kind->print_name(&rows[i], to);
    fputc('\n', to);
  }
  fprintf(to, "%s END\n", kind->title);
}
