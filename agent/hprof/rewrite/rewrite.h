/*
 * Rewriting of classes: each method with code tells the probe when it is entered, when it is left by a return, and when it catches an exception.
 *
 * At the start of a method and, if the probe has methods for it, before each return and at the start of each handler, `ldc_w N; invokestatic
 * kansoku/Probe.enter|exit|caught(I)V` is inserted. What an exception has left is known where it is caught. Jumps, switches, handlers, lines, variables and frames move with the code.
 */
#ifndef KANSOKU_HPROF_REWRITE_H
#define KANSOKU_HPROF_REWRITE_H

#include "class-bytes.h"

/* The probe: a class whose methods take the number of the method that calls them. */
typedef struct {
  const char *type, *enter;
  const char *exit, *caught; /* NULL: only entries are told */
} probe_names;

/* A method that is rewritten. Texts are those of the class file. */
typedef struct {
  class_text type, name, descriptor, source;
} rewritten_method;

/* Gives a method its number; 0 if there is no more memory: the method stays as it is. */
typedef uint32_t (*method_numbering)(const rewritten_method *method);

typedef struct {
  buffer bytes; /* the new class; empty: it stays as it is. The caller drops it. */
  uint32_t rewritten, left_alone; /* methods with code */
} rewrite_result;

/* Rewrites the methods of a class. */
rewrite_result rewrite_class(const uint8_t *bytes, size_t length, method_numbering number, const probe_names *probe);
/* Rewrites those that allocate (allocations.h). */
struct allocation_counting;
rewrite_result rewrite_allocations(const uint8_t *bytes, size_t length, const struct allocation_counting *plan);

/* Constants that the rewritten code refers to. */
typedef struct {
  uint32_t enter, exit, caught; /* 0: none */
} probe_constants;

/* What rewriting of one method needs. */
typedef struct {
  const class_pool *pool;
  const probe_constants *constants;
  uint32_t number; /* index of the constant with the method's number */
  struct allocation_task *allocations; /* NULL: calls are counted */
  const struct frame_types *start;     /* with allocations: the types of the method's start */
} code_task;

/* code.c: rewrites the contents of an attribute Code; false if the method cannot be: nothing of it may be used then. */
bool rewrite_code(const code_task *task, byte_reader code, buffer *to);

/* Where the instructions of a method are now. Both have code_length + 1 places; NOWHERE: there begins no instruction. */
#define NOWHERE UINT32_MAX
typedef struct {
  uint32_t *at;     /* the instruction itself */
  uint32_t *target; /* where control comes to: the call of the probe before a return or in a handler */
  uint32_t length;  /* of the old code */
} code_places;

/* stack-map.c: writes the frames for the new places. */
bool move_frames(byte_reader frames, const code_places *places, buffer *to);

#endif
