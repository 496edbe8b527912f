/* Records of format=b (binary.c); all with the lock of the output. */
#ifndef KANSOKU_HPROF_BINARY_H
#define KANSOKU_HPROF_BINARY_H

#include "heap.h"

enum {
  UTF8_TEXT = 1,
  LOAD_CLASS = 2,
  STACK_FRAME = 4,
  STACK_TRACE = 5,
  ALLOC_SITES = 6,
  HEAP_SUMMARY_RECORD = 7,
  START_THREAD = 10,
  END_THREAD = 11,
  SAMPLES_OF_CPU = 13,
  CONTROL_SETTINGS = 14,
  HEAP_DUMP_SEGMENT = 0x1c,
  HEAP_DUMP_END = 0x2c,
};

/* The head of the file, the settings, and what the file says of itself. */
void write_head(FILE *to);
void write_record(FILE *to, uint8_t kind, const buffer *body);
/* The id of a text, whose record is written before its first use; 0: none. */
uint32_t text_id(FILE *to, const char *text);
/* The serial of a class, which is written before its first use. */
uint32_t loaded_class(FILE *to, uint32_t number);
/* 2: a reference, 4 to 11: primitive types, by the letter of a signature. */
uint8_t code_of_type(char letter);
/* Writes the frames and the trace of a stack that has its serial. */
void write_stack(FILE *to, const thread_stack *stack);
void write_thread_start(FILE *to, uint32_t serial, uint32_t object, const char *name, const char *group, const char *parent);
void write_thread_end(FILE *to, uint32_t serial);

#endif
