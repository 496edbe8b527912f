/* The sections of monitor=y. */
#include "hprof.h"
#include "output.h"
#include <inttypes.h>

typedef struct {
  uint32_t serial;
  thread_stack *stack;
  char status[24];
} dumped_thread;

struct dumped_monitor {
  char *signature;
  uint32_t owner;
  jint entries;
  uint32_t *waiters[2]; /* to enter, to be notified */
  size_t counts[2];
};

static dumped_thread *threads;
static dumped_monitor *monitors;
static size_t thread_count, monitor_count;

void add_dumped_thread(uint32_t serial, thread_stack *stack, const char *status) {
  dumped_thread *grown = realloc(threads, (thread_count + 1) * sizeof *threads);
  if (grown == NULL) return;
  threads = grown;
  threads[thread_count] = (dumped_thread){.serial = serial, .stack = stack};
  snprintf(threads[thread_count++].status, sizeof threads->status, "%s", status);
}

dumped_monitor *new_monitor(const char *signature, uint32_t owner, jint entries) {
  dumped_monitor *grown = realloc(monitors, (monitor_count + 1) * sizeof *monitors);
  char *text = strdup(signature);
  if (grown != NULL) monitors = grown;
  if (grown == NULL || text == NULL) {
    free(text);
    return NULL;
  }
  monitors[monitor_count] = (dumped_monitor){.signature = text, .owner = owner, .entries = entries};
  return &monitors[monitor_count++];
}

void add_waiter(dumped_monitor *to, uint32_t serial, bool notified) {
  uint32_t *grown = to == NULL ? NULL : realloc(to->waiters[notified], (to->counts[notified] + 1) * sizeof *grown);
  if (grown == NULL) return;
  to->waiters[notified] = grown;
  grown[to->counts[notified]++] = serial;
}

void print_wait(const char *signature, jlong timeout, uint32_t serial) {
  FILE *to = lock_output();
  fprintf(to, "WAIT: MONITOR %s, timeout=%" PRId64 ", thread %u\n", signature == NULL ? "" : signature, (int64_t)timeout, serial);
  unlock_output();
}

void print_waited(const char *signature, uint64_t ms, uint32_t serial) {
  FILE *to = lock_output();
  fprintf(to, "WAITED: MONITOR %s, time_waited=%" PRIu64 ", thread %u\n", signature == NULL ? "" : signature, ms, serial);
  unlock_output();
}

static void print_waiters(FILE *to, const char *title, const dumped_monitor *of, bool notified) {
  fprintf(to, "\t%s:", title);
  for (size_t i = 0; i < of->counts[notified]; i++) fprintf(to, "%s thread %u", i == 0 ? "" : ",", of->waiters[notified][i]);
  fputc('\n', to);
  free(of->waiters[notified]);
}

void print_monitors(FILE *to) {
  for (size_t i = 0; i < thread_count; i++) print_stack(threads[i].stack);
  fputs("MONITOR DUMP BEGIN\n", to);
  for (size_t i = 0; i < thread_count; i++)
    fprintf(to, "    THREAD %u, trace %u, status: %s\n", threads[i].serial, threads[i].stack->trace, threads[i].status);
  for (size_t i = 0; i < monitor_count; i++) {
    const dumped_monitor *of = &monitors[i];
    fprintf(to, "    MONITOR %s\n\towner: thread %u, entry count: %d\n", of->signature, of->owner, (int)of->entries);
    print_waiters(to, "waiting to enter", of, false);
    print_waiters(to, "waiting to be notified", of, true);
    free(of->signature);
  }
  fputs("MONITOR DUMP END\n", to);
  thread_count = monitor_count = 0;
}

/* A place and class with waits since the last dump. */
typedef struct {
  thread_stack *stack;
  char *signature;
  uint64_t count, ns;
} wait_row;

static wait_row *rows;
static size_t row_count;

static void take_waits(thread_stack *stack) {
  for (monitor_time *of = stack->waits; of != NULL; of = of->next) {
    wait_row *grown = of->count == 0 ? NULL : realloc(rows, (row_count + 1) * sizeof *rows);
    if (grown == NULL) continue;
    rows = grown;
    rows[row_count++] = (wait_row){stack, of->signature, of->count, of->ns};
    /* As ever, times begin again with each dump, counts go on. */
    of->ns = 0;
  }
}

static uint32_t print_wait_trace(const table_row *of, FILE *to) {
  thread_stack *stack = ((const wait_row *)of->item)->stack;
  print_stack(stack);
  return stack->trace;
}

static void print_wait_name(const table_row *of, FILE *to) {
  const wait_row *row = of->item;
  char *name = class_name_of(row->signature);
  fprintf(to, "%s (Java)", name == NULL ? row->signature : name);
  free(name);
}

void print_monitor_times(FILE *to) {
  static const table_kind MONITORS = {"MONITOR TIME", " ms", "monitor", print_wait_trace, print_wait_name};
  visit_stacks(take_waits);
  table_row *table = calloc(row_count + 1, sizeof *table);
  for (size_t i = 0; table != NULL && i < row_count; i++) table[i] = (table_row){(double)rows[i].ns / 1e6, rows[i].count, &rows[i]};
  if (table != NULL) print_table(to, &MONITORS, table, row_count);
  free(table);
  row_count = 0;
}
