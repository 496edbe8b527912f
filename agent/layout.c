/* Layouts of all loaded classes. JVMTI numbers the fields of a class behind those of its interfaces and of the classes above. */
#include "heap.h"

int value_bytes(char letter, jint level) {
  if (letter == 'L' || letter == '[') return (int)sizeof(void *);
  if (level != JVMPI_DUMP_LEVEL_2) return 0;
  return letter == 'J' || letter == 'D' ? 8 : letter == 'I' || letter == 'F' ? 4 : letter == 'S' || letter == 'C' ? 2 : 1;
}

static int by_tag(const void *left, const void *right) {
  jlong a = (*(class_layout *const *)left)->tag, b = (*(class_layout *const *)right)->tag;
  return a < b ? -1 : a > b;
}

class_layout *layout_of(const layouts *of, jlong tag) {
  class_layout key = {.tag = tag}, *wanted = &key;
  class_layout **found = bsearch(&wanted, of->classes, of->count, sizeof wanted, by_tag);
  return found == NULL ? NULL : *found;
}

static bool take_fields(pool *memory, class_layout *of, jclass type, jint level) {
  jint count = 0;
  jfieldID *fields = NULL;
  if ((*jvmti)->GetClassFields(jvmti, type, &count, &fields) != JVMTI_ERROR_NONE) return true;
  of->fields = pool_take(memory, (size_t)count * sizeof *of->fields);
  of->field_count = of->fields == NULL ? 0 : count;
  for (jint i = 0; i < of->field_count; i++) {
    char *signature = NULL;
    jint modifiers = 0;
    (*jvmti)->GetFieldName(jvmti, type, fields[i], NULL, &signature, NULL);
    (*jvmti)->GetFieldModifiers(jvmti, type, fields[i], &modifiers);
    bool is_static = (modifiers & 0x8) != 0;
    uint32_t *bytes = is_static ? &of->static_bytes : &of->own_bytes;
    of->fields[i] = (field_layout){signature == NULL ? 'L' : signature[0], is_static, *bytes};
    *bytes += (uint32_t)value_bytes(of->fields[i].letter, level);
    release(signature);
  }
  release(fields);
  return of->fields != NULL;
}

static bool take_interfaces(pool *memory, class_layout *of, jclass type) {
  jint count = 0;
  jclass *list = NULL;
  if ((*jvmti)->GetImplementedInterfaces(jvmti, type, &count, &list) != JVMTI_ERROR_NONE) return true;
  of->interfaces = pool_take(memory, (size_t)count * sizeof *of->interfaces);
  of->interface_count = of->interfaces == NULL ? 0 : count;
  for (jint i = 0; i < of->interface_count; i++) of->interfaces[i] = tag_of(list[i], true);
  release(list);
  return of->interfaces != NULL;
}

static class_layout *make_layout(pool *memory, JNIEnv *jni, jclass type, jint level) {
  class_layout *made = pool_take(memory, sizeof *made);
  char *signature = NULL;
  jobject loader = NULL;
  jint status = 0;
  if (made == NULL) return NULL;
  (*jni)->PushLocalFrame(jni, 16);
  made->tag = tag_of(type, true);
  (*jvmti)->GetClassStatus(jvmti, type, &status);
  (*jvmti)->GetClassSignature(jvmti, type, &signature, NULL);
  made->signature = pool_text(memory, signature);
  release(signature);
  if ((*jvmti)->GetClassLoader(jvmti, type, &loader) != JVMTI_ERROR_NONE) loader = NULL;
  made->loader = tag_of(loader, false);
  made->above = tag_of((*jni)->GetSuperclass(jni, type), true);
  made->prepared = (status & JVMTI_CLASS_STATUS_PREPARED) != 0;
  bool whole = !made->prepared || (take_fields(memory, made, type, level) && take_interfaces(memory, made, type));
  (*jni)->PopLocalFrame(jni, NULL);
  return whole ? made : NULL;
}

/* Fields of the interfaces of a class and of the classes above, each interface once. */
static uint32_t count_interface_fields(const layouts *all, class_layout *of, uint32_t visit, bool is_interface) {
  uint32_t count = 0;
  if (of == NULL || of->visit == visit) return 0;
  of->visit = visit;
  if (is_interface) count += (uint32_t)of->field_count;
  for (jint i = 0; i < of->interface_count; i++)
    count += count_interface_fields(all, layout_of(all, of->interfaces[i]), visit, true);
  return count + (is_interface ? 0 : count_interface_fields(all, of->super, visit, false));
}

static void find_element(const layouts *all, class_layout *of) {
  const char *wanted = of->signature + 1;
  if (of->signature[0] != '[' || (wanted[0] != 'L' && wanted[0] != '[')) return;
  for (size_t i = 0; i < all->count && of->element == 0; i++)
    if (all->classes[i]->loader == of->loader && strcmp(all->classes[i]->signature, wanted) == 0)
      of->element = all->classes[i]->tag;
}

/* Sums along the classes above. */
static void finish(layouts *all) {
  for (size_t i = 0; i < all->count; i++) {
    class_layout *of = all->classes[i];
    of->super = of->above == 0 ? NULL : layout_of(all, of->above);
    find_element(all, of);
    if (strcmp(of->signature, "Ljava/lang/Class;") == 0) all->class_of_classes = of->tag;
  }
  for (size_t i = 0; i < all->count; i++) {
    class_layout *of = all->classes[i];
    of->object_bytes = of->own_bytes;
    for (class_layout *at = of->super; at != NULL; at = at->super) {
      of->start += (uint32_t)at->field_count;
      of->object_bytes += at->own_bytes;
    }
    of->of_interfaces = count_interface_fields(all, of, (uint32_t)i + 1, false);
  }
}

bool layouts_make(layouts *of, JNIEnv *jni, jint level) {
  jint count = 0;
  jclass *classes = NULL;
  if ((*jvmti)->GetLoadedClasses(jvmti, &count, &classes) != JVMTI_ERROR_NONE) return false;
  of->classes = pool_take(&of->memory, (size_t)count * sizeof *of->classes);
  bool whole = of->classes != NULL;
  for (jint i = 0; i < count; i++) {
    class_layout *made = whole ? make_layout(&of->memory, jni, classes[i], level) : NULL;
    if (made == NULL) whole = false;
    else of->classes[of->count++] = made;
    (*jni)->DeleteLocalRef(jni, classes[i]);
  }
  release(classes);
  if (!whole) return false;
  qsort(of->classes, of->count, sizeof *of->classes, by_tag);
  finish(of);
  return true;
}

bool find_field(const class_layout *of, jint index, bool is_static, uint32_t *offset, char *letter) {
  uint32_t before = 0;
  if (index < 0 || (uint32_t)index < of->of_interfaces) return false;
  uint32_t number = (uint32_t)index - of->of_interfaces;
  const class_layout *at = of;
  for (; at != NULL && number < at->start; at = at->super) before += at->own_bytes;
  if (at == NULL || number - at->start >= (uint32_t)at->field_count) return false;
  const field_layout *field = &at->fields[number - at->start];
  *offset = field->offset + (is_static ? 0 : before);
  *letter = field->letter;
  return field->is_static == is_static;
}
