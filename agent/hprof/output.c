/* The text that the agent writes. */
#include "heap/binary.h"
#include "net/net.h"
#include "output.h"
#include <inttypes.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static FILE *out;
static int out_socket = -1;
static uint32_t last_trace = 300000;

static const char ABOUT_CALLS[] =
    "Every call of a method with code is counted and timed from the moment on in which the VM was complete: by code in\n"
    "the classes themselves, with the clock of the system, waits included. Calls of native methods count as their\n"
    "callers' time, and so do those that the compiler of the VM replaces with code of its own.\n"
    "\n"
    "TRACE         a stack of methods, the innermost first; traces of calls have no lines\n"
    "CPU TIME      by trace: milliseconds in the innermost method itself, calls, in the order of the times\n";

static const char ABOUT_MONITORS[] =
    "WAIT, WAITED  Object.wait: class, milliseconds, thread\n"
    "MONITOR DUMP  threads of the system, and the monitors that they own; R runs, MW waits to enter, CW waits, SL sleeps\n"
    "MONITOR TIME  by trace and class: true milliseconds in which threads waited to enter, and how often\n";

FILE *lock_output(void) {
  pthread_mutex_lock(&lock);
  return out;
}

void unlock_output(void) { pthread_mutex_unlock(&lock); }

void flush_output(void) {
  pthread_mutex_lock(&lock);
  fflush(out);
  pthread_mutex_unlock(&lock);
}

int output_socket(void) { return out_socket; }

uint32_t next_trace(void) { return ++last_trace; }

void print_stack(thread_stack *stack) {
  if (stack->trace != 0) return;
  stack->trace = next_trace();
  if (chosen.binary) {
    write_stack(out, stack);
    return;
  }
  fprintf(out, "TRACE %u:", stack->trace);
  if (stack->thread != 0) fprintf(out, " (thread=%u)", stack->thread);
  fprintf(out, "\n%s", stack->length == 0 ? "\t<empty>\n" : stack->text);
}

/* A name that no file has: with the number of the process, before the ending. */
static char *free_name(const char *path) {
  const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
  char *name = NULL;
  size_t stem = dot == NULL || (slash != NULL && dot < slash) ? strlen(path) : (size_t)(dot - path);
  int length = asprintf(&name, "%.*s.%d%s", (int)stem, path, (int)getpid(), path + stem);
  return length < 0 ? NULL : name;
}

bool open_output(void (*print_more)(FILE *to)) {
  char text[32];
  if (chosen.net == NULL && !chosen.overwrite && access(chosen.file, F_OK) == 0) chosen.file = free_name(chosen.file);
  if (chosen.net != NULL) out = connect_to(chosen.net, &out_socket);
  else out = chosen.file == NULL ? NULL : fopen(chosen.file, "w");
  if (out == NULL) return false;
  if (chosen.cpu == CPU_OLD) return true;
  if (chosen.binary) {
    write_head(out);
    return true;
  }
  fprintf(out, "JAVA PROFILE 1.0.1, created %s\nWritten by the HPROF agent of Kansoku.\n\n", time_text(text));
  if (chosen.cpu == CPU_TIMES) fputs(ABOUT_CALLS, out);
  if (print_more != NULL) print_more(out);
  if (chosen.monitors) fputs(ABOUT_MONITORS, out);
  if (chosen.sites || chosen.dump) print_about_heap(out);
  fputs("\n--------\n\n", out);
  return true;
}

/* The name of a thread's group; the caller releases it. `parent` takes that of the group above it. */
static char *group_name(JNIEnv *jni, jthreadGroup group, char **parent) {
  jvmtiThreadGroupInfo info = {0};
  if (group == NULL || (*hprof_ti)->GetThreadGroupInfo(hprof_ti, group, &info) != JVMTI_ERROR_NONE) return NULL;
  if (parent != NULL) *parent = group_name(jni, info.parent, NULL);
  if (info.parent != NULL) (*jni)->DeleteLocalRef(jni, info.parent);
  return info.name;
}

void print_thread_start(JNIEnv *jni, jthread thread, uint32_t serial) {
  jvmtiThreadInfo info = {0};
  if (chosen.cpu == CPU_OLD || (*hprof_ti)->GetThreadInfo(hprof_ti, thread, &info) != JVMTI_ERROR_NONE) return;
  char *parent = NULL, *group = group_name(jni, info.thread_group, &parent);
  uint32_t id = FIRST_ID + (chosen.dump || chosen.binary ? serial_of_object(thread) : serial % 100000);
  pthread_mutex_lock(&lock);
  if (chosen.binary) write_thread_start(out, serial, id, info.name, group, parent);
  else
    fprintf(out, "THREAD START (obj=%x, id = %u, name=\"%s\", group=\"%s\")\n", id, serial, info.name == NULL ? "" : info.name,
            group == NULL ? "" : group);
  pthread_mutex_unlock(&lock);
  free_of_vm(parent);
  free_of_vm(info.name);
  free_of_vm(group);
  if (info.thread_group != NULL) (*jni)->DeleteLocalRef(jni, info.thread_group);
  if (info.context_class_loader != NULL) (*jni)->DeleteLocalRef(jni, info.context_class_loader);
}

void print_thread_end(uint32_t serial) {
  if (chosen.cpu == CPU_OLD) return;
  pthread_mutex_lock(&lock);
  if (chosen.binary) write_thread_end(out, serial);
  else fprintf(out, "THREAD END (id = %u)\n", serial);
  pthread_mutex_unlock(&lock);
}

/* What was measured in a stack since the last dump. */
typedef struct {
  call_node *node;
  uint32_t thread;
  uint64_t calls, self_ns, total_ns;
} row;

static row *rows;
static size_t count, room;

/* Takes what was measured in a node: the next dump begins at 0. */
static void take_node(call_node *node, void *thread) {
  if (node->calls == 0) return;
  if (count == room) {
    row *grown = realloc(rows, (room * 2 + 1024) * sizeof *rows);
    if (grown == NULL) return;
    rows = grown;
    room = room * 2 + 1024;
  }
  rows[count++] = (row){node, *(uint32_t *)thread, node->calls, node->self_ns, node->total_ns};
  node->calls = node->self_ns = node->total_ns = 0;
}

void take_calls(uint32_t thread, call_tree *calls) { visit_nodes(calls, take_node, &thread); }

static int by_calls(const void *a, const void *b) {
  const row *first = a, *second = b;
  if (first->calls != second->calls) return first->calls < second->calls ? 1 : -1;
  return first->total_ns < second->total_ns ? 1 : first->total_ns > second->total_ns ? -1 : 0;
}

static void print_trace(const row *of) {
  if (of->node->trace != 0) return;
  of->node->trace = next_trace();
  fprintf(out, "TRACE %u:", of->node->trace);
  if (chosen.by_thread) fprintf(out, " (thread=%u)", of->thread);
  fputc('\n', out);
  if (of->node->length == 0) fputs("\t<empty>\n", out);
  for (const call_node *at = of->node; at->length > 0; at = at->callers) {
    method_text method = method_with(at->method);
    const char *source = *method.source == 0 ? "<Unknown Source>" : method.source;
    fprintf(out, "\t%s.%s(%s:Unknown line)\n", method.type, method.name, source);
  }
}

static double in_ms_of(uint64_t ns) { return (double)ns / 1e6; }

static uint32_t print_row_trace(const table_row *of, FILE *to) {
  print_trace(of->item);
  return ((const row *)of->item)->node->trace;
}

static void print_row_name(const table_row *of, FILE *to) {
  const call_node *node = ((const row *)of->item)->node;
  method_text method = method_with(node->method);
  if (node->length == 0) fputs("<empty trace>", to);
  else fprintf(to, "%s.%s", method.type, method.name);
}

static void print_times(void) {
  static const table_kind TIMES = {"CPU TIME (ms)", "", "method", print_row_trace, print_row_name};
  table_row *table = calloc(count + 1, sizeof *table);
  for (size_t i = 0; table != NULL && i < count; i++) table[i] = (table_row){in_ms_of(rows[i].self_ns), rows[i].calls, &rows[i]};
  if (table != NULL) print_table(out, &TIMES, table, count);
  free(table);
}

static void print_method(uint32_t number, const char *unknown) {
  method_text method = method_with(number);
  if (number == 0) fputs(unknown, out);
  else fprintf(out, "%s.%s%s", method.type, method.name, method.descriptor);
}

static void print_pairs(void) {
  fputs("count callee caller time\n", out);
  for (size_t i = 0; i < count; i++) {
    const call_node *node = rows[i].node;
    fprintf(out, "%" PRIu64 " ", rows[i].calls);
    print_method(node->method, "<unknown callee>");
    fputc(' ', out);
    print_method(node->callers == NULL ? 0 : node->callers->method, "<unknown caller>");
    fprintf(out, " %.0f\n", in_ms_of(rows[i].total_ns));
  }
}

void print_calls(void) {
  if (chosen.cpu == CPU_OLD && count > 0) qsort(rows, count, sizeof *rows, by_calls);
  if (chosen.cpu == CPU_OLD) print_pairs();
  else print_times();
  count = 0;
}
