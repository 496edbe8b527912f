/* Walks over the heap, and classes as dumps need them. */
#ifndef KANSOKU_HEAP_H
#define KANSOKU_HEAP_H

#include "agent.h"

typedef struct {
  char letter; /* the first of its signature */
  bool is_static;
  uint32_t offset; /* in the values of its class: static fields, or this class's fields of objects */
} field_layout;

typedef struct class_layout {
  jlong tag, above, loader, element; /* ids; `element` of arrays of objects */
  struct class_layout *super;
  char *signature;
  bool prepared;
  jint field_count;
  field_layout *fields;
  uint32_t start;         /* fields of all classes above */
  uint32_t of_interfaces; /* fields of all interfaces */
  uint32_t own_bytes;     /* values of this class's fields in an object */
  uint32_t object_bytes;  /* with those of all classes above */
  uint32_t static_bytes;
  jint interface_count;
  jlong *interfaces;
  uint32_t visit;
} class_layout;

/* All loaded classes. */
typedef struct {
  class_layout **classes; /* by tag */
  size_t count;
  jlong class_of_classes;
  pool memory;
} layouts;

/* Bytes of a value in a dump of this level; 0 where the level has none. */
int value_bytes(char letter, jint level);
/* False if memory ran out. */
bool layouts_make(layouts *of, JNIEnv *jni, jint level);
class_layout *layout_of(const layouts *of, jlong tag);
/* The field that JVMTI numbers `index`: its letter, and its offset in the values of an object, or of the class. False if there is none. */
bool find_field(const class_layout *of, jint index, bool is_static, uint32_t *offset, char *letter);

/* Takes what the VM tells while it stands still. `length` is that of an array, else -1; `index` that of a field or element. */
typedef struct {
  void (*object)(void *to, jlong tag, jlong class_tag, jlong bytes, jint length);
  void (*root)(void *to, jvmtiHeapReferenceKind kind, jlong tag, jlong thread, jint depth);
  void (*reference)(void *to, jvmtiHeapReferenceKind kind, jlong from, jlong from_class, jlong tag, jint index);
  void (*value)(void *to, bool is_static, jlong tag, jlong class_tag, jint index, char letter, jvalue value);
  void (*elements)(void *to, jlong tag, char letter, size_t count, const void *elements);
  bool (*is_over)(void *to); /* true ends the walk: it failed */
} heap_visitor;

/* The heap, or `only` one object with what it refers to. Level 2 has values of primitive types. False if it failed. */
bool walk_heap(JNIEnv *jni, jint level, jobject only, const layouts *classes, const heap_visitor *visitor, void *to);

#endif
