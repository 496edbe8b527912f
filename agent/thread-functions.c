/* What profilers ask about threads, and do with them. */
#include "agent.h"

/* The innermost frames of a thread (NULL: the one that runs this); gives their number, -1 if there is no trace. */
jint trace_of(jthread thread, jint depth, JVMPI_CallFrame *frames) {
  jvmtiFrameInfo found[MAX_FRAMES];
  jint count = 0;
  if (depth > MAX_FRAMES) depth = MAX_FRAMES;
  if (depth < 0 || (*jvmti)->GetStackTrace(jvmti, thread, 0, depth, found, &count) != JVMTI_ERROR_NONE) return -1;
  for (jint i = 0; i < count; i++)
    frames[i] = (JVMPI_CallFrame){.lineno = line_of(found[i].method, found[i].location), .method_id = found[i].method};
  return count;
}

/* The traces of threads; NULL if memory ran out. */
JVMPI_CallTrace *all_traces(pool *memory, agent_thread *const *threads, size_t count) {
  JVMPI_CallTrace *traces = pool_take(memory, (count + 1) * sizeof *traces);
  for (size_t i = 0; traces != NULL && i < count; i++) {
    JVMPI_CallFrame frames[MAX_FRAMES];
    jint found = threads[i]->thread == NULL ? 0 : trace_of(threads[i]->thread, MAX_FRAMES, frames);
    size_t bytes = found < 0 ? 0 : (size_t)found * sizeof *frames;
    traces[i] = (JVMPI_CallTrace){threads[i]->env, found < 0 ? 0 : found, pool_take(memory, bytes + 1)};
    if (traces[i].frames == NULL) return NULL;
    memcpy(traces[i].frames, frames, bytes);
  }
  return traces;
}

static void get_call_trace(JVMPI_CallTrace *trace, jint depth) {
  agent_thread *of = thread_of(trace->env_id);
  bool known = of != NULL && of->thread != NULL && trace->frames != NULL;
  jint found = known ? trace_of(trace->env_id == env_here() ? NULL : of->thread, depth, trace->frames) : 0;
  trace->num_frames = found < 0 ? 0 : found;
}

static jlong cpu_time_here(void) {
  struct timespec time;
  return clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) == 0 ? (jlong)time.tv_sec * 1000000000 + time.tv_nsec : 0;
}

/* 0, or JVMTI's error. */
jint suspend_or_resume(agent_thread *of, bool on) {
  jvmtiCapabilities needs = {.can_suspend = 1};
  if (of == NULL || of->thread == NULL) return JVMTI_ERROR_INVALID_THREAD;
  jvmtiError error = (*jvmti)->AddCapabilities(jvmti, &needs);
  if (error == JVMTI_ERROR_NONE)
    error = on ? (*jvmti)->SuspendThread(jvmti, of->thread) : (*jvmti)->ResumeThread(jvmti, of->thread);
  if (error != JVMTI_ERROR_NONE) return (jint)error;
  of->suspended = on;
  jlong time = -1;
  if (!on) return 0;
  if ((*jvmti)->GetThreadCpuTime(jvmti, of->thread, &time) != JVMTI_ERROR_NONE) time = -1;
  of->cpu[0] = of->cpu[1];
  of->cpu[1] = time;
  return 0;
}

static void suspend_thread(JNIEnv *env) { suspend_or_resume(thread_of(env), true); }
static void resume_thread(JNIEnv *env) { suspend_or_resume(thread_of(env), false); }

static void suspend_list(jint count, JNIEnv **envs, jint *results) {
  for (jint i = 0; i < count; i++) results[i] = suspend_or_resume(thread_of(envs[i]), true);
}

static void resume_list(jint count, JNIEnv **envs, jint *results) {
  for (jint i = 0; i < count; i++) results[i] = suspend_or_resume(thread_of(envs[i]), false);
}

/* 0 if the thread has no status. */
static jint get_status(JNIEnv *env) {
  jint state = 0;
  agent_thread *of = thread_of(env);
  if (of == NULL || of->thread == NULL || (*jvmti)->GetThreadState(jvmti, of->thread, &state) != JVMTI_ERROR_NONE) return 0;
  bool waits = (state & (JVMTI_THREAD_STATE_IN_OBJECT_WAIT | JVMTI_THREAD_STATE_PARKED)) != 0;
  jint status = (state & JVMTI_THREAD_STATE_BLOCKED_ON_MONITOR_ENTER) != 0 ? JVMPI_THREAD_MONITOR_WAIT
                : waits                                                     ? JVMPI_THREAD_CONDVAR_WAIT
                                                                            : JVMPI_THREAD_RUNNABLE;
  if ((state & JVMTI_THREAD_STATE_INTERRUPTED) != 0) status |= JVMPI_THREAD_INTERRUPTED;
  /* By Thread.suspend: suspensions of ours do not change the status. */
  return (state & JVMTI_THREAD_STATE_SUSPENDED) != 0 && !of->suspended ? status | JVMPI_THREAD_SUSPENDED : status;
}

/* Unknown counts as run. */
static jboolean has_run(JNIEnv *env) {
  agent_thread *of = thread_of(env);
  return of == NULL || of->cpu[0] < 0 || of->cpu[1] < 0 || of->cpu[1] > of->cpu[0];
}

static void JNICALL run_system_thread(jvmtiEnv *ti, JNIEnv *jni, void *code) {
  void (*run)(void *);
  *(void **)&run = code;
  run(NULL);
}

static jint create_system_thread(char *name, jint priority, void (*code)(void *)) {
  JNIEnv *jni = env_here();
  if (jni == NULL || !atomic_load(&live) || atomic_load(&stopped)) return JNI_ERR;
  jobject thread = make_thread(jni, name);
  void *as_data;
  *(void (**)(void *))&as_data = code;
  if (thread == NULL) return JNI_ERR;
  jvmtiError error = (*jvmti)->RunAgentThread(jvmti, thread, run_system_thread, as_data, priority);
  (*jni)->DeleteLocalRef(jni, thread);
  return error == JVMTI_ERROR_NONE ? JNI_OK : JNI_ERR;
}

static void set_storage(JNIEnv *env, void *value) {
  agent_thread *of = thread_of(env);
  if (of != NULL) of->storage = value;
}

static void *get_storage(JNIEnv *env) {
  agent_thread *of = thread_of(env);
  return of == NULL ? NULL : of->storage;
}

static jobjectID thread_object(JNIEnv *env) {
  agent_thread *of = thread_of(env);
  return of == NULL ? NULL : id_of(of->thread);
}

void fill_thread_functions(JVMPI_Interface *of) {
  of->GetCallTrace = get_call_trace;
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
