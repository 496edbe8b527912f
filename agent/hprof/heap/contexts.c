/* Counters by thread, method and its callers. */
#include "counting.h"

typedef struct {
  allocation_kind kind;
  uint32_t location, cell, type; /* number of the class */
  bool is_array;
} method_site;

typedef struct {
  method_site *sites;
  uint32_t count, room, cells;
} method_sites;

typedef struct counting_context {
  struct counting_context *next;      /* in the table */
  struct counting_context *of_thread; /* the next one of the thread */
  uint32_t thread, method;
  jmethodID own;
  jobject counters;
  uint64_t *taken;
  jint length; /* callers */
  jvmtiFrameInfo callers[];
} counting_context;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static method_sites **methods; /* by number */
static size_t method_room;
static counting_context **slots;
static size_t mask, count;
static tag_map threads; /* by serial: the first context */

/* The instruction that a cell is of. */
static uint32_t location_of_cell(const method_sites *of, uint32_t cell) {
  for (uint32_t i = 0; i < of->count; i++)
    if (of->sites[i].cell == cell) return of->sites[i].location;
  return 0;
}

static method_sites *sites_of(uint32_t method) { return method < method_room ? methods[method] : NULL; }

/* Called with the lock. */
static method_sites *new_sites(uint32_t method) {
  if (method >= method_room) {
    size_t room = (size_t)method * 2 + 4096;
    method_sites **grown = realloc(methods, room * sizeof(method_sites *));
    if (grown == NULL) return NULL;
    memset(grown + method_room, 0, (room - method_room) * sizeof(method_sites *));
    methods = grown;
    method_room = room;
  }
  if (methods[method] == NULL) methods[method] = calloc(1, sizeof(method_sites));
  return methods[method];
}

/* The signature of what a site allocates. */
static bool put_signature(const allocation *of, buffer *to) {
  bool is_inner = of->dimension > 0, names_array = of->name.length > 0 && of->name.bytes[0] == '[';
  uint32_t skipped = is_inner ? of->dimension : 0;
  if (of->type != 0) {
    put_u8(to, '[');
    put_u8(to, (uint8_t)of->type);
  } else {
    if (of->is_array && !of->is_several) put_u8(to, '[');
    if (!names_array) put_u8(to, 'L');
    if (skipped > of->name.length) return false;
    put_bytes(to, of->name.bytes + skipped, of->name.length - skipped);
    if (!names_array) put_u8(to, ';');
  }
  put_u8(to, 0);
  return !to->failed;
}

bool add_allocation(uint32_t method, const allocation *of) {
  buffer signature = {0};
  uint32_t type = put_signature(of, &signature) ? number_signature((const char *)signature.bytes) : 0;
  drop_buffer(&signature);
  pthread_mutex_lock(&lock);
  method_sites *sites = type == 0 ? NULL : new_sites(method);
  if (sites != NULL && sites->count == sites->room) {
    method_site *grown = realloc(sites->sites, (sites->room * 2 + 4) * sizeof *grown);
    if (grown != NULL) sites->sites = grown;
    if (grown != NULL) sites->room = sites->room * 2 + 4;
  }
  bool kept = sites != NULL && sites->count < sites->room;
  if (kept) sites->sites[sites->count++] = (method_site){of->kind, of->location, of->cell, type, of->is_array};
  if (kept && sites->cells < of->cell + 2) sites->cells = of->cell + 2;
  pthread_mutex_unlock(&lock);
  return kept;
}

static size_t hash_of(uint32_t thread, uint32_t method, const jvmtiFrameInfo *callers, jint length) {
  uint64_t hash = (uint64_t)thread << 32 | method;
  for (jint i = -1; i < length; i++) {
    if (i >= 0) hash ^= (uint64_t)(uintptr_t)callers[i].method ^ (uint64_t)callers[i].location << 40;
    hash *= 0x9e3779b97f4a7c15u;
    hash ^= hash >> 29;
  }
  return (size_t)(hash >> 8);
}

static bool is_same(const counting_context *of, uint32_t thread, uint32_t method, const jvmtiFrameInfo *callers, jint length) {
  bool same = of->thread == thread && of->method == method && of->length == length;
  for (jint i = 0; same && i < length; i++) same = of->callers[i].method == callers[i].method && of->callers[i].location == callers[i].location;
  return same;
}

static void grow(void) {
  size_t room = slots == NULL ? 4096 : (mask + 1) * 2;
  counting_context **made = calloc(room, sizeof(counting_context *));
  if (made == NULL) return;
  for (size_t i = 0; slots != NULL && i <= mask; i++)
    for (counting_context *at = slots[i], *next; at != NULL; at = next) {
      next = at->next;
      size_t place = hash_of(at->thread, at->method, at->callers, at->length) & (room - 1);
      at->next = made[place];
      made[place] = at;
    }
  free(slots);
  slots = made;
  mask = room - 1;
}

/* Called with the lock. NULL if memory ran out. */
static counting_context *context_of(JNIEnv *jni, uint32_t thread, uint32_t method, jmethodID own, const jvmtiFrameInfo *callers, jint length) {
  if (slots == NULL || count > mask) grow();
  const method_sites *sites = sites_of(method);
  if (slots == NULL || sites == NULL) return NULL;
  size_t place = hash_of(thread, method, callers, length) & mask;
  for (counting_context *at = slots[place]; at != NULL; at = at->next)
    if (is_same(at, thread, method, callers, length)) return at;
  size_t *list = map_place(&threads, (jlong)thread + 1);
  counting_context *made = list == NULL ? NULL : calloc(1, sizeof *made + (size_t)length * sizeof *callers);
  jlongArray counters = made == NULL ? NULL : (*jni)->NewLongArray(jni, (jsize)sites->cells);
  jobject kept = counters == NULL ? NULL : (*jni)->NewGlobalRef(jni, counters);
  if (made != NULL) made->taken = calloc(sites->cells, sizeof *made->taken);
  if (kept == NULL || made->taken == NULL) {
    if (made != NULL) free(made->taken);
    free(made);
    return NULL;
  }
  (*jni)->DeleteLocalRef(jni, counters);
  made->thread = thread;
  made->method = method;
  made->own = own;
  made->counters = kept;
  made->length = length;
  if (length > 0) memcpy(made->callers, callers, (size_t)length * sizeof *callers);
  made->next = slots[place];
  slots[place] = made;
  made->of_thread = (counting_context *)*list;
  *list = (size_t)made;
  count++;
  return made;
}

/* The counters of the method that called the probe, whose own frames are skipped. */
static jlongArray find_counters(JNIEnv *jni, uint32_t method, jint skipped) {
  jvmtiFrameInfo frames[MOST_FRAMES + 3];
  jint length = 0, depth = chosen.depth < MOST_FRAMES ? (jint)chosen.depth : MOST_FRAMES;
  (*hprof_ti)->GetStackTrace(hprof_ti, NULL, skipped, depth == 0 ? 1 : depth, frames, &length);
  uint32_t thread = serial_here();
  telling_of_agent = true;
  pthread_mutex_lock(&lock);
  counting_context *of = length == 0 ? NULL : context_of(jni, thread, method, frames[0].method, frames + 1, depth == 0 ? 0 : length - 1);
  uint32_t cells = sites_of(method) == NULL ? 2 : sites_of(method)->cells;
  jobject counters = of == NULL ? NULL : of->counters;
  jlongArray local = counters == NULL ? NULL : (*jni)->NewLocalRef(jni, counters);
  pthread_mutex_unlock(&lock);
  /* Without memory nothing is counted, and the program goes on if it can. */
  if (local == NULL) count_lost_object();
  if (local == NULL && !(*jni)->ExceptionCheck(jni)) local = (*jni)->NewLongArray(jni, (jsize)cells);
  telling_of_agent = false;
  return local;
}

jlongArray JNICALL counters_of(JNIEnv *jni, jclass probe, jint method) { return find_counters(jni, (uint32_t)method, 2); }

static void add_to(JNIEnv *jni, jlongArray counters, jint cell, jlong bytes) {
  jlong values[2];
  (*jni)->GetLongArrayRegion(jni, counters, cell, 2, values);
  values[0]++;
  values[1] += bytes;
  (*jni)->SetLongArrayRegion(jni, counters, cell, 2, values);
}

/* An array and the arrays that were made with it. */
static void add_arrays(JNIEnv *jni, jobject made, jlongArray counters, jint cell, jint last) {
  jlong size = 0;
  (*hprof_ti)->GetObjectSize(hprof_ti, made, &size);
  add_to(jni, counters, cell, size);
  if (cell >= last) return;
  jsize length = (*jni)->GetArrayLength(jni, made);
  for (jsize i = 0; i < length; i++) {
    jobject element = (*jni)->GetObjectArrayElement(jni, made, i);
    if (element != NULL) add_arrays(jni, element, counters, cell + 2, last);
    (*jni)->DeleteLocalRef(jni, element);
  }
}

jlongArray JNICALL count_several(JNIEnv *jni, jclass probe, jobject made, jlongArray counters, jint method, jint cell) {
  jlongArray into = counters == NULL ? find_counters(jni, (uint32_t)method, 1) : counters;
  jint last = cell;
  if (into == NULL) return NULL;
  pthread_mutex_lock(&lock);
  const method_sites *sites = sites_of((uint32_t)method);
  for (uint32_t i = 0; sites != NULL && i < sites->count; i++)
    if (sites->sites[i].cell == (uint32_t)last + 2 && sites->sites[i].location == location_of_cell(sites, (uint32_t)cell)) last += 2;
  pthread_mutex_unlock(&lock);
  add_arrays(jni, made, into, cell, last);
  return into;
}

/* The class with a signature among that of an object and those above it; NULL if none has it. */
static jclass class_above(JNIEnv *jni, jclass type, const char *signature) {
  for (jclass at = type; at != NULL; at = (*jni)->GetSuperclass(jni, at)) {
    char *own = NULL;
    (*hprof_ti)->GetClassSignature(hprof_ti, at, &own, NULL);
    bool same = own != NULL && strcmp(own, signature) == 0;
    free_of_vm(own);
    if (same) return at;
  }
  return NULL;
}

/* Whether the `clone` of a class is that of Object. */
static bool clones_by_object(JNIEnv *jni, jclass type) {
  jclass declaring = NULL;
  jmethodID method = type == NULL ? NULL : (*jni)->GetMethodID(jni, type, "clone", "()Ljava/lang/Object;");
  char *signature = NULL;
  if (method == NULL || (*hprof_ti)->GetMethodDeclaringClass(hprof_ti, method, &declaring) != JVMTI_ERROR_NONE) return false;
  (*hprof_ti)->GetClassSignature(hprof_ti, declaring, &signature, NULL);
  bool is_object = signature != NULL && strcmp(signature, "Ljava/lang/Object;") == 0;
  free_of_vm(signature);
  return is_object;
}

static method_site site_at(uint32_t method, uint32_t cell) {
  method_site site = {0};
  pthread_mutex_lock(&lock);
  const method_sites *sites = sites_of(method);
  for (uint32_t i = 0; sites != NULL && i < sites->count; i++)
    if (sites->sites[i].cell == cell) site = sites->sites[i];
  pthread_mutex_unlock(&lock);
  return site;
}

/* A call returned an object: whether it is a new one. */
static bool is_new(JNIEnv *jni, const method_site *site, jclass type) {
  if (site->kind == CLONE) return clones_by_object(jni, type);
  if (site->kind == SUPER_CLONE) return clones_by_object(jni, class_above(jni, type, class_with(site->type)->signature));
  return site->kind != NO_ALLOCATION;
}

void JNICALL count_returned(JNIEnv *jni, jclass probe, jobject made, jint method, jint cell) {
  jlong size = 0;
  method_site site = site_at((uint32_t)method, (uint32_t)cell);
  if (made == NULL || (*jni)->PushLocalFrame(jni, 64) != JNI_OK) return;
  jclass type = (*jni)->GetObjectClass(jni, made);
  (*hprof_ti)->GetObjectSize(hprof_ti, made, &size);
  if (is_new(jni, &site, type)) count_call_result(jni, type, size, site.kind == REFLECTED_ARRAY);
  if ((*jni)->ExceptionCheck(jni)) (*jni)->ExceptionClear(jni);
  (*jni)->PopLocalFrame(jni, NULL);
}

/* Adds what was counted since the last time to the sites. Called with the lock. */
static void take_context(JNIEnv *jni, counting_context *of) {
  const method_sites *sites = sites_of(of->method);
  jvmtiFrameInfo frames[MOST_FRAMES];
  jsize length = (*jni)->GetArrayLength(jni, of->counters);
  jlong *values = malloc(((size_t)length + 1) * sizeof *values);
  if (values == NULL || sites == NULL) {
    free(values);
    return;
  }
  (*jni)->GetLongArrayRegion(jni, of->counters, 0, length, values);
  if (of->length > 0) memcpy(frames + 1, of->callers, (size_t)of->length * sizeof *frames);
  for (uint32_t i = 0; i < sites->count && sites->sites[i].cell + 1 < (uint32_t)length; i++) {
    const method_site *site = &sites->sites[i];
    if (site->kind != INSTRUCTION) continue;
    uint64_t objects = (uint64_t)values[site->cell] - of->taken[site->cell];
    if (objects == 0) continue;
    frames[0] = (jvmtiFrameInfo){of->own, site->location};
    thread_stack *stack = kept_stack(jni, chosen.by_thread ? of->thread : 0, frames, chosen.depth == 0 ? 0 : of->length + 1);
    allocation_site *to = site_of(stack, site->type);
    if (to == NULL) continue;
    atomic_fetch_add(&to->objects, objects);
    if (site->is_array) atomic_fetch_add(&to->bytes, (uint64_t)values[site->cell + 1] - of->taken[site->cell + 1]);
    of->taken[site->cell] += objects;
    of->taken[site->cell + 1] = (uint64_t)values[site->cell + 1];
  }
  free(values);
}

void take_allocations(JNIEnv *jni) {
  pthread_mutex_lock(&lock);
  for (size_t i = 0; slots != NULL && i <= mask; i++)
    for (counting_context *at = slots[i]; at != NULL; at = at->next) take_context(jni, at);
  pthread_mutex_unlock(&lock);
}

static void unlink_context(const counting_context *of) {
  counting_context **at = &slots[hash_of(of->thread, of->method, of->callers, of->length) & mask];
  while (*at != of) at = &(*at)->next;
  *at = of->next;
  count--;
}

void end_counting_thread(JNIEnv *jni, uint32_t serial) {
  pthread_mutex_lock(&lock);
  size_t *list = map_place(&threads, (jlong)serial + 1);
  for (counting_context *at = list == NULL ? NULL : (counting_context *)*list, *next; at != NULL; at = next) {
    next = at->of_thread;
    take_context(jni, at);
    unlink_context(at);
    (*jni)->DeleteGlobalRef(jni, at->counters);
    free(at->taken);
    free(at);
  }
  if (list != NULL) *list = 0;
  pthread_mutex_unlock(&lock);
}
