/*
 * A walk over what the VM reaches. What an object refers to comes in one run of calls: its record is written when the next object begins. The VM
 * stands still: nothing here may call it, or take a lock.
 */
#include "dump.h"

static struct {
  class_shapes *classes;
  const dump_writer *writer;
  dump_result result;
  met_object *objects; /* by serial */
  size_t room;
  uint32_t at;         /* the object whose references come; 0: none */
  uint8_t *values;     /* of its fields, or its elements as serials */
  size_t values_room;
} walk;

/* Threads by the serials of their objects. */
static struct {
  uint32_t object, thread;
} *threads;
static size_t thread_count;

uint32_t thread_of_object(uint32_t object_serial) {
  for (size_t i = 0; i < thread_count; i++)
    if (threads[i].object == object_serial) return threads[i].thread;
  return 0;
}

const met_object *object_with(uint32_t serial) { return serial < walk.room ? &walk.objects[serial] : NULL; }

void name_threads(JNIEnv *jni) {
  jint count = 0;
  jthread *all = NULL;
  if ((*hprof_ti)->GetAllThreads(hprof_ti, &count, &all) != JVMTI_ERROR_NONE) return;
  free(threads);
  threads = malloc(((size_t)count + 1) * sizeof *threads);
  thread_count = 0;
  for (jint i = 0; threads != NULL && i < count; i++) {
    announce_thread(jni, all[i]);
    threads[thread_count].object = serial_of_object(all[i]);
    threads[thread_count++].thread = serial_of(all[i]);
    (*jni)->DeleteLocalRef(jni, all[i]);
  }
  free_of_vm(all);
}

static class_shape *shape_with(uint32_t number) { return number < walk.classes->count ? walk.classes->by_number[number] : NULL; }

/* The class that an object is; NULL for any other object. */
static class_shape *mirrored(uint32_t serial) { return serial < walk.classes->serials ? walk.classes->by_serial[serial] : NULL; }

static bool grow_objects(uint32_t serial) {
  if (serial < walk.room) return true;
  size_t room = (size_t)serial + serial / 2 + 65536;
  met_object *grown = realloc(walk.objects, room * sizeof *grown);
  if (grown == NULL) return false;
  memset(grown + walk.room, 0, (room - walk.room) * sizeof *grown);
  walk.objects = grown;
  walk.room = room;
  return true;
}

static void meet(jlong tag, jlong class_tag, jlong size, jint length) {
  uint32_t serial = (uint32_t)tag;
  class_shape *type = mirrored((uint32_t)class_tag);
  if (!grow_objects(serial)) walk.result.failed = true;
  if (walk.result.failed || walk.objects[serial].type != 0) return;
  if (type == NULL) {
    walk.result.of_new_classes++;
    return;
  }
  walk.objects[serial] = (met_object){type->number, (uint32_t)((uint64_t)tag >> 32), (uint64_t)size, length, false};
  walk.result.objects++;
  walk.result.bytes += (uint64_t)size;
}

static bool has_primitives(const class_shape *type) { return type->type->signature[0] == '[' && type->type->signature[2] == 0; }

static void write_object(uint32_t serial, const void *values) {
  met_object *object = &walk.objects[serial];
  class_shape *type = shape_with(object->type);
  if (object->written || type == NULL || mirrored(serial) != NULL) return;
  object->written = true;
  if (has_primitives(type)) walk.writer->primitives(serial, object, type, values);
  else if (object->length >= 0) walk.writer->array(serial, object, type, values);
  else walk.writer->instance(serial, object, type, values);
}

/* Values of the object whose references come are complete. Those of primitive arrays come at once. */
static void end_object(void) {
  uint32_t serial = walk.at;
  walk.at = 0;
  if (serial != 0 && walk.objects[serial].type != 0 && !has_primitives(shape_with(walk.objects[serial].type))) write_object(serial, walk.values);
}

/* Begins another object; false if nothing is kept of it. */
static bool begin_object(uint32_t serial) {
  if (walk.at == serial) return true;
  end_object();
  if (serial >= walk.room || walk.objects[serial].type == 0) return false;
  const class_shape *type = shape_with(walk.objects[serial].type);
  jint length = walk.objects[serial].length;
  size_t bytes = (length >= 0 ? (size_t)length * 4 : type->object_bytes) + 8;
  if (bytes > walk.values_room) {
    free(walk.values);
    walk.values = malloc(bytes);
    walk.values_room = walk.values == NULL ? 0 : bytes;
    if (walk.values == NULL) walk.result.failed = true;
    if (walk.values == NULL) return false;
  }
  memset(walk.values, 0, bytes);
  walk.at = serial;
  return true;
}

static void put_id(uint8_t *to, uint32_t serial) { put_shape_value(to, 'L', (jvalue){.i = (jint)id_with(serial)}); }

/* A reference of a class to its loader, a static field and the like. */
static void refer_class(class_shape *of, jvmtiHeapReferenceKind kind, uint32_t serial, const jvmtiHeapReferenceInfo *info) {
  uint32_t offset = 0;
  if (kind == JVMTI_HEAP_REFERENCE_SIGNERS) of->signers = serial;
  if (kind == JVMTI_HEAP_REFERENCE_PROTECTION_DOMAIN) of->domain = serial;
  if (kind == JVMTI_HEAP_REFERENCE_STATIC_FIELD && find_shape_field(of, info->field.index, true, &offset) != NULL) put_id(of->statics + offset, serial);
  if (kind == JVMTI_HEAP_REFERENCE_CONSTANT_POOL) {
    uint8_t entry[6] = {(uint8_t)(info->constant_pool.index >> 8), (uint8_t)info->constant_pool.index};
    put_id(entry + 2, serial);
    put_bytes(&of->constants, entry, sizeof entry);
    of->constant_count++;
  }
}

static void refer(uint32_t from, jvmtiHeapReferenceKind kind, uint32_t serial, const jvmtiHeapReferenceInfo *info) {
  uint32_t offset = 0;
  class_shape *class_of = mirrored(from);
  if (class_of != NULL && kind != JVMTI_HEAP_REFERENCE_FIELD) refer_class(class_of, kind, serial, info);
  if (!begin_object(from)) return;
  const met_object *object = &walk.objects[from];
  if (kind == JVMTI_HEAP_REFERENCE_FIELD && find_shape_field(shape_with(object->type), info->field.index, false, &offset) != NULL)
    put_id(walk.values + offset, serial);
  if (kind == JVMTI_HEAP_REFERENCE_ARRAY_ELEMENT && info->array.index < object->length) ((uint32_t *)(void *)walk.values)[info->array.index] = serial;
}

static jint JNICALL on_reference(jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo *info, jlong class_tag, jlong from_class, jlong size,
                                 jlong *tag, jlong *from, jint length, void *data) {
  uint32_t serial = serial_in(tag), thread = 0;
  meet(*tag, class_tag, size, length);
  if (walk.result.failed) return JVMTI_VISIT_ABORT;
  if (from != NULL) refer((uint32_t)*from, kind, serial, info);
  if (from != NULL || walk.objects[serial].type == 0) return JVMTI_VISIT_OBJECTS;
  jint depth = -1;
  if (kind == JVMTI_HEAP_REFERENCE_THREAD) thread = thread_of_object(serial);
  if (kind == JVMTI_HEAP_REFERENCE_STACK_LOCAL) {
    thread = thread_of_object((uint32_t)info->stack_local.thread_tag);
    depth = info->stack_local.depth;
  }
  if (kind == JVMTI_HEAP_REFERENCE_JNI_LOCAL) {
    thread = thread_of_object((uint32_t)info->jni_local.thread_tag);
    depth = info->jni_local.depth;
  }
  /* HotSpot gives other objects of its class loaders this kind, too. */
  if (kind == JVMTI_HEAP_REFERENCE_SYSTEM_CLASS && mirrored(serial) == NULL) kind = JVMTI_HEAP_REFERENCE_OTHER;
  walk.writer->root(kind, serial, thread, depth);
  return JVMTI_VISIT_OBJECTS;
}

static jint JNICALL on_value(jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo *info, jlong class_tag, jlong *tag, jvalue value,
                             jvmtiPrimitiveType type, void *data) {
  uint32_t serial = (uint32_t)*tag, offset = 0;
  class_shape *class_of = mirrored(serial);
  if (kind == JVMTI_HEAP_REFERENCE_STATIC_FIELD) {
    const shape_field *field = class_of == NULL ? NULL : find_shape_field(class_of, info->field.index, true, &offset);
    if (field != NULL) put_shape_value(class_of->statics + offset, field->letter, value);
  } else if (begin_object(serial)) {
    const shape_field *field = find_shape_field(shape_with(walk.objects[serial].type), info->field.index, false, &offset);
    if (field != NULL) put_shape_value(walk.values + offset, field->letter, value);
  }
  return walk.result.failed ? JVMTI_VISIT_ABORT : JVMTI_VISIT_OBJECTS;
}

static jint JNICALL on_elements(jlong class_tag, jlong size, jlong *tag, jint count, jvmtiPrimitiveType type, const void *elements, void *data) {
  uint32_t serial = (uint32_t)*tag;
  end_object();
  if (serial < walk.room && walk.objects[serial].type != 0) write_object(serial, elements);
  return JVMTI_VISIT_OBJECTS;
}

/* Objects of which the VM said that they are there, and nothing else: those of primitive types, and empty arrays. */
static void write_others(void) {
  for (size_t i = 1; i < walk.room; i++) {
    const met_object *object = &walk.objects[i];
    if (object->type == 0 || object->written || mirrored((uint32_t)i) != NULL) continue;
    const class_shape *type = shape_with(object->type);
    walk.at = 0;
    if (has_primitives(type)) write_object((uint32_t)i, NULL);
    else if (begin_object((uint32_t)i)) end_object();
    if (object->length != 0) walk.result.without_values++;
  }
}

dump_result walk_objects(class_shapes *classes, const dump_writer *writer) {
  const jvmtiHeapCallbacks callbacks = {
      .heap_reference_callback = on_reference, .primitive_field_callback = on_value, .array_primitive_value_callback = on_elements};
  walk.classes = classes;
  walk.writer = writer;
  walk.result = (dump_result){0};
  walk.at = 0;
  if (walk.objects != NULL) memset(walk.objects, 0, walk.room * sizeof *walk.objects);
  if ((*hprof_ti)->FollowReferences(hprof_ti, 0, NULL, NULL, &callbacks, NULL) != JVMTI_ERROR_NONE) walk.result.failed = true;
  if (walk.result.failed) return walk.result;
  end_object();
  write_others();
  return walk.result;
}
