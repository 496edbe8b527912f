/* The section of cpu=samples, and the line of the heading that says how much of it is there. */
#include "samples.h"
#include "../heap/binary.h"
#include "../output.h"
#include <inttypes.h>

static const char ABOUT[] =
    "CPU SAMPLES   by trace: samples, in the order of their number. One sample an interval of CPU time of a thread, by a\n"
    "              timer of its own and AsyncGetCallTrace: threads that wait are not sampled, those that run anywhere,\n"
    "              not just at safepoints. Threads of the VM itself (collector, compilers) are not sampled.\n";

static void say_totals(char *text, size_t room) {
  sampler_totals all = totals_of_samples();
  uint64_t asked = all.cpu_ns / chosen.interval_ns;
  double price = all.cpu_ns == 0 ? 0 : (double)all.sampling_ns / (double)all.cpu_ns * 100;
  snprintf(text, room,
           "Samples: interval %.3f ms, asked %" PRIu64 ", delivered %" PRIu64 ", without a stack %" PRIu64 ", threads without a timer %" PRIu64 ".\n"
           "Price: %.2f%% of the CPU time of the sampled threads (%.0f ms of the %.0f ms of the process).",
           (double)chosen.interval_ns / 1e6, asked, all.delivered, all.without_stack, all.without_timer, price, (double)all.cpu_ns / 1e6,
           (double)all.process_ns / 1e6);
}

static heading_line totals = {.text = say_totals};

void print_sampler(FILE *to) {
  fputs(ABOUT, to);
  put_heading_line(&totals, to);
}

static table_row *rows;
static size_t row_count;

static void take_stack(uint32_t thread, const sampled_frame *sampled, jint length, uint64_t samples, void *jni) {
  jvmtiFrameInfo frames[MOST_FRAMES];
  jint kept = 0;
  /* What a virtual thread runs on is not of its stack. */
  while (kept < length && (kept == 0 || sampled[kept].method != first_of_virtual_threads())) {
    frames[kept] = (jvmtiFrameInfo){sampled[kept].method, sampled[kept].place};
    kept++;
  }
  thread_stack *stack = kept_stack(jni, thread, frames, kept);
  if (stack != NULL) stack->samples += samples;
}

static void take_row(thread_stack *stack) {
  table_row *grown = stack->samples == 0 ? NULL : realloc(rows, (row_count + 1) * sizeof *rows);
  if (grown == NULL) return;
  rows = grown;
  rows[row_count++] = (table_row){(double)stack->samples, stack->samples, stack};
}

static void clear_stack(thread_stack *stack) { stack->samples = 0; }

void clear_samples(JNIEnv *jni) {
  take_samples(take_stack, jni);
  visit_stacks(clear_stack);
}

static uint32_t print_sampled_trace(const table_row *of, FILE *to) {
  thread_stack *stack = of->item;
  print_stack(stack);
  return stack->trace;
}

/* The innermost method as its frame begins: `Type.method`. */
static void print_sampled_name(const table_row *of, FILE *to) {
  const thread_stack *stack = of->item;
  if (stack->length == 0) fputs("<empty trace>", to);
  else fprintf(to, "%.*s", (int)strcspn(stack->text + 1, "("), stack->text + 1);
}

static int by_samples(const void *a, const void *b) {
  const table_row *first = a, *second = b;
  return first->count < second->count ? 1 : first->count > second->count ? -1 : 0;
}

/* The record CPU SAMPLES of format=b, with all rows: readers add them up. */
static void write_samples(FILE *to) {
  buffer body = {0};
  uint64_t total = 0;
  if (row_count > 0) qsort(rows, row_count, sizeof *rows, by_samples);
  for (size_t i = 0; i < row_count; i++) total += rows[i].count;
  put_u32_be(&body, (uint32_t)total);
  put_u32_be(&body, (uint32_t)row_count);
  for (size_t i = 0; i < row_count; i++) {
    put_u32_be(&body, (uint32_t)rows[i].count);
    put_u32_be(&body, print_sampled_trace(&rows[i], to));
  }
  if (!body.failed) write_record(to, SAMPLES_OF_CPU, &body);
  drop_buffer(&body);
}

void print_samples(JNIEnv *jni, FILE *to, bool goes_on) {
  static const table_kind SAMPLES = {"CPU SAMPLES", "", "method", print_sampled_trace, print_sampled_name};
  take_samples(take_stack, jni);
  visit_stacks(take_row);
  if (!goes_on) visit_stacks(clear_stack);
  if (chosen.binary) write_samples(to);
  else print_table(to, &SAMPLES, rows, row_count);
  row_count = 0;
  put_heading_line(&totals, to);
}
