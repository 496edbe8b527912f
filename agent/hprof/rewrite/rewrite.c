/* Rewriting of a class: new constants behind the old ones, then the methods one after another, and all else as it was. */
#include "allocations.h"

enum { UTF8 = 1, INTEGER = 3, CLASS = 7, METHOD = 10, NAME_AND_TYPE = 12 };

#define MAGIC 0xcafebabeu

/* A class file in parts, and what is written. */
typedef struct {
  class_pool pool;
  probe_constants constants;
  buffer added;       /* entries of the pool */
  uint32_t next;      /* index of the next one */
  rewritten_method method;
  method_numbering number;
  rewrite_result *result;
  allocation_task allocations;
  bool counts_allocations;
  uint32_t this_class, flags; /* of the method */
} class_task;

static uint32_t added_index(class_task *of) { return of->next++; }

static uint32_t add_text(class_task *of, const char *text) {
  size_t length = strlen(text);
  put_u8(&of->added, UTF8);
  put_u16_be(&of->added, (uint32_t)length);
  put_bytes(&of->added, text, length);
  return added_index(of);
}

static uint32_t add_class(class_task *of, const char *name) {
  uint32_t text = add_text(of, name);
  put_u8(&of->added, CLASS);
  put_u16_be(&of->added, text);
  return added_index(of);
}

static uint32_t add_pair(class_task *of, uint32_t tag, uint32_t first, uint32_t second) {
  put_u8(&of->added, (uint8_t)tag);
  put_u16_be(&of->added, first);
  put_u16_be(&of->added, second);
  return added_index(of);
}

static uint32_t add_method(class_task *of, uint32_t type, const char *name, uint32_t descriptor) {
  uint32_t text = add_text(of, name);
  return add_pair(of, METHOD, type, add_pair(of, NAME_AND_TYPE, text, descriptor));
}

static void add_counters(class_task *of) {
  allocation_task *to = &of->allocations;
  uint32_t type = add_class(of, ALLOCATIONS_CLASS);
  to->counters = add_class(of, "[J");
  to->made = add_method(of, type, "made", add_text(of, "([JII)[J"));
  to->array = add_method(of, type, "array", add_text(of, "(I[JIIII)[J"));
  to->returned = add_method(of, type, "returned", add_text(of, "(Ljava/lang/Object;II)V"));
  to->several = add_method(of, type, "several", add_text(of, "(Ljava/lang/Object;[JII)[J"));
}

static void add_constants(class_task *of, const probe_names *probe) {
  if (of->counts_allocations) {
    add_counters(of);
    return;
  }
  uint32_t type = add_class(of, probe->type), descriptor = add_text(of, "(I)V");
  of->constants.enter = add_method(of, type, probe->enter, descriptor);
  if (probe->exit != NULL) of->constants.exit = add_method(of, type, probe->exit, descriptor);
  if (probe->caught != NULL) of->constants.caught = add_method(of, type, probe->caught, descriptor);
}

/* Room for the constants of all classes, and one more. */
#define FULL_POOL (UINT16_MAX - 1)

/* The constant of a class: one of the file, else a new one; 0 if there is no room. */
static uint32_t class_constant(class_task *of, class_text name) {
  for (uint32_t i = 1; i < of->pool.count; i++) {
    class_text known = class_name_at(&of->pool, i);
    if (known.length == name.length && memcmp(known.bytes, name.bytes, name.length) == 0 && known.length > 0) return i;
  }
  if (of->next + 2 >= FULL_POOL) return 0;
  put_u8(&of->added, UTF8);
  put_u16_be(&of->added, (uint32_t)name.length);
  put_bytes(&of->added, name.bytes, name.length);
  uint32_t text = added_index(of);
  put_u8(&of->added, CLASS);
  put_u16_be(&of->added, text);
  return added_index(of);
}

enum { INT_TYPE = 1, FLOAT_TYPE, DOUBLE_TYPE, LONG_TYPE, UNFINISHED_THIS = 6, OBJECT_TYPE };

static bool add_type(frame_types *to, uint32_t tag, uint32_t value) {
  if (to->count == to->room) return false;
  to->types[to->count++] = (frame_type){(uint8_t)tag, (uint16_t)value};
  return true;
}

/* One parameter; the place behind it, 0 if it is invalid. */
static size_t add_parameter(class_task *of, frame_types *to, size_t at) {
  class_text text = of->method.descriptor;
  size_t start = at;
  while (at < text.length && text.bytes[at] == '[') at++;
  if (at >= text.length) return 0;
  char letter = text.bytes[at];
  if (letter == 'L') {
    const char *end = memchr(text.bytes + at, ';', text.length - at);
    if (end == NULL) return 0;
    at = (size_t)(end - text.bytes);
  }
  at++;
  bool is_array = text.bytes[start] == '[';
  if (letter != 'L' && !is_array)
    return add_type(to, letter == 'F' ? FLOAT_TYPE : letter == 'D' ? DOUBLE_TYPE : letter == 'J' ? LONG_TYPE : INT_TYPE, 0) ? at : 0;
  class_text name = is_array ? (class_text){text.bytes + start, at - start} : (class_text){text.bytes + start + 1, at - start - 2};
  uint32_t constant = class_constant(of, name);
  return constant != 0 && add_type(to, OBJECT_TYPE, constant) ? at : 0;
}

/* The types of the local variables at the start of the method. */
static bool take_start(class_task *of, uint32_t flags, frame_types *to) {
  class_text text = of->method.descriptor;
  bool is_static = (flags & 8) != 0, is_constructor = is_text(of->method.name, "<init>");
  if (!is_static && !add_type(to, is_constructor ? UNFINISHED_THIS : OBJECT_TYPE, is_constructor ? 0 : of->this_class)) return false;
  size_t at = 1;
  while (at != 0 && at < text.length && text.bytes[at] != ')') at = add_parameter(of, to, at);
  return at != 0;
}

/* The attribute Code with counters; false if it cannot be. */
static bool put_counted_code(class_task *of, byte_reader code, buffer *to) {
  frame_type types[256];
  frame_types start = {.types = types, .room = 256};
  if (of->next + 2 >= FULL_POOL || !take_start(of, of->flags, &start)) return false;
  uint32_t number = of->next + 1 >= FULL_POOL ? 0 : of->number(&of->method);
  if (number == 0) return false;
  put_u8(&of->added, INTEGER);
  put_u32_be(&of->added, number);
  of->allocations.number = added_index(of);
  of->allocations.method = number;
  code_task task = {.pool = &of->pool, .constants = &of->constants, .allocations = &of->allocations, .start = &start};
  size_t place = to->length;
  put_u32_be(to, 0);
  if (!rewrite_code(&task, code, to)) return false;
  patch_u32_be(to, place, (uint32_t)(to->length - place - 4));
  return true;
}

/* The attribute Code with its length; the old one if it cannot be rewritten. */
static void put_code(class_task *of, byte_reader code, buffer *to) {
  size_t start = to->length;
  bool counts = of->counts_allocations, changes = !counts || (!is_counted_by_calls(&of->method) && has_allocations(&of->pool, code));
  uint32_t number = counts || of->next >= FULL_POOL ? 0 : of->number(&of->method);
  bool done = number != 0;
  if (counts && changes && of->next < FULL_POOL) done = put_counted_code(of, code, to);
  else if (done) {
    put_u8(&of->added, INTEGER);
    put_u32_be(&of->added, number);
    code_task task = {.pool = &of->pool, .constants = &of->constants, .number = added_index(of)};
    put_u32_be(to, 0);
    done = rewrite_code(&task, code, to);
    patch_u32_be(to, start, (uint32_t)(to->length - start - 4));
  }
  if (done) of->result->rewritten++;
  if (done || to->failed) return;
  if (changes) of->result->left_alone++;
  to->length = start;
  put_u32_be(to, (uint32_t)code.length);
  put_bytes(to, code.bytes, code.length);
}

static void put_method(class_task *of, byte_reader *from, buffer *to) {
  of->flags = read_u16(from);
  put_u16_be(to, of->flags);
  for (int i = 0; i < 2; i++) {
    uint32_t index = read_u16(from);
    put_u16_be(to, index);
    *(i == 0 ? &of->method.name : &of->method.descriptor) = text_at(&of->pool, index);
  }
  uint32_t count = read_u16(from);
  put_u16_be(to, count);
  for (uint32_t i = 0; i < count && !from->failed; i++) {
    uint32_t name = read_u16(from), length = read_u32(from);
    byte_reader contents = read_part(from, length);
    put_u16_be(to, name);
    if (is_text(text_at(&of->pool, name), "Code")) {
      put_code(of, contents, to);
      continue;
    }
    put_u32_be(to, length);
    put_bytes(to, contents.bytes, contents.length);
  }
}

static void skip_attributes(byte_reader *from) {
  for (uint32_t left = read_u16(from); left > 0 && !from->failed; left--) {
    read_u16(from);
    read_part(from, read_u32(from));
  }
}

/* Fields or methods. */
static void skip_members(byte_reader *from) {
  for (uint32_t left = read_u16(from); left > 0 && !from->failed; left--) {
    read_part(from, 6);
    skip_attributes(from);
  }
}

/* The text of the attribute SourceFile, behind the methods. */
static class_text source_of(const class_pool *pool, byte_reader from) {
  skip_members(&from);
  for (uint32_t left = read_u16(&from); left > 0 && !from.failed; left--) {
    uint32_t name = read_u16(&from);
    byte_reader contents = read_part(&from, read_u32(&from));
    if (is_text(text_at(pool, name), "SourceFile")) return text_at(pool, read_u16(&contents));
  }
  return (class_text){"", 0};
}

/* Writes the class behind its pool. */
static bool put_rest(class_task *of, byte_reader *from, buffer *to) {
  const uint8_t *start = from->bytes + from->at;
  read_u16(from);
  of->this_class = read_u16(from);
  of->method.type = class_name_at(&of->pool, of->this_class);
  read_u16(from);
  read_part(from, (size_t)read_u16(from) * 2);
  skip_members(from);
  if (from->failed) return false;
  put_bytes(to, start, (size_t)(from->bytes + from->at - start));
  of->method.source = source_of(&of->pool, *from);
  uint32_t count = read_u16(from);
  put_u16_be(to, count);
  for (uint32_t i = 0; i < count && !from->failed; i++) put_method(of, from, to);
  put_bytes(to, from->bytes + from->at, from->length - from->at);
  return !from->failed && !to->failed;
}

static void put_class(class_task *of, const uint8_t *bytes, size_t pool_end, const buffer *rest) {
  buffer *to = &of->result->bytes;
  put_bytes(to, bytes, 8);
  put_u16_be(to, of->next);
  put_bytes(to, bytes + 10, pool_end - 10);
  put_bytes(to, of->added.bytes, of->added.length);
  put_bytes(to, rest->bytes, rest->length);
}

static rewrite_result rewrite(class_task task, const probe_names *probe, const uint8_t *bytes, size_t length) {
  rewrite_result result = {0};
  task.result = &result;
  byte_reader from = {.bytes = bytes, .length = length};
  buffer rest = {0};
  bool is_class = read_u32(&from) == MAGIC;
  read_u32(&from);
  if (is_class && read_pool(&from, &task.pool)) {
    size_t pool_end = from.at;
    task.next = task.pool.count;
    /* What the probes need has 12 and 23 entries. */
    if (task.next + 24 < FULL_POOL) add_constants(&task, probe);
    else task.next = FULL_POOL;
    bool done = put_rest(&task, &from, &rest) && !task.added.failed && result.rewritten > 0;
    if (done) put_class(&task, bytes, pool_end, &rest);
    if (!done || result.bytes.failed) drop_buffer(&result.bytes);
  }
  free(task.pool.places);
  drop_buffer(&task.added);
  drop_buffer(&rest);
  return result;
}

rewrite_result rewrite_class(const uint8_t *bytes, size_t length, method_numbering number, const probe_names *probe) {
  return rewrite((class_task){.number = number}, probe, bytes, length);
}

rewrite_result rewrite_allocations(const uint8_t *bytes, size_t length, const allocation_counting *plan) {
  return rewrite((class_task){.number = plan->number, .counts_allocations = true, .allocations.plan = plan}, NULL, bytes, length);
}
