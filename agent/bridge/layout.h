/* Classes as heap dumps need them: where each field is in its record. */
#ifndef KANSOKU_LAYOUT_H
#define KANSOKU_LAYOUT_H

#include "bridge.h"

typedef struct class_layout {
  jlong tag, above, loader, domain, element; /* ids; `element` of arrays of objects */
  struct class_layout *super;
  char *signature;
  bool prepared;
  jint field_count;
  char *letters;          /* type of each field, by the first letter of its signature */
  bool *is_static;        /* of each field */
  uint32_t *offsets;      /* in the values of its class: static fields, or this class's fields of objects */
  uint32_t start;         /* fields of all classes above */
  uint32_t of_interfaces; /* fields of all interfaces */
  uint32_t own_bytes;     /* values of this class's fields in an object */
  uint32_t object_bytes;  /* with those of all classes above */
  uint32_t static_bytes;
  jint interface_count;
  jlong *interfaces;
  uint32_t visit;
} class_layout;

typedef struct {
  class_layout **classes; /* by tag */
  size_t count;
  jlong class_of_classes;
} layouts;

/* Bytes of a value in a dump of this level; 0 where the level has none. */
int value_bytes(char letter, jint level);
bool layouts_make(layouts *of, JNIEnv *jni, jint level);
class_layout *layout_of(const layouts *of, jlong tag);
/* The field that JVMTI numbers `index`: its offset in the values of an object, or of the class; NULL if there is none. */
const class_layout *find_field(const class_layout *of, jint index, bool is_static, uint32_t *offset, char *letter);
void layouts_drop(layouts *of);

#endif
