/* Methods that were rewritten, by number. */
#include "hprof.h"

/* Methods of a part of the table: parts never move, so a method is read without the lock. */
#define PART 4096
#define PARTS 4096

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static method_text *parts[PARTS];
static uint32_t count;

/* A copy that ends with 0; NULL if memory ran out. */
static char *copy_of(class_text text) {
  char *copy = malloc(text.length + 1);
  if (copy == NULL) return NULL;
  memcpy(copy, text.bytes, text.length);
  copy[text.length] = 0;
  return copy;
}

static const char *type_of(class_text text) {
  char *copy = copy_of(text);
  for (char *at = copy; at != NULL && *at != 0; at++)
    if (*at == '/') *at = '.';
  return copy;
}

static uint32_t keep(const rewritten_method *method) {
  /* Methods of a class come one after another: they share the texts of the class. */
  static class_text last_type;
  static method_text last;
  uint32_t number = count + 1;
  if (number >= PART * PARTS) return 0;
  if (parts[number / PART] == NULL) parts[number / PART] = calloc(PART, sizeof **parts);
  if (parts[number / PART] == NULL) return 0;
  bool same = last_type.bytes == method->type.bytes && last.type != NULL && strlen(last.type) == method->type.length;
  if (!same) last = (method_text){.type = type_of(method->type), .source = copy_of(method->source)};
  last_type = method->type;
  last.name = copy_of(method->name);
  last.descriptor = copy_of(method->descriptor);
  if (last.type == NULL || last.source == NULL || last.name == NULL || last.descriptor == NULL) return 0;
  parts[number / PART][number % PART] = last;
  return count = number;
}

uint32_t number_method(const rewritten_method *method) {
  pthread_mutex_lock(&lock);
  uint32_t number = keep(method);
  pthread_mutex_unlock(&lock);
  return number;
}

method_text method_with(uint32_t number) {
  method_text *part = number / PART < PARTS ? parts[number / PART] : NULL;
  if (part == NULL || number == 0 || part[number % PART].type == NULL)
    return (method_text){"<Unknown Class>", "<Unknown Method>", "", ""};
  return part[number % PART];
}
