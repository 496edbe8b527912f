/* HEAP DUMP in the text. The head of the section has the sums of what follows: until they are known, its lines are in a file beside. */
#include "dump.h"
#include "dump-output.h"
#include "../output.h"
#include <inttypes.h>
#include <unistd.h>

static FILE *lines;
static uint32_t references;

static const char *name_of(const class_shape *of) { return of->type->name == NULL ? of->type->signature : of->type->name; }

static uint32_t id_at(const uint8_t *values) { return (uint32_t)values[0] << 24 | (uint32_t)values[1] << 16 | (uint32_t)values[2] << 8 | values[3]; }

static void print_root(jvmtiHeapReferenceKind kind, uint32_t serial, uint32_t thread, jint depth) {
  uint32_t id = id_with(serial), owner = thread == 0 ? UNKNOWN_THREAD : thread;
  fprintf(lines, "ROOT %x (kind=", id);
  if (kind == JVMTI_HEAP_REFERENCE_JNI_GLOBAL) fprintf(lines, "<JNI global ref>, id=%x, trace=%u", ++references, trace_of_site(object_with(serial)->site));
  else if (kind == JVMTI_HEAP_REFERENCE_SYSTEM_CLASS) fprintf(lines, "<system class>, name=%s", name_of_class_object(serial));
  else if (kind == JVMTI_HEAP_REFERENCE_MONITOR) fputs("<busy monitor>", lines);
  else if (kind == JVMTI_HEAP_REFERENCE_STACK_LOCAL) fprintf(lines, "<Java stack>, thread=%u, frame=%d", owner, (int)depth);
  else if (kind == JVMTI_HEAP_REFERENCE_JNI_LOCAL) fprintf(lines, "<JNI local ref>, thread=%u, frame=%d", owner, (int)depth);
  else if (kind == JVMTI_HEAP_REFERENCE_THREAD)
    fprintf(lines, "<thread>, id=%u, trace=%u", owner, trace_of_site(object_with(serial)->site));
  else fputs("<unknown>", lines);
  fputs(")\n", lines);
}

static void print_field(const char *prefix, const char *name, uint32_t id) {
  if (id == 0) return;
  fprintf(lines, "\t%s%s\t%s%x\n", prefix, name, *prefix == 0 && strlen(name) < 8 ? "\t" : "", id);
}

static void print_instance(uint32_t serial, const met_object *object, const class_shape *type, const uint8_t *values) {
  fprintf(lines, "OBJ %x (sz=%" PRIu64 ", trace=%u, class=%s@%x)\n", id_with(serial), object->size, trace_of_site(object->site), name_of(type),
          id_with(type->serial));
  uint32_t before = 0;
  for (const class_shape *at = type; at != NULL; before += at->own_bytes, at = at->super)
    for (jint i = 0; i < at->field_count; i++)
      if (!at->fields[i].is_static && at->fields[i].letter == 'L') print_field("", at->fields[i].name, id_at(values + before + at->fields[i].offset));
}

static void print_array(uint32_t serial, const met_object *object, const class_shape *type, const uint32_t *elements) {
  fprintf(lines, "ARR %x (sz=%" PRIu64 ", trace=%u, nelems=%d, elem type=%s@%x)\n", id_with(serial), object->size, trace_of_site(object->site),
          (int)object->length, name_of(type), id_with(type->serial));
  for (jint i = 0; i < object->length; i++)
    if (elements[i] != 0) fprintf(lines, "\t[%d]\t\t%x\n", (int)i, id_with(elements[i]));
}

static void print_primitives(uint32_t serial, const met_object *object, const class_shape *type, const void *elements) {
  fprintf(lines, "ARR %x (sz=%" PRIu64 ", trace=%u, nelems=%d, elem type=%s)\n", id_with(serial), object->size, trace_of_site(object->site),
          (int)object->length, name_of(type));
}

static void print_class(class_shape *of, uint32_t trace) {
  fprintf(lines, "CLS %x (name=%s, trace=%u)\n", id_with(of->serial), name_of(of), trace);
  if (of->super != NULL) fprintf(lines, "\tsuper\t\t%x\n", id_with(of->super->serial));
  if (of->loader != 0) fprintf(lines, "\tloader\t\t%x\n", id_with(of->loader));
  if (of->signers != 0) fprintf(lines, "\tsigners\t\t%x\n", id_with(of->signers));
  if (of->domain != 0) fprintf(lines, "\tdomain\t\t%x\n", id_with(of->domain));
  for (jint i = 0; i < of->field_count; i++)
    if (of->fields[i].is_static && of->fields[i].letter == 'L') print_field("static ", of->fields[i].name, id_at(of->statics + of->fields[i].offset));
  for (size_t i = 0; i < of->constant_count; i++) {
    const uint8_t *entry = of->constants.bytes + 6 * i;
    fprintf(lines, "\tconstant pool entry %d\t%x\n", entry[0] << 8 | entry[1], id_at(entry + 2));
  }
}

/* A file beside that of the profile; removed at once, so it goes with the process. */
static FILE *side_file(void) {
  char *name = NULL;
  if (asprintf(&name, "%s.TMP", chosen.file) < 0) return NULL;
  FILE *made = fopen(name, "w+");
  if (made != NULL) unlink(name);
  free(name);
  return made;
}

dump_result print_dump(FILE *to, class_shapes *classes) {
  static const dump_writer WRITER = {print_root, print_instance, print_array, print_primitives};
  char text[32], piece[65536];
  references = 0;
  lines = side_file();
  if (lines == NULL) return (dump_result){.failed = true};
  dump_result result = walk_objects(classes, &WRITER);
  write_classes(classes, print_class);
  fprintf(to, "HEAP DUMP BEGIN (%" PRIu64 " objects, %" PRIu64 " bytes) %s", result.objects, result.bytes, time_text(text));
  rewind(lines);
  for (size_t length; (length = fread(piece, 1, sizeof piece, lines)) > 0;) fwrite(piece, 1, length, to);
  if (ferror(lines)) result.failed = true;
  fclose(lines);
  fputs("HEAP DUMP END\n", to);
  return result;
}
