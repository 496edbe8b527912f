/* Classes by number. A class is found by the serial in its tag. */
#include "heap.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static heap_class **classes;
static size_t count, room;
static tag_map numbers; /* by serial */
static _Atomic uint32_t last_serial;

uint32_t serial_in(jlong *tag) {
  if ((uint32_t)*tag == 0) *tag |= (jlong)(atomic_fetch_add(&last_serial, 1) + 1);
  return (uint32_t)*tag;
}

uint32_t serial_of_object(jobject object) {
  jlong tag = 0;
  pthread_mutex_lock(&lock);
  if ((*hprof_ti)->GetTag(hprof_ti, object, &tag) == JVMTI_ERROR_NONE && (uint32_t)tag == 0) {
    serial_in(&tag);
    if ((*hprof_ti)->SetTag(hprof_ti, object, tag) != JVMTI_ERROR_NONE) tag = 0;
  }
  pthread_mutex_unlock(&lock);
  return (uint32_t)tag;
}

heap_class *class_with(uint32_t number) {
  pthread_mutex_lock(&lock);
  heap_class *of = number == 0 || number > count ? NULL : classes[number - 1];
  pthread_mutex_unlock(&lock);
  return of;
}

static heap_class *new_class(jclass type, uint32_t serial) {
  char *signature = NULL;
  heap_class *made = calloc(1, sizeof *made);
  (*hprof_ti)->GetClassSignature(hprof_ti, type, &signature, NULL);
  if (made != NULL) made->signature = strdup(signature == NULL ? "" : signature);
  if (made != NULL) made->serial = serial;
  if (made != NULL) made->name = class_name_of(signature);
  free_of_vm(signature);
  return made;
}

/* Called with the lock. */
static uint32_t keep(jclass type, uint32_t serial) {
  size_t *place = map_place(&numbers, serial);
  if (place == NULL || *place != 0) return place == NULL ? 0 : (uint32_t)*place;
  if (count == room) {
    heap_class **grown = realloc(classes, (room * 2 + 1024) * sizeof(heap_class *));
    if (grown == NULL) return 0;
    classes = grown;
    room = room * 2 + 1024;
  }
  classes[count] = new_class(type, serial);
  if (classes[count] == NULL) return 0;
  *place = ++count;
  return (uint32_t)count;
}

uint32_t number_class(jclass type) {
  uint32_t serial = serial_of_object(type);
  pthread_mutex_lock(&lock);
  uint32_t number = serial == 0 ? 0 : keep(type, serial);
  pthread_mutex_unlock(&lock);
  return number;
}
