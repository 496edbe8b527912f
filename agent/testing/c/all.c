/*
 * An agent that calls all 28 functions, gets each event that there is, and reads the three dumps. Its option is the folder of what it
 * writes: `told.txt` with a line for each finding, and the bytes of dumps. All.java is its program.
 */
#include <jvmpi.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_CLASSES 20000

typedef struct {
  jobjectID id;
  jint interfaces, statics;
  char types[4000];
  char name[200];
} shape;

static JVMPI_Interface *jvmpi;
static JavaVM *java;
static const char *folder;
static FILE *told;
static _Atomic int counts[JVMPI_MAX_EVENT_TYPE_VAL + 1], requested[JVMPI_MAX_EVENT_TYPE_VAL + 1];
static shape shapes[MAX_CLASSES];
static _Atomic int shape_count;
static JVMPI_RawMonitor started, order;
static int is_asked;
static volatile int is_met;
static JNIEnv *spin, *blocked;
static jobjectID spin_object, holder_class, node_class, string_class, holder_object, number_array, object_array;
static jmethodID spin_method;
static pthread_mutex_t shape_lock = PTHREAD_MUTEX_INITIALIZER;

static void write_file(const char *name, const char *bytes, size_t length) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "wb");
  if (file == NULL || fwrite(bytes, 1, length, file) != length) fprintf(told, "problem cannot write %s\n", name);
  if (file != NULL) fclose(file);
}

static char type_of(const char *signature) {
  static const char letters[] = "ZCFDBSIJ";
  const char *found = strchr(letters, signature[0]);
  return found == NULL ? 'a' : (char)('a' + 4 + (found - letters)); /* 'a' and the code of the document */
}

static void class_loaded(JVMPI_Event *event) {
  pthread_mutex_lock(&shape_lock);
  if (shape_count == MAX_CLASSES) abort();
  shape *to = &shapes[shape_count];
  to->id = event->u.class_load.class_id;
  to->interfaces = event->u.class_load.num_interfaces;
  to->statics = event->u.class_load.num_static_fields;
  if (to->statics >= (jint)sizeof to->types) to->statics = sizeof to->types - 1;
  for (jint i = 0; i < to->statics; i++) to->types[i] = type_of(event->u.class_load.statics[i].field_signature);
  snprintf(to->name, sizeof to->name, "%s", event->u.class_load.class_name);
  shape_count++;
  pthread_mutex_unlock(&shape_lock);
  if (strcmp(to->name, "All$Holder") == 0) holder_class = to->id;
  if (strcmp(to->name, "All$Node") == 0) node_class = to->id;
  if (strcmp(to->name, "java.lang.String") == 0) string_class = to->id;
  for (jint i = 0; i < event->u.class_load.num_methods; i++) {
    JVMPI_Method *method = &event->u.class_load.methods[i];
    if (strcmp(to->name, "All$Spin") == 0 && strcmp(method->method_name, "run") == 0) spin_method = method->method_id;
  }
}

static const shape *shape_of(jobjectID id) {
  for (int i = shape_count - 1; i >= 0; i--)
    if (shapes[i].id == id) return &shapes[i];
  return NULL;
}

static uint64_t number(const char *at, int bytes) {
  uint64_t value = 0;
  for (int i = 0; i < bytes; i++) value = value << 8 | (uint8_t)at[i];
  return value;
}

static void *word(const char *at) {
  void *value;
  memcpy(&value, at, sizeof value);
  return value;
}

static int bytes_of(int code, int level) {
  static const int sizes[] = {8, 0, 8, 0, 1, 2, 4, 8, 1, 2, 4, 8};
  return code == JVMPI_NORMAL_OBJECT || code == JVMPI_CLASS ? 8 : level == JVMPI_DUMP_LEVEL_2 ? sizes[code] : 0;
}

/* Reads a record of levels 1 and 2; gives where the next one is, NULL if it cannot be read. */
static const char *record(const char *at, int level, int *nodes, int *holders) {
  int tag = (uint8_t)*at++;
  switch (tag) {
    case JVMPI_GC_ROOT_UNKNOWN:
    case JVMPI_GC_ROOT_STICKY_CLASS:
    case JVMPI_GC_ROOT_MONITOR_USED: return at + 8;
    case JVMPI_GC_ROOT_JNI_GLOBAL:
    case JVMPI_GC_ROOT_NATIVE_STACK:
    case JVMPI_GC_ROOT_THREAD_BLOCK: return at + 16;
    case JVMPI_GC_ROOT_JNI_LOCAL:
    case JVMPI_GC_ROOT_JAVA_FRAME: return at + 20;
    case JVMPI_GC_CLASS_DUMP: {
      const shape *of = shape_of(word(at));
      if (of == NULL) return NULL;
      at += 7 * 8 + 4 + 8 * of->interfaces + 2;
      for (jint i = 0; i < of->statics; i++) at += bytes_of(of->types[i] - 'a', level);
      return at;
    }
    case JVMPI_GC_INSTANCE_DUMP: {
      jobjectID class = word(at + 8);
      if (class == node_class) ++*nodes;
      if (class == holder_class) ++*holders;
      if (class == holder_class) holder_object = word(at);
      return at + 16 + 4 + number(at + 16, 4);
    }
    case JVMPI_GC_OBJ_ARRAY_DUMP:
      object_array = word(at);
      return at + 8 + 4 + 8 + 8 * number(at + 8, 4);
    case JVMPI_GC_PRIM_ARRAY_DUMP:
      number_array = word(at);
      return at + 8 + 4 + 1 + number(at + 8, 4) * (uint64_t)bytes_of(at[12], level);
    default: return NULL;
  }
}

static void heap_dumped(JVMPI_Event *event) {
  char name[20];
  int level = event->u.heap_dump.dump_level, records = 0, nodes = 0, holders = 0;
  snprintf(name, sizeof name, "heap%d", level);
  write_file(name, event->u.heap_dump.begin, (size_t)(event->u.heap_dump.end - event->u.heap_dump.begin));
  const char *at = event->u.heap_dump.begin;
  while (at != NULL && at < event->u.heap_dump.end) {
    at = level == JVMPI_DUMP_LEVEL_0 ? at + 9 : record(at, level, &nodes, &holders);
    records++;
  }
  fprintf(told, "heap%d %s %s traces=%d nodes=%d holders=%d\n", level, at == event->u.heap_dump.end ? "whole" : "broken",
          records > 1000 ? "many" : "few", event->u.heap_dump.num_traces > 0, nodes, holders);
}

/* The text of names takes the place of pointers, as in files. */
static void monitors_dumped(JVMPI_Event *event) {
  static char bytes[1 << 20];
  size_t length = 0;
  int java = 0, raw = 0, statuses = 0;
  for (const char *at = event->u.monitor_dump.begin; at < event->u.monitor_dump.end;) {
    const char *from = at;
    int tag = *at++;
    if (tag == JVMPI_MONITOR_RAW) {
      raw++;
      const char *name = word(at);
      bytes[length++] = (char)tag;
      memcpy(bytes + length, name, strlen(name) + 1);
      length += strlen(name) + 1;
      at += 8;
      from = at;
    } else java++;
    at += 8 + 8 + 4;
    at += 4 + 8 * number(at, 4);
    at += 4 + 8 * number(at, 4);
    memcpy(bytes + length, from, (size_t)(at - from));
    length += (size_t)(at - from);
  }
  write_file("monitors", bytes, length);
  for (jint i = 0; i < event->u.monitor_dump.num_traces; i++) {
    JVMPI_CallTrace *trace = &event->u.monitor_dump.traces[i];
    if (trace->env_id != blocked) continue;
    statuses = event->u.monitor_dump.threads_status[i];
    fprintf(told, "blocked %p frames=%d\n", (void *)blocked, trace->num_frames);
  }
  fprintf(told, "monitors java=%d raw=%d status=%d\n", java > 0, raw, statuses);
}

static void thread_started(JVMPI_Event *event) {
  const char *name = event->u.thread_start.thread_name;
  JNIEnv *env = event->u.thread_start.thread_env_id;
  if (strcmp(name, "spin") == 0) spin = env, spin_object = event->u.thread_start.thread_id;
  if (strcmp(name, "blocked") == 0) blocked = env;
  if (strcmp(name, "go") != 0) return;
  jvmpi->RawMonitorEnter(started);
  is_asked = 1;
  jvmpi->RawMonitorNotifyAll(started);
  jvmpi->RawMonitorExit(started);
}

static jint after(int type, void *arg) {
  int before = requested[type];
  jint code = jvmpi->RequestEvent(type, arg);
  return code == JVMPI_SUCCESS && requested[type] != before + 1 ? 99 : code;
}

static void threads(void) {
  JNIEnv *both[] = {spin, (JNIEnv *)&told};
  jint results[2] = {99, 99}, resumed[2] = {99, 99};
  JVMPI_CallFrame frames[8];
  JVMPI_CallTrace trace = {.env_id = spin, .frames = frames};
  fprintf(told, "status %d\n", jvmpi->GetThreadStatus(spin));
  jvmpi->SuspendThread(spin);
  jvmpi->GetCallTrace(&trace, 8);
  fprintf(told, "trace %d line=%d\n", trace.num_frames > 0 && frames[trace.num_frames - 1].method_id == spin_method,
          trace.num_frames > 0 ? frames[trace.num_frames - 1].lineno : 0);
  jvmpi->ResumeThread(spin);
  jvmpi->RawMonitorEnter(order);
  jvmpi->RawMonitorWait(order, 50);
  jvmpi->RawMonitorExit(order);
  jvmpi->SuspendThreadList(2, both, results);
  jint again = 99;
  jvmpi->SuspendThreadList(1, both, &again);
  fprintf(told, "ran %d\n", jvmpi->ThreadHasRun(spin));
  jvmpi->ResumeThreadList(2, both, resumed);
  fprintf(told, "lists %d,%d again=%d %d,%d\n", results[0], results[1], again, resumed[0], resumed[1]);
  fprintf(told, "object %d\n", jvmpi->GetThreadObject(spin) == spin_object);
  jobject handle = jvmpi->jobjectID2jobject(spin_object);
  JNIEnv *jni = NULL;
  (*java)->GetEnv(java, (void **)&jni, JNI_VERSION_1_6);
  (*jni)->DeleteGlobalRef(jni, (*jni)->NewGlobalRef(jni, handle));
  (*jni)->DeleteWeakGlobalRef(jni, (*jni)->NewWeakGlobalRef(jni, handle));
  fprintf(told, "handle %d\n", handle != NULL && jvmpi->jobject2jobjectID(handle) == spin_object);
  jvmpi->SetThreadLocalStorage(spin, told);
  fprintf(told, "storage %d\n", jvmpi->GetThreadLocalStorage(spin) == told);
}

static void raw_contender(void *unused) {
  (void)unused;
  jvmpi->RawMonitorEnter(order);
  jvmpi->RawMonitorNotifyAll(order);
  jvmpi->RawMonitorExit(order);
}

static void dumps(void) {
  JVMPI_HeapDumpArg arg = {JVMPI_DUMP_LEVEL_0}, wrong = {3};
  jint codes[] = {after(JVMPI_EVENT_HEAP_DUMP, &arg), 0, 0, jvmpi->RequestEvent(JVMPI_EVENT_HEAP_DUMP, &wrong)};
  arg.heap_dump_level = JVMPI_DUMP_LEVEL_1;
  codes[1] = after(JVMPI_EVENT_HEAP_DUMP, &arg);
  codes[2] = after(JVMPI_EVENT_HEAP_DUMP, NULL);
  fprintf(told, "heap %d,%d,%d,%d\n", codes[0], codes[1], codes[2], codes[3]);
  jobjectID some[] = {holder_object, holder_class, number_array, object_array};
  for (int i = 0; i < 4; i++) fprintf(told, "dump %d\n", after(JVMPI_EVENT_OBJECT_DUMP, some[i]));
  fprintf(told, "defining %d,%d,%d,%d,%d\n", after(JVMPI_EVENT_CLASS_LOAD, node_class),
          after(JVMPI_EVENT_THREAD_START, spin_object), after(JVMPI_EVENT_OBJECT_ALLOC, holder_object),
          jvmpi->RequestEvent(JVMPI_EVENT_CLASS_LOAD, NULL), jvmpi->RequestEvent(JVMPI_EVENT_GC_START, NULL));
}

/* Tells the program that a thread waits for its monitor. */
static void tell_met(void) {
  JNIEnv *jni = NULL;
  (*java)->GetEnv(java, (void **)&jni, JNI_VERSION_1_6);
  jclass type = (*jni)->FindClass(jni, "All");
  (*jni)->SetStaticBooleanField(jni, type, (*jni)->GetStaticFieldID(jni, type, "met", "Z"), JNI_TRUE);
}

static void work(void *unused) {
  (void)unused;
  jvmpi->RawMonitorEnter(started);
  while (!is_met) jvmpi->RawMonitorWait(started, 1);
  tell_met();
  while (!is_asked) jvmpi->RawMonitorWait(started, 0);
  jvmpi->RawMonitorExit(started);
  jvmpi->RunGC();
  fprintf(told, "collections %d,%d\n", counts[JVMPI_EVENT_GC_START] > 0,
          counts[JVMPI_EVENT_GC_START] == counts[JVMPI_EVENT_GC_FINISH]);
  jvmpi->DisableGC();
  fprintf(told, "class %d\n", jvmpi->GetMethodClass(spin_method) != NULL);
  threads();
  dumps();
  jvmpi->RawMonitorEnter(order);
  jvmpi->CreateSystemThread("contender", JVMPI_NORMAL_PRIORITY, raw_contender);
  while (counts[JVMPI_EVENT_RAW_MONITOR_CONTENDED_ENTER] == 0) jvmpi->RawMonitorWait(started, 1);
  fprintf(told, "monitor dump %d\n", after(JVMPI_EVENT_MONITOR_DUMP, NULL));
  jvmpi->RawMonitorExit(order);
  while (counts[JVMPI_EVENT_RAW_MONITOR_CONTENDED_ENTERED] == 0) jvmpi->RawMonitorWait(started, 1);
  jvmpi->EnableGC();
  fprintf(told, "cpu %d\n", jvmpi->GetCurrentThreadCpuTime() > 0);
  jint off = jvmpi->DisableEvent(JVMPI_EVENT_THREAD_END, NULL), dump = jvmpi->DisableEvent(JVMPI_EVENT_HEAP_DUMP, NULL);
  fprintf(told, "disable %d,%d\n", off, dump);
  JVMPI_RawMonitor other = jvmpi->RawMonitorCreate("_other");
  jvmpi->RawMonitorDestroy(other);
  pthread_mutex_lock(&shape_lock);
  for (int i = 0; i < shape_count; i++)
    fprintf(told, "shape %p %d %.*s. %s\n", (void *)shapes[i].id, shapes[i].interfaces, shapes[i].statics,
            shapes[i].types, shapes[i].name);
  pthread_mutex_unlock(&shape_lock);
  fprintf(told, "ids %p %p %p %p\n", (void *)holder_object, (void *)holder_class, (void *)node_class, (void *)string_class);
  for (int i = 1; i <= JVMPI_MAX_EVENT_TYPE_VAL; i++)
    if (counts[i] > 0) fprintf(told, "event %d\n", i);
  fclose(told);
  jvmpi->ProfilerExit(7);
}

static void notify_event(JVMPI_Event *event) {
  int type = event->event_type & ~JVMPI_REQUESTED_EVENT;
  int count = ++counts[type];
  /* Events that stop the VM, or come without end, are off again soon. */
  bool is_frequent = type <= JVMPI_EVENT_OBJECT_ALLOC || type == JVMPI_EVENT_INSTRUCTION_START;
  if (is_frequent && count == 500) jvmpi->DisableEvent(type, NULL);
  if ((event->event_type & JVMPI_REQUESTED_EVENT) != 0) requested[type]++;
  switch (event->event_type) {
    case JVMPI_EVENT_CLASS_LOAD: class_loaded(event); break;
    case JVMPI_EVENT_THREAD_START: thread_started(event); break;
    case JVMPI_EVENT_MONITOR_CONTENDED_ENTER:
      if (event->env_id == blocked) is_met = 1;
      break;
    case JVMPI_EVENT_HEAP_DUMP | JVMPI_REQUESTED_EVENT: heap_dumped(event); break;
    case JVMPI_EVENT_MONITOR_DUMP | JVMPI_REQUESTED_EVENT: monitors_dumped(event); break;
    case JVMPI_EVENT_OBJECT_DUMP | JVMPI_REQUESTED_EVENT: {
      char name[20];
      snprintf(name, sizeof name, "object%d", requested[type]);
      write_file(name, event->u.object_dump.data, (size_t)event->u.object_dump.data_len);
      break;
    }
    case JVMPI_EVENT_CLASS_LOAD_HOOK: {
      unsigned char *bytes = event->u.class_load_hook.class_data;
      for (jint i = 0; i + 6 < event->u.class_load_hook.class_data_len; i++) {
        if (memcmp(bytes + i, "victim", 6) != 0) continue;
        unsigned char *changed = event->u.class_load_hook.malloc_f((unsigned)event->u.class_load_hook.class_data_len);
        memcpy(changed, bytes, (size_t)event->u.class_load_hook.class_data_len);
        memcpy(changed + i, "VICTIM", 6);
        event->u.class_load_hook.new_class_data = changed;
        break;
      }
      break;
    }
    case JVMPI_EVENT_JVM_INIT_DONE: jvmpi->CreateSystemThread("work", JVMPI_MAXIMUM_PRIORITY, work); break;
    default: break;
  }
}

JNIEXPORT jint JNICALL JVM_OnLoad(JavaVM *jvm, char *options, void *reserved) {
  (void)reserved;
  char path[4096];
  folder = options;
  java = jvm;
  snprintf(path, sizeof path, "%s/told.txt", folder);
  if ((told = fopen(path, "w")) == NULL) return JNI_ERR;
  if ((*jvm)->GetEnv(jvm, (void **)&jvmpi, JVMPI_VERSION_1_2) != JNI_OK) return JNI_ERR;
  void *none = NULL;
  fprintf(told, "versions %x %d\n", jvmpi->version, (*jvm)->GetEnv(jvm, &none, JVMPI_VERSION_1_2 + 1));
  jvmpi->NotifyEvent = notify_event;
  started = jvmpi->RawMonitorCreate("started");
  order = jvmpi->RawMonitorCreate("order");
  for (jint type = 1; type <= JVMPI_MAX_EVENT_TYPE_VAL; type++) {
    jint code = jvmpi->EnableEvent(type, NULL);
    if (code != JVMPI_SUCCESS && (type < 10 || type > 32) && type != 36) fprintf(told, "refused %d %d\n", type, code);
  }
  return JNI_OK;
}
