/* The counters of all threads. */
#include "counts.h"
#include <sys/mman.h>

/* Counters of a thread: 8 MB of addresses, of which only what is used takes memory. */
#define COUNTERS (1u << 20)

/* The counters of a thread of the operating system. */
typedef struct counter_memory {
  struct counter_memory *next, *before;
  _Atomic uint64_t *counts;
} counter_memory;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static counter_memory *memories;
/* Of threads without memory of their own. */
static _Atomic uint64_t *shared;
/* Calls in threads that have ended, and what was taken already, by number of the method. */
static uint64_t *ended, *taken;
static _Atomic uint32_t methods;
static jfieldID counters_field;

uint32_t number_counted(const rewritten_method *method) {
  uint32_t number = number_method(method);
  if (number >= COUNTERS) return 0;
  if (number > atomic_load(&methods)) atomic_store(&methods, number);
  return number;
}

static void *mapped(void) {
  void *memory = mmap(NULL, COUNTERS * sizeof(uint64_t), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory == MAP_FAILED ? NULL : memory;
}

/* The counters that a thread has; NULL if they are those that threads share. */
static counter_memory *memory_of(JNIEnv *jni, jthread thread) {
  jlong distance = (*jni)->GetLongField(jni, thread, counters_field);
  counter_memory *of = memories;
  while (of != NULL && (jlong)((intptr_t)of->counts - (intptr_t)shared) != distance) of = of->next;
  return of;
}

void give_counters(JNIEnv *jni, jthread thread) {
  counter_memory *made = shared == NULL || counters_field == NULL ? NULL : calloc(1, sizeof *made);
  if (made != NULL) made->counts = mapped();
  pthread_mutex_lock(&lock);
  /* At the start of the agent, two threads may give one to the same. */
  if (made == NULL || made->counts == NULL || (*jni)->GetLongField(jni, thread, counters_field) != 0) {
    pthread_mutex_unlock(&lock);
    if (made != NULL && made->counts != NULL) munmap((void *)made->counts, COUNTERS * sizeof *made->counts);
    free(made);
    return;
  }
  made->next = memories;
  if (memories != NULL) memories->before = made;
  memories = made;
  (*jni)->SetLongField(jni, thread, counters_field, (jlong)((intptr_t)made->counts - (intptr_t)shared));
  pthread_mutex_unlock(&lock);
}

static void give_to_all(JNIEnv *jni) {
  jint count = 0;
  jthread *threads = NULL;
  if ((*hprof_ti)->GetAllThreads(hprof_ti, &count, &threads) != JVMTI_ERROR_NONE) return;
  for (jint i = 0; i < count; i++) {
    give_counters(jni, threads[i]);
    (*jni)->DeleteLocalRef(jni, threads[i]);
  }
  free_of_vm(threads);
}

bool make_counters(JNIEnv *jni) {
  const char *current = "currentCarrierThread";
  shared = mapped();
  ended = mapped();
  taken = mapped();
  jclass type = (*jni)->FindClass(jni, "java/lang/Thread");
  if (type == NULL || shared == NULL || ended == NULL || taken == NULL) return false;
  counters_field = (*jni)->GetFieldID(jni, type, COUNTER_FIELD, "J");
  (*jni)->ExceptionClear(jni);
  /* Before there were virtual threads, each was its own carrier. */
  if ((*jni)->GetStaticMethodID(jni, type, current, "()Ljava/lang/Thread;") == NULL) current = "currentThread";
  (*jni)->ExceptionClear(jni);
  (*jni)->DeleteLocalRef(jni, type);
  if (counters_field == NULL || !make_counter_class(jni, current, (const void *)shared)) return false;
  give_to_all(jni);
  return true;
}

void keep_counts(JNIEnv *jni, jthread thread) {
  if (counters_field == NULL) return;
  pthread_mutex_lock(&lock);
  counter_memory *of = memory_of(jni, thread);
  if (of != NULL) {
    /* What this thread still calls is counted with that of others. */
    (*jni)->SetLongField(jni, thread, counters_field, 0);
    for (uint32_t i = 0; i <= atomic_load(&methods); i++) ended[i] += of->counts[i];
    *(of->before == NULL ? &memories : &of->before->next) = of->next;
    if (of->next != NULL) of->next->before = of->before;
    munmap((void *)of->counts, COUNTERS * sizeof *of->counts);
    free(of);
  }
  pthread_mutex_unlock(&lock);
}

uint64_t *take_counts(uint32_t *length) {
  *length = atomic_load(&methods) + 1;
  uint64_t *all = calloc(*length, sizeof *all);
  if (all == NULL) return NULL;
  pthread_mutex_lock(&lock);
  for (const counter_memory *of = memories; of != NULL; of = of->next)
    for (uint32_t i = 1; i < *length; i++) all[i] += of->counts[i];
  for (uint32_t i = 1; i < *length; i++) {
    uint64_t sum = all[i] + ended[i] + shared[i];
    all[i] = sum - taken[i];
    taken[i] = sum;
  }
  pthread_mutex_unlock(&lock);
  return all;
}

uint64_t shared_calls(void) {
  uint64_t sum = 0;
  for (uint32_t i = 1; shared != NULL && i <= atomic_load(&methods); i++) sum += shared[i];
  return sum;
}
