/* Calls of the front end, run one after another: by the thread of Agent_OnLoad until the program may start, then by our own. */
#include "remote.h"

enum { ENABLE = 1, DISABLE, REQUEST, TRACE, EXIT, CPU_TIME, SUSPEND, RESUME, STATUS, RUN_GC, THREAD_OBJECT, METHOD_CLASS, AVAILABLE };

/* How long the start of the VM waits for the front end. */
#define START_MS 10000

/* The arguments of a call, read one after another; `failed` if there are fewer. */
typedef struct {
  const uint8_t *bytes;
  size_t length;
  bool failed;
} arguments;

static uint64_t take(arguments *from) {
  uint64_t value = 0;
  for (int shift = 0; shift < 64 && from->length > 0; shift += 7) {
    uint8_t byte = *from->bytes++;
    from->length--;
    value |= (uint64_t)(byte & 0x7f) << shift;
    if (byte < 0x80) return value;
  }
  from->failed = true;
  return 0;
}

static agent_thread *take_thread(arguments *from) {
  agent_thread *of = thread_by_number((uint32_t)take(from));
  return of == NULL || of->thread == NULL ? NULL : of;
}

static bool may_time(void) {
  jvmtiCapabilities needs = {.can_get_thread_cpu_time = 1};
  return (*jvmti)->AddCapabilities(jvmti, &needs) == JVMTI_ERROR_NONE;
}

static jint enable(arguments *from, bool on) {
  jint type = (jint)take(from);
  int depth = on ? (int)take(from) : 0;
  int also = on ? (int)take(from) : 0;
  bool held = on && take(from) != 0;
  if (from->failed || type <= 0 || type >= EVENTS) return JVMPI_FAIL;
  if ((also & WANTS_CPU) != 0 && !may_time()) return JVMPI_NOT_AVAILABLE;
  atomic_store(&trace_depth[type], depth);
  atomic_store(&wants[type], also);
  atomic_store(&blocking[type], held);
  return on ? jvmpi.EnableEvent(type, NULL) : jvmpi.DisableEvent(type, NULL);
}

/* A defining event or a dump on demand: its content is the reply. */
static jint request(JNIEnv *jni, arguments *from, buffer *to, uint32_t id) {
  jint type = (jint)take(from);
  jlong argument = (jlong)take(from);
  if (from->failed) return JVMPI_FAIL;
  if (type == JVMPI_EVENT_HEAP_DUMP) return put_heap(to, jni, (jint)argument, NULL, id) ? JVMPI_SUCCESS : JVMPI_FAIL;
  reply_content = to;
  if (type != JVMPI_EVENT_OBJECT_DUMP) return jvmpi.RequestEvent(type, (void *)(intptr_t)argument);
  jobject object = object_of((jobjectID)(intptr_t)argument);
  if (object == NULL) return JVMPI_FAIL;
  bool whole = put_heap(to, jni, JVMPI_DUMP_LEVEL_2, object, id);
  (*jni)->DeleteLocalRef(jni, object);
  return whole ? JVMPI_SUCCESS : JVMPI_FAIL;
}

/* Suspends or resumes the threads that are listed, and replies with a result for each: 0, or JVMTI's error. */
static jint suspend(arguments *from, bool on, buffer *to) {
  jvmtiCapabilities needs = {.can_suspend = 1};
  if ((*jvmti)->AddCapabilities(jvmti, &needs) != JVMTI_ERROR_NONE) return JVMPI_NOT_AVAILABLE;
  for (uint64_t left = take(from); left > 0 && !from->failed; left--)
    put_varint(to, (uint64_t)suspend_or_resume(take_thread(from), on));
  return from->failed ? JVMPI_FAIL : JVMPI_SUCCESS;
}

/* Puts a number that is not 0. */
static jint put_known(buffer *to, uint64_t value) {
  put_varint(to, value);
  return value == 0 ? JVMPI_FAIL : JVMPI_SUCCESS;
}

/* Calls about one thread. */
static jint about_thread(uint8_t function, arguments *from, buffer *to) {
  agent_thread *of = take_thread(from);
  if (of == NULL) return JVMPI_FAIL;
  if (function == STATUS) return put_known(to, (uint64_t)jvmpi.GetThreadStatus(of->env));
  if (function == THREAD_OBJECT) return put_known(to, (uint64_t)(uintptr_t)jvmpi.GetThreadObject(of->env));
  if (function == CPU_TIME) {
    jlong time = 0;
    if (!may_time()) return JVMPI_NOT_AVAILABLE;
    if ((*jvmti)->GetThreadCpuTime(jvmti, of->thread, &time) != JVMTI_ERROR_NONE) return JVMPI_FAIL;
    put_varint(to, (uint64_t)time);
    return JVMPI_SUCCESS;
  }
  JVMPI_CallFrame frames[MAX_FRAMES];
  jint count = function == TRACE ? trace_of(of->thread, (jint)take(from), frames) : -1;
  put_frames(to, count, frames);
  return count < 0 ? JVMPI_FAIL : JVMPI_SUCCESS;
}

static pthread_mutex_t serving = PTHREAD_MUTEX_INITIALIZER;

/* The VM ends: the call that runs is finished first, later ones fail. They would find a VM that answers no longer, or in part. */
void end_calls(void) {
  pthread_mutex_lock(&serving);
  atomic_store(&stopped, true);
  pthread_mutex_unlock(&serving);
}

/* The VM ends on a thread of its own, so that its last events may ask more. */
static void JNICALL exit_thread(jvmtiEnv *ti, JNIEnv *jni, void *code) {
  jvmpi.ProfilerExit((jint)(intptr_t)code);
}

static jint end_vm(JNIEnv *jni, jint code) {
  return ends_with(jni, code) || start_own_thread(jni, EXITS, exit_thread, (void *)(intptr_t)code) ? JVMPI_SUCCESS : JVMPI_FAIL;
}

static void run_call(JNIEnv *jni, const frame *asked) {
  uint32_t id = number_at(asked->bytes + HEADER);
  uint8_t function = asked->bytes[HEADER + 4];
  arguments from = {.bytes = asked->bytes + HEADER + 5, .length = asked->length - HEADER - 5};
  buffer content = {0}, reply = {0};
  jint code = JVMPI_SUCCESS;
  pthread_mutex_lock(&serving);
  bool ended = atomic_load(&stopped);
  if (ended) code = JVMPI_FAIL;
  else if (function == ENABLE || function == DISABLE) code = enable(&from, function == ENABLE);
  else if (function == AVAILABLE) put_available(&content);
  else if (jni == NULL) code = JVMPI_NOT_AVAILABLE; /* all others need a VM that has started */
  else switch (function) {
      case REQUEST: code = request(jni, &from, &content, id); break;
      case SUSPEND: code = suspend(&from, true, &content); break;
      case RESUME: code = suspend(&from, false, &content); break;
      case RUN_GC: jvmpi.RunGC(); break;
      case METHOD_CLASS:
        code = put_known(&content, (uint64_t)(uintptr_t)jvmpi.GetMethodClass(method_of((uint32_t)take(&from))));
        break;
      case EXIT:
        code = end_vm(jni, (jint)take(&from));
        break;
      default: code = about_thread(function, &from, &content);
    }
  if (content.failed) code = JVMPI_FAIL;
  pthread_mutex_unlock(&serving);
  put_u32(&reply, id);
  put_u32(&reply, (uint32_t)code);
  if (code == JVMPI_SUCCESS) put_bytes(&reply, content.bytes, content.length);
  if (!reply.failed) wire_frame(REPLY, &reply, WAIT);
  drop_buffer(&content);
  drop_buffer(&reply);
}

static void resume_all(void) {
  agent_thread **threads;
  size_t count = all_threads(&threads);
  for (size_t i = 0; i < count; i++)
    if (threads[i]->suspended) suspend_or_resume(threads[i], false);
  free(threads);
}

/* Runs calls until the front end is gone, or says that the program may start; gives the code of JVM_OnLoad. */
int serve(JNIEnv *jni, bool until_go) {
  for (frame *asked; (asked = next_call(until_go ? START_MS : 0)) != NULL;) {
    bool go = asked->bytes[4] == GO;
    int code = asked->length > HEADER && asked->bytes[HEADER] == 0 ? JNI_OK : JNI_ERR;
    if (!go) run_call(jni, asked);
    free(asked);
    if (go && until_go) return code;
  }
  events_off();
  resume_all();
  return JNI_ERR;
}

void JNICALL serve_thread(jvmtiEnv *ti, JNIEnv *jni, void *unused) {
  serve(jni, false);
}
