/* The code that counts behind an instruction that allocates. */
#include "allocations.h"
#include "instructions.h"

enum { ACONST_NULL = 1, SIPUSH = 17, DUP = 89, ALOAD = 25, ASTORE = 58, NEW = 187, NEWARRAY = 188, ARRAYLENGTH = 190, INVOKEVIRTUAL = 182, MULTIANEWARRAY = 197 };

/* Methods of the JDK that the compiler replaces. */
static const struct {
  const char *type, *name, *descriptor;
  allocation_kind kind;
} CALLS[] = {
    {"java/lang/reflect/Array", "newArray", "(Ljava/lang/Class;I)Ljava/lang/Object;", REFLECTED_ARRAY},
    {"jdk/internal/misc/Unsafe", "allocateInstance", "(Ljava/lang/Class;)Ljava/lang/Object;", OTHER_CALL},
    {"jdk/internal/misc/Unsafe", "allocateUninitializedArray0", "(Ljava/lang/Class;I)Ljava/lang/Object;", OTHER_CALL},
    {"java/util/Arrays", "copyOf", "([Ljava/lang/Object;ILjava/lang/Class;)[Ljava/lang/Object;", OTHER_CALL},
    {"java/util/Arrays", "copyOfRange", "([Ljava/lang/Object;IILjava/lang/Class;)[Ljava/lang/Object;", OTHER_CALL},
};

static allocation_kind kind_of_method(class_text type, class_text name, class_text descriptor) {
  for (size_t i = 0; i < sizeof CALLS / sizeof *CALLS; i++)
    if (is_text(type, CALLS[i].type) && is_text(name, CALLS[i].name) && is_text(descriptor, CALLS[i].descriptor)) return CALLS[i].kind;
  return NO_ALLOCATION;
}

bool is_counted_by_calls(const rewritten_method *method) { return kind_of_method(method->type, method->name, method->descriptor) != NO_ALLOCATION; }

allocation_kind kind_of_allocation(const class_pool *pool, const uint8_t *code, uint32_t pc) {
  uint32_t opcode = code[pc];
  if ((opcode >= NEW && opcode < ARRAYLENGTH) || opcode == MULTIANEWARRAY) return INSTRUCTION;
  if (opcode < INVOKEVIRTUAL || opcode > INVOKESTATIC) return NO_ALLOCATION;
  member_text method = method_at(pool, (uint32_t)code[pc + 1] << 8 | code[pc + 2]);
  if (opcode != INVOKESTATIC && is_text(method.name, "clone") && is_text(method.descriptor, "()Ljava/lang/Object;"))
    return method.type.length > 0 && method.type.bytes[0] == '[' ? ARRAY_CLONE : opcode == INVOKEVIRTUAL ? CLONE : SUPER_CLONE;
  return kind_of_method(method.type, method.name, method.descriptor);
}

/* `wide aload; ldc_w; sipush; invokestatic; wide astore`, with `dup; arraylength` and two more numbers for arrays; `dup; ldc_w; sipush; invokestatic`. */
uint32_t count_bytes(const class_pool *pool, const uint8_t *code, uint32_t pc) {
  allocation_kind kind = kind_of_allocation(pool, code, pc);
  if (kind != INSTRUCTION) return kind == NO_ALLOCATION ? 0 : 10;
  return code[pc] == NEW ? 17 : code[pc] == MULTIANEWARRAY ? 18 : 25;
}

uint32_t cells_of(const uint8_t *code, uint32_t pc) { return code[pc] == MULTIANEWARRAY ? 2u * code[pc + 3] : 2; }

static void put_variable(uint32_t opcode, uint32_t local, buffer *to) {
  put_u8(to, WIDE);
  put_u8(to, (uint8_t)opcode);
  put_u16_be(to, local);
}

static void put_short(uint32_t value, buffer *to) {
  put_u8(to, SIPUSH);
  put_u16_be(to, value);
}

void put_counters_start(const allocation_task *of, buffer *to) {
  put_u8(to, ACONST_NULL);
  put_variable(ASTORE, of->local, to);
}

/* Elements of `newarray` by the number in the instruction. */
static char letter_of(uint32_t code) { return code >= 4 && code <= 11 ? "ZCFDBSIJ"[code - 4] : 0; }

static bool tell_sites(const allocation_task *of, const class_pool *pool, const uint8_t *code, uint32_t pc, uint32_t location, uint32_t cell) {
  allocation site = {.kind = INSTRUCTION, .location = location, .cell = cell, .is_array = code[pc] != NEW, .is_several = code[pc] == MULTIANEWARRAY};
  if (code[pc] == NEWARRAY) site.type = letter_of(code[pc + 1]);
  else site.name = class_name_at(pool, (uint32_t)code[pc + 1] << 8 | code[pc + 2]);
  uint32_t dimensions = code[pc] == MULTIANEWARRAY ? code[pc + 3] : 1;
  for (; site.dimension < dimensions; site.dimension++, site.cell += 2)
    if (!of->plan->site(of->method, &site)) return false;
  return true;
}

bool put_count(const allocation_task *of, const class_pool *pool, const uint8_t *code, uint32_t pc, uint32_t location, uint32_t cell, buffer *to) {
  uint32_t opcode = code[pc];
  allocation_kind kind = kind_of_allocation(pool, code, pc);
  if (kind != INSTRUCTION) {
    allocation site = {.kind = kind, .location = location, .cell = cell, .name = method_at(pool, (uint32_t)code[pc + 1] << 8 | code[pc + 2]).type};
    if (cell > INT16_MAX || !of->plan->site(of->method, &site)) return false;
    put_u8(to, DUP);
    put_u8(to, LDC_W);
    put_u16_be(to, of->number);
    put_short(cell, to);
    put_u8(to, INVOKESTATIC);
    put_u16_be(to, of->returned);
    return true;
  }
  bool is_array = opcode != NEW && opcode != MULTIANEWARRAY;
  if (cell > INT16_MAX || !tell_sites(of, pool, code, pc, location, cell)) return false;
  if (opcode != NEW) put_u8(to, DUP);
  if (is_array) put_u8(to, ARRAYLENGTH);
  put_variable(ALOAD, of->local, to);
  put_u8(to, LDC_W);
  put_u16_be(to, of->number);
  put_short(cell, to);
  if (is_array) {
    array_layout layout = of->plan->layout(opcode == NEWARRAY ? letter_of(code[pc + 1]) : 'L');
    put_short(layout.head, to);
    put_short(layout.shift, to);
  }
  put_u8(to, INVOKESTATIC);
  put_u16_be(to, opcode == NEW ? of->made : is_array ? of->array : of->several);
  put_variable(ASTORE, of->local, to);
  return true;
}
