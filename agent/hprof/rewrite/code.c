/* Rewriting of one method's code. */
#include "allocations.h"
#include "instructions.h"

/* `ldc_w` with the number of the method, `invokestatic` of the probe. */
#define CALL_BYTES 6

typedef struct {
  const code_task *task;
  byte_reader code; /* the instructions, read at any place */
  code_places places;
  uint8_t *is_handler; /* by place of the old code */
  uint32_t stack;      /* words */
} rewriting;

static void put_call(const code_task *task, uint32_t method, buffer *to) {
  put_u8(to, LDC_W);
  put_u16_be(to, task->number);
  put_u8(to, INVOKESTATIC);
  put_u16_be(to, method);
}

/* Finds where each instruction will be; false if the code is invalid, or would be too long. */
static bool place_instructions(rewriting *of) {
  code_places *places = &of->places;
  bool counts = of->task->allocations != NULL;
  uint32_t now = counts ? COUNTERS_START : CALL_BYTES;
  const probe_constants *calls = of->task->constants;
  for (uint32_t pc = 0; pc < places->length;) {
    uint32_t opcode = of->code.bytes[pc], length = instruction_length(of->code.bytes, places->length, pc);
    if (length == 0) return false;
    places->target[pc] = now;
    if (calls->exit != 0 && is_return(opcode)) now += CALL_BYTES;
    if (calls->caught != 0 && of->is_handler[pc]) now += CALL_BYTES;
    places->at[pc] = now;
    /* Behind their opcode, switches are filled up to a place that four divides. */
    now += is_switch(opcode) ? length - switch_padding(pc) + switch_padding(now) : length;
    if (counts) now += count_bytes(of->task->pool, of->code.bytes, pc);
    pc += length;
  }
  places->target[places->length] = places->at[places->length] = now;
  return now <= UINT16_MAX;
}

/* The old place that an offset leads to, as the offset from the instruction's new place; false if no instruction is there. */
static bool new_offset(const rewriting *of, uint32_t pc, int32_t offset, int32_t *result) {
  int64_t to = (int64_t)pc + offset;
  if (to < 0 || to >= of->places.length || of->places.target[to] == NOWHERE) return false;
  *result = (int32_t)of->places.target[to] - (int32_t)of->places.at[pc];
  return true;
}

static bool put_short_jump(const rewriting *of, uint32_t pc, buffer *to) {
  const uint8_t *bytes = of->code.bytes + pc;
  int32_t offset = 0;
  if (!new_offset(of, pc, (int16_t)(bytes[1] << 8 | bytes[2]), &offset) || offset != (int16_t)offset) return false;
  put_u8(to, bytes[0]);
  put_u16_be(to, (uint32_t)offset & 0xffff);
  return true;
}

static bool put_long_offset(const rewriting *of, uint32_t pc, uint32_t at, buffer *to) {
  int32_t offset = 0;
  if (!new_offset(of, pc, (int32_t)big_endian_at(of->code.bytes + at), &offset)) return false;
  put_u32_be(to, (uint32_t)offset);
  return true;
}

static bool put_switch(const rewriting *of, uint32_t pc, uint32_t length, buffer *to) {
  const uint8_t *bytes = of->code.bytes;
  uint32_t at = pc + 1 + switch_padding(pc), end = pc + length;
  bool is_table = bytes[pc] == TABLESWITCH;
  put_u8(to, bytes[pc]);
  put_bytes(to, NULL, switch_padding(of->places.at[pc]));
  if (!put_long_offset(of, pc, at, to)) return false;
  put_bytes(to, bytes + at + 4, is_table ? 8 : 4);
  for (at += is_table ? 12 : 8; at < end; at += 4) {
    if (!is_table) put_bytes(to, bytes + at, 4);
    if (!is_table) at += 4;
    if (!put_long_offset(of, pc, at, to)) return false;
  }
  return true;
}

static bool put_instruction(const rewriting *of, uint32_t pc, uint32_t length, buffer *to) {
  uint32_t opcode = of->code.bytes[pc];
  const probe_constants *calls = of->task->constants;
  if (calls->caught != 0 && of->is_handler[pc]) put_call(of->task, calls->caught, to);
  if (calls->exit != 0 && is_return(opcode)) put_call(of->task, calls->exit, to);
  if (is_short_jump(opcode)) return put_short_jump(of, pc, to);
  if (is_switch(opcode)) return put_switch(of, pc, length, to);
  if (opcode == GOTO_W || opcode == JSR_W) {
    put_u8(to, (uint8_t)opcode);
    return put_long_offset(of, pc, pc + 1, to);
  }
  put_bytes(to, of->code.bytes + pc, length);
  return true;
}

static bool put_instructions(const rewriting *of, buffer *to) {
  const allocation_task *allocations = of->task->allocations;
  uint32_t cell = 0;
  if (allocations == NULL) put_call(of->task, of->task->constants->enter, to);
  else put_counters_start(allocations, to);
  for (uint32_t pc = 0, length; pc < of->places.length; pc += length) {
    length = instruction_length(of->code.bytes, of->places.length, pc);
    if (!put_instruction(of, pc, length, to)) return false;
    if (allocations == NULL || kind_of_allocation(of->task->pool, of->code.bytes, pc) == NO_ALLOCATION) continue;
    if (!put_count(allocations, of->task->pool, of->code.bytes, pc, of->places.at[pc], cell, to)) return false;
    cell += cells_of(of->code.bytes, pc);
  }
  return true;
}

/* Marks the places of handlers; false if there is no memory. */
static bool find_handlers(rewriting *of, byte_reader from) {
  of->is_handler = calloc(of->places.length + 1, 1);
  for (uint32_t left = of->is_handler == NULL ? 0 : read_u16(&from); left > 0 && !from.failed; left--) {
    read_u32(&from);
    uint32_t handler = read_u16(&from);
    read_u16(&from);
    if (handler < of->places.length) of->is_handler[handler] = 1;
  }
  return of->is_handler != NULL;
}

static bool put_handlers(const rewriting *of, byte_reader *from, buffer *to) {
  const code_places *places = &of->places;
  uint32_t count = read_u16(from);
  put_u16_be(to, count);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t start = read_u16(from), end = read_u16(from), handler = read_u16(from), type = read_u16(from);
    if (from->failed || start >= places->length || end > places->length || handler >= places->length) return false;
    if (places->target[start] == NOWHERE || places->target[end] == NOWHERE || places->target[handler] == NOWHERE) return false;
    put_u16_be(to, places->target[start]);
    put_u16_be(to, places->target[end]);
    put_u16_be(to, places->target[handler]);
    put_u16_be(to, type);
  }
  return true;
}

/* Lines: place and number. Variables: place, length and the rest. */
static bool put_lines(const code_places *places, byte_reader from, buffer *to) {
  uint32_t count = read_u16(&from);
  put_u16_be(to, count);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t place = read_u16(&from);
    if (from.failed || place >= places->length || places->target[place] == NOWHERE) return false;
    put_u16_be(to, places->target[place]);
    put_u16_be(to, read_u16(&from));
  }
  return !from.failed;
}

static bool put_variables(const code_places *places, byte_reader from, buffer *to) {
  uint32_t count = read_u16(&from);
  put_u16_be(to, count);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t start = read_u16(&from), end = start + read_u16(&from);
    if (from.failed || end > places->length || places->target[start] == NOWHERE || places->target[end] == NOWHERE) return false;
    put_u16_be(to, places->target[start]);
    put_u16_be(to, places->target[end] - places->target[start]);
    for (int left = 3; left > 0; left--) put_u16_be(to, read_u16(&from));
  }
  return !from.failed;
}

/* One attribute of the code, with a new length. Annotations of types name places of the code, and nothing of the running program: they go. */
static bool put_attribute(const rewriting *of, uint32_t name, byte_reader contents, buffer *to) {
  class_text text = text_at(of->task->pool, name);
  if (is_text(text, "RuntimeVisibleTypeAnnotations") || is_text(text, "RuntimeInvisibleTypeAnnotations")) return true;
  put_u16_be(to, name);
  size_t place = to->length;
  put_u32_be(to, 0);
  bool done = true;
  if (is_text(text, "LineNumberTable")) done = put_lines(&of->places, contents, to);
  else if (is_text(text, "LocalVariableTable") || is_text(text, "LocalVariableTypeTable")) done = put_variables(&of->places, contents, to);
  else if (is_text(text, "StackMapTable"))
    done = of->task->allocations == NULL ? move_frames(contents, &of->places, to)
                                         : put_full_frames(contents, &of->places, of->task->start, of->task->allocations, of->stack, to);
  else put_bytes(to, contents.bytes, contents.length);
  patch_u32_be(to, place, (uint32_t)(to->length - place - 4));
  return done;
}

static bool put_attributes(const rewriting *of, byte_reader *from, buffer *to) {
  size_t place = to->length;
  uint32_t count = read_u16(from), written = 0;
  put_u16_be(to, 0);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t name = read_u16(from);
    byte_reader contents = read_part(from, read_u32(from));
    size_t before = to->length;
    if (from->failed || !put_attribute(of, name, contents, to)) return false;
    if (to->length > before) written++;
  }
  patch_u16_be(to, place, written);
  return true;
}

static bool rewrite(rewriting *of, byte_reader *from, uint32_t stack, uint32_t locals, buffer *to) {
  if (!find_handlers(of, *from) || !place_instructions(of)) return false;
  /* The number lies on top of what is there; in a handler, that is the exception. */
  uint32_t more = of->task->allocations == NULL ? 1 : MOST_COUNT_WORDS;
  if (of->task->allocations != NULL && (locals == UINT16_MAX || stack + more > UINT16_MAX)) return false;
  of->stack = stack;
  put_u16_be(to, stack + more > UINT16_MAX ? UINT16_MAX : stack + more);
  put_u16_be(to, of->task->allocations == NULL ? locals : locals + 1);
  put_u32_be(to, of->places.at[of->places.length]);
  return put_instructions(of, to) && put_handlers(of, from, to) && put_attributes(of, from, to) && !from->failed && !to->failed;
}

bool rewrite_code(const code_task *task, byte_reader code, buffer *to) {
  uint32_t stack = read_u16(&code), locals = read_u16(&code), length = read_u32(&code);
  rewriting of = {.task = task, .code = read_part(&code, length), .places.length = length};
  if (code.failed || length == 0 || length > UINT16_MAX) return false;
  if (task->allocations != NULL) task->allocations->local = locals;
  size_t bytes = (length + 1) * sizeof *of.places.at;
  of.places.at = malloc(bytes);
  of.places.target = malloc(bytes);
  bool done = of.places.at != NULL && of.places.target != NULL;
  if (done) {
    memset(of.places.at, 0xff, bytes);
    memset(of.places.target, 0xff, bytes);
    done = rewrite(&of, &code, stack, locals, to);
  }
  free(of.places.at);
  free(of.places.target);
  free(of.is_handler);
  return done;
}

bool has_allocations(const class_pool *pool, byte_reader code) {
  read_u32(&code);
  uint32_t length = read_u32(&code);
  byte_reader part = read_part(&code, length);
  for (uint32_t pc = 0, own; !part.failed && pc < length; pc += own) {
    own = instruction_length(part.bytes, length, pc);
    if (own == 0) return false;
    if (kind_of_allocation(pool, part.bytes, pc) != NO_ALLOCATION) return true;
  }
  return false;
}
