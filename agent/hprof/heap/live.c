/* Objects that the VM tells of as it allocates them: each one, or samples. Those that are there at a dump have their tags. */
#include "heap.h"
#include <math.h>

static _Atomic bool running;
static _Atomic uint64_t lost;

uint64_t lost_objects(void) { return atomic_load(&lost); }

static void JNICALL on_allocation(jvmtiEnv *ti, JNIEnv *jni, jthread thread, jobject object, jclass type, jlong size) {
  if (!atomic_load_explicit(&running, memory_order_relaxed)) return;
  allocation_site *site = site_of(stack_of(jni, thread), number_class(type));
  if (site == NULL) {
    atomic_fetch_add(&lost, 1);
    return;
  }
  if (chosen.every_object) {
    atomic_fetch_add_explicit(&site->objects, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&site->bytes, (uint64_t)size, memory_order_relaxed);
  }
  (*ti)->SetTag(ti, object, (jlong)site->number << 32);
}

void ask_for_allocations(jvmtiCapabilities *wanted, jvmtiEventCallbacks *callbacks) {
  wanted->can_tag_objects = 1;
  wanted->can_generate_sampled_object_alloc_events = 1;
  callbacks->SampledObjectAlloc = on_allocation;
}

/* Before there are threads: each has the distance to its first sample from its start. */
bool set_interval(void) {
  return (*hprof_ti)->SetHeapSamplingInterval(hprof_ti, chosen.every_object ? 0 : SAMPLE_BYTES) == JVMTI_ERROR_NONE;
}

bool watch_allocations(void) {
  static const jvmtiEvent EVENT = JVMTI_EVENT_SAMPLED_OBJECT_ALLOC;
  atomic_store(&running, true);
  bool granted = enable_events(&EVENT, 1);
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
