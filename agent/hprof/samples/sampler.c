/* Timers of CPU time, one a thread, and what their signals do. */
#include "samples.h"
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

/* glibc before 2.38 has no name for it. */
#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

/* What AsyncGetCallTrace of HotSpot fills; a negative length is a reason why there is no stack. */
typedef struct {
  JNIEnv *env;
  jint length;
  sampled_frame *frames;
} async_trace;

typedef void (*async_get_call_trace)(async_trace *trace, jint depth, void *context);

/* A thread of the operating system that is sampled. */
typedef struct sampled_thread {
  struct sampled_thread *next, *before;
  JNIEnv *env;
  timer_t timer;
  clockid_t clock;
  uint64_t cpu_before; /* at its start */
  _Atomic uint64_t delivered, without_stack, sampling_ns;
  _Atomic uint32_t serial;
  _Atomic bool left_out; /* by a command */
  jint room; /* of frames */
  sampled_frame frames[];
} sampled_thread;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sampled_thread *threads;
/* Of threads that have ended. */
static sampler_totals ended;
static async_get_call_trace get_trace;
static jint depth;
/* Threads that start are left out. */
static _Atomic bool leaves_out;
static jmethodID enters_continuation;
static _Thread_local sampled_thread *sampled;

/* A signal that neither the VM nor JFR's samplers use: 2 behind the last is that of the JDK's sockets. */
static int signal_number(void) { return SIGRTMIN + 8; }

static uint64_t ns_of(clockid_t clock) {
  struct timespec time = {0};
  clock_gettime(clock, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static void raise_by(_Atomic uint64_t *value, uint64_t by) {
  atomic_store_explicit(value, atomic_load_explicit(value, memory_order_relaxed) + by, memory_order_relaxed);
}

static void on_signal(int number, siginfo_t *signal, void *context) {
  sampled_thread *of = signal->si_code == SI_TIMER ? signal->si_value.sival_ptr : NULL;
  /* A signal may come late, of a thread that has ended. */
  if (of == NULL || of != sampled) return;
  int error = errno;
  if (atomic_load_explicit(&of->left_out, memory_order_relaxed)) return;
  uint64_t began = ns_of(CLOCK_THREAD_CPUTIME_ID);
  async_trace trace = {.env = of->env, .frames = of->frames};
  /* A command may have set another depth; more than at the start of the thread is not kept. */
  get_trace(&trace, (jint)chosen.depth < of->room ? (jint)chosen.depth : of->room, context);
  uint32_t serial = chosen.by_thread ? atomic_load_explicit(&of->serial, memory_order_relaxed) : 0;
  raise_by(&of->delivered, 1);
  if (trace.length <= 0 || !count_sample(serial, of->frames, trace.length)) {
    raise_by(&of->without_stack, 1);
    count_sample(serial, of->frames, 0);
  }
  raise_by(&of->sampling_ns, ns_of(CLOCK_THREAD_CPUTIME_ID) - began);
  errno = error;
}

bool prepare_samples(void) {
  void *of_vm = dlsym(RTLD_DEFAULT, "AsyncGetCallTrace");
  struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_RESTART};
  if (of_vm == NULL) {
    /* The VM's library is not among those whose names all others see. */
    void *library = dlopen("libjvm.so", RTLD_LAZY | RTLD_NOLOAD);
    of_vm = library == NULL ? NULL : dlsym(library, "AsyncGetCallTrace");
  }
  memcpy(&get_trace, &of_vm, sizeof get_trace);
  depth = chosen.depth < MOST_FRAMES ? (jint)chosen.depth : MOST_FRAMES;
  sigemptyset(&action.sa_mask);
  return get_trace != NULL && make_sample_table() && sigaction(signal_number(), &action, NULL) == 0;
}

/* HotSpot gives no stack unless somebody hears of classes that load. */
static void JNICALL on_class_load(jvmtiEnv *ti, JNIEnv *jni, jthread thread, jclass type) {}

/* A stack can name a method only if it has an id, which the VM makes when it is asked for. */
static void JNICALL on_class_prepare(jvmtiEnv *ti, JNIEnv *jni, jthread thread, jclass type) {
  jint count = 0;
  jmethodID *methods = NULL;
  if ((*ti)->GetClassMethods(ti, type, &count, &methods) == JVMTI_ERROR_NONE) free_of_vm(methods);
}

void ask_for_samples(jvmtiEventCallbacks *callbacks) {
  static const jvmtiEvent EVENTS[] = {JVMTI_EVENT_CLASS_LOAD, JVMTI_EVENT_CLASS_PREPARE};
  callbacks->ClassLoad = on_class_load;
  callbacks->ClassPrepare = on_class_prepare;
  enable_events(EVENTS, sizeof EVENTS / sizeof *EVENTS);
}

/* Virtual threads run within a call of it. */
static void find_continuations(JNIEnv *jni) {
  jclass type = (*jni)->FindClass(jni, "jdk/internal/vm/Continuation");
  if (type != NULL) enters_continuation = (*jni)->GetStaticMethodID(jni, type, "enterSpecial", "(Ljdk/internal/vm/Continuation;ZZ)V");
  if (type != NULL) (*jni)->DeleteLocalRef(jni, type);
  (*jni)->ExceptionClear(jni);
}

jmethodID first_of_virtual_threads(void) { return enters_continuation; }

/* The VM's own samplers, as JFR's, stop a thread within the handler of a signal, where no stack can be taken: ours waits until that is over. */
static void wait_for_suspensions(void) {
  const char *chosen_number = getenv("_JAVA_SR_SIGNUM");
  int number = chosen_number == NULL ? SIGUSR2 : atoi(chosen_number);
  struct sigaction action;
  if (sigaction(number, NULL, &action) != 0 || action.sa_handler == SIG_DFL || action.sa_handler == SIG_IGN) return;
  sigaddset(&action.sa_mask, signal_number());
  sigaction(number, &action, NULL);
}

void begin_samples(JNIEnv *jni) {
  jint count = 0;
  jclass *classes = NULL;
  if ((*hprof_ti)->GetLoadedClasses(hprof_ti, &count, &classes) != JVMTI_ERROR_NONE) return;
  for (jint i = 0; i < count; i++) {
    on_class_prepare(hprof_ti, jni, NULL, classes[i]);
    (*jni)->DeleteLocalRef(jni, classes[i]);
  }
  free_of_vm(classes);
  find_continuations(jni);
  wait_for_suspensions();
}

void sample_as(uint32_t serial) {
  if (sampled != NULL) atomic_store_explicit(&sampled->serial, serial, memory_order_relaxed);
}

/* Starts the timer of this thread. */
static bool start_timer(sampled_thread *of) {
  struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = signal_number()};
  struct timespec every = {(time_t)(chosen.interval_ns / 1000000000u), (long)(chosen.interval_ns % 1000000000u)};
  struct itimerspec times = {.it_interval = every, .it_value = every};
  event.sigev_value.sival_ptr = of;
  event.sigev_notify_thread_id = (pid_t)syscall(SYS_gettid);
  if (pthread_getcpuclockid(pthread_self(), &of->clock) != 0) return false;
  of->cpu_before = ns_of(of->clock);
  if (timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &of->timer) != 0) return false;
  if (timer_settime(of->timer, 0, &times, NULL) == 0) return true;
  timer_delete(of->timer);
  return false;
}

void sample_thread(JNIEnv *jni, uint32_t serial) {
  if (sampled != NULL || depth == 0) return;
  sampled_thread *of = calloc(1, sizeof *of + (size_t)depth * sizeof *of->frames);
  if (of != NULL) of->env = jni;
  if (of != NULL) of->room = depth;
  if (of != NULL) atomic_store(&of->left_out, atomic_load(&leaves_out));
  sampled = of;
  bool starts = of != NULL && start_timer(of);
  sample_as(serial);
  pthread_mutex_lock(&lock);
  if (starts) of->next = threads;
  if (starts && threads != NULL) threads->before = of;
  if (starts) threads = of;
  else ended.without_timer++;
  pthread_mutex_unlock(&lock);
  if (starts) return;
  sampled = NULL;
  free(of);
}

void sample_only(uint32_t serial, bool on) {
  pthread_mutex_lock(&lock);
  if (serial == 0) atomic_store(&leaves_out, !on);
  for (sampled_thread *of = threads; of != NULL; of = of->next)
    if (serial == 0 || atomic_load(&of->serial) == serial) atomic_store(&of->left_out, !on);
  pthread_mutex_unlock(&lock);
}

static void add(sampler_totals *to, sampled_thread *of) {
  to->delivered += atomic_load(&of->delivered);
  to->without_stack += atomic_load(&of->without_stack);
  to->sampling_ns += atomic_load(&of->sampling_ns);
  to->cpu_ns += ns_of(of->clock) - of->cpu_before;
}

void stop_sampling_thread(void) {
  sampled_thread *of = sampled;
  if (of == NULL) return;
  timer_delete(of->timer);
  sampled = NULL;
  pthread_mutex_lock(&lock);
  add(&ended, of);
  *(of->before == NULL ? &threads : &of->before->next) = of->next;
  if (of->next != NULL) of->next->before = of->before;
  pthread_mutex_unlock(&lock);
  free(of);
}

sampler_totals totals_of_samples(void) {
  pthread_mutex_lock(&lock);
  sampler_totals totals = ended;
  for (sampled_thread *of = threads; of != NULL; of = of->next) add(&totals, of);
  pthread_mutex_unlock(&lock);
  totals.process_ns = ns_of(CLOCK_PROCESS_CPUTIME_ID);
  return totals;
}
