/*
 * Counting of allocations by code in the classes. A method that allocates has one more local variable, an array of counters of its callers and this
 * thread. Behind each `new`, `newarray` and the like a static method of kansoku/Allocations counts in the array, which it makes at the first
 * allocation of a call: then only it looks at the stack.
 */
#ifndef KANSOKU_HPROF_ALLOCATIONS_H
#define KANSOKU_HPROF_ALLOCATIONS_H

#include "class-bytes.h"
#include "rewrite.h"

#define ALLOCATIONS_CLASS "kansoku/Allocations"

/*
 * How it allocates. The compiler of the VM replaces the methods of calls with code of its own, so the calls themselves are counted by what they
 * return: `clone` where it is that of Object, and those of the JDK below the reflection.
 */
typedef enum { NO_ALLOCATION, INSTRUCTION, CLONE, SUPER_CLONE, ARRAY_CLONE, REFLECTED_ARRAY, OTHER_CALL } allocation_kind;

/* An instruction that allocates. */
typedef struct {
  allocation_kind kind; /* of calls, `name` is that of the class of the method */
  uint32_t location;  /* in the new code */
  uint32_t cell;      /* of its objects among the counters; that of its bytes is the next one */
  uint32_t dimension; /* of multianewarray: 0 the array itself, 1 its elements and so on */
  bool is_array;      /* bytes are counted, too */
  bool is_several;    /* multianewarray: the name is that of the array itself */
  char type;          /* of a primitive array the letter, else 0 */
  class_text name;    /* of the class, or of elements: `[I` for arrays of arrays */
} allocation;

/* Bytes of arrays: a head, and elements of 1 << shift bytes, up to a multiple of `alignment`. By letter of the element: L for references. */
typedef struct {
  uint32_t head, shift;
} array_layout;

/* What rewriting of all classes needs. Both give 0 if memory ran out. */
typedef struct allocation_counting {
  method_numbering number;
  bool (*site)(uint32_t method, const allocation *of);
  array_layout (*layout)(char letter);
} allocation_counting;

/* allocation-code.c: the bytes of the code behind an instruction, and the code. `cell` is the first of the instruction. */
typedef struct allocation_task {
  const allocation_counting *plan;
  uint32_t made, array, several, returned; /* constants: the static methods */
  uint32_t counters;             /* constant: the class of the array of counters */
  uint32_t local, number;        /* of the method: the new variable; the constant with its number */
  uint32_t method;               /* its number itself */
} allocation_task;

#define COUNTERS_START 5
/* Words that the code needs on top of the stack. */
#define MOST_COUNT_WORDS 6
/* code.c: whether the contents of an attribute Code have an instruction that allocates. */
bool has_allocations(const class_pool *pool, byte_reader code);
allocation_kind kind_of_allocation(const class_pool *pool, const uint8_t *code, uint32_t pc);
uint32_t count_bytes(const class_pool *pool, const uint8_t *code, uint32_t pc);
uint32_t cells_of(const uint8_t *code, uint32_t pc);
/* Whether a method is one whose calls are counted, and not what is in it. */
bool is_counted_by_calls(const rewritten_method *method);
void put_counters_start(const allocation_task *of, buffer *to);
/* False if memory ran out. */
bool put_count(const allocation_task *of, const class_pool *pool, const uint8_t *code, uint32_t pc, uint32_t location, uint32_t cell, buffer *to);

/* full-frames.c: the types of a method's start, as frames have them. */
typedef struct {
  uint8_t tag;
  uint16_t value;
} frame_type;

typedef struct frame_types {
  frame_type *types;
  uint32_t count, room;
} frame_types;

/* Writes all frames whole, with the counters behind all local variables. */
bool put_full_frames(byte_reader frames, const code_places *places, const frame_types *start, const allocation_task *task, uint32_t stack_words, buffer *to);

#endif
