/*
 * The bridge: gives agents in C the function table of JVMPI in the process of the VM, and delivers events on their thread.
 * Ids are the VM's own where it has them: JNIEnv* of threads, jmethodID of methods; those of objects are tags of JVMTI (ids.c).
 *
 * No lock of the bridge is held over a call of the VM, but that of deliveries (collections.c), which waits for the agent's handlers.
 */
#ifndef KANSOKU_BRIDGE_H
#define KANSOKU_BRIDGE_H

#include "../agent.h"
#include "../include/jvmpi.h"

/* Events of JVMPI beside those of agent.h. */
enum {
  EVENT_INSTRUCTION = 9,
  EVENT_GLOBALREF_ALLOC = 38,
  EVENT_WEAK_GLOBALREF_FREE = 41,
  EVENT_RESET = 45,
  EVENT_RAW_ENTER = 51,
  EVENT_RAW_ENTERED = 52,
  EVENT_RAW_EXIT = 53,
  EVENT_CONTENDED_EXIT = 56
};

/* A thread. Its record stays when the thread ends, and is used again. */
typedef struct bridge_thread {
  struct bridge_thread *next; /* with the same hash, or free */
  JNIEnv *env;
  jobject thread; /* a global reference */
  void *storage;
  _Atomic int stage; /* of THREAD_START: NEW, ANNOUNCING, ANNOUNCED */
  bool suspended;
  jlong cpu[2]; /* at the last two suspensions; -1: unknown */
} bridge_thread;

/* Memory of one event. */
typedef struct {
  void *last;
} pool;

extern JVMPI_Interface bridge_interface;

/* load.c */
jint bridge_load(JavaVM *loading, char *options, bool late);

/* requests.c */
void *pool_take(pool *of, size_t bytes);
char *pool_text(pool *of, const char *text);
void pool_drop(pool *of);
void notify(int type, JNIEnv *env, JVMPI_Event *event);
bool is_enabled(int type);
jint request_event(jint type, void *arg);
jobjectID id_of(jobject object);
jobjectID class_id_of(jclass type);
JNIEnv *env_here(void);

/* threads.c */
bridge_thread *bridge_here(JNIEnv *jni, jthread thread);
bridge_thread *bridge_find(JNIEnv *env);
/* The threads that run now: at most `room` of them, with local references; gives their number. */
size_t bridge_threads(JNIEnv *jni, bridge_thread **threads, size_t room);
void bridge_announce_all(JNIEnv *jni);
void bridge_thread_ended(JNIEnv *jni, bridge_thread *of);
/* monitor-dump.c */
void drop_usage(JNIEnv *jni, jvmtiMonitorUsage *usage);
void thread_started_event(JNIEnv *jni, bridge_thread *of, int type);
void fill_thread_functions(JVMPI_Interface *of);
jint bridge_trace(jthread thread, jint depth, JVMPI_CallFrame *frames);

/* classes.c */
void class_load_event(JNIEnv *jni, jclass type, int number);
jint allocation_event(JNIEnv *jni, jobject object, jclass type, jlong size, int number);
void send_loaded_classes(JNIEnv *jni, bool all);

/* callbacks.c */
jint bridge_enable(jint type, void *arg);
jint bridge_disable(jint type, void *arg);
bool bridge_events_init(void);
void bridge_live(JNIEnv *jni, jthread thread);
extern _Atomic bool bridge_stopped;


/* collections.c */
void JNICALL on_gc_ended(jvmtiEnv *ti);
void JNICALL on_tag_freed(jvmtiEnv *ti, jlong tag);
void deliver_collections(JNIEnv *jni);
void JNICALL deliver_thread(jvmtiEnv *ti, JNIEnv *jni, void *unused);

/* raw-monitors.c */
void fill_raw_monitor_functions(JVMPI_Interface *of);
void put_raw_monitors(buffer *to);

/* dumps: layout.c, heap-dump.c, monitor-dump.c */
jint heap_dump(JNIEnv *jni, jint level);
jint object_dump(JNIEnv *jni, jobject object);
jint monitor_dump(JNIEnv *jni);
void put_big(buffer *to, uint64_t value, int bytes);
void put_word(buffer *to, const void *value);

#endif
