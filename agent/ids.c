/*
 * Ids. An object's id is a JVMTI tag: moves never change it. The lowest bit of a tag says that the object is a class, so that
 * its end is a CLASS_UNLOAD. On the wire, methods have dense numbers from 1.
 */
#include "agent.h"
#include <dlfcn.h>

static pthread_mutex_t tags = PTHREAD_MUTEX_INITIALIZER;
static _Atomic jlong last_tag;

/* Frees memory of JVMTI. */
void release(void *memory) {
  if (memory != NULL) (*jvmti)->Deallocate(jvmti, memory);
}

int jdk_version(void) {
  jint version = 0;
  (*jvmti)->GetVersionNumber(jvmti, &version);
  return (version & JVMTI_VERSION_MASK_MAJOR) >> JVMTI_VERSION_SHIFT_MAJOR;
}

/* A function or variable that the library of the VM exports; NULL if this VM does not. */
void *exported_by_vm(const char *name) {
  Dl_info of_vm;
  void *library = NULL;
  if (dladdr((void *)(uintptr_t)(*vm)->GetEnv, &of_vm) != 0) library = dlopen(of_vm.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  void *found = library == NULL ? NULL : dlsym(library, name);
  if (library != NULL) dlclose(library);
  return found;
}

/* NULL if this is no Java thread. */
JNIEnv *env_here(void) {
  JNIEnv *env = NULL;
  return (*vm)->GetEnv(vm, (void **)&env, JNI_VERSION_1_6) == JNI_OK ? env : NULL;
}

jlong known_tag(jobject object) {
  jlong tag = 0;
  if (object != NULL) (*jvmti)->GetTag(jvmti, object, &tag);
  return tag;
}

/* A new id; for callbacks of heap walks, where nothing else can give the object one. */
jlong new_tag(bool is_class) { return (atomic_fetch_add(&last_tag, 1) + 1) * 2 + (is_class ? 1 : 0); }

/* The id of an object, given on first sight; 0 for NULL. Not for callbacks during a collection. */
jlong tag_of(jobject object, bool is_class) {
  jlong tag = known_tag(object);
  if (object == NULL || tag != 0) return tag;
  pthread_mutex_lock(&tags);
  tag = known_tag(object);
  if (tag == 0) {
    tag = new_tag(is_class);
    if ((*jvmti)->SetTag(jvmti, object, tag) != JVMTI_ERROR_NONE) tag = 0;
  }
  pthread_mutex_unlock(&tags);
  return tag;
}

/* The same for an object that may be a class. */
jobjectID id_of(jobject object) {
  jint modifiers = 0;
  jlong tag = known_tag(object);
  if (object != NULL && tag == 0)
    tag = tag_of(object, (*jvmti)->GetClassModifiers(jvmti, object, &modifiers) == JVMTI_ERROR_NONE);
  return (jobjectID)(intptr_t)tag;
}

jobject object_of(jobjectID id) {
  jlong tag = (jlong)(intptr_t)id;
  jint count = 0;
  jobject *objects = NULL;
  if (tag == 0 || (*jvmti)->GetObjectsWithTags(jvmti, 1, &tag, &count, &objects, NULL) != JVMTI_ERROR_NONE) return NULL;
  jobject found = count > 0 ? objects[0] : NULL;
  release(objects);
  return found;
}

/* Methods: a hash table that is read without a lock. Entries are put before those that are there, and stay. */
#define HASHES (1u << 16)

typedef struct method {
  struct method *next;
  jmethodID id;
  uint32_t number;
} method;

static pthread_mutex_t methods = PTHREAD_MUTEX_INITIALIZER;
static _Atomic(method *) table[HASHES];
static uint32_t last_method;

static method *find(_Atomic(method *) *list, jmethodID id) {
  method *at = atomic_load_explicit(list, memory_order_acquire);
  while (at != NULL && at->id != id) at = at->next;
  return at;
}

/* The number of a method; 0 for NULL, or if memory ran out. */
uint32_t method_number(jmethodID id) {
  _Atomic(method *) *list = &table[(uint64_t)(uintptr_t)id * 0x9e3779b97f4a7c15u >> 48];
  method *found = id == NULL ? NULL : find(list, id);
  if (found != NULL || id == NULL) return found == NULL ? 0 : found->number;
  pthread_mutex_lock(&methods);
  found = find(list, id);
  if (found == NULL && (found = malloc(sizeof *found)) != NULL) {
    *found = (method){.next = atomic_load(list), .id = id, .number = ++last_method};
    atomic_store_explicit(list, found, memory_order_release);
  }
  pthread_mutex_unlock(&methods);
  return found == NULL ? 0 : found->number;
}

/* The method with a number: a search, for the rare questions of the front end. */
jmethodID method_of(uint32_t number) {
  for (size_t hash = 0; hash < HASHES; hash++)
    for (const method *at = atomic_load(&table[hash]); at != NULL; at = at->next)
      if (at->number == number) return at->id;
  return NULL;
}
