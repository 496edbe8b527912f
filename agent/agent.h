/*
 * JVMPI over JVMTI. Events of JVMTI become those of include/jvmpi.h, and functions of JVMPI calls of JVMTI. Two halves take the events:
 * `remote/` sends them over a socket and runs calls that arrive there (docs/jvmpi-wire.md; src/live/agent/ is the other end), `bridge/` gives
 * them to an agent in C in this process. Ids of objects are tags of JVMTI.
 *
 * Locks, in the order in which a thread may take them: tags, methods, threads, a thread's block, the queue. No lock is held over a call of
 * JVMTI but that of the tags, and that of deliveries (bridge/collections.c). Callbacks during a collection take neither.
 */
#ifndef KANSOKU_AGENT_H
#define KANSOKU_AGENT_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1 /* struct ucred */
#endif

#include "buffer.h"
#include "include/jvmpi.h"
#include <jvmti.h>
#include <pthread.h>
#include <stdatomic.h>

#define EVENTS (JVMPI_MAX_EVENT_TYPE_VAL + 1)
#define MAX_FRAMES 1024

/* A thread of Java that runs. Its record is used again when it has ended, its number is not. */
typedef struct agent_thread {
  struct agent_thread *next; /* of those that are not used */
  size_t place;              /* among those that run */
  uint32_t number;
  JNIEnv *env;
  jobject thread;    /* a global reference */
  _Atomic int stage; /* of THREAD_START */
  bool suspended;
  jlong cpu[2]; /* ns at the last two suspensions; -1: unknown */
  void *storage;
  /* Of the remote half: records that are not sent yet. */
  atomic_flag busy;
  uint32_t length;
  uint64_t last; /* time of the last record */
  uint8_t *block;
} agent_thread;

/* An event, and what the structure of the document has no place for. */
typedef struct {
  JVMPI_Event event;
  uint32_t thread;  /* number; 0: no thread of Java */
  uint32_t started; /* THREAD_START: its number */
  jlong bytes;      /* OBJECT_ALLOC */
  const char *text; /* CLASS_LOAD: the signature; CLASS_LOAD_HOOK: the name */
  bool linked;      /* CLASS_LOAD */
} message;

/* A monitor with the threads in it and at it. */
typedef struct {
  jlong object;
  agent_thread *owner; /* may be NULL, like those of the lists */
  jint entries;
  size_t entering_count, waiting_count;
  agent_thread **entering, **waiting;
} monitor_use;

/* A half of the agent. All else calls it through `receiver`, never by name. Members that say so may be NULL: there is nothing to do. */
typedef struct {
  bool in_process; /* an agent in C takes the events */
  /* Starts the profiler, which may take the VM's JVM_OnLoad as long as it needs. `jni` is NULL before the VM runs. */
  jint (*load)(JNIEnv *jni, char *options);
  /* The agent's own thread, from a complete VM on. */
  jvmtiStartFunction run;
  /* Takes an event, on its thread. */
  void (*deliver)(message *what);
  /* Adds its callbacks of collections and of freed objects. */
  void (*add_callbacks)(jvmtiEventCallbacks *callbacks);
  /* Delivers the collections so far, if no handler of them runs for so many ms (0: as long as it takes); may be NULL. */
  void (*deliver_collections)(uint64_t patience_ms);
  /* Sends what threads have gathered, or one that ends; may be NULL. */
  void (*flush)(void);
  void (*end_thread)(agent_thread *of);
  /* Puts a monitor of a MONITOR_DUMP. */
  void (*put_monitor)(void *to, const monitor_use *use);
  /* May be NULL. */
  void (*put_raw_monitors)(buffer *to);
  /* Requested events of an agent in C. */
  jint (*heap_dump)(JNIEnv *jni, jint level);
  jint (*object_dump)(JNIEnv *jni, jobject object);
  /* The VM ends when this returns. */
  void (*end)(void);
} half;

/* state.c */
extern jvmtiEnv *jvmti;
extern JavaVM *vm;
extern JVMPI_Interface jvmpi;
extern _Atomic bool live, stopped;
extern _Atomic int enabled[EVENTS];
extern const half *receiver;
void notify(agent_thread *of, jint type, message *what);
bool is_due(jint type);
/* Says why, and gives JNI_ERR. */
jint cannot_start(const char *why);

/* ids.c */
void release(void *memory);
jlong known_tag(jobject object);
jlong new_tag(bool is_class);
jlong tag_of(jobject object, bool is_class);
jobjectID id_of(jobject object);
jobject object_of(jobjectID id);
uint32_t method_number(jmethodID method);
jmethodID method_of(uint32_t number);
JNIEnv *env_here(void);
int jdk_version(void);
void *exported_by_vm(const char *name);

/* threads.c */
agent_thread *thread_here(JNIEnv *jni, jthread thread);
agent_thread *due_thread(JNIEnv *jni, jthread thread, jint type);
void send_thread(JNIEnv *jni, agent_thread *of, jint number);
agent_thread *thread_known(JNIEnv *jni);
agent_thread *thread_with(jthread thread);
agent_thread *thread_of(JNIEnv *env);
agent_thread *thread_by_number(uint32_t number);
size_t all_threads(agent_thread ***list);
void announce_all(JNIEnv *jni);
void adopt_threads(JNIEnv *jni);
void forget_announced(void);
void thread_started(JNIEnv *jni, jthread thread);
void thread_ended(JNIEnv *jni, agent_thread *of);
jobject make_thread(JNIEnv *jni, const char *name);
typedef enum { SERVES, EXITS, OWN_THREADS } own_purpose;
bool start_own_thread(JNIEnv *jni, own_purpose purpose, jvmtiStartFunction run, void *argument);
bool is_own(JNIEnv *jni, jthread thread);

/* thread-functions.c */
jint trace_of(jthread thread, jint depth, JVMPI_CallFrame *frames);
JVMPI_CallTrace *all_traces(pool *memory, agent_thread *const *threads, size_t count);
jint suspend_or_resume(agent_thread *of, bool on);
void fill_thread_functions(JVMPI_Interface *of);

/* describe.c: contents of events */
int line_of(jmethodID method, jlocation location);
jint type_code(char letter);
void send_class(JNIEnv *jni, jclass type, jint number);
void send_class_once(JNIEnv *jni, jclass type);
void send_classes(JNIEnv *jni, bool all);
void watch_classes(void);
void give_class_id(JNIEnv *jni, jclass type);
jint end_of(jlong tag);
void forget_classes(void);
jint send_allocation(JNIEnv *jni, jobject object, jclass type, jlong size, jint number);

/* events.c */
void vm_is_live(JNIEnv *jni, jthread thread);
bool set_callbacks(void);

/* sleeps.c */
void follow_sleeps(void);
void JNICALL on_native_bind(jvmtiEnv *ti, JNIEnv *jni, jthread thread, jmethodID method, void *address, void **replacement);

/* heap-usage.c */
void find_heap_counters(void);
void put_heap_usage(message *what);

/* switches.c */
jint enable_event(jint type, void *unused);
jint disable_event(jint type, void *unused);
void events_off(void);
void sample_from_now(void);
bool ask_early(void);
void put_available(buffer *to);

/* functions.c */
void fill_interface(void);
bool ends_with(JNIEnv *jni, jint code);
void exit_as_asked(void);

/* references.c: functions of JNI that make and free global references call `to`, with the number of the event. */
typedef void (*reference_watcher)(JNIEnv *jni, jint number, jobject object, jobject reference);
bool watch_references(reference_watcher to);
jobject own_reference(JNIEnv *jni, jobject to);
void drop_own_reference(JNIEnv *jni, jobject reference);

/* reference-events.c */
void follow_references(void);

/* monitor-search.c */
typedef void (*monitor_visitor)(JNIEnv *jni, jobject object, void *to);
void search_monitors(JNIEnv *jni, size_t count, const jthread *threads, monitor_visitor visit, void *to);

/* monitors.c */
jint monitor_dump(JNIEnv *jni);
agent_thread *owner_of(JNIEnv *jni, jobject object);

#endif
