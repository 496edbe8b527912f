/* Raw monitors: locks that any thread may take. A thread that waits for one does not keep the VM from a collection. */
#include "bridge.h"
#include <errno.h>

/* A thread that waits, on its stack. */
typedef struct waiter {
  struct waiter *next;
  JNIEnv *env;
} waiter;

struct _JVMPI_RawMonitor {
  struct _JVMPI_RawMonitor *next;
  char *name;
  pthread_mutex_t lock;
  pthread_cond_t left, told;
  pthread_t owner;
  JNIEnv *owner_env;
  jint entries;
  uint64_t notified;
  waiter *entering, *waiting;
};

static pthread_mutex_t list_lock = PTHREAD_MUTEX_INITIALIZER;
static JVMPI_RawMonitor monitors;

static void tell(jint type, JVMPI_RawMonitor of) {
  message what = {.event = {.env_id = env_here(), .u = {.raw_monitor = {of->name, of}}}};
  if (is_due(type) && of->name[0] != '_') notify(thread_known(what.event.env_id), type, &what);
}

static void join(waiter **list, waiter *one) {
  one->next = *list;
  *list = one;
}

static void quit(waiter **list, const waiter *one) {
  while (*list != one) list = &(*list)->next;
  *list = one->next;
}

static JVMPI_RawMonitor create(char *name) {
  JVMPI_RawMonitor made = calloc(1, sizeof *made);
  if (made == NULL || (made->name = strdup(name == NULL ? "" : name)) == NULL) {
    free(made);
    return NULL;
  }
  pthread_mutex_init(&made->lock, NULL);
  pthread_cond_init(&made->left, NULL);
  pthread_cond_init(&made->told, NULL);
  pthread_mutex_lock(&list_lock);
  made->next = monitors;
  monitors = made;
  pthread_mutex_unlock(&list_lock);
  return made;
}

static bool is_mine(JVMPI_RawMonitor of) { return of->entries > 0 && pthread_equal(of->owner, pthread_self()); }

/* Waits until the monitor is free, and takes it. Called with its lock. */
static void take(JVMPI_RawMonitor of, JNIEnv *env, jint entries) {
  waiter own = {.env = env};
  join(&of->entering, &own);
  while (of->entries > 0) pthread_cond_wait(&of->left, &of->lock);
  quit(&of->entering, &own);
  of->owner = pthread_self();
  of->owner_env = env;
  of->entries = entries;
}

static void enter(JVMPI_RawMonitor of) {
  if (of == NULL) return;
  pthread_mutex_lock(&of->lock);
  bool contended = of->entries > 0 && !is_mine(of);
  if (contended) {
    pthread_mutex_unlock(&of->lock);
    tell(JVMPI_EVENT_RAW_MONITOR_CONTENDED_ENTER, of);
    pthread_mutex_lock(&of->lock);
  }
  if (is_mine(of)) of->entries++;
  else take(of, env_here(), 1);
  pthread_mutex_unlock(&of->lock);
  if (contended) tell(JVMPI_EVENT_RAW_MONITOR_CONTENDED_ENTERED, of);
}

static void leave(JVMPI_RawMonitor of) {
  if (of == NULL) return;
  pthread_mutex_lock(&of->lock);
  bool left = is_mine(of) && --of->entries == 0, contended = left && of->entering != NULL;
  if (left) pthread_cond_signal(&of->left);
  pthread_mutex_unlock(&of->lock);
  if (contended) tell(JVMPI_EVENT_RAW_MONITOR_CONTENDED_EXIT, of);
}

/* A thread that is not in the monitor does not wait, as with HotSpot. */
static void wait_for(JVMPI_RawMonitor of, jlong ms) {
  if (of == NULL) return;
  waiter own = {.env = env_here()};
  struct timespec until = in_ms(ms > 0 ? (uint64_t)ms : 0);
  pthread_mutex_lock(&of->lock);
  if (is_mine(of)) {
    jint entries = of->entries;
    uint64_t seen = of->notified;
    of->entries = 0;
    pthread_cond_signal(&of->left);
    join(&of->waiting, &own);
    while (of->notified == seen)
      if (ms <= 0) pthread_cond_wait(&of->told, &of->lock);
      else if (pthread_cond_timedwait(&of->told, &of->lock, &until) == ETIMEDOUT) break;
    quit(&of->waiting, &own);
    take(of, own.env, entries);
  }
  pthread_mutex_unlock(&of->lock);
}

static void notify_all(JVMPI_RawMonitor of) {
  if (of == NULL) return;
  pthread_mutex_lock(&of->lock);
  of->notified++;
  pthread_cond_broadcast(&of->told);
  pthread_mutex_unlock(&of->lock);
}

static void destroy(JVMPI_RawMonitor of) {
  pthread_mutex_lock(&list_lock);
  JVMPI_RawMonitor *at = &monitors;
  while (*at != NULL && *at != of) at = &(*at)->next;
  bool found = *at != NULL;
  if (found) *at = of->next;
  pthread_mutex_unlock(&list_lock);
  if (!found) return;
  pthread_cond_destroy(&of->left);
  pthread_cond_destroy(&of->told);
  pthread_mutex_destroy(&of->lock);
  free(of->name);
  free(of);
}

static void put_waiters(buffer *to, const waiter *list) {
  uint64_t count = 0;
  for (const waiter *at = list; at != NULL; at = at->next) count++;
  put_big(to, count, 4);
  for (const waiter *at = list; at != NULL; at = at->next) put_word(to, at->env);
}

/* Records of MONITOR_DUMP for the monitors that a thread is in or waits for. */
void put_raw_monitors(buffer *to) {
  pthread_mutex_lock(&list_lock);
  for (JVMPI_RawMonitor of = monitors; of != NULL; of = of->next) {
    pthread_mutex_lock(&of->lock);
    if (of->entries > 0 || of->waiting != NULL || of->entering != NULL) {
      put_u8(to, JVMPI_MONITOR_RAW);
      put_word(to, of->name);
      put_word(to, of);
      put_word(to, of->entries > 0 ? of->owner_env : NULL);
      put_big(to, (uint64_t)of->entries, 4);
      put_waiters(to, of->entering);
      put_waiters(to, of->waiting);
    }
    pthread_mutex_unlock(&of->lock);
  }
  pthread_mutex_unlock(&list_lock);
}

void fill_raw_monitor_functions(JVMPI_Interface *of) {
  of->RawMonitorCreate = create;
  of->RawMonitorEnter = enter;
  of->RawMonitorExit = leave;
  of->RawMonitorWait = wait_for;
  of->RawMonitorNotifyAll = notify_all;
  of->RawMonitorDestroy = destroy;
}
