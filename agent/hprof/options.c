/* The options of -Xrunhprof. */
#include "hprof.h"
#include <errno.h>
#include <unistd.h>

/* Longer names are no options. */
#define LONGEST_NAME 15

static const char HELP[] =
    "Options of the HPROF agent of Kansoku: -agentlib:hprof=NAME=VALUE,... or -Xrunhprof:NAME=VALUE,...\n"
    "\n"
    "  name     values     default         meaning\n"
    "  cpu      samples|times|old|counts   samples of CPU time; times: count and time each call; old: pairs of callee and\n"
    "                                    caller; counts: calls of each method, without times\n"
    "  heap     dump|sites|all             objects with the traces that allocated them; where objects were allocated; both\n"
    "  format   a|b        a               text, or records as in heap dumps of the VM\n"
    "  live     sampled|exact  sampled     live bytes from samples, or of each object: slow\n"
    "  collect  y|n        n               force a collection before live bytes are counted\n"
    "  monitor  y|n        n               waits for monitors, and who holds them\n"
    "  interval MS         10              CPU time of a thread between two samples\n"
    "  depth    N          4               frames of a trace\n"
    "  cutoff   FRACTION   0.0001          leave out rows with a smaller part of the total\n"
    "  thread   y|n        n               a trace belongs to a thread\n"
    "  file     PATH       java.hprof.txt  file to write\n"
    "  net      HOST:PORT                  send the profile there in place of a file\n"
    "  force    y|n        y               write over a file that exists; n: to another name\n"
    "  doe      y|n        y               write the profile when the VM ends\n"
    "  verbose  y|n        y               say on standard error what is written\n"
    "  lineno   y|n        y               lines in traces; those of calls have none\n"
    "\n"
    "SIGQUIT (Ctrl-\\) writes the profile of the time since the last one. _JAVA_HPROF_OPTIONS adds options.\n"
    "With net, the profile is sent while it is written, and commands are taken (kansoku hprof listen).\n";

static const char *text_of_all = "";

static _Noreturn void refuse(const char *what, const char *which) {
  fprintf(stderr, "HPROF ERROR: hprof option error: %s: %s (%s)\n", what, which, text_of_all);
  fflush(NULL);
  _exit(1);
}

static bool is_yes(const char *option, const char *value) {
  if (strcmp(value, "y") == 0) return true;
  if (strcmp(value, "n") != 0) refuse("y or n is expected", option);
  return false;
}

/* A number that is not negative. */
static double number(const char *option, const char *value, bool is_whole) {
  char *end = NULL;
  errno = 0;
  double read = is_whole ? (double)strtol(value, &end, 10) : strtod(value, &end);
  /* Words such as nan are none, and no trace has more frames than this. */
  if (errno != 0 || end == value || *end != 0 || !(read >= 0 && read <= 1e6)) refuse("a number from 0 on is expected", option);
  return read;
}

static void set_cpu(hprof_options *to, const char *value) {
  if (strcmp(value, "times") == 0) to->cpu = CPU_TIMES;
  else if (strcmp(value, "old") == 0) to->cpu = CPU_OLD;
  else if (strcmp(value, "counts") == 0) to->cpu = CPU_COUNTS;
  else if (strcmp(value, "samples") == 0 || strcmp(value, "y") == 0)
    to->cpu = CPU_SAMPLES;
  else refuse("samples, times, old or counts is expected", "cpu");
}

/* Milliseconds; unlike in the agent of JDK 8, parts of one, too. */
static void set_sampling(hprof_options *to, const char *value) {
  double ms = number("interval", value, false);
  if (ms < 0.1) refuse("at least 0.1 ms is expected", "interval");
  to->interval_ns = (uint64_t)(ms * 1e6);
}

static void set_heap(hprof_options *to, const char *value) {
  bool is_all = strcmp(value, "all") == 0;
  if (is_all || strcmp(value, "sites") == 0) to->sites = true;
  if (is_all || strcmp(value, "dump") == 0) to->dump = true;
  if (!is_all && strcmp(value, "sites") != 0 && strcmp(value, "dump") != 0) refuse("dump, sites or all is expected", "heap");
}

static void set_live(hprof_options *to, const char *value) {
  to->every_object = strcmp(value, "exact") == 0;
  if (!to->every_object && strcmp(value, "sampled") != 0) refuse("sampled or exact is expected", "live");
}

static void set_format(hprof_options *to, const char *value) {
  to->binary = strcmp(value, "b") == 0;
  if (!to->binary && strcmp(value, "a") != 0) refuse("a or b is expected", "format");
}

static void set_file(hprof_options *to, const char *value) {
  if (*value == 0) refuse("a path is expected", "file");
  free(to->file);
  to->file = strdup(value);
}

static void set_net(hprof_options *to, const char *value) {
  const char *colon = strrchr(value, ':');
  if (colon == NULL || colon == value || colon[1] == 0) refuse("host:port is expected", "net");
  free(to->net);
  to->net = strdup(value);
}

static void set(hprof_options *to, const char *name, const char *value) {
  if (strcmp(name, "cpu") == 0) set_cpu(to, value);
  else if (strcmp(name, "net") == 0) set_net(to, value);
  else if (strcmp(name, "interval") == 0) set_sampling(to, value);
  else if (strcmp(name, "heap") == 0) set_heap(to, value);
  else if (strcmp(name, "live") == 0) set_live(to, value);
  else if (strcmp(name, "collect") == 0) to->collects = is_yes(name, value);
  else if (strcmp(name, "depth") == 0) to->depth = (uint32_t)number(name, value, true);
  else if (strcmp(name, "cutoff") == 0) to->cutoff = number(name, value, false);
  else if (strcmp(name, "thread") == 0) to->by_thread = is_yes(name, value);
  else if (strcmp(name, "file") == 0) set_file(to, value);
  else if (strcmp(name, "force") == 0) to->overwrite = is_yes(name, value);
  else if (strcmp(name, "doe") == 0) to->dump_on_exit = is_yes(name, value);
  else if (strcmp(name, "verbose") == 0) to->verbose = is_yes(name, value);
  else if (strcmp(name, "monitor") == 0) to->monitors = is_yes(name, value);
  else if (strcmp(name, "lineno") == 0) to->lines = is_yes(name, value);
  else if (strcmp(name, "format") == 0) set_format(to, value);
  else if (strcmp(name, "gc_okay") == 0 || strcmp(name, "msa") == 0) is_yes(name, value);
  else refuse("there is no such option", name);
}

/* One `name=value`. */
static void read_one(hprof_options *to, char *text) {
  char *sign = strchr(text, '=');
  if (sign == NULL || sign == text) refuse("name=value is expected", text);
  *sign = 0;
  if (strlen(text) > LONGEST_NAME) refuse("there is no such option", text);
  set(to, text, sign + 1);
}

void read_options(const char *text, hprof_options *to) {
  const char *more = getenv("_JAVA_HPROF_OPTIONS");
  char *all = NULL, *rest = NULL;
  if (text != NULL && strcmp(text, "help") == 0) {
    fputs(HELP, stdout);
    fflush(NULL);
    _exit(0);
  }
  *to = (hprof_options){.depth = 4, .interval_ns = 10000000, .cutoff = 0.0001, .lines = true, .overwrite = true, .dump_on_exit = true, .verbose = true};
  bool joins = text != NULL && *text != 0 && more != NULL && *more != 0;
  if (asprintf(&all, "%s%s%s", text == NULL ? "" : text, joins ? "," : "", more == NULL ? "" : more) < 0) refuse("no memory", "");
  text_of_all = strdup(all);
  for (char *one = strtok_r(all, ",", &rest); one != NULL; one = strtok_r(NULL, ",", &rest)) read_one(to, one);
  free(all);
  if (to->cpu == CPU_OLD && to->monitors) refuse("cpu=old writes nothing else", "monitor");
  if (to->cpu == CPU_OLD && (to->sites || to->dump)) refuse("cpu=old writes nothing else", "heap");
  if (to->cpu == CPU_NONE && !to->monitors && !to->sites && !to->dump) to->sites = to->dump = true;
  if (to->binary && (to->cpu == CPU_TIMES || to->cpu == CPU_OLD || to->cpu == CPU_COUNTS || to->monitors)) refuse("format=b has no sections of cpu=times, cpu=old, cpu=counts and monitor=y", "format");
  if (to->cpu == CPU_COUNTS && to->by_thread) refuse("cpu=counts adds the calls of all threads", "thread");
  /* Objects of a dump have their traces from the VM, and methods have one kind of counters. */
  if (to->dump || to->cpu == CPU_TIMES || to->cpu == CPU_COUNTS) to->every_object = true;
  if (to->cpu == CPU_OLD) to->depth = 2;
  if (to->file == NULL) to->file = strdup(to->binary ? "java.hprof" : "java.hprof.txt");
}
