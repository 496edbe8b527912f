/* What both writers of a dump need: traces by site, names of classes, classes in order. */
#include "dump-output.h"
#include "../output.h"

static uint32_t *traces; /* by site: the VM stands still while objects are written, and no lock may be taken */
static size_t trace_count;
static const class_shapes *all_classes;

uint32_t trace_of_site(uint32_t site) { return traces[site < trace_count ? site : 0]; }

const char *name_of_class_object(uint32_t serial) {
  const class_shape *of = serial < all_classes->serials ? all_classes->by_serial[serial] : NULL;
  return of == NULL || of->type->name == NULL ? "" : of->type->name;
}

bool take_traces(JNIEnv *jni, const class_shapes *classes) {
  all_classes = classes;
  thread_stack *empty = empty_stack(jni);
  size_t count = site_count() + 1;
  uint32_t *grown = empty == NULL ? NULL : realloc(traces, count * sizeof *traces);
  if (grown == NULL) return false;
  traces = grown;
  trace_count = count;
  print_stack(empty);
  traces[0] = empty->trace;
  for (size_t i = 1; i < count; i++) {
    thread_stack *stack = site_with((uint32_t)i)->stack;
    print_stack(stack);
    traces[i] = stack->trace;
  }
  return true;
}

static void write_class(class_shape *of, void (*write)(class_shape *of, uint32_t trace)) {
  if (of == NULL || of->written) return;
  of->written = true;
  write_class(of->super, write);
  const met_object *object = object_with(of->serial);
  write(of, trace_of_site(object == NULL ? 0 : object->site));
}

void write_classes(class_shapes *all, void (*write)(class_shape *of, uint32_t trace)) {
  for (size_t i = 0; i < all->count; i++) write_class(all->by_number[i], write);
}
