/* Classes with their fields. JVMTI numbers the fields of a class behind those of its interfaces and of the classes above. */
#include "dump.h"

uint32_t value_size(char letter) {
  if (letter == 'J' || letter == 'D') return 8;
  if (letter == 'S' || letter == 'C') return 2;
  return letter == 'Z' || letter == 'B' ? 1 : 4;
}

void put_shape_value(uint8_t *to, char letter, jvalue value) {
  uint32_t size = value_size(letter);
  uint64_t bits = size == 8 ? (uint64_t)value.j : size == 4 ? (uint32_t)value.i : size == 2 ? (uint16_t)value.s : (uint8_t)value.b;
  if (letter == 'Z') bits = value.z != 0;
  for (uint32_t i = 0; i < size; i++) to[i] = (uint8_t)(bits >> 8 * (size - 1 - i));
}

static bool take_fields(class_shapes *all, class_shape *of, jclass type) {
  jint count = 0;
  jfieldID *fields = NULL;
  if ((*hprof_ti)->GetClassFields(hprof_ti, type, &count, &fields) != JVMTI_ERROR_NONE) return true;
  of->fields = pool_take(&all->memory, (size_t)count * sizeof *of->fields);
  of->field_count = of->fields == NULL ? 0 : count;
  for (jint i = 0; i < of->field_count; i++) {
    char *name = NULL, *signature = NULL;
    jint modifiers = 0;
    (*hprof_ti)->GetFieldName(hprof_ti, type, fields[i], &name, &signature, NULL);
    (*hprof_ti)->GetFieldModifiers(hprof_ti, type, fields[i], &modifiers);
    bool is_static = (modifiers & 0x8) != 0;
    uint32_t *bytes = is_static ? &of->static_bytes : &of->own_bytes;
    char letter = signature == NULL || signature[0] == '[' ? 'L' : signature[0];
    of->fields[i] = (shape_field){pool_text(&all->memory, name), letter, is_static, *bytes};
    *bytes += value_size(letter);
    free_of_vm(name);
    free_of_vm(signature);
  }
  free_of_vm(fields);
  of->statics = pool_take(&all->memory, of->static_bytes);
  return of->fields != NULL && of->statics != NULL;
}

static bool take_interfaces(JNIEnv *jni, class_shapes *all, class_shape *of, jclass type) {
  jint count = 0;
  jclass *list = NULL;
  if ((*hprof_ti)->GetImplementedInterfaces(hprof_ti, type, &count, &list) != JVMTI_ERROR_NONE) return true;
  of->interfaces = pool_take(&all->memory, (size_t)count * sizeof *of->interfaces);
  of->interface_count = of->interfaces == NULL ? 0 : count;
  for (jint i = 0; i < of->interface_count; i++) of->interfaces[i] = number_class(list[i]);
  free_of_vm(list);
  return of->interfaces != NULL;
}

/* Makes room in both tables. */
static bool has_room(class_shapes *of, uint32_t number, uint32_t serial) {
  size_t needed[] = {number, serial}, *have[] = {&of->count, &of->serials};
  class_shape ***tables[] = {&of->by_number, &of->by_serial};
  for (int i = 0; i < 2; i++) {
    if (needed[i] < *have[i]) continue;
    size_t room = needed[i] * 2 + 1024;
    class_shape **grown = realloc(*tables[i], room * sizeof(class_shape *));
    if (grown == NULL) return false;
    memset(grown + *have[i], 0, (room - *have[i]) * sizeof(class_shape *));
    *tables[i] = grown;
    *have[i] = room;
  }
  return true;
}

static bool take_shape(JNIEnv *jni, class_shapes *all, jclass type) {
  jint status = 0;
  jlong tag = 0;
  jobject loader = NULL;
  uint32_t number = number_class(type);
  (*hprof_ti)->GetTag(hprof_ti, type, &tag);
  class_shape *made = number == 0 ? NULL : pool_take(&all->memory, sizeof *made);
  if (made == NULL || !has_room(all, number, (uint32_t)tag)) return false;
  made->number = number;
  made->serial = (uint32_t)tag;
  made->type = class_with(number);
  if ((*hprof_ti)->GetClassLoader(hprof_ti, type, &loader) == JVMTI_ERROR_NONE && loader != NULL) made->loader = serial_of_object(loader);
  jclass super = (*jni)->GetSuperclass(jni, type);
  if (super != NULL) made->visit = number_class(super); /* until `finish` */
  (*hprof_ti)->GetClassStatus(hprof_ti, type, &status);
  all->by_number[number] = all->by_serial[made->serial] = made;
  return (status & JVMTI_CLASS_STATUS_PREPARED) == 0 || (take_fields(all, made, type) && take_interfaces(jni, all, made, type));
}

/* Fields of the interfaces of a class and of the classes above, each interface once. */
static uint32_t count_interface_fields(const class_shapes *all, class_shape *of, uint32_t visit, bool is_interface) {
  uint32_t count = 0;
  if (of == NULL || of->visit == visit) return 0;
  of->visit = visit;
  if (is_interface) count += (uint32_t)of->field_count;
  for (jint i = 0; i < of->interface_count; i++)
    if (of->interfaces[i] < all->count) count += count_interface_fields(all, all->by_number[of->interfaces[i]], visit, true);
  return count + (is_interface ? 0 : count_interface_fields(all, of->super, visit, false));
}

/* Sums along the classes above. */
static void finish(class_shapes *all) {
  for (size_t i = 0; i < all->count; i++) {
    class_shape *of = all->by_number[i];
    if (of == NULL) continue;
    of->super = of->visit < all->count ? all->by_number[of->visit] : NULL;
    of->visit = 0;
  }
  for (size_t i = 0; i < all->count; i++) {
    class_shape *of = all->by_number[i];
    if (of == NULL) continue;
    of->object_bytes = of->own_bytes;
    for (const class_shape *at = of->super; at != NULL; at = at->super) {
      of->start += (uint32_t)at->field_count;
      of->object_bytes += at->own_bytes;
    }
    of->of_interfaces = count_interface_fields(all, of, (uint32_t)i, false);
  }
}

bool take_shapes(JNIEnv *jni, class_shapes *of) {
  jint count = 0;
  jclass *classes = NULL;
  bool whole = (*hprof_ti)->GetLoadedClasses(hprof_ti, &count, &classes) == JVMTI_ERROR_NONE;
  for (jint i = 0; i < count; i++) {
    if (whole && (*jni)->PushLocalFrame(jni, 64) == JNI_OK) {
      whole = take_shape(jni, of, classes[i]);
      (*jni)->PopLocalFrame(jni, NULL);
    }
    (*jni)->DeleteLocalRef(jni, classes[i]);
  }
  free_of_vm(classes);
  if (whole) finish(of);
  return whole;
}

void drop_shapes(class_shapes *of) {
  for (size_t i = 0; i < of->count; i++)
    if (of->by_number[i] != NULL) drop_buffer(&of->by_number[i]->constants);
  free(of->by_number);
  free(of->by_serial);
  pool_drop(&of->memory);
}

const shape_field *find_shape_field(const class_shape *of, jint index, bool is_static, uint32_t *offset) {
  uint32_t before = 0;
  if (index < 0 || (uint32_t)index < of->of_interfaces) return NULL;
  uint32_t number = (uint32_t)index - of->of_interfaces;
  const class_shape *at = of;
  for (; at != NULL && number < at->start; at = at->super) before += at->own_bytes;
  if (at == NULL || number - at->start >= (uint32_t)at->field_count) return NULL;
  const shape_field *field = &at->fields[number - at->start];
  *offset = field->offset + (is_static ? 0 : before);
  return field->is_static == is_static && (!is_static || at == of) ? field : NULL;
}
