/* The thread that takes commands. */
#include "net.h"
#include "../output.h"
#include <errno.h>
#include <unistd.h>

enum { GC = 1, DUMP_HEAP, ALLOC_SITES_COMMAND, HEAP_SUMMARY, EXIT, DUMP_TRACES, CPU_SAMPLES_COMMAND, CONTROL, END = 0xff };
/* Controls with a word behind them. */
enum { SAMPLING_ON = 3, SAMPLING_OFF, SET_DEPTH = 7 };

/* Held while a command is run. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool over;
static int from;

/* False at the end of the stream. */
static bool receive(uint8_t *to, size_t bytes) {
  while (bytes > 0) {
    ssize_t count = read(from, to, bytes);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    to += count;
    bytes -= (size_t)count;
  }
  return true;
}

static bool receive_number(size_t bytes, uint32_t *number) {
  uint8_t read[4];
  *number = 0;
  if (!receive(read, bytes)) return false;
  for (size_t i = 0; i < bytes; i++) *number = *number << 8 | read[i];
  return true;
}

static bool receive_cutoff(double *cutoff) {
  uint32_t bits;
  float number;
  if (!receive_number(4, &bits)) return false;
  memcpy(&number, &bits, sizeof number);
  *cutoff = number >= 0 && number <= 1 ? (double)number : 0;
  return true;
}

/* What a command has behind its head. */
typedef struct {
  uint32_t kind, flags, word;
  double cutoff;
} command;

static bool receive_command(command *of) {
  uint32_t ignored;
  *of = (command){0};
  if (!receive_number(1, &of->kind)) return false;
  if (!receive_number(4, &ignored) || !receive_number(4, &ignored)) return false;
  bool has_cutoff = of->kind == ALLOC_SITES_COMMAND || of->kind == CPU_SAMPLES_COMMAND;
  if ((has_cutoff || of->kind == CONTROL) && !receive_number(2, &of->flags)) return false;
  if (has_cutoff && !receive_cutoff(&of->cutoff)) return false;
  if (of->kind != CONTROL) return true;
  if (of->flags == SET_DEPTH) return receive_number(2, &of->word);
  return (of->flags != SAMPLING_ON && of->flags != SAMPLING_OFF) || receive_number(4, &of->word);
}

/* False if the agent knows no such command: what follows cannot be told from another one then. */
static bool run(JNIEnv *jni, const command *of) {
  switch (of->kind) {
    case GC: collect_garbage(); return true;
    case DUMP_HEAP: send_heap(jni); return true;
    case ALLOC_SITES_COMMAND: send_sites(of->flags, of->cutoff); return true;
    case HEAP_SUMMARY: send_summary(); return true;
    case DUMP_TRACES: send_traces(); return true;
    case CPU_SAMPLES_COMMAND: send_samples(jni, of->cutoff); return true;
    case CONTROL: return control(jni, of->flags, of->word);
    /* As the agent of JDK 8: at once, without a dump. */
    case EXIT: flush_output(); _exit(0);
    default: return false;
  }
}

static void JNICALL listen_for_commands(jvmtiEnv *ti, JNIEnv *jni, void *unused) {
  command next;
  while (receive_command(&next) && next.kind != END) {
    pthread_mutex_lock(&lock);
    bool goes_on = !over && (*jni)->PushLocalFrame(jni, 64) == JNI_OK;
    if (goes_on) {
      goes_on = run(jni, &next);
      (*jni)->ExceptionClear(jni);
      (*jni)->PopLocalFrame(jni, NULL);
      flush_output();
    }
    pthread_mutex_unlock(&lock);
    if (goes_on) continue;
    if (!over) fprintf(stderr, "HPROF: there is no command %u: no further one is taken\n", next.kind);
    break;
  }
}

void start_listener(JNIEnv *jni, int socket) {
  jclass type = (*jni)->FindClass(jni, "java/lang/Thread");
  jmethodID made = type == NULL ? NULL : (*jni)->GetMethodID(jni, type, "<init>", "(Ljava/lang/String;)V");
  jstring name = (*jni)->NewStringUTF(jni, "HPROF listener thread");
  jobject thread = made == NULL || name == NULL ? NULL : (*jni)->NewObject(jni, type, made, name);
  from = socket;
  if (thread == NULL || (*hprof_ti)->RunAgentThread(hprof_ti, thread, listen_for_commands, NULL, JVMTI_THREAD_MAX_PRIORITY) != JVMTI_ERROR_NONE)
    fputs("HPROF: no thread takes commands\n", stderr);
  (*jni)->ExceptionClear(jni);
}

void stop_listener(void) {
  pthread_mutex_lock(&lock);
  over = true;
  pthread_mutex_unlock(&lock);
}
