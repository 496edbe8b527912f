/* Functions of JVMPI that are not about threads. */
#include "agent.h"
#include <stdio.h>
#include <unistd.h>

static _Atomic int gc_disabled;

static void disable_gc(void) { atomic_fetch_add(&gc_disabled, 1); }

static void enable_gc(void) {
  if (atomic_fetch_sub(&gc_disabled, 1) <= 0) atomic_fetch_add(&gc_disabled, 1);
}

static void run_gc(void) {
  JNIEnv *jni = env_here();
  if (jni == NULL || !atomic_load(&live) || atomic_load(&gc_disabled) > 0) return;
  (*jvmti)->ForceGarbageCollection(jvmti);
  if (receiver->deliver_collections != NULL) receiver->deliver_collections(0);
}

#define NO_CODE (-1)

/* What a profiler wants the VM to end with, and whether this thread ends it. */
static _Atomic jint last_code = NO_CODE;
static _Thread_local bool exits;

/* Whether the VM has run its shutdown hooks: from then on, its own exit waits for the thread that ends it, which may be in a handler. */
static bool is_ending(JNIEnv *jni) {
  jclass type = (*jni)->FindClass(jni, "jdk/internal/misc/VM");
  jmethodID method = type == NULL ? NULL : (*jni)->GetStaticMethodID(jni, type, "isShutdown", "()Z");
  bool ends = method != NULL && (*jni)->CallStaticBooleanMethod(jni, type, method);
  if ((*jni)->ExceptionCheck(jni)) (*jni)->ExceptionClear(jni);
  return ends;
}

/* Keeps the code for the end of the VM. True if it ends already. */
bool ends_with(JNIEnv *jni, jint code) {
  atomic_store(&last_code, code & 0xff);
  return is_ending(jni);
}

static void profiler_exit(jint code) {
  JNIEnv *jni = env_here();
  bool runs = jni != NULL && atomic_load(&live) && !atomic_load(&stopped);
  if (runs && ends_with(jni, code)) return;
  jclass system = runs ? (*jni)->FindClass(jni, "java/lang/System") : NULL;
  jmethodID method = system == NULL ? NULL : (*jni)->GetStaticMethodID(jni, system, "exit", "(I)V");
  exits = true;
  if (method != NULL) (*jni)->CallStaticVoidMethod(jni, system, method, code);
  fflush(NULL);
  _exit(code);
}

/* The last thing in a VM that ends: another thread may have ended it while a profiler asked for its own code. */
void exit_as_asked(void) {
  jint code = atomic_load(&last_code);
  if (code == NO_CODE || exits) return;
  fflush(NULL);
  _exit(code);
}

static jobjectID method_class(jmethodID method) {
  JNIEnv *jni = env_here();
  jclass type = NULL;
  if (jni == NULL || method == NULL || (*jvmti)->GetMethodDeclaringClass(jvmti, method, &type) != JVMTI_ERROR_NONE)
    return NULL;
  jobjectID id = (jobjectID)(intptr_t)tag_of(type, true);
  (*jni)->DeleteLocalRef(jni, type);
  return id;
}

static jint request_about(JNIEnv *jni, jint type, jobject object) {
  jlong size = 0;
  jint code = JVMPI_FAIL, modifiers = 0;
  agent_thread *of = type == JVMPI_EVENT_THREAD_START ? thread_with(object) : NULL;
  if (type == JVMPI_EVENT_OBJECT_DUMP) return receiver->object_dump(jni, object);
  if (of != NULL) {
    send_thread(jni, of, type | JVMPI_REQUESTED_EVENT);
    code = JVMPI_SUCCESS;
  }
  if (type == JVMPI_EVENT_CLASS_LOAD && (*jvmti)->GetClassModifiers(jvmti, object, &modifiers) == JVMTI_ERROR_NONE) {
    send_class(jni, object, type | JVMPI_REQUESTED_EVENT);
    code = JVMPI_SUCCESS;
  }
  if (type == JVMPI_EVENT_OBJECT_ALLOC && (*jvmti)->GetObjectSize(jvmti, object, &size) == JVMTI_ERROR_NONE) {
    jclass class = (*jni)->GetObjectClass(jni, object);
    code = send_allocation(jni, object, class, size, type | JVMPI_REQUESTED_EVENT);
    (*jni)->DeleteLocalRef(jni, class);
  }
  return code;
}

/* The event is delivered before this returns. */
static jint request_event(jint type, void *arg) {
  JNIEnv *jni = env_here();
  switch (type) {
    case JVMPI_EVENT_HEAP_DUMP:
    case JVMPI_EVENT_MONITOR_DUMP:
    case JVMPI_EVENT_OBJECT_DUMP:
    case JVMPI_EVENT_CLASS_LOAD:
    case JVMPI_EVENT_THREAD_START:
    case JVMPI_EVENT_OBJECT_ALLOC: break;
    default: return JVMPI_NOT_AVAILABLE;
  }
  if (jni == NULL || !atomic_load(&live)) return JVMPI_FAIL;
  if (type == JVMPI_EVENT_MONITOR_DUMP) return monitor_dump(jni);
  if (type == JVMPI_EVENT_HEAP_DUMP) {
    jint level = arg == NULL ? JVMPI_DUMP_LEVEL_2 : ((JVMPI_HeapDumpArg *)arg)->heap_dump_level;
    return level < JVMPI_DUMP_LEVEL_0 || level > JVMPI_DUMP_LEVEL_2 ? JVMPI_FAIL : receiver->heap_dump(jni, level);
  }
  jobject object = object_of((jobjectID)arg);
  if (object == NULL) return JVMPI_FAIL;
  jint code = request_about(jni, type, object);
  (*jni)->DeleteLocalRef(jni, object);
  return code;
}

void fill_interface(void) {
  jvmpi = (JVMPI_Interface){
      .version = JVMPI_VERSION_1_2,
      .EnableEvent = enable_event,
      .DisableEvent = disable_event,
      .RequestEvent = request_event,
      .ProfilerExit = profiler_exit,
      .DisableGC = disable_gc,
      .EnableGC = enable_gc,
      .RunGC = run_gc,
      .GetMethodClass = method_class,
      .jobjectID2jobject = object_of,
      .jobject2jobjectID = id_of,
  };
  fill_thread_functions(&jvmpi);
}
