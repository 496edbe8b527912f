/* Lengths and kinds of instructions of the JVM. */
#ifndef KANSOKU_HPROF_INSTRUCTIONS_H
#define KANSOKU_HPROF_INSTRUCTIONS_H

#include <stdbool.h>
#include <stdint.h>

enum {
  LDC_W = 19,
  IFEQ = 153,
  JSR = 168,
  TABLESWITCH = 170,
  LOOKUPSWITCH = 171,
  IRETURN = 172,
  RETURN = 177,
  INVOKESTATIC = 184,
  WIDE = 196,
  IFNULL = 198,
  IFNONNULL = 199,
  GOTO_W = 200,
  JSR_W = 201,
};

/* The length of the instruction at a place; 0 if it is invalid or longer than the code. */
uint32_t instruction_length(const uint8_t *code, uint32_t length, uint32_t pc);
/* A number of four bytes. */
uint32_t big_endian_at(const uint8_t *bytes);

static inline bool is_return(uint32_t opcode) { return opcode >= IRETURN && opcode <= RETURN; }

static inline bool is_switch(uint32_t opcode) { return opcode == TABLESWITCH || opcode == LOOKUPSWITCH; }

/* A jump with an offset of two bytes. */
static inline bool is_short_jump(uint32_t opcode) {
  return (opcode >= IFEQ && opcode <= JSR) || opcode == IFNULL || opcode == IFNONNULL;
}

/* Bytes between the opcode of a switch at a place and its numbers. */
static inline uint32_t switch_padding(uint32_t pc) { return 3 - pc % 4; }

#endif
