/* The section of cpu=counts. */
#include "counts.h"
#include "../output.h"
#include <inttypes.h>

static void say_shared(char *text, size_t room) {
  snprintf(text, room, "Counts: %" PRIu64 " calls in memory that threads share, where calls at once may be lost; all others are exact.\n%s", shared_calls(),
           "Price: 0 to 2 % of the CPU time of small programs and 16 % of that of javac, where it was measured, and 0.2 to 0.35 s at the start.");
}

static heading_line exactness = {.text = say_shared};

void print_about_counts(FILE *to) {
  fputs("CALL COUNTS   by method: how often it was entered, from the moment on in which the VM was complete. Each thread counts for\n"
        "              itself, so none is lost. Not counted: native methods, those of hidden classes, and calls that the compiler of\n"
        "              the VM replaces with code of its own. There are neither times nor callers.\n",
        to);
  put_heading_line(&exactness, to);
}

/* Traces of methods, of one frame each, by number of the method. */
static uint32_t *traces, trace_room;

static uint32_t print_method_trace(const table_row *of, FILE *to) {
  uint32_t number = (uint32_t)(uintptr_t)of->item;
  if (traces[number] != 0) return traces[number];
  method_text method = method_with(number);
  traces[number] = next_trace();
  fprintf(to, "TRACE %u:\n\t%s.%s(%s:Unknown line)\n", traces[number], method.type, method.name, *method.source == 0 ? "<Unknown Source>" : method.source);
  return traces[number];
}

static void print_method_name(const table_row *of, FILE *to) {
  method_text method = method_with((uint32_t)(uintptr_t)of->item);
  fprintf(to, "%s.%s", method.type, method.name);
}

void print_counts(FILE *to) {
  static const table_kind COUNTS = {"CALL COUNTS", "", "method", print_method_trace, print_method_name};
  uint32_t methods = 0;
  size_t called = 0;
  uint64_t *calls = take_counts(&methods);
  table_row *rows = calls == NULL ? NULL : malloc((methods + 1) * sizeof *rows);
  uint32_t *grown = methods <= trace_room ? traces : realloc(traces, methods * sizeof *traces);
  if (grown != NULL && methods > trace_room) {
    memset(grown + trace_room, 0, (methods - trace_room) * sizeof *grown);
    trace_room = methods;
  }
  if (grown != NULL) traces = grown;
  for (uint32_t i = 0; rows != NULL && i < methods && i < trace_room; i++)
    if (calls[i] > 0) rows[called++] = (table_row){(double)calls[i], calls[i], (void *)(uintptr_t)i};
  if (rows != NULL) print_table(to, &COUNTS, rows, called);
  free(calls);
  free(rows);
  put_heading_line(&exactness, to);
}
