/* Stacks of threads with lines, each kept once, as they are printed. */
#include "heap/heap.h"
#include "../lines.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static thread_stack **slots;
static size_t mask, count;

static size_t hash_of(uint32_t thread, const jvmtiFrameInfo *frames, jint length) {
  uint64_t hash = thread;
  for (jint i = 0; i < length; i++)
    hash = (hash ^ (uint64_t)(uintptr_t)frames[i].method ^ (uint64_t)frames[i].location << 40) * 0x9e3779b97f4a7c15u;
  return (size_t)(hash >> 20);
}

static bool is_same(const thread_stack *of, uint32_t thread, const jvmtiFrameInfo *frames, jint length) {
  bool same = of->thread == thread && of->length == length;
  for (jint i = 0; same && i < length; i++)
    same = of->frames[i].method == frames[i].method && of->frames[i].location == frames[i].location;
  return same;
}

static bool grow(void) {
  size_t room = slots == NULL ? 256 : (mask + 1) * 2;
  thread_stack **made = calloc(room, sizeof *made);
  if (made == NULL) return false;
  for (size_t i = 0; slots != NULL && i <= mask; i++) {
    if (slots[i] == NULL) continue;
    size_t at = hash_of(slots[i]->thread, slots[i]->frames, slots[i]->length) & (room - 1);
    while (made[at] != NULL) at = (at + 1) & (room - 1);
    made[at] = slots[i];
  }
  free(slots);
  slots = made;
  mask = room - 1;
  return true;
}

static char *copy_of(const char *text) { return text == NULL ? NULL : strdup(text); }

/* Adds the line of a frame. `kept` takes its parts, unless it is NULL. */
static void put_frame(JNIEnv *jni, const jvmtiFrameInfo *frame, buffer *to, frame_text *kept) {
  char *name = NULL, *descriptor = NULL, *signature = NULL, *source = NULL, text[64];
  uint32_t number = 0;
  jclass type = NULL;
  (*hprof_ti)->GetMethodName(hprof_ti, frame->method, &name, &descriptor, NULL);
  if ((*hprof_ti)->GetMethodDeclaringClass(hprof_ti, frame->method, &type) == JVMTI_ERROR_NONE) {
    (*hprof_ti)->GetClassSignature(hprof_ti, type, &signature, NULL);
    (*hprof_ti)->GetSourceFileName(hprof_ti, type, &source);
    if (kept != NULL) number = number_class(type);
    (*jni)->DeleteLocalRef(jni, type);
  }
  char *type_name = class_name_of(signature);
  jint line = chosen.lines && frame->location >= 0 ? line_at(hprof_ti, frame->method, frame->location) : -1;
  int length = snprintf(text, sizeof text, line < 0 ? ":Unknown line)\n" : ":%d)\n", (int)line);
  const char *const parts[] = {"\t", type_name == NULL ? "<Unknown Class>" : type_name, ".", name == NULL ? "<Unknown Method>" : name, "(",
                               source == NULL ? "<Unknown Source>" : source};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) put_bytes(to, parts[i], strlen(parts[i]));
  put_bytes(to, text, (size_t)length);
  if (kept != NULL) *kept = (frame_text){number, line, copy_of(name), copy_of(descriptor), copy_of(source)};
  free(type_name);
  free_of_vm(name);
  free_of_vm(descriptor);
  free_of_vm(signature);
  free_of_vm(source);
}

static thread_stack *make(JNIEnv *jni, uint32_t thread, const jvmtiFrameInfo *frames, jint length) {
  buffer text = {0};
  frame_text *texts = chosen.binary ? calloc((size_t)length + 1, sizeof *texts) : NULL;
  if (chosen.binary && texts == NULL) return NULL;
  for (jint i = 0; i < length; i++) put_frame(jni, &frames[i], &text, texts == NULL ? NULL : &texts[i]);
  put_u8(&text, 0);
  thread_stack *made = text.failed ? NULL : calloc(1, sizeof *made + (size_t)length * sizeof *frames);
  if (made == NULL) {
    drop_buffer(&text);
    free(texts);
    return NULL;
  }
  *made = (thread_stack){.thread = thread, .length = length, .text = (char *)text.bytes, .texts = texts};
  if (length > 0) memcpy(made->frames, frames, (size_t)length * sizeof *frames);
  return made;
}

/* Called with the lock. */
static thread_stack *kept(JNIEnv *jni, uint32_t thread, const jvmtiFrameInfo *frames, jint length) {
  if ((slots == NULL || count * 2 > mask) && !grow()) return NULL;
  size_t at = hash_of(thread, frames, length) & mask;
  while (slots[at] != NULL && !is_same(slots[at], thread, frames, length)) at = (at + 1) & mask;
  if (slots[at] == NULL && (slots[at] = make(jni, thread, frames, length)) != NULL) count++;
  return slots[at];
}

thread_stack *kept_stack(JNIEnv *jni, uint32_t thread, const jvmtiFrameInfo *frames, jint length) {
  pthread_mutex_lock(&lock);
  thread_stack *stack = kept(jni, thread, frames, length);
  pthread_mutex_unlock(&lock);
  return stack;
}

thread_stack *stack_of(JNIEnv *jni, jthread thread) {
  jvmtiFrameInfo frames[MOST_FRAMES];
  jint length = 0, depth = chosen.depth < MOST_FRAMES ? (jint)chosen.depth : MOST_FRAMES;
  /* A thread that has ended, or is starting, has no frames. */
  if (depth > 0 && (*hprof_ti)->GetStackTrace(hprof_ti, thread, 0, depth, frames, &length) != JVMTI_ERROR_NONE) length = 0;
  return kept_stack(jni, chosen.by_thread ? serial_of(thread) : 0, frames, length);
}

thread_stack *empty_stack(JNIEnv *jni) {
  pthread_mutex_lock(&lock);
  thread_stack *stack = kept(jni, 0, NULL, 0);
  pthread_mutex_unlock(&lock);
  return stack;
}

void visit_stacks(void (*visit)(thread_stack *stack)) {
  pthread_mutex_lock(&lock);
  for (size_t i = 0; slots != NULL && i <= mask; i++)
    if (slots[i] != NULL) visit(slots[i]);
  pthread_mutex_unlock(&lock);
}
