/* Objects that the VM tells of as it allocates them: each one, or samples. Those that are there at a dump have their tags. */
#include "heap.h"
#include <math.h>

static _Atomic bool running;
static _Atomic uint64_t lost;

_Thread_local bool telling_of_agent;

void count_lost_object(void) { atomic_fetch_add(&lost, 1); }

uint64_t lost_objects(void) { return atomic_load(&lost); }

/* Where objects are counted by code in classes, classes of one name are one. */
static uint32_t number_type(jclass type) {
  char *signature = NULL;
  if (chosen.every_object) return number_class(type);
  (*hprof_ti)->GetClassSignature(hprof_ti, type, &signature, NULL);
  uint32_t number = signature == NULL ? 0 : number_signature(signature);
  free_of_vm(signature);
  return number;
}

/* Methods that are counted where they are called. */
static jmethodID counted_calls[3], copying[2];

static jmethodID method_of(JNIEnv *jni, const char *type, const char *name, const char *descriptor, bool is_static) {
  jclass of = (*jni)->FindClass(jni, type);
  jmethodID method = of == NULL ? NULL : is_static ? (*jni)->GetStaticMethodID(jni, of, name, descriptor) : (*jni)->GetMethodID(jni, of, name, descriptor);
  if ((*jni)->ExceptionCheck(jni)) (*jni)->ExceptionClear(jni);
  return method;
}

static void find_counted_calls(JNIEnv *jni) {
  counted_calls[0] = method_of(jni, "java/lang/Object", "clone", "()Ljava/lang/Object;", false);
  counted_calls[1] = method_of(jni, "java/lang/reflect/Array", "newArray", "(Ljava/lang/Class;I)Ljava/lang/Object;", true);
  counted_calls[2] = method_of(jni, "jdk/internal/misc/Unsafe", "allocateInstance", "(Ljava/lang/Class;)Ljava/lang/Object;", false);
  copying[0] = method_of(jni, "java/util/Arrays", "copyOf", "([Ljava/lang/Object;ILjava/lang/Class;)[Ljava/lang/Object;", true);
  copying[1] = method_of(jni, "java/util/Arrays", "copyOfRange", "([Ljava/lang/Object;IILjava/lang/Class;)[Ljava/lang/Object;", true);
}

static bool is_among(jmethodID method, const jmethodID *methods, size_t count) {
  bool found = false;
  for (size_t i = 0; i < count; i++) found |= methods[i] != NULL && methods[i] == method;
  return found;
}

static allocation_site *site_here(JNIEnv *jni, jthread thread, jclass type) {
  allocation_site *site = site_of(stack_of(jni, thread), number_type(type));
  if (site == NULL) count_lost_object();
  return site;
}

static void add_object(allocation_site *to, jlong size) {
  atomic_fetch_add_explicit(&to->objects, 1, memory_order_relaxed);
  atomic_fetch_add_explicit(&to->bytes, (uint64_t)size, memory_order_relaxed);
}

/* What the VM allocates for native methods and reflection: no code in classes sees it. */
static void JNICALL on_vm_allocation(jvmtiEnv *ti, JNIEnv *jni, jthread thread, jobject object, jclass type, jlong size) {
  if (!atomic_load_explicit(&running, memory_order_relaxed) || telling_of_agent) return;
  jvmtiFrameInfo top = {0};
  jint length = 0;
  (*ti)->GetStackTrace(ti, thread, 0, 1, &top, &length);
  if (length == 1 && is_among(top.method, counted_calls, 3)) return;
  allocation_site *site = site_here(jni, thread, type);
  if (site != NULL) add_object(site, size);
}

void count_call_result(JNIEnv *jni, jclass type, jlong size, bool is_reflected) {
  jvmtiFrameInfo frames[MOST_FRAMES];
  jint length = 0, depth = chosen.depth < 3 ? 3 : chosen.depth < MOST_FRAMES ? (jint)chosen.depth : MOST_FRAMES;
  if (!atomic_load_explicit(&running, memory_order_relaxed)) return;
  /* Without the probe's own frame. */
  if ((*hprof_ti)->GetStackTrace(hprof_ti, NULL, 1, depth, frames, &length) != JVMTI_ERROR_NONE) length = 0;
  if (is_reflected && length > 1 && is_among(frames[1].method, copying, 2)) return;
  if (length > (jint)chosen.depth) length = (jint)chosen.depth;
  allocation_site *site = site_of(kept_stack(jni, chosen.by_thread ? serial_here() : 0, frames, length), number_type(type));
  if (site == NULL) count_lost_object();
  else add_object(site, size);
}

static void JNICALL on_allocation(jvmtiEnv *ti, JNIEnv *jni, jthread thread, jobject object, jclass type, jlong size) {
  if (!atomic_load_explicit(&running, memory_order_relaxed) || telling_of_agent) return;
  allocation_site *site = site_here(jni, thread, type);
  if (site == NULL) return;
  if (chosen.every_object) add_object(site, size);
  (*ti)->SetTag(ti, object, (jlong)site->number << 32);
}

void ask_for_allocations(jvmtiCapabilities *wanted, jvmtiEventCallbacks *callbacks) {
  wanted->can_tag_objects = 1;
  wanted->can_generate_sampled_object_alloc_events = 1;
  callbacks->SampledObjectAlloc = on_allocation;
  if (chosen.every_object) return;
  wanted->can_generate_vm_object_alloc_events = 1;
  callbacks->VMObjectAlloc = on_vm_allocation;
}

/* Before there are threads: each has the distance to its first sample from its start. */
bool set_interval(void) {
  return (*hprof_ti)->SetHeapSamplingInterval(hprof_ti, chosen.every_object ? 0 : SAMPLE_BYTES) == JVMTI_ERROR_NONE;
}

bool watch_allocations(JNIEnv *jni) {
  static const jvmtiEvent EVENTS[] = {JVMTI_EVENT_SAMPLED_OBJECT_ALLOC, JVMTI_EVENT_VM_OBJECT_ALLOC};
  if (!chosen.every_object) find_counted_calls(jni);
  atomic_store(&running, true);
  bool granted = enable_events(EVENTS, chosen.every_object ? 1 : 2);
  /* In buffers that threads have by now, objects are allocated without an event. A collection ends them. */
  if (granted && chosen.every_object) (*hprof_ti)->ForceGarbageCollection(hprof_ti);
  return granted;
}

void stop_allocations(void) { atomic_store(&running, false); }

void resume_allocations(void) { atomic_store(&running, true); }

/* The VM stands still: no lock may be taken. */
typedef struct {
  allocation_site **sites;
  size_t count;
} live_count;

static jint JNICALL on_live(jlong class_tag, jlong size, jlong *tag, jint length, void *data) {
  const live_count *of = data;
  uint32_t number = (uint32_t)((uint64_t)*tag >> 32);
  if (number == 0 || number > of->count) return 0;
  /* An object of so many bytes is a sample with this chance: it stands for others that are none. */
  double chance = chosen.every_object ? 1 : -expm1(-(double)size / SAMPLE_BYTES);
  of->sites[number - 1]->live_objects += 1 / chance;
  of->sites[number - 1]->live_bytes += (double)size / chance;
  return 0;
}

void count_live_objects(void) {
  live_count of = {.count = site_count()};
  of.sites = malloc((of.count + 1) * sizeof(allocation_site *));
  if (of.sites == NULL) return;
  for (size_t i = 0; i < of.count; i++) {
    of.sites[i] = site_with((uint32_t)i + 1);
    of.sites[i]->live_objects = of.sites[i]->live_bytes = 0;
  }
  if (chosen.collects) (*hprof_ti)->ForceGarbageCollection(hprof_ti);
  const jvmtiHeapCallbacks callbacks = {.heap_iteration_callback = on_live};
  (*hprof_ti)->IterateThroughHeap(hprof_ti, JVMTI_HEAP_FILTER_UNTAGGED, NULL, &callbacks, &of);
  free(of.sites);
}
