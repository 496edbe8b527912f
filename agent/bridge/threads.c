/* Threads by their JNIEnv, and the functions about them. */
#include "bridge.h"
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { NEW, ANNOUNCING, ANNOUNCED };

#define HASHES 4096
/* References of ended threads that are kept for a while, since another thread may still use them. */
#define KEPT 256

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bridge_thread *by_hash[HASHES];
static bridge_thread *unused;
static jobject ended[KEPT];
static size_t last_ended;
static _Thread_local bridge_thread *here;

static size_t hash_of(JNIEnv *env) { return ((uintptr_t)env >> 8) * 0x9e3779b9u % HASHES; }

/* The thread with this JNIEnv; NULL if there is none, or no event has named it. */
bridge_thread *bridge_find(JNIEnv *env) {
  if (here != NULL && here->env == env) return here;
  pthread_mutex_lock(&lock);
  bridge_thread *of = by_hash[hash_of(env)];
  while (of != NULL && of->env != env) of = of->next;
  pthread_mutex_unlock(&lock);
  return of;
}

static bridge_thread *add(JNIEnv *env, jobject thread) {
  pthread_mutex_lock(&lock);
  bridge_thread *made = unused;
  if (made != NULL) unused = made->next;
  else made = calloc(1, sizeof *made);
  if (made != NULL) {
    size_t hash = hash_of(env);
    *made = (bridge_thread){.next = by_hash[hash], .env = env, .thread = thread, .cpu = {-1, -1}};
    by_hash[hash] = made;
  }
  pthread_mutex_unlock(&lock);
  return made;
}

/* Sends THREAD_START once. A thread whose THREAD_START another one sends waits until its handler is done: §1.4 promises this order. */
static void announce(JNIEnv *jni, bridge_thread *of) {
  int expected = NEW;
  if (atomic_load(&of->stage) == ANNOUNCED || !atomic_load(&live)) return;
  if (!atomic_compare_exchange_strong(&of->stage, &expected, ANNOUNCING)) {
    while (of == here && atomic_load(&of->stage) == ANNOUNCING && of->env == jni) sched_yield();
    return;
  }
  if (is_enabled(THREAD_START)) thread_started_event(jni, of, THREAD_START);
  atomic_store(&of->stage, ANNOUNCED);
}

/* The thread that runs this; NULL for threads of the bridge. */
bridge_thread *bridge_here(JNIEnv *jni, jthread thread) {
  if (jni == NULL) return NULL;
  if (here == NULL || here->env != jni) {
    jthread found = thread;
    if (found == NULL && (*jvmti)->GetCurrentThread(jvmti, &found) != JVMTI_ERROR_NONE) return NULL;
    if (is_own(jni, found)) return NULL;
    jobject kept = (*jni)->NewGlobalRef(jni, found);
    here = add(jni, kept);
    if (thread == NULL && found != NULL) (*jni)->DeleteLocalRef(jni, found);
  }
  /* In the handler of its own THREAD_START a thread may cause events. */
  static _Thread_local bool announcing;
  if (here != NULL && !announcing) {
    announcing = true;
    announce(jni, here);
    announcing = false;
  }
  return here;
}

size_t bridge_threads(JNIEnv *jni, bridge_thread **threads, size_t room) {
  (void)jni;
  size_t count = 0;
  pthread_mutex_lock(&lock);
  for (size_t hash = 0; hash < HASHES; hash++)
    for (bridge_thread *of = by_hash[hash]; of != NULL; of = of->next) {
      if (count < room) threads[count] = of;
      count++;
    }
  pthread_mutex_unlock(&lock);
  return count;
}

/* The threads that started before the VM was complete. */
void bridge_announce_all(JNIEnv *jni) {
  size_t room = bridge_threads(jni, NULL, 0);
  bridge_thread **threads = calloc(room + 1, sizeof *threads);
  size_t count = threads == NULL ? 0 : bridge_threads(jni, threads, room);
  for (size_t i = 0; i < count && i < room; i++) announce(jni, threads[i]);
  free(threads);
}

void bridge_thread_ended(JNIEnv *jni, bridge_thread *of) {
  pthread_mutex_lock(&lock);
  bridge_thread **at = &by_hash[hash_of(of->env)];
  while (*at != NULL && *at != of) at = &(*at)->next;
  if (*at == of) *at = of->next;
  jobject old = ended[last_ended];
  ended[last_ended] = of->thread;
  last_ended = (last_ended + 1) % KEPT;
  of->env = NULL;
  of->thread = NULL;
  of->next = unused;
  unused = of;
  pthread_mutex_unlock(&lock);
  here = NULL;
  if (old != NULL) (*jni)->DeleteGlobalRef(jni, old);
}

void thread_started_event(JNIEnv *jni, bridge_thread *of, int type) {
  pool memory = {0};
  jvmtiThreadInfo thread = {0};
  jvmtiThreadGroupInfo group = {0}, parent = {0};
  if ((*jvmti)->GetThreadInfo(jvmti, of->thread, &thread) == JVMTI_ERROR_NONE && thread.thread_group != NULL) {
    (*jvmti)->GetThreadGroupInfo(jvmti, thread.thread_group, &group);
    if (group.parent != NULL) (*jvmti)->GetThreadGroupInfo(jvmti, group.parent, &parent);
  }
  JVMPI_Event event = {0};
  event.u.thread_start.thread_name = pool_text(&memory, thread.name);
  event.u.thread_start.group_name = pool_text(&memory, group.name);
  event.u.thread_start.parent_name = pool_text(&memory, parent.name);
  event.u.thread_start.thread_id = id_of(of->thread);
  event.u.thread_start.thread_env_id = of->env;
  char *texts[] = {thread.name, group.name, parent.name};
  for (int i = 0; i < 3; i++)
    if (texts[i] != NULL) (*jvmti)->Deallocate(jvmti, (unsigned char *)texts[i]);
  jobject locals[] = {thread.thread_group, thread.context_class_loader, group.parent, parent.parent};
  for (size_t i = 0; i < sizeof locals / sizeof *locals; i++)
    if (locals[i] != NULL) (*jni)->DeleteLocalRef(jni, locals[i]);
  notify(type, jni, &event);
  pool_drop(&memory);
}

/* The innermost frames of a thread (NULL: the one that runs this); gives their number. */
jint bridge_trace(jthread thread, jint depth, JVMPI_CallFrame *frames) {
  jint count = 0;
  if (depth <= 0) return 0;
  jvmtiFrameInfo *found = calloc((size_t)depth, sizeof *found);
  if (found == NULL || (*jvmti)->GetStackTrace(jvmti, thread, 0, depth, found, &count) != JVMTI_ERROR_NONE) count = 0;
  for (jint i = 0; i < count; i++)
    frames[i] = (JVMPI_CallFrame){.lineno = line_of(found[i].method, found[i].location), .method_id = found[i].method};
  free(found);
  return count;
}

static jlong cpu_time_here(void) {
  struct timespec time;
  return clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) == 0 ? (jlong)time.tv_sec * 1000000000 + time.tv_nsec : 0;
}

static jint suspend_or_resume(JNIEnv *env, bool on) {
  jvmtiCapabilities needs = {.can_suspend = 1};
  bridge_thread *of = bridge_find(env);
  if (of == NULL || of->thread == NULL) return JVMTI_ERROR_INVALID_THREAD;
  jvmtiError error = (*jvmti)->AddCapabilities(jvmti, &needs);
  if (error == JVMTI_ERROR_NONE)
    error = on ? (*jvmti)->SuspendThread(jvmti, of->thread) : (*jvmti)->ResumeThread(jvmti, of->thread);
  if (error != JVMTI_ERROR_NONE) return (jint)error;
  of->suspended = on;
  if (!on) return 0;
  jlong time = -1;
  if ((*jvmti)->GetThreadCpuTime(jvmti, of->thread, &time) != JVMTI_ERROR_NONE) time = -1;
  of->cpu[0] = of->cpu[1];
  of->cpu[1] = time;
  return 0;
}

static void suspend_thread(JNIEnv *env) { suspend_or_resume(env, true); }
static void resume_thread(JNIEnv *env) { suspend_or_resume(env, false); }

static void suspend_list(jint count, JNIEnv **envs, jint *results) {
  for (jint i = 0; i < count; i++) results[i] = suspend_or_resume(envs[i], true);
}

static void resume_list(jint count, JNIEnv **envs, jint *results) {
  for (jint i = 0; i < count; i++) results[i] = suspend_or_resume(envs[i], false);
}

static jint get_status(JNIEnv *env) {
  jint status = 0;
  bridge_thread *of = bridge_find(env);
  return of != NULL && of->thread != NULL && thread_status(of->thread, &status) ? status : 0;
}

/* Unknown counts as run. */
static jboolean has_run(JNIEnv *env) {
  bridge_thread *of = bridge_find(env);
  return of == NULL || of->cpu[0] < 0 || of->cpu[1] < 0 || of->cpu[1] > of->cpu[0];
}

static void JNICALL run_system_thread(jvmtiEnv *ti, JNIEnv *jni, void *code) {
  (void)ti, (void)jni;
  void (*run)(void *);
  *(void **)&run = code;
  run(NULL);
}

static jint create_system_thread(char *name, jint priority, void (*code)(void *)) {
  JNIEnv *jni = env_here();
  if (jni == NULL || !atomic_load(&live) || atomic_load(&bridge_stopped)) return JNI_ERR;
  jobject thread = make_thread(jni, name);
  void *as_data;
  *(void (**)(void *))&as_data = code;
  if (thread == NULL) return JNI_ERR;
  jvmtiError error = (*jvmti)->RunAgentThread(jvmti, thread, run_system_thread, as_data, priority);
  (*jni)->DeleteLocalRef(jni, thread);
  return error == JVMTI_ERROR_NONE ? JNI_OK : JNI_ERR;
}

static void set_storage(JNIEnv *env, void *value) {
  bridge_thread *of = bridge_find(env);
  if (of != NULL) of->storage = value;
}

static void *get_storage(JNIEnv *env) {
  bridge_thread *of = bridge_find(env);
  return of == NULL ? NULL : of->storage;
}

static jobjectID thread_object(JNIEnv *env) {
  bridge_thread *of = bridge_find(env);
  return of == NULL ? NULL : id_of(of->thread);
}

void fill_thread_functions(JVMPI_Interface *of) {
  of->GetCurrentThreadCpuTime = cpu_time_here;
  of->SuspendThread = suspend_thread;
  of->ResumeThread = resume_thread;
  of->SuspendThreadList = suspend_list;
  of->ResumeThreadList = resume_list;
  of->GetThreadStatus = get_status;
  of->ThreadHasRun = has_run;
  of->CreateSystemThread = create_system_thread;
  of->SetThreadLocalStorage = set_storage;
  of->GetThreadLocalStorage = get_storage;
  of->GetThreadObject = thread_object;
}
