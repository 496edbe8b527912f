/* HEAP DUMP SEGMENT and its end. */
#include "binary.h"
#include "dump-output.h"

enum { UNKNOWN_ROOT = 0xff, JNI_GLOBAL = 1, JNI_LOCAL = 2, JAVA_FRAME = 3, STICKY_CLASS = 5, MONITOR = 7, THREAD = 8 };
enum { CLASS_DUMP = 0x20, INSTANCE_DUMP = 0x21, ARRAY_DUMP = 0x22, PRIMITIVES_DUMP = 0x23 };

/* A segment is written when it has so many bytes. */
#define SEGMENT_BYTES (1u << 20)

static FILE *out;
static buffer segment;
static uint32_t references;
static bool failed;

static void end_segment(void) {
  failed |= segment.failed;
  if (segment.length > 0) write_record(out, HEAP_DUMP_SEGMENT, &segment);
  segment.length = 0;
}

static void begin(uint8_t kind, uint32_t serial) {
  if (segment.length >= SEGMENT_BYTES) end_segment();
  put_u8(&segment, kind);
  put_u32_be(&segment, id_with(serial));
}

static void write_root(jvmtiHeapReferenceKind kind, uint32_t serial, uint32_t thread, jint depth) {
  uint8_t code = kind == JVMTI_HEAP_REFERENCE_JNI_GLOBAL     ? JNI_GLOBAL
                 : kind == JVMTI_HEAP_REFERENCE_SYSTEM_CLASS ? STICKY_CLASS
                 : kind == JVMTI_HEAP_REFERENCE_MONITOR      ? MONITOR
                 : kind == JVMTI_HEAP_REFERENCE_STACK_LOCAL  ? JAVA_FRAME
                 : kind == JVMTI_HEAP_REFERENCE_JNI_LOCAL    ? JNI_LOCAL
                 : kind == JVMTI_HEAP_REFERENCE_THREAD       ? THREAD
                                                             : UNKNOWN_ROOT;
  begin(code, serial);
  if (code == JNI_GLOBAL) put_u32_be(&segment, ++references);
  if (code != JAVA_FRAME && code != JNI_LOCAL && code != THREAD) return;
  put_u32_be(&segment, thread == 0 ? UNKNOWN_THREAD : thread);
  put_u32_be(&segment, code == THREAD ? trace_of_site(object_with(serial)->site) : (uint32_t)depth);
}

static void write_instance(uint32_t serial, const met_object *object, const class_shape *type, const uint8_t *values) {
  begin(INSTANCE_DUMP, serial);
  put_u32_be(&segment, trace_of_site(object->site));
  put_u32_be(&segment, id_with(type->serial));
  put_u32_be(&segment, type->object_bytes);
  put_bytes(&segment, values, type->object_bytes);
}

static void write_array(uint32_t serial, const met_object *object, const class_shape *type, const uint32_t *elements) {
  begin(ARRAY_DUMP, serial);
  put_u32_be(&segment, trace_of_site(object->site));
  put_u32_be(&segment, (uint32_t)object->length);
  put_u32_be(&segment, id_with(type->serial));
  for (jint i = 0; i < object->length; i++) put_u32_be(&segment, id_with(elements[i]));
}

static void write_primitives(uint32_t serial, const met_object *object, const class_shape *type, const void *elements) {
  char letter = type->type->signature[1];
  uint32_t size = value_size(letter);
  begin(PRIMITIVES_DUMP, serial);
  put_u32_be(&segment, trace_of_site(object->site));
  put_u32_be(&segment, (uint32_t)object->length);
  put_u8(&segment, code_of_type(letter));
  size_t start = segment.length;
  put_bytes(&segment, elements, (size_t)object->length * size);
  if (size == 1 || elements == NULL || segment.failed) return;
  for (uint8_t *at = segment.bytes + start, *end = segment.bytes + segment.length; at < end; at += size)
    for (uint32_t i = 0; i < size / 2; i++) {
      uint8_t low = at[i];
      at[i] = at[size - 1 - i];
      at[size - 1 - i] = low;
    }
}

static void write_fields(const class_shape *of, bool is_static) {
  uint32_t count = 0;
  for (jint i = 0; i < of->field_count; i++) count += of->fields[i].is_static == is_static;
  put_u16_be(&segment, count);
  for (jint i = 0; i < of->field_count; i++) {
    const shape_field *field = &of->fields[i];
    if (field->is_static != is_static) continue;
    put_u32_be(&segment, text_id(out, field->name));
    put_u8(&segment, code_of_type(field->letter));
    if (is_static) put_bytes(&segment, of->statics + field->offset, value_size(field->letter));
  }
}

static void write_class(class_shape *of, uint32_t trace) {
  begin(CLASS_DUMP, of->serial);
  put_u32_be(&segment, trace);
  put_u32_be(&segment, of->super == NULL ? 0 : id_with(of->super->serial));
  put_u32_be(&segment, id_with(of->loader));
  put_u32_be(&segment, id_with(of->signers));
  put_u32_be(&segment, id_with(of->domain));
  put_u32_be(&segment, 0);
  put_u32_be(&segment, 0);
  put_u32_be(&segment, of->object_bytes);
  put_u16_be(&segment, (uint32_t)of->constant_count);
  for (size_t i = 0; i < of->constant_count; i++) {
    put_bytes(&segment, of->constants.bytes + 6 * i, 2);
    put_u8(&segment, code_of_type('L'));
    put_bytes(&segment, of->constants.bytes + 6 * i + 2, 4);
  }
  write_fields(of, true);
  write_fields(of, false);
}

dump_result write_dump(FILE *to, class_shapes *classes) {
  static const dump_writer WRITER = {write_root, write_instance, write_array, write_primitives};
  const buffer nothing = {0};
  out = to;
  references = 0;
  failed = false;
  for (size_t i = 0; i < classes->count; i++)
    if (classes->by_number[i] != NULL) loaded_class(to, classes->by_number[i]->number);
  dump_result result = walk_objects(classes, &WRITER);
  write_classes(classes, write_class);
  end_segment();
  write_record(to, HEAP_DUMP_END, &nothing);
  result.failed |= failed;
  return result;
}
