/*
 * The remote half of JVMPI: an agent that turns events of JVMTI into frames on a Unix socket, and calls that arrive there
 * into calls of JVMTI. docs/jvmpi-wire.md describes the frames; src/live/agent/ is the other end.
 *
 * Locks, in the order in which a thread may take them: tags, methods, threads, a thread's block, the queue. No lock is held
 * over a call of JVMTI but that of the tags, and callbacks during a collection never take that one.
 */
#ifndef KANSOKU_AGENT_H
#define KANSOKU_AGENT_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1 /* struct ucred */
#endif

#include <jvmti.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PROTOCOL 1
#define BLOCK_BYTES 8192

/* Events by JVMPI's numbers. */
enum {
  METHOD_ENTRY = 1,
  METHOD_ENTRY2 = 2,
  METHOD_EXIT = 3,
  OBJECT_ALLOC = 4,
  OBJECT_FREE = 5,
  COMPILED_METHOD_LOAD = 7,
  COMPILED_METHOD_UNLOAD = 8,
  INSTRUCTION_START = 9,
  THREAD_START = 33,
  THREAD_END = 34,
  CLASS_LOAD_HOOK = 35,
  HEAP_DUMP = 37,
  JNI_GLOBALREF_ALLOC = 38,
  JNI_GLOBALREF_FREE = 39,
  JNI_WEAK_GLOBALREF_ALLOC = 40,
  JNI_WEAK_GLOBALREF_FREE = 41,
  CLASS_LOAD = 42,
  CLASS_UNLOAD = 43,
  DATA_DUMP_REQUEST = 44,
  DATA_RESET_REQUEST = 45,
  JVM_INIT_DONE = 46,
  JVM_SHUT_DOWN = 47,
  OBJECT_DUMP = 50,
  MONITOR_CONTENDED_ENTER = 54,
  MONITOR_CONTENDED_ENTERED = 55,
  MONITOR_CONTENDED_EXIT = 56,
  MONITOR_WAIT = 57,
  MONITOR_WAITED = 58,
  MONITOR_DUMP = 59,
  GC_START = 60,
  GC_FINISH = 61,
  EVENTS = 62
};

/* Bits beside the number of an event in its record. */
enum { REQUESTED = 0x40, EXTRAS = 0x80 };

/* Results of JVMPI. */
enum { SUCCESS = 0, NOT_AVAILABLE = 1, FAIL = -1 };

/* Kinds of frames: up to 15 from the agent, from 16 to it. */
enum { HELLO = 1, BLOCK = 2, REPLY = 3, DROPPED = 4, HOLD = 5, PART = 6, CALL = 16, CREDIT = 17, RELEASE = 18, GO = 19 };

/* What to do with an event if the queue is full. */
typedef enum { DROP, WAIT } policy;

/* Bytes that grow; `failed` if memory ran out. */
typedef struct {
  uint8_t *bytes;
  size_t length, room;
  bool failed;
} buffer;

/* A thread that had an event. It stays in the table for ever, so its number names it for ever. */
typedef struct agent_thread {
  uint32_t number;
  JNIEnv *env;
  jobject thread; /* a global reference; NULL after its end */
  atomic_flag busy;
  uint32_t length;
  uint64_t last; /* time of the last record in the block */
  uint64_t suspended_cpu;
  bool announced, suspended;
  uint8_t *block;
} agent_thread;

extern jvmtiEnv *jvmti;
extern JavaVM *vm;
extern _Atomic int enabled[EVENTS];
extern _Atomic int trace_depth[EVENTS];
extern _Atomic int wants_cpu[EVENTS];
extern _Atomic int blocking[EVENTS];
extern _Atomic bool live;

/* buffer.c */
void put_bytes(buffer *to, const void *bytes, size_t length);
void put_u8(buffer *to, uint8_t value);
void put_u32(buffer *to, uint32_t value);
void put_u64(buffer *to, uint64_t value);
void put_varint(buffer *to, uint64_t value);
void put_signed(buffer *to, int64_t value);
void put_string(buffer *to, const char *text);
void drop_buffer(buffer *of);
size_t write_varint(uint8_t *to, uint64_t value);

/* wire.c */
bool wire_open(const char *folder);
bool wire_alive(void);
bool wire_start(void);
bool wire_frame(uint8_t kind, const uint8_t *bytes, size_t length, policy full);
void wire_count_drop(int event, uint32_t count);
bool wire_hold(uint32_t id, uint64_t deadline_ms, buffer *answer);
/* How long a handler may hold a thread. */
#define HOLD_MS 10000
uint32_t wire_hold_begin(void);
void wire_drain(uint64_t deadline_ms);
uint64_t now_ns(void);

/* A call of the front end; the caller of next_call frees it. */
typedef struct call {
  struct call *next;
  uint32_t id;
  uint8_t function;
  size_t length;
  uint8_t bytes[];
} call;
enum { CALL_END = 0, CALL_GO = 254 };
call *next_call(uint64_t deadline_ms);

/* references.c: functions of JNI that make and free global references tell `to`, with the number of the event. */
typedef void (*reference_watcher)(JNIEnv *jni, int number, jobject object, jobject reference);
bool watch_references(reference_watcher to);

/* dump.c: 0 if the thread had no event. */
uint32_t number_of(JNIEnv *jni, jthread thread);

/* ids.c */
jlong tag_of(jobject object, bool is_class);
jlong known_tag(jobject object);
jlong new_tag(bool is_class);
uint32_t method_number(jmethodID method);
jmethodID method_of(uint32_t number);
agent_thread *thread_here(JNIEnv *jni, jthread thread);
agent_thread *thread_known(void);
agent_thread *thread_by_number(uint32_t number);
uint32_t thread_count(void);
void forget_announced(void);
void thread_ended(JNIEnv *jni, agent_thread *of);
void flush_thread(agent_thread *of);
void flush_threads(void);

/* record.c: what events carry */
void put_class(buffer *to, JNIEnv *jni, jclass type, bool prepared);
void put_thread(buffer *to, JNIEnv *jni, agent_thread *of);
bool put_trace(buffer *to, jthread thread, int depth);
int put_allocation(buffer *to, jobject object, jclass type, jlong size);
void fast_event(agent_thread *of, int event, uint64_t one);
void event(agent_thread *of, int number, const buffer *content, policy full);
bool held_event(agent_thread *of, int number, const buffer *content, buffer *answer);
int put_extras(buffer *to, int number, jthread thread);

int line_of(jmethodID method, jlocation location);
void lines_of(jmethodID method, jint *first, jint *last);
int element_code(char letter);

/* classes.c */
bool mark_sent(jlong tag);
void forget_sent(void);
void each_unsent_class(JNIEnv *jni, bool all, void (*send)(JNIEnv *, jclass, bool));

/* events.c */
jint enable_event(int event, bool on);
bool set_callbacks(const jvmtiEventCallbacks *callbacks);
void events_off(void);
void put_available(buffer *to);
void sample_from_now(void);
void vm_is_live(JNIEnv *jni, jthread thread);
bool events_init(void);

/* dump.c */
jint put_heap(buffer *to, JNIEnv *jni, int level, jobject only, uint32_t call_id);
jint put_monitors(buffer *to, JNIEnv *jni);

/* calls.c */
jint status_of(jthread thread, buffer *to);
int serve(JNIEnv *jni, bool until_go);
void JNICALL serve_thread(jvmtiEnv *ti, JNIEnv *jni, void *unused);
jobject make_thread(JNIEnv *jni, const char *name);
bool start_own_thread(JNIEnv *jni, jvmtiStartFunction run);
jobject object_of(jlong tag);
bool thread_status(jthread thread, jint *status);
void leave(JNIEnv *jni, jint status);
bool is_own(JNIEnv *jni, jthread thread);

#endif
