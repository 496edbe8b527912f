/* Sites, each kept once. */
#include "heap.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static allocation_site **sites; /* by number */
static size_t count, room;
static uint32_t *slots; /* numbers, by hash */
static size_t mask;

static size_t hash_of(const thread_stack *stack, uint32_t type) {
  return (size_t)((((uint64_t)(uintptr_t)stack ^ (uint64_t)type << 40) * 0x9e3779b97f4a7c15u) >> 20);
}

static size_t place_of(const uint32_t *in, size_t last, const thread_stack *stack, uint32_t type) {
  size_t at = hash_of(stack, type) & last;
  while (in[at] != 0 && (sites[in[at] - 1]->stack != stack || sites[in[at] - 1]->type != type)) at = (at + 1) & last;
  return at;
}

static bool has_room(void) {
  if (count == room) {
    allocation_site **grown = realloc(sites, (room * 2 + 1024) * sizeof(allocation_site *));
    if (grown == NULL) return false;
    sites = grown;
    room = room * 2 + 1024;
  }
  if (slots != NULL && count * 2 < mask) return true;
  size_t length = slots == NULL ? 1024 : (mask + 1) * 2;
  uint32_t *made = calloc(length, sizeof *made);
  if (made == NULL) return false;
  for (size_t i = 0; i < count; i++) made[place_of(made, length - 1, sites[i]->stack, sites[i]->type)] = (uint32_t)i + 1;
  free(slots);
  slots = made;
  mask = length - 1;
  return true;
}

/* Called with the lock. */
static allocation_site *kept(thread_stack *stack, uint32_t type) {
  if (!has_room()) return NULL;
  size_t at = place_of(slots, mask, stack, type);
  if (slots[at] != 0) return sites[slots[at] - 1];
  allocation_site *made = calloc(1, sizeof *made);
  if (made == NULL) return NULL;
  sites[count++] = made;
  slots[at] = (uint32_t)count;
  made->stack = stack;
  made->type = type;
  made->number = (uint32_t)count;
  return made;
}

allocation_site *site_of(thread_stack *stack, uint32_t type) {
  pthread_mutex_lock(&lock);
  allocation_site *of = stack == NULL || type == 0 ? NULL : kept(stack, type);
  pthread_mutex_unlock(&lock);
  return of;
}

size_t site_count(void) {
  pthread_mutex_lock(&lock);
  size_t now = count;
  pthread_mutex_unlock(&lock);
  return now;
}

allocation_site *site_with(uint32_t number) {
  pthread_mutex_lock(&lock);
  allocation_site *of = number == 0 || number > count ? NULL : sites[number - 1];
  pthread_mutex_unlock(&lock);
  return of;
}
