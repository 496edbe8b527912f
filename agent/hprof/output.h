/* What the sections of the text share. */
#ifndef KANSOKU_HPROF_OUTPUT_H
#define KANSOKU_HPROF_OUTPUT_H

#include "hprof.h"

/* The file, for this thread alone until `unlock_output`. */
FILE *lock_output(void);
void unlock_output(void);
/* The serial of a trace that has not been printed. */
uint32_t next_trace(void);
/* Prints the trace of a stack, once; with the lock. */
void print_stack(thread_stack *stack);
/* The time in the words of C, with a line feed. */
const char *time_text(char text[32]);

/* Prints the calls that were taken; with the lock. */
void print_calls(void);

/* monitor-output.c, with the lock */
void print_monitors(FILE *to);
void print_monitor_times(FILE *to);

#endif
