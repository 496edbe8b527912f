/*
 * Ids. An object's id is a JVMTI tag: moves never change it. The lowest bit of a tag says that the object is a class, so that
 * its end is a CLASS_UNLOAD. Methods and threads have dense numbers from 1.
 */
#include "agent.h"
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_SLOTS 4096
#define BLOCK_HEAD 24

static pthread_mutex_t tags = PTHREAD_MUTEX_INITIALIZER;
static _Atomic jlong last_tag;

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

/*
 * Methods: a hash table that is read without a lock. A key is stored after its number; a table that became too small stays,
 * since another thread may still read it (all of them together are as large as the last one).
 */
typedef struct {
  size_t mask;
  _Atomic uint32_t *numbers;
  _Atomic uintptr_t *keys;
} method_table;

static pthread_mutex_t methods = PTHREAD_MUTEX_INITIALIZER;
static _Atomic(method_table *) table;
static jmethodID *by_number;
static uint32_t method_count, method_room;

static size_t slot_of(uintptr_t key, size_t mask) { return (size_t)(((uint64_t)key * 0x9e3779b97f4a7c15u) >> 20) & mask; }

static uint32_t find(method_table *in, uintptr_t key) {
  if (in == NULL) return 0;
  for (size_t slot = slot_of(key, in->mask);; slot = (slot + 1) & in->mask) {
    uintptr_t found = atomic_load_explicit(&in->keys[slot], memory_order_acquire);
    if (found == key) return atomic_load_explicit(&in->numbers[slot], memory_order_relaxed);
    if (found == 0) return 0;
  }
}

static void insert(method_table *in, uintptr_t key, uint32_t number) {
  size_t slot = slot_of(key, in->mask);
  while (atomic_load_explicit(&in->keys[slot], memory_order_relaxed) != 0) slot = (slot + 1) & in->mask;
  atomic_store_explicit(&in->numbers[slot], number, memory_order_relaxed);
  atomic_store_explicit(&in->keys[slot], key, memory_order_release);
}

/* A table that is half full at most. Called with the lock. */
static method_table *room_for_one(void) {
  method_table *old = atomic_load(&table);
  if (old != NULL && (size_t)method_count * 2 < old->mask) return old;
  size_t slots = old == NULL ? FIRST_SLOTS : (old->mask + 1) * 2;
  method_table *made = malloc(sizeof *made);
  if (made == NULL) return NULL;
  *made = (method_table){slots - 1, calloc(slots, sizeof *made->numbers), calloc(slots, sizeof *made->keys)};
  if (made->numbers == NULL || made->keys == NULL) return NULL;
  for (uint32_t number = 1; number <= method_count; number++) insert(made, (uintptr_t)by_number[number], number);
  atomic_store(&table, made);
  return made;
}

/* The number of a method; 0 for NULL, or if memory ran out. */
uint32_t method_number(jmethodID method) {
  if (method == NULL) return 0;
  uint32_t number = find(atomic_load_explicit(&table, memory_order_acquire), (uintptr_t)method);
  if (number != 0) return number;
  pthread_mutex_lock(&methods);
  number = find(atomic_load(&table), (uintptr_t)method);
  if (number == 0 && method_count + 1 >= method_room) {
    uint32_t room = method_room == 0 ? FIRST_SLOTS : method_room * 2;
    jmethodID *grown = realloc(by_number, room * sizeof *grown);
    if (grown != NULL) {
      by_number = grown;
      method_room = room;
    }
  }
  method_table *in = number == 0 && method_count + 1 < method_room ? room_for_one() : NULL;
  if (in != NULL) {
    number = ++method_count;
    by_number[number] = method;
    insert(in, (uintptr_t)method, number);
  }
  pthread_mutex_unlock(&methods);
  return number;
}

jmethodID method_of(uint32_t number) {
  pthread_mutex_lock(&methods);
  jmethodID method = number >= 1 && number <= method_count ? by_number[number] : NULL;
  pthread_mutex_unlock(&methods);
  return method;
}

static pthread_mutex_t threads = PTHREAD_MUTEX_INITIALIZER;
static agent_thread **list;
static uint32_t count, room;
static _Thread_local agent_thread *here;

agent_thread *thread_known(void) { return here; }

uint32_t thread_count(void) {
  pthread_mutex_lock(&threads);
  uint32_t all = count;
  pthread_mutex_unlock(&threads);
  return all;
}

agent_thread *thread_by_number(uint32_t number) {
  pthread_mutex_lock(&threads);
  agent_thread *found = number >= 1 && number <= count ? list[number - 1] : NULL;
  pthread_mutex_unlock(&threads);
  return found;
}

static agent_thread *add_thread(void) {
  agent_thread *made = calloc(1, sizeof *made);
  if (made == NULL) return NULL;
  atomic_flag_clear(&made->busy);
  pthread_mutex_lock(&threads);
  if (count == room) {
    uint32_t grown_room = room == 0 ? 64 : room * 2;
    agent_thread **grown = realloc(list, grown_room * sizeof *grown);
    if (grown != NULL) {
      list = grown;
      room = grown_room;
    }
  }
  if (count < room) {
    list[count] = made;
    made->number = ++count;
  }
  pthread_mutex_unlock(&threads);
  if (made->number != 0) return made;
  free(made);
  return NULL;
}

/* Sends THREAD_START where it is enabled and was not sent before. */
static void announce(JNIEnv *jni, agent_thread *of) {
  if (of->announced || atomic_load(&enabled[THREAD_START]) == 0) return;
  of->announced = true;
  buffer content = {0};
  int number = THREAD_START | put_extras(&content, THREAD_START, of->thread);
  put_thread(&content, jni, of);
  event(of, number, &content, WAIT);
  drop_buffer(&content);
}

/* The thread that runs this. On first sight it gets a number and, where THREAD_START is enabled, that event first. */
agent_thread *thread_here(JNIEnv *jni, jthread thread) {
  if (here == NULL || here->env != jni) {
    agent_thread *made = add_thread();
    if (made == NULL) return NULL;
    made->env = jni;
    here = made;
  }
  if (here->thread == NULL && thread != NULL) {
    here->thread = (*jni)->NewGlobalRef(jni, thread);
  }
  if (!here->announced && here->thread != NULL) announce(jni, here);
  return here;
}

/* A new front end knows no thread. */
void forget_announced(void) {
  uint32_t all = thread_count();
  for (uint32_t number = 1; number <= all; number++) thread_by_number(number)->announced = false;
}

static void acquire(agent_thread *of) {
  while (atomic_flag_test_and_set_explicit(&of->busy, memory_order_acquire)) sched_yield();
}

static void let_go(agent_thread *of) { atomic_flag_clear_explicit(&of->busy, memory_order_release); }

/* Sends the block of a thread. Called while it is acquired. */
static void send_block(agent_thread *of, policy full) {
  if (of->length > BLOCK_HEAD) wire_frame(BLOCK, of->block, of->length, full);
  of->length = 0;
}

void flush_thread(agent_thread *of) {
  acquire(of);
  send_block(of, DROP);
  let_go(of);
}

void flush_threads(void) {
  uint32_t all = thread_count();
  for (uint32_t number = 1; number <= all; number++) flush_thread(thread_by_number(number));
}

void thread_ended(JNIEnv *jni, agent_thread *of) {
  flush_thread(of);
  acquire(of);
  free(of->block);
  of->block = NULL;
  jobject thread = of->thread;
  of->thread = NULL;
  of->env = NULL;
  let_go(of);
  here = NULL;
  if (thread != NULL) (*jni)->DeleteGlobalRef(jni, thread);
}

/* Starts a block: count of records, time and thread, padded to BLOCK_HEAD. Called while the thread is acquired. */
static bool start_block(agent_thread *of, uint64_t now) {
  if (of->block == NULL && (of->block = malloc(BLOCK_BYTES)) == NULL) return false;
  memset(of->block, 0, BLOCK_HEAD);
  memcpy(of->block + 4, &of->number, 4);
  memcpy(of->block + 8, &now, 8);
  of->last = now;
  of->length = BLOCK_HEAD;
  return true;
}

/* A record of a frequent event with one number, into the thread's block. */
void fast_event(agent_thread *of, int number, uint64_t one) {
  acquire(of);
  uint64_t now = now_ns();
  if (of->length + 24 > BLOCK_BYTES) send_block(of, DROP);
  if (of->length == 0 && !start_block(of, now)) {
    wire_count_drop(number, 1);
    let_go(of);
    return;
  }
  uint8_t *to = of->block + of->length;
  *to++ = (uint8_t)number;
  to += write_varint(to, now - of->last);
  to += write_varint(to, one);
  of->last = now;
  of->length = (uint32_t)(to - of->block);
  uint32_t records;
  memcpy(&records, of->block, 4);
  records++;
  memcpy(of->block, &records, 4);
  let_go(of);
}

/* A block with one record, behind `before` bytes that are the caller's. */
static void put_block(buffer *to, agent_thread *of, int number, const buffer *content) {
  put_u32(to, 1);
  put_u32(to, of == NULL ? 0 : of->number);
  put_u64(to, now_ns());
  put_u64(to, 0);
  put_u8(to, (uint8_t)number);
  put_varint(to, 0);
  put_bytes(to, content->bytes, content->length);
  if (content->failed) to->failed = true;
}

/* An event as a block of its own, after what the thread has recorded. `number` may have the bits REQUESTED and EXTRAS. */
void event(agent_thread *of, int number, const buffer *content, policy full) {
  if (atomic_load(&blocking[number & 0x3f]) != 0) {
    held_event(of, number, content, NULL);
    return;
  }
  buffer block = {0};
  put_block(&block, of, number, content);
  if (of != NULL) flush_thread(of);
  if (block.failed) wire_count_drop(number & 0x3f, 1);
  else wire_frame(BLOCK, block.bytes, block.length, full);
  drop_buffer(&block);
}

/* An event that holds its thread until the handler is done, or the deadline has passed (false). */
bool held_event(agent_thread *of, int number, const buffer *content, buffer *answer) {
  uint32_t id = wire_hold_begin();
  buffer block = {0};
  put_u32(&block, id);
  put_block(&block, of, number, content);
  if (of != NULL) flush_thread(of);
  bool sent = id != 0 && !block.failed;
  if (sent) wire_frame(HOLD, block.bytes, block.length, WAIT);
  else wire_count_drop(number & 0x3f, 1);
  drop_buffer(&block);
  bool released = id != 0 && wire_hold(id, sent ? HOLD_MS : 0, answer);
  return sent && released;
}
