/* The probe: the methods that each thread is in, and what was measured in those that it has left. */
#include "hprof.h"
#include <sched.h>

/* A method that a thread is in. */
typedef struct {
  call_node *callers; /* where it was entered */
  uint32_t method;
  uint64_t entered, callees_ns;
} frame;

struct thread_calls {
  thread_calls *next, *before; /* of all threads */
  uint32_t serial;
  bool announced;
  waiting_thread waits;
  atomic_flag busy;
  call_tree *tree;
  call_node *at;
  frame *frames;
  size_t depth, room;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static thread_calls *threads;
static uint32_t last_serial = 200000;
/* The calls of threads that have ended, and at a dump those of all others. */
static call_tree *together;
/* Of the thread that runs on this one of the operating system, and of the carrier itself while a virtual thread runs on it. */
static _Thread_local thread_calls *here, *carrier;

static void hold(thread_calls *of) {
  while (atomic_flag_test_and_set_explicit(&of->busy, memory_order_acquire)) sched_yield();
}

static void let_go(thread_calls *of) { atomic_flag_clear_explicit(&of->busy, memory_order_release); }

static thread_calls *known_calls(jthread thread) {
  void *of = NULL;
  bool runs = thread != NULL && (*hprof_ti)->GetThreadLocalStorage(hprof_ti, thread, &of) == JVMTI_ERROR_NONE;
  return runs ? of : NULL;
}

static thread_calls *new_calls(void) {
  thread_calls *made = calloc(1, sizeof *made);
  call_tree *tree = made == NULL ? NULL : new_tree();
  if (tree == NULL) free(made);
  if (tree == NULL) return NULL;
  made->tree = tree;
  made->at = &tree->root;
  atomic_flag_clear(&made->busy);
  pthread_mutex_lock(&lock);
  made->serial = ++last_serial;
  made->next = threads;
  if (threads != NULL) threads->before = made;
  threads = made;
  pthread_mutex_unlock(&lock);
  return made;
}

/* The calls of a thread. NULL if memory ran out. */
static thread_calls *calls_of(jthread thread) {
  thread_calls *of = known_calls(thread);
  if (of != NULL || thread == NULL) return of;
  of = new_calls();
  bool kept = of != NULL && (*hprof_ti)->SetThreadLocalStorage(hprof_ti, thread, of) == JVMTI_ERROR_NONE;
  return kept ? of : NULL;
}

uint32_t serial_of(jthread thread) {
  thread_calls *of = calls_of(thread);
  return of == NULL ? 0 : of->serial;
}

waiting_thread *waiting_of(jthread thread) {
  thread_calls *of = calls_of(thread);
  return of == NULL ? NULL : &of->waits;
}

/* Prints the start of a thread, once. */
static thread_calls *announced(JNIEnv *jni, jthread thread, thread_calls *of) {
  if (of != NULL && !of->announced) print_thread_start(jni, thread, of->serial);
  if (of != NULL) of->announced = true;
  return of;
}

/* The calls of a thread whose start the VM has not told: it may have no name yet. */
static thread_calls *calls_here(void) {
  JNIEnv *jni = NULL;
  jthread thread = NULL;
  if (here != NULL || (*hprof_vm)->GetEnv(hprof_vm, (void **)&jni, JNI_VERSION_1_6) != JNI_OK) return here;
  if ((*hprof_ti)->GetCurrentThread(hprof_ti, &thread) == JVMTI_ERROR_NONE && thread != NULL) {
    here = calls_of(thread);
    (*jni)->DeleteLocalRef(jni, thread);
  }
  return here;
}

uint32_t serial_here(void) {
  thread_calls *of = here == NULL ? calls_here() : here;
  return of == NULL ? 0 : of->serial;
}

void announce_thread(JNIEnv *jni, jthread thread) { announced(jni, thread, calls_of(thread)); }

void thread_is_here(JNIEnv *jni, jthread thread) { here = announced(jni, thread, calls_of(thread)); }

/* Room for one more frame. */
static bool has_room(thread_calls *of) {
  if (of->depth < of->room) return true;
  size_t room = of->room == 0 ? 64 : of->room * 2;
  frame *frames = realloc(of->frames, room * sizeof *frames);
  if (frames == NULL) return false;
  of->frames = frames;
  of->room = room;
  return true;
}

void enter_method(uint32_t method) {
  thread_calls *of = here == NULL ? calls_here() : here;
  if (of == NULL || !atomic_load_explicit(&counting, memory_order_relaxed)) return;
  hold(of);
  if (has_room(of)) {
    of->frames[of->depth++] = (frame){.callers = of->at, .method = method, .entered = now_ns()};
    of->at = callee(of->tree, of->at, method);
  }
  let_go(of);
}

/* Leaves the innermost method. */
static void leave(thread_calls *of, uint64_t now) {
  frame *left = &of->frames[--of->depth];
  uint64_t total = now - left->entered;
  count_call(of->at, total - (left->callees_ns < total ? left->callees_ns : total), total);
  of->at = left->callers;
  if (of->depth > 0) of->frames[of->depth - 1].callees_ns += total;
}

/* Leaves what was entered within the innermost call of a method, and that call, too, if it `returns`. */
static void leave_to(uint32_t method, bool returns) {
  thread_calls *of = here;
  if (of == NULL || !atomic_load_explicit(&counting, memory_order_relaxed)) return;
  hold(of);
  size_t depth = of->depth;
  while (depth > 0 && of->frames[depth - 1].method != method) depth--;
  /* A method that was entered before calls were counted is not there. */
  size_t left = returns ? depth - 1 : depth;
  uint64_t now = depth > 0 && of->depth > left ? now_ns() : 0;
  while (depth > 0 && of->depth > left) leave(of, now);
  let_go(of);
}

void exit_method(uint32_t method) { leave_to(method, true); }

void caught_in(uint32_t method) { leave_to(method, false); }

/* Called with the lock. */
static void forget(thread_calls *of) {
  *(of->before == NULL ? &threads : &of->before->next) = of->next;
  if (of->next != NULL) of->next->before = of->before;
  drop_tree(of->tree);
  free(of->frames);
  free(of);
}

static void gather(thread_calls *of) {
  if (together == NULL) together = new_tree();
  hold(of);
  if (together != NULL) move_calls(together, of->tree);
  let_go(of);
}

void thread_is_over(JNIEnv *jni, jthread thread) {
  thread_calls *of = known_calls(thread);
  if (of == NULL) return;
  (*hprof_ti)->SetThreadLocalStorage(hprof_ti, thread, NULL);
  announced(jni, thread, of);
  print_thread_end(of->serial);
  if (here == of) here = NULL;
  pthread_mutex_lock(&lock);
  if (!chosen.by_thread) {
    gather(of);
    forget(of);
  }
  pthread_mutex_unlock(&lock);
}

void thread_mounts(JNIEnv *jni, jthread thread) {
  carrier = here;
  here = announced(jni, thread, calls_of(thread));
}

uint32_t thread_unmounts(JNIEnv *jni, jthread thread) {
  here = carrier;
  carrier = NULL;
  return here == NULL ? 0 : here->serial;
}

void visit_calls(void (*visit)(uint32_t thread, call_tree *calls)) {
  pthread_mutex_lock(&lock);
  for (thread_calls *of = threads; of != NULL; of = of->next) {
    if (!chosen.by_thread) {
      gather(of);
      continue;
    }
    hold(of);
    visit(of->serial, of->tree);
    let_go(of);
  }
  if (!chosen.by_thread && together != NULL) visit(0, together);
  pthread_mutex_unlock(&lock);
}
