/* The threads that run, by their JNIEnv and by number, and THREAD_START of each. JVMTI keeps the record of each thread for us, too. */
#include "agent.h"
#include <sched.h>

enum { NEW, ANNOUNCING, ANNOUNCED };

/* References of ended threads that are kept for a while, since another thread may still use them. */
#define KEPT 1024

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static agent_thread **running, *unused;
static size_t count, room;
static uint32_t last_number;
static jobject ended[KEPT];
static size_t last_ended;
static jobject own_threads[OWN_THREADS];
static _Thread_local agent_thread *here;
static _Thread_local JNIEnv *gone; /* of a thread that has ended for JVMTI, but still runs */

/* The first thread with this JNIEnv or number. */
static agent_thread *find(const JNIEnv *env, uint32_t number) {
  agent_thread *found = NULL;
  pthread_mutex_lock(&lock);
  for (size_t i = 0; i < count && found == NULL; i++)
    if (env != NULL ? running[i]->env == env : running[i]->number == number) found = running[i];
  pthread_mutex_unlock(&lock);
  return found;
}

/* NULL if no event has named the thread. */
agent_thread *thread_of(JNIEnv *env) {
  return env == NULL ? NULL : here != NULL && here->env == env ? here : find(env, 0);
}

agent_thread *thread_by_number(uint32_t number) {
  return here != NULL && here->number == number ? here : find(NULL, number);
}

/* The threads that run now, in memory of the caller; gives their number. */
size_t all_threads(agent_thread ***list) {
  pthread_mutex_lock(&lock);
  *list = malloc((count + 1) * sizeof **list);
  size_t found = *list == NULL ? 0 : count;
  if (found > 0) memcpy(*list, running, found * sizeof *running);
  pthread_mutex_unlock(&lock);
  return found;
}

/* The record of a thread; NULL if it is unknown, or has ended. */
agent_thread *thread_with(jthread thread) {
  void *of = NULL;
  bool runs = thread != NULL && (*jvmti)->GetThreadLocalStorage(jvmti, thread, &of) == JVMTI_ERROR_NONE;
  return runs ? of : NULL;
}

/* The record of the thread that runs this; NULL if it has none. */
agent_thread *thread_known(JNIEnv *jni) { return here != NULL && here->env == jni ? here : NULL; }

bool is_own(JNIEnv *jni, jthread thread) {
  for (int i = 0; i < OWN_THREADS; i++)
    if (own_threads[i] != NULL && (*jni)->IsSameObject(jni, thread, own_threads[i])) return true;
  return false;
}

/* Called with the lock. */
static agent_thread *take_record(void) {
  agent_thread *made = unused;
  if (count == room) {
    agent_thread **grown = realloc(running, (room * 2 + 64) * sizeof *grown);
    if (grown == NULL) return NULL;
    running = grown;
    room = room * 2 + 64;
  }
  if (made == NULL) return calloc(1, sizeof *made);
  unused = made->next;
  return made;
}

/* The record with this JNIEnv, which is made if there is none. */
static agent_thread *add(JNIEnv *env) {
  pthread_mutex_lock(&lock);
  agent_thread *made = NULL;
  for (size_t i = 0; i < count && made == NULL; i++)
    if (running[i]->env == env) made = running[i];
  bool found = made != NULL;
  if (!found) made = take_record();
  if (made != NULL && !found) {
    made->number = ++last_number;
    made->env = env;
    made->storage = NULL;
    made->suspended = false;
    made->cpu[0] = made->cpu[1] = -1;
    atomic_store(&made->stage, NEW);
    made->place = count;
    running[count++] = made;
  }
  pthread_mutex_unlock(&lock);
  return made;
}

/* The value of a field, which the class of the object or one above it has; NULL if there is none. */
static jobject field_of(JNIEnv *jni, jobject of, const char *name, const char *signature) {
  jfieldID field = of == NULL ? NULL : (*jni)->GetFieldID(jni, (*jni)->GetObjectClass(jni, of), name, signature);
  if ((*jni)->ExceptionCheck(jni)) (*jni)->ExceptionClear(jni);
  return field == NULL ? NULL : (*jni)->GetObjectField(jni, of, field);
}

static char *name_of(pool *memory, JNIEnv *jni, jobject of) {
  jstring text = field_of(jni, of, "name", "Ljava/lang/String;");
  const char *chars = text == NULL ? NULL : (*jni)->GetStringUTFChars(jni, text, NULL);
  char *name = pool_text(memory, chars);
  if (chars != NULL) (*jni)->ReleaseStringUTFChars(jni, text, chars);
  return name;
}

/*
 * THREAD_START. Names come from the fields of thread and groups: JVMTI describes threads only in a VM that has started. A field that is not there
 * would make an exception in Java, whose methods this thread would enter before its THREAD_START.
 */
void send_thread(JNIEnv *jni, agent_thread *of, jint number) {
  pool memory = {0};
  (*jni)->PushLocalFrame(jni, 16);
  bool held = jdk_version() >= 19;
  jobject holder = held ? field_of(jni, of->thread, "holder", "Ljava/lang/Thread$FieldHolder;") : of->thread;
  jobject group = field_of(jni, holder, "group", "Ljava/lang/ThreadGroup;");
  jobject parent = field_of(jni, group, "parent", "Ljava/lang/ThreadGroup;");
  message what = {.started = of->number, .event.env_id = jni};
  what.event.u.thread_start.thread_name = name_of(&memory, jni, of->thread);
  what.event.u.thread_start.group_name = name_of(&memory, jni, group);
  what.event.u.thread_start.parent_name = name_of(&memory, jni, parent);
  what.event.u.thread_start.thread_id = id_of(of->thread);
  what.event.u.thread_start.thread_env_id = of->env;
  (*jni)->PopLocalFrame(jni, NULL);
  notify(thread_known(jni), number, &what);
  pool_drop(&memory);
}

/* Sends THREAD_START once. A thread whose THREAD_START another one sends waits until its handler is done: §1.4 promises this order. */
static void announce(JNIEnv *jni, agent_thread *of) {
  int expected = NEW;
  if (atomic_load(&of->stage) == ANNOUNCED || of->thread == NULL || !is_due(JVMPI_EVENT_THREAD_START)) return;
  if (!atomic_compare_exchange_strong(&of->stage, &expected, ANNOUNCING)) {
    while (of == here && atomic_load(&of->stage) == ANNOUNCING) sched_yield();
    return;
  }
  send_thread(jni, of, JVMPI_EVENT_THREAD_START);
  atomic_store(&of->stage, ANNOUNCED);
}

/* Keeps the object of a thread, unless another thread did. */
static void keep_thread(JNIEnv *jni, agent_thread *of, jthread thread) {
  jobject reference = own_reference(jni, thread);
  pthread_mutex_lock(&lock);
  bool first = of->thread == NULL;
  if (first) of->thread = reference;
  pthread_mutex_unlock(&lock);
  if (!first) drop_own_reference(jni, reference);
  (*jvmti)->SetThreadLocalStorage(jvmti, thread, of);
}

/* The thread that runs this. On first sight it gets a record and, where that is enabled, its THREAD_START. NULL for our own thread. */
agent_thread *thread_here(JNIEnv *jni, jthread thread) {
  static _Thread_local bool announcing; /* in the handler of its THREAD_START a thread may cause events */
  if (jni == gone) return NULL; /* THREAD_END was its last event */
  if (here != NULL && here->env == jni && atomic_load(&here->stage) == ANNOUNCED) return here;
  jthread found = thread;
  if (here == NULL || here->env != jni || here->thread == NULL) {
    if (found == NULL && (*jvmti)->GetCurrentThread(jvmti, &found) != JVMTI_ERROR_NONE) found = NULL;
    if (found != NULL && is_own(jni, found)) return NULL;
    if ((here == NULL || here->env != jni) && (here = add(jni)) == NULL) return NULL;
    if (found != NULL) keep_thread(jni, here, found);
    if (thread == NULL && found != NULL) (*jni)->DeleteLocalRef(jni, found);
  }
  if (!announcing) {
    announcing = true;
    announce(jni, here);
    announcing = false;
  }
  return here;
}

/* The thread of an event; NULL if the event is not wanted, or of a thread of ours. */
agent_thread *due_thread(JNIEnv *jni, jthread thread, jint type) {
  return is_due(type) ? thread_here(jni, thread) : NULL;
}

/* The field of a thread with the address of the VM's own record of it, of which its JNIEnv is a part. */
static jlong address_in_vm(JNIEnv *jni, jthread thread) {
  jfieldID field = (*jni)->GetFieldID(jni, (*jni)->GetObjectClass(jni, thread), "eetop", "J");
  if ((*jni)->ExceptionCheck(jni)) (*jni)->ExceptionClear(jni);
  return field == NULL ? 0 : (*jni)->GetLongField(jni, thread, field);
}

/* Gives a record to each thread that runs already. The VM sends no event for the start of some of its own, and none to agents that come late. */
void adopt_threads(JNIEnv *jni) {
  jint found = 0;
  jthread self = NULL, *threads = NULL;
  if ((*jvmti)->GetCurrentThread(jvmti, &self) != JVMTI_ERROR_NONE || self == NULL) return;
  jlong own_address = address_in_vm(jni, self);
  if (own_address == 0 || (*jvmti)->GetAllThreads(jvmti, &found, &threads) != JVMTI_ERROR_NONE) return;
  for (jint i = 0; i < found; i++) {
    (*jni)->PushLocalFrame(jni, 16);
    jlong address = is_own(jni, threads[i]) || thread_with(threads[i]) != NULL ? 0 : address_in_vm(jni, threads[i]);
    agent_thread *made = address == 0 ? NULL : add((JNIEnv *)((intptr_t)jni + (intptr_t)(address - own_address)));
    if (made != NULL) keep_thread(jni, made, threads[i]);
    (*jni)->PopLocalFrame(jni, NULL);
    (*jni)->DeleteLocalRef(jni, threads[i]);
  }
  release(threads);
}

/* The threads that started before the VM was complete, or before we came. */
void announce_all(JNIEnv *jni) {
  agent_thread **threads;
  size_t all = all_threads(&threads);
  for (size_t i = 0; i < all; i++) announce(jni, threads[i]);
  free(threads);
}

/* A new front end knows no thread. */
void forget_announced(void) {
  agent_thread **threads;
  size_t all = all_threads(&threads);
  for (size_t i = 0; i < all; i++) atomic_store(&threads[i]->stage, NEW);
  free(threads);
}

void thread_started(JNIEnv *jni, jthread thread) {
  /* A thread that ended while it was adopted has left a record. */
  agent_thread *old = thread_of(jni);
  if (old != NULL && old->thread != NULL && !(*jni)->IsSameObject(jni, old->thread, thread)) thread_ended(jni, old);
  gone = NULL;
  thread_here(jni, thread);
}

void thread_ended(JNIEnv *jni, agent_thread *of) {
  gone = jni;
  (*jvmti)->SetThreadLocalStorage(jvmti, NULL, NULL);
  pthread_mutex_lock(&lock);
  running[of->place] = running[--count];
  running[of->place]->place = of->place;
  jobject old = ended[last_ended];
  ended[last_ended] = of->thread;
  last_ended = (last_ended + 1) % KEPT;
  of->env = NULL;
  of->thread = NULL;
  of->next = unused;
  unused = of;
  pthread_mutex_unlock(&lock);
  here = NULL;
  if (old != NULL) drop_own_reference(jni, old);
}

/* A new java.lang.Thread, which does not run yet; NULL if it cannot be made. */
jobject make_thread(JNIEnv *jni, const char *name) {
  jclass type = (*jni)->FindClass(jni, "java/lang/Thread");
  jmethodID make = type == NULL ? NULL : (*jni)->GetMethodID(jni, type, "<init>", "(Ljava/lang/String;)V");
  jstring text = make == NULL ? NULL : (*jni)->NewStringUTF(jni, name);
  jobject thread = text == NULL ? NULL : (*jni)->NewObject(jni, type, make, text);
  if ((*jni)->ExceptionCheck(jni)) (*jni)->ExceptionClear(jni);
  return thread;
}

/* Starts a thread that is ours, and of which no events are sent. */
bool start_own_thread(JNIEnv *jni, own_purpose purpose, jvmtiStartFunction run, void *argument) {
  jobject thread = make_thread(jni, "Kansoku"), *own = &own_threads[purpose];
  if (thread == NULL) return false;
  if (*own != NULL) drop_own_reference(jni, *own);
  *own = own_reference(jni, thread);
  return (*jvmti)->RunAgentThread(jvmti, *own, run, argument, JVMTI_THREAD_NORM_PRIORITY) == JVMTI_ERROR_NONE;
}
