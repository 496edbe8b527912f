/* Stacks by their hash, in memory that is there before the first sample: handlers of signals cannot ask for any. */
#include "samples.h"
#include <sys/mman.h>

/* Stacks and frames of a process: 88 MB of addresses, of which only what is used takes memory. */
#define SLOTS (1u << 18)
#define FRAMES (1u << 22)

typedef struct {
  _Atomic uint64_t hash; /* 0: free */
  _Atomic uint64_t samples;
  _Atomic(sampled_frame *) frames; /* NULL while they are written */
  uint32_t thread;
  jint length;
} sample_slot;

static sample_slot *slots;
static sampled_frame *arena;
static _Atomic size_t slots_used, frames_used;

static void *mapped(size_t bytes) {
  void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory == MAP_FAILED ? NULL : memory;
}

bool make_sample_table(void) {
  slots = mapped(SLOTS * sizeof *slots);
  arena = mapped(FRAMES * sizeof *arena);
  return slots != NULL && arena != NULL;
}

/* Two stacks with one hash of 64 bits are taken for the same: with all slots in use, once in a hundred million runs. */
static uint64_t hash_of(uint32_t thread, const sampled_frame *frames, jint length) {
  uint64_t hash = thread;
  for (jint i = 0; i < length; i++) {
    hash = (hash ^ (uint64_t)(uintptr_t)frames[i].method) * 0x9e3779b97f4a7c15u;
    hash = (hash ^ hash >> 32 ^ (uint32_t)frames[i].place) * 0xd6e8feb86659fd93u;
    hash ^= hash >> 29;
  }
  return hash == 0 ? 1 : hash;
}

/* Fills a slot that is this thread's; false if there is no room for the frames. */
static bool fill(sample_slot *slot, uint32_t thread, const sampled_frame *frames, jint length) {
  size_t at = atomic_fetch_add(&frames_used, (size_t)length);
  bool has_room = at + (size_t)length <= FRAMES;
  slot->thread = thread;
  slot->length = has_room ? length : 0;
  if (has_room) memcpy(arena + at, frames, (size_t)length * sizeof *frames);
  atomic_store_explicit(&slot->frames, has_room ? arena + at : arena, memory_order_release);
  return has_room;
}

bool count_sample(uint32_t thread, const sampled_frame *frames, jint length) {
  uint64_t hash = hash_of(thread, frames, length);
  /* A slot is taken only while a quarter is free, so that each search ends. */
  for (size_t at = hash % SLOTS;; at = (at + 1) % SLOTS) {
    uint64_t there = atomic_load_explicit(&slots[at].hash, memory_order_relaxed);
    bool is_new = false;
    if (there == 0 && atomic_load_explicit(&slots_used, memory_order_relaxed) >= SLOTS / 4 * 3) return false;
    if (there == 0) is_new = atomic_compare_exchange_strong(&slots[at].hash, &there, hash);
    if (!is_new && there != hash) continue;
    if (is_new) atomic_fetch_add_explicit(&slots_used, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&slots[at].samples, 1, memory_order_relaxed);
    /* Without room, the slot is of no frames. */
    return !is_new || fill(&slots[at], thread, frames, length);
  }
}

void take_samples(void (*take)(uint32_t thread, const sampled_frame *frames, jint length, uint64_t samples, void *to), void *to) {
  for (size_t at = 0; at < SLOTS; at++) {
    const sampled_frame *frames = atomic_load_explicit(&slots[at].frames, memory_order_acquire);
    /* Samples of a slot whose frames are still written are those of the next dump. */
    uint64_t samples = frames == NULL ? 0 : atomic_exchange(&slots[at].samples, 0);
    if (samples > 0) take(slots[at].thread, frames, slots[at].length, samples, to);
  }
}
