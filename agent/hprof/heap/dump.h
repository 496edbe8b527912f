/* A dump of the heap: what a walk over it tells, and those who write it. */
#ifndef KANSOKU_HPROF_DUMP_H
#define KANSOKU_HPROF_DUMP_H

#include "heap.h"

typedef struct {
  char *name;
  char letter; /* the first of its signature */
  bool is_static;
  uint32_t offset; /* in the values of its class: static fields, or this class's fields of objects */
} shape_field;

/* A class as it is at the dump. Values are those of the file: big-endian, ids of four bytes. */
typedef struct class_shape {
  heap_class *type;
  struct class_shape *super;
  uint32_t number, serial; /* of the class; of its object */
  uint32_t loader, signers, domain; /* serials; 0: none */
  jint field_count, interface_count;
  shape_field *fields;
  uint32_t *interfaces;   /* numbers of classes */
  uint32_t start;         /* fields of all classes above */
  uint32_t of_interfaces; /* fields of all interfaces */
  uint32_t own_bytes;     /* values of this class's fields in an object */
  uint32_t object_bytes;  /* with those of all classes above */
  uint32_t static_bytes;
  uint32_t visit;
  uint8_t *statics;
  buffer constants; /* index of two bytes and id, one after another */
  size_t constant_count;
  bool written;
} class_shape;

/* The classes that are loaded when a dump begins. */
typedef struct {
  class_shape **by_number, **by_serial; /* of classes; of their objects */
  size_t count, serials;                /* places of both */
  pool memory;
} class_shapes;

/* An object that the walk has met. */
typedef struct {
  uint32_t type; /* number of its class; 0: not met */
  uint32_t site;
  uint64_t size;
  jint length; /* of an array, else -1 */
  bool written;
} met_object;

/* What a writer takes, while the VM stands still: no call of it, and no lock. */
typedef struct {
  void (*root)(jvmtiHeapReferenceKind kind, uint32_t serial, uint32_t thread, jint depth);
  void (*instance)(uint32_t serial, const met_object *object, const class_shape *type, const uint8_t *values);
  void (*array)(uint32_t serial, const met_object *object, const class_shape *type, const uint32_t *elements);
  /* Values as the VM has them; NULL: unknown, to be written as 0. */
  void (*primitives)(uint32_t serial, const met_object *object, const class_shape *type, const void *elements);
} dump_writer;

/* What a walk has met. */
typedef struct {
  uint64_t objects, bytes;
  uint64_t of_new_classes; /* left out: their classes were loaded since the dump began */
  uint64_t without_values; /* the VM told nothing of what is in them */
  bool failed;
} dump_result;

/* shapes.c */
bool take_shapes(JNIEnv *jni, class_shapes *of);
void drop_shapes(class_shapes *of);
/* The field that JVMTI numbers `index`; its offset in the values of an object, or of the class. NULL if there is none. */
const shape_field *find_shape_field(const class_shape *of, jint index, bool is_static, uint32_t *offset);
/* Bytes of a value in the file. */
uint32_t value_size(char letter);
void put_shape_value(uint8_t *to, char letter, jvalue value);

/* walk.c */
/* Before the walk, without a lock: the serials of all threads, whose starts are written. */
void name_threads(JNIEnv *jni);
dump_result walk_objects(class_shapes *classes, const dump_writer *writer);
/* The serial of a thread's object → that of the thread; 0: unknown. */
uint32_t thread_of_object(uint32_t object_serial);
const met_object *object_with(uint32_t serial);

static inline uint32_t id_with(uint32_t serial) { return serial == 0 ? 0 : FIRST_ID + serial; }

#endif
