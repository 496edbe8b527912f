/* Calls of the front end, run one after another: by the thread of Agent_OnLoad until the program may start, then by our own. */
#include "agent.h"
#include <stdlib.h>
#include <string.h>

enum {
  ENABLE = 1,
  DISABLE,
  REQUEST,
  TRACE,
  EXIT,
  CPU_TIME,
  SUSPEND,
  RESUME,
  STATUS,
  RUN_GC,
  THREAD_OBJECT,
  METHOD_CLASS,
  AVAILABLE
};

/* How long the start of the VM waits for the front end. */
#define START_MS 10000

/* JVMPI's states of threads. */
enum { RUNNABLE = 1, MONITOR_WAITS = 2, CONDVAR_WAITS = 3, INTERRUPTED = 0x4000, SUSPENDED = 0x8000 };

static jobject own_thread;

bool is_own(JNIEnv *jni, jthread thread) { return own_thread != NULL && (*jni)->IsSameObject(jni, thread, own_thread); }

/* The arguments of a call, read one after another; `failed` if there are fewer. */
typedef struct {
  const uint8_t *bytes;
  size_t length;
  bool failed;
} arguments;

static uint64_t take(arguments *from) {
  uint64_t value = 0;
  for (int shift = 0; shift < 64; shift += 7) {
    if (from->length == 0) break;
    uint8_t byte = *from->bytes++;
    from->length--;
    value |= (uint64_t)(byte & 0x7f) << shift;
    if (byte < 0x80) return value;
  }
  from->failed = true;
  return 0;
}

static void reply(uint32_t id, jint code, const buffer *content) {
  buffer bytes = {0};
  put_u32(&bytes, id);
  put_u32(&bytes, (uint32_t)code);
  if (content != NULL) put_bytes(&bytes, content->bytes, content->length);
  if (!bytes.failed) wire_frame(REPLY, bytes.bytes, bytes.length, WAIT);
  drop_buffer(&bytes);
}

static jint enable(arguments *from, bool on) {
  int number = (int)take(from);
  int depth = on ? (int)take(from) : 0;
  bool cpu = on && take(from) != 0, held = on && take(from) != 0;
  if (from->failed || number <= 0 || number >= EVENTS) return FAIL;
  if (cpu) {
    jvmtiCapabilities needs = {.can_get_thread_cpu_time = 1};
    if ((*jvmti)->AddCapabilities(jvmti, &needs) != JVMTI_ERROR_NONE) return NOT_AVAILABLE;
  }
  atomic_store(&trace_depth[number], depth);
  atomic_store(&wants_cpu[number], cpu);
  atomic_store(&blocking[number], held);
  return enable_event(number, on);
}

jobject object_of(jlong tag) {
  jint count = 0;
  jobject *objects = NULL;
  if (tag == 0 || (*jvmti)->GetObjectsWithTags(jvmti, 1, &tag, &count, &objects, NULL) != JVMTI_ERROR_NONE) return NULL;
  jobject found = count > 0 ? objects[0] : NULL;
  (*jvmti)->Deallocate(jvmti, (unsigned char *)objects);
  return found;
}

/* The thread with this object. */
static agent_thread *thread_with(JNIEnv *jni, jobject object) {
  uint32_t all = thread_count();
  for (uint32_t number = 1; number <= all; number++) {
    agent_thread *of = thread_by_number(number);
    if (of->thread != NULL && (*jni)->IsSameObject(jni, of->thread, object)) return of;
  }
  return NULL;
}

/* A defining event or a dump on demand: its content is the reply. */
static jint request(JNIEnv *jni, arguments *from, buffer *to, uint32_t id) {
  int number = (int)take(from);
  uint64_t argument = take(from);
  if (number == HEAP_DUMP) return put_heap(to, jni, (int)argument, NULL, id);
  if (number == MONITOR_DUMP) return put_monitors(to, jni);
  jobject object = object_of((jlong)argument);
  if (from->failed || object == NULL) return FAIL;
  jint code = FAIL, status = 0;
  jlong size = 0;
  if (number == CLASS_LOAD && (*jvmti)->GetClassStatus(jvmti, object, &status) == JVMTI_ERROR_NONE) {
    put_class(to, jni, object, (status & JVMTI_CLASS_STATUS_PREPARED) != 0);
    code = SUCCESS;
  } else if (number == THREAD_START) {
    agent_thread *of = thread_with(jni, object);
    if (of != NULL) put_thread(to, jni, of);
    if (of != NULL) code = SUCCESS;
  } else if (number == OBJECT_DUMP) {
    code = put_heap(to, jni, 2, object, id);
  } else if (number == OBJECT_ALLOC && (*jvmti)->GetObjectSize(jvmti, object, &size) == JVMTI_ERROR_NONE) {
    jclass type = (*jni)->GetObjectClass(jni, object);
    code = put_allocation(to, object, type, size);
    (*jni)->DeleteLocalRef(jni, type);
  }
  (*jni)->DeleteLocalRef(jni, object);
  return code;
}

/* JVMPI's status of a thread; false if it has none. */
bool thread_status(jthread thread, jint *status) {
  jint state = 0;
  if ((*jvmti)->GetThreadState(jvmti, thread, &state) != JVMTI_ERROR_NONE) return false;
  *status = RUNNABLE;
  if ((state & JVMTI_THREAD_STATE_BLOCKED_ON_MONITOR_ENTER) != 0) *status = MONITOR_WAITS;
  else if ((state & (JVMTI_THREAD_STATE_IN_OBJECT_WAIT | JVMTI_THREAD_STATE_PARKED)) != 0) *status = CONDVAR_WAITS;
  if ((state & JVMTI_THREAD_STATE_INTERRUPTED) != 0) *status |= INTERRUPTED;
  return true;
}

jint status_of(jthread thread, buffer *to) {
  jint status = 0;
  if (!thread_status(thread, &status)) return FAIL;
  put_varint(to, (uint64_t)status);
  return SUCCESS;
}

/* Suspends or resumes the threads that are listed, and replies with a result for each: 0, or JVMTI's error. */
static jint suspend(arguments *from, bool on, buffer *to) {
  jvmtiCapabilities needs = {.can_suspend = 1};
  if ((*jvmti)->AddCapabilities(jvmti, &needs) != JVMTI_ERROR_NONE) return NOT_AVAILABLE;
  for (uint64_t left = take(from); left > 0 && !from->failed; left--) {
    agent_thread *of = thread_by_number((uint32_t)take(from));
    jvmtiError error = JVMTI_ERROR_INVALID_THREAD;
    if (of != NULL && of->thread != NULL)
      error = on ? (*jvmti)->SuspendThread(jvmti, of->thread) : (*jvmti)->ResumeThread(jvmti, of->thread);
    if (error == JVMTI_ERROR_NONE) of->suspended = on;
    put_varint(to, (uint64_t)error);
  }
  return from->failed ? FAIL : SUCCESS;
}

static jint cpu_time(jthread thread, buffer *to) {
  jvmtiCapabilities needs = {.can_get_thread_cpu_time = 1};
  jlong time = 0;
  if ((*jvmti)->AddCapabilities(jvmti, &needs) != JVMTI_ERROR_NONE) return NOT_AVAILABLE;
  if ((*jvmti)->GetThreadCpuTime(jvmti, thread, &time) != JVMTI_ERROR_NONE) return FAIL;
  put_varint(to, (uint64_t)time);
  return SUCCESS;
}

static jint method_class(JNIEnv *jni, jmethodID method, buffer *to) {
  jclass type = NULL;
  if (method == NULL || (*jvmti)->GetMethodDeclaringClass(jvmti, method, &type) != JVMTI_ERROR_NONE) return FAIL;
  put_varint(to, (uint64_t)tag_of(type, true));
  (*jni)->DeleteLocalRef(jni, type);
  return SUCCESS;
}

/* Calls about one thread. */
static jint about_thread(JNIEnv *jni, uint8_t function, arguments *from, buffer *to) {
  agent_thread *of = thread_by_number((uint32_t)take(from));
  jobject thread = of == NULL || of->thread == NULL ? NULL : (*jni)->NewLocalRef(jni, of->thread);
  if (thread == NULL) return FAIL;
  jint code = SUCCESS;
  if (function == TRACE) code = put_trace(to, thread, (int)take(from)) ? SUCCESS : FAIL;
  if (function == CPU_TIME) code = cpu_time(thread, to);
  if (function == STATUS) code = status_of(thread, to);
  if (function == THREAD_OBJECT) put_varint(to, (uint64_t)tag_of(thread, false));
  (*jni)->DeleteLocalRef(jni, thread);
  return code;
}

void leave(JNIEnv *jni, jint status) {
  jclass system = (*jni)->FindClass(jni, "java/lang/System");
  jmethodID method = system == NULL ? NULL : (*jni)->GetStaticMethodID(jni, system, "exit", "(I)V");
  if (method != NULL) (*jni)->CallStaticVoidMethod(jni, system, method, status);
}

static void run_call(JNIEnv *jni, const call *asked) {
  arguments from = {.bytes = asked->bytes, .length = asked->length};
  buffer content = {0};
  jint code = FAIL;
  if (asked->function == ENABLE || asked->function == DISABLE) code = enable(&from, asked->function == ENABLE);
  else if (asked->function == AVAILABLE) {
    put_available(&content);
    code = SUCCESS;
  } else if (jni == NULL) code = NOT_AVAILABLE; /* all others need a VM that has started */
  else switch (asked->function) {
      case REQUEST: code = request(jni, &from, &content, asked->id); break;
      case SUSPEND: code = suspend(&from, true, &content); break;
      case RESUME: code = suspend(&from, false, &content); break;
      case RUN_GC: code = (*jvmti)->ForceGarbageCollection(jvmti) == JVMTI_ERROR_NONE ? SUCCESS : FAIL; break;
      case METHOD_CLASS: code = method_class(jni, method_of((uint32_t)take(&from)), &content); break;
      case EXIT: code = SUCCESS; break;
      default: code = about_thread(jni, asked->function, &from, &content);
    }
  if (content.failed) code = FAIL;
  reply(asked->id, code, code == SUCCESS ? &content : NULL);
  drop_buffer(&content);
  if (asked->function == EXIT && jni != NULL) leave(jni, (jint)take(&from));
}

static void resume_all(void) {
  uint32_t all = thread_count();
  for (uint32_t number = 1; number <= all; number++) {
    agent_thread *of = thread_by_number(number);
    if (of->suspended && of->thread != NULL) (*jvmti)->ResumeThread(jvmti, of->thread);
    of->suspended = false;
  }
}

/* Runs calls until the front end is gone, or says that the program may start; gives the code of JVM_OnLoad. */
int serve(JNIEnv *jni, bool until_go) {
  for (;;) {
    call *asked = next_call(until_go ? START_MS : 0);
    if (asked == NULL) continue;
    uint8_t function = asked->function;
    int code = function == CALL_GO && asked->length > 0 && asked->bytes[0] == 0 ? SUCCESS : FAIL;
    if (function != CALL_END && function != CALL_GO) run_call(jni, asked);
    free(asked);
    if (function == CALL_GO && until_go) return code;
    if (function != CALL_END) continue;
    events_off();
    resume_all();
    return FAIL;
  }
}

void JNICALL serve_thread(jvmtiEnv *ti, JNIEnv *jni, void *unused) {
  (void)ti, (void)unused;
  serve(jni, false);
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

/* Starts the one thread that is ours, and of which no events are sent. */
bool start_own_thread(JNIEnv *jni, jvmtiStartFunction run) {
  jobject thread = make_thread(jni, "Kansoku");
  if (thread == NULL) return false;
  if (own_thread != NULL) (*jni)->DeleteGlobalRef(jni, own_thread);
  own_thread = (*jni)->NewGlobalRef(jni, thread);
  return (*jvmti)->RunAgentThread(jvmti, own_thread, run, NULL, JVMTI_THREAD_NORM_PRIORITY) == JVMTI_ERROR_NONE;
}
