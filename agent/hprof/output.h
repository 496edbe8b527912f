/* What the sections of the text share. */
#ifndef KANSOKU_HPROF_OUTPUT_H
#define KANSOKU_HPROF_OUTPUT_H

#include "hprof.h"

/* The file, for this thread alone until `unlock_output`. */
FILE *lock_output(void);
void unlock_output(void);
void flush_output(void);
/* That of net=host:port, for reading; -1: none. */
int output_socket(void);
/* The serial of a trace that has not been printed. */
uint32_t next_trace(void);
/* Prints the trace of a stack, once; with the lock. */
void print_stack(thread_stack *stack);
/* tables.c: a line of the heading, which each dump writes anew where the file can be written at any place; else it goes to standard error. */
typedef struct {
  /* Writes at most `room` bytes with the 0 at their end. */
  void (*text)(char *to, size_t room);
  long place; /* in the file; negative: it can only grow */
} heading_line;
void put_heading_line(heading_line *of, FILE *to);

/* The time in the words of C, with a line feed. */
const char *time_text(char text[32]);

/* A row, in the order of its cost. */
typedef struct {
  double cost;
  uint64_t count;
  void *item;
} table_row;

typedef struct {
  const char *title, *unit, *last_column;
  /* Prints the trace of a row, once; its serial. */
  uint32_t (*print_trace)(const table_row *of, FILE *to);
  void (*print_name)(const table_row *of, FILE *to);
} table_kind;

/* Sorts the rows, prints the traces of those above the cutoff, and the table; with the lock. */
void print_table(FILE *to, const table_kind *kind, table_row *rows, size_t count);

/* Prints the calls that were taken; with the lock. */
void print_calls(void);

/* monitor-output.c, with the lock */
void print_monitors(FILE *to);
void print_monitor_times(FILE *to);

#endif
