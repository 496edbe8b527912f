/*
 * The HPROF agent: what -Xrunhprof and -agentlib:hprof were until JDK 8. `cpu=times` and `cpu=old`: every call is counted and timed, by code that is
 * inserted into classes (rewrite.h). Classes that the VM loaded before it was complete are rewritten when it is; calls before that are not counted.
 *
 * Locks: that of a thread's calls is held alone, or before that of the methods.
 */
#ifndef KANSOKU_HPROF_H
#define KANSOKU_HPROF_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1 /* asprintf */
#endif

#include "rewrite/rewrite.h"
#include <jvmti.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

typedef enum { CPU_NONE, CPU_SAMPLES, CPU_TIMES, CPU_OLD, CPU_COUNTS } cpu_choice;

/* Deeper stacks are cut, as by a depth of this. */
#define MOST_FRAMES 1024

typedef struct {
  cpu_choice cpu;
  uint32_t depth; /* frames of traces */
  uint64_t interval_ns; /* of samples */
  double cutoff;  /* rows with a smaller part of the total are left out */
  bool monitors, by_thread, lines, dump_on_exit, overwrite, verbose;
  bool sites, dump;  /* heap=sites, heap=dump; heap=all: both */
  bool binary;       /* format=b */
  bool every_object; /* live=exact: the VM tells of each object */
  bool collects;     /* a collection before live objects are counted */
  char *file;
  char *net; /* host:port; NULL: a file */
} hprof_options;

/* options.c: ends the process for an error, and behind the help. */
void read_options(const char *text, hprof_options *to);

/* methods.c: methods by number, from 1; strings are kept until the end. */
typedef struct {
  const char *type, *name, *descriptor, *source; /* the class with dots */
} method_text;

uint32_t number_method(const rewritten_method *method);
method_text method_with(uint32_t number);

/* A stack of at most `depth` methods, with what was measured in its innermost one since the last dump. */
typedef struct call_node {
  struct call_node *callers; /* without the innermost; NULL: no method */
  struct call_node *shorter; /* without the outermost */
  uint32_t method, length;
  uint32_t trace; /* its serial; 0: it has not been printed */
  uint64_t calls, self_ns, total_ns;
} call_node;

/* call-tree.c: nodes by their callers and innermost method. */
typedef struct {
  call_node root, **slots;
  size_t mask, count;
} call_tree;

call_tree *new_tree(void);
/* The stack with a further method; the root, which has no frames, if there is no memory for it, or no frames are kept. */
call_node *callee(call_tree *in, call_node *from, uint32_t method);
void count_call(call_node *in, uint64_t self_ns, uint64_t total_ns);
/* Moves what was measured to another tree. */
void move_calls(call_tree *to, call_tree *from);
void visit_nodes(call_tree *in, void (*visit)(call_node *node, void *to), void *to);
void drop_tree(call_tree *of);
/* Calls for whose stacks there was no memory. */
uint64_t lost_calls(void);

/* How long threads waited at a place to enter monitors of a class since the last dump, and how often since the start. */
typedef struct monitor_time {
  struct monitor_time *next;
  char *signature;
  uint64_t count, ns;
} monitor_time;

/* The parts of a frame's line. */
typedef struct {
  uint32_t type; /* number of its class (heap/classes.c) */
  jint line;     /* -1: unknown */
  char *method, *descriptor, *source;
} frame_text;

/* A stack of a thread with lines. */
typedef struct {
  uint32_t thread; /* serial; 0: of any */
  uint32_t trace;  /* its serial; 0: it has not been printed */
  monitor_time *waits;
  uint64_t samples; /* since the last dump */
  char *text; /* its lines */
  frame_text *texts; /* format=b: their parts */
  jint length;
  jvmtiFrameInfo frames[];
} thread_stack;

/* stacks.c: NULL if memory ran out. */
thread_stack *kept_stack(JNIEnv *jni, uint32_t thread, const jvmtiFrameInfo *frames, jint length);
thread_stack *stack_of(JNIEnv *jni, jthread thread);
/* That without frames. */
thread_stack *empty_stack(JNIEnv *jni);
void visit_stacks(void (*visit)(thread_stack *stack));
/* names.c: the name of a class as it is printed, `int[]`, of its signature; the caller frees it. */
char *class_name_of(const char *signature);

/* What a thread waits for now. */
typedef struct {
  thread_stack *stack; /* where it waits to enter; NULL: it does not */
  uint64_t began, wait_began;
} waiting_thread;

/* The calls of a thread. */
typedef struct thread_calls thread_calls;

/* calls.c: the serial of a thread; 0 if it has none. */
uint32_t serial_of(jthread thread);
waiting_thread *waiting_of(jthread thread);
/* That of the thread that calls; 0 if it has none. */
uint32_t serial_here(void);

/* calls.c: the probe, and the threads. */
void enter_method(uint32_t method);
void exit_method(uint32_t method);
/* The method has caught an exception, which has left all that was entered within it. */
void caught_in(uint32_t method);
/* Prints the start of a thread that the VM has not told of, as those of the VM itself. */
void announce_thread(JNIEnv *jni, jthread thread);
void thread_is_here(JNIEnv *jni, jthread thread);
void thread_is_over(JNIEnv *jni, jthread thread);
void thread_mounts(JNIEnv *jni, jthread thread);
/* The serial of the carrier; 0 if it has none. */
uint32_t thread_unmounts(JNIEnv *jni, jthread thread);
/* Gives the calls of each thread since the last time; of all threads together unless they are printed by thread. */
void visit_calls(void (*visit)(uint32_t thread, call_tree *calls));

/* output.c */
/* With the heading, to which `print_more` adds unless it is NULL. */
bool open_output(void (*print_more)(FILE *to));
void print_thread_start(JNIEnv *jni, jthread thread, uint32_t serial);
void print_thread_end(uint32_t serial);
/* Takes what was measured in a tree, whose values are 0 then. */
void take_calls(uint32_t thread, call_tree *calls);

/* monitor-output.c: what a dump of monitors prints. */
typedef struct dumped_monitor dumped_monitor;
void add_dumped_thread(uint32_t serial, thread_stack *stack, const char *status);
dumped_monitor *new_monitor(const char *signature, uint32_t owner, jint entries);
void add_waiter(dumped_monitor *to, uint32_t serial, bool notified);
void print_wait(const char *signature, jlong timeout, uint32_t serial);
void print_waited(const char *signature, uint64_t ms, uint32_t serial);

/* state.c */
extern jvmtiEnv *hprof_ti;
extern JavaVM *hprof_vm;
void free_of_vm(void *memory);
/* Asks the VM for events; false if it refuses one. */
bool enable_events(const jvmtiEvent *events, size_t count);
extern hprof_options chosen;
/* Whether calls are counted now. */
extern _Atomic bool counting;

#endif
