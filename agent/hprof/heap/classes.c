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

/* Called with the lock. */
static bool has_room(void) {
  if (count < room) return true;
  heap_class **grown = realloc(classes, (room * 2 + 1024) * sizeof(heap_class *));
  if (grown == NULL) return false;
  classes = grown;
  room = room * 2 + 1024;
  return true;
}

/* Classes that are known by their signatures alone. */
static uint32_t *slots;
static size_t mask, named;

static size_t place_of(const uint32_t *in, size_t last, const char *signature) {
  uint64_t hash = 14695981039346656037u;
  for (const char *at = signature; *at != 0; at++) hash = (hash ^ (uint8_t)*at) * 1099511628211u;
  size_t at = (size_t)(hash >> 16) & last;
  while (in[at] != 0 && strcmp(classes[in[at] - 1]->signature, signature) != 0) at = (at + 1) & last;
  return at;
}

static bool grow_slots(void) {
  if (slots != NULL && named * 2 < mask) return true;
  size_t length = slots == NULL ? 4096 : (mask + 1) * 2;
  uint32_t *made = calloc(length, sizeof *made);
  if (made == NULL) return false;
  for (size_t i = 0; slots != NULL && i <= mask; i++)
    if (slots[i] != 0) made[place_of(made, length - 1, classes[slots[i] - 1]->signature)] = slots[i];
  free(slots);
  slots = made;
  mask = length - 1;
  return true;
}

/* Called with the lock. */
static uint32_t keep_signature(const char *signature) {
  if (!grow_slots() || !has_room()) return 0;
  size_t at = place_of(slots, mask, signature);
  if (slots[at] != 0) return slots[at];
  heap_class *made = calloc(1, sizeof *made);
  if (made == NULL) return 0;
  made->signature = strdup(signature);
  made->name = class_name_of(signature);
  if (made->signature == NULL) {
    free(made);
    return 0;
  }
  classes[count++] = made;
  named++;
  return slots[at] = (uint32_t)count;
}

uint32_t number_signature(const char *signature) {
  pthread_mutex_lock(&lock);
  uint32_t number = keep_signature(signature);
  pthread_mutex_unlock(&lock);
  return number;
}

heap_class *class_with_signature(const char *signature) {
  pthread_mutex_lock(&lock);
  size_t at = slots == NULL ? 0 : place_of(slots, mask, signature);
  heap_class *of = slots == NULL || slots[at] == 0 ? NULL : classes[slots[at] - 1];
  pthread_mutex_unlock(&lock);
  return of;
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
  if (!has_room()) return 0;
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
