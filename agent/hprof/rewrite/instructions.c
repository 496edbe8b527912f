/* Lengths of instructions of the JVM. */
#include "instructions.h"

/* Lengths by opcode from 0 to 201, in runs: so many opcodes have so many bytes. 0: the length varies. */
static const struct {
  uint8_t count, length;
} RUNS[] = {
    {16, 1}, /* nop to dconst_1 */
    {1, 2},  /* bipush */
    {1, 3},  /* sipush */
    {1, 2},  /* ldc */
    {2, 3},  /* ldc_w, ldc2_w */
    {5, 2},  /* iload to aload */
    {28, 1}, /* iload_0 to saload */
    {5, 2},  /* istore to astore */
    {73, 1}, /* istore_0 to lxor */
    {1, 3},  /* iinc */
    {20, 1}, /* i2l to dcmpg */
    {16, 3}, /* ifeq to jsr */
    {1, 2},  /* ret */
    {2, 0},  /* tableswitch, lookupswitch */
    {6, 1},  /* ireturn to return */
    {7, 3},  /* getstatic to invokestatic */
    {2, 5},  /* invokeinterface, invokedynamic */
    {1, 3},  /* new */
    {1, 2},  /* newarray */
    {1, 3},  /* anewarray */
    {2, 1},  /* arraylength, athrow */
    {2, 3},  /* checkcast, instanceof */
    {2, 1},  /* monitorenter, monitorexit */
    {1, 0},  /* wide */
    {1, 4},  /* multianewarray */
    {2, 3},  /* ifnull, ifnonnull */
    {2, 5},  /* goto_w, jsr_w */
};

#define IINC 132

uint32_t big_endian_at(const uint8_t *bytes) {
  return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

/* The length of a switch; 0 if its numbers are invalid. */
static uint64_t switch_length(const uint8_t *code, uint32_t left, uint32_t pc) {
  uint32_t head = 1 + switch_padding(pc);
  if (left < head + 12 && (code[pc] == TABLESWITCH || left < head + 8)) return 0;
  int64_t first = (int32_t)big_endian_at(code + pc + head + 4);
  if (code[pc] == LOOKUPSWITCH) return first < 0 ? 0 : head + 8 + 8 * (uint64_t)first;
  int64_t last = (int32_t)big_endian_at(code + pc + head + 8);
  return last < first ? 0 : head + 12 + 4 * (uint64_t)(last - first + 1);
}

static uint64_t usual_length(uint32_t opcode) {
  uint32_t first = 0;
  for (uint32_t i = 0; i < sizeof RUNS / sizeof *RUNS; i++) {
    first += RUNS[i].count;
    if (opcode < first) return RUNS[i].length;
  }
  return 0;
}

uint32_t instruction_length(const uint8_t *code, uint32_t length, uint32_t pc) {
  uint32_t left = length - pc;
  uint64_t own = usual_length(code[pc]);
  if (is_switch(code[pc])) own = switch_length(code, left, pc);
  else if (code[pc] == WIDE) own = left < 2 ? 0 : code[pc + 1] == IINC ? 6 : 4;
  return own > left ? 0 : (uint32_t)own;
}
