/*
 * Frames: one thread writes what application threads put into a queue, one reads. No application thread ever writes to
 * the socket; it waits for room in the queue only where an event must not be lost, and then at most WAIT_MS.
 */
#include "remote.h"
#include <errno.h>
#include <sys/socket.h>
#include <unistd.h>

#define QUEUE_BYTES (16u << 20)
#define FRAME_LIMIT (256u << 20)
#define FLUSH_MS 100
#define WAIT_MS 10000
/* How long a handler may hold a thread, or go on after its last call. */
#define HOLD_MS 10000
/* How long the last counts may take. */
#define LAST_MS 1000
/* Bytes of frames that are taken from the queue together. */
#define GATHERED_BYTES (256u << 10)
/* How long a new connection waits for the end of the one before. */
#define FORGET_MS 2000

typedef struct {
  frame *first, *last;
} list;

/* A thread that waits for RELEASE. */
typedef struct hold {
  struct hold *next;
  uint32_t id;
  bool done;
  buffer *answer;
} hold;

static int connection = -1;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
/* Replies pass events: the front end takes no events while it waits for one. */
static list queue, replies, calls;
static size_t queued;
static int64_t credit;
static bool dead, writing;
static int running; /* threads of this connection */
static uint32_t dropped[EVENTS];
static bool has_dropped;
static hold *holds;
static uint32_t last_hold, call_count;
static void (*idle)(void); /* puts more into the queue when it is empty */

/* False if the time has passed. Called with the lock, like all of these. */
static bool wait_until(const struct timespec *until) { return pthread_cond_timedwait(&changed, &lock, until) != ETIMEDOUT; }

static bool add(list *to, uint8_t kind, const void *bytes, size_t length) {
  frame *made = malloc(sizeof *made + HEADER + length);
  if (made == NULL) return false;
  *made = (frame){.length = HEADER + length};
  for (int i = 0; i < HEADER; i++) made->bytes[i] = i < 4 ? (uint8_t)(length >> (8 * i)) : i == 4 ? kind : 0;
  if (length > 0) memcpy(made->bytes + HEADER, bytes, length);
  if (to->last == NULL) to->first = made;
  else to->last->next = made;
  to->last = made;
  if (to != &calls) queued += made->length;
  pthread_cond_broadcast(&changed);
  return true;
}

static frame *take(list *from) {
  frame *one = from->first;
  if (one == NULL) return NULL;
  from->first = one->next;
  if (one->next == NULL) from->last = NULL;
  if (from == &queue || from == &replies) queued -= one->length;
  return one;
}

static void clear(list *of) {
  for (frame *one; (one = take(of)) != NULL;) free(one);
}

/* The front end is gone: nobody waits for it any more. */
static void die(void) {
  dead = true;
  clear(&queue);
  clear(&replies);
  pthread_cond_broadcast(&changed);
}

uint32_t number_at(const uint8_t *bytes) {
  return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

/* Counts the records of a block that is not sent: their number leads it. */
static void count_block(const uint8_t *bytes) {
  dropped[0] += number_at(bytes);
  has_dropped = true;
}

void wire_count_drop(jint event) {
  pthread_mutex_lock(&lock);
  dropped[event]++;
  has_dropped = true;
  pthread_mutex_unlock(&lock);
}

bool wire_alive(void) {
  pthread_mutex_lock(&lock);
  bool alive = connection >= 0 && !dead;
  pthread_mutex_unlock(&lock);
  return alive;
}

/* Puts a frame into the queue. False if it is not there: a block is counted as dropped. */
bool wire_frame(uint8_t kind, const buffer *content, policy full) {
  pthread_mutex_lock(&lock);
  struct timespec until = in_ms(full == WAIT ? WAIT_MS : 0);
  while (!dead && full == WAIT && queued > QUEUE_BYTES && wait_until(&until)) continue;
  list *to = kind == REPLY || kind == PART ? &replies : &queue;
  bool there = !dead && queued <= QUEUE_BYTES && add(to, kind, content->bytes, content->length);
  if (!there && !dead && kind == BLOCK) count_block(content->bytes);
  pthread_mutex_unlock(&lock);
  return there;
}

/* A frame with the counts of what was dropped: number of the event (0: any) and count, each four bytes. */
static void add_drops(void) {
  uint32_t pairs[EVENTS * 2], count = 0;
  for (uint32_t event = 0; event < EVENTS; event++) {
    if (dropped[event] == 0) continue;
    pairs[count++] = event;
    pairs[count++] = dropped[event];
    dropped[event] = 0;
  }
  has_dropped = false;
  add(&queue, DROPPED, pairs, count * sizeof *pairs);
}

/* A thread of the connection ends. The last one closes the socket. */
static void *end_thread(void) {
  if (--running == 0) {
    close(connection);
    connection = -1;
  }
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);
  return NULL;
}

/* The list of the next frame that may be sent; NULL if there is none. Only blocks need credit: the front end waits for all others. */
static list *next_list(void) {
  if (replies.first != NULL) return &replies;
  return queue.first != NULL && (queue.first->bytes[4] != BLOCK || credit > 0) ? &queue : NULL;
}

/* Takes the first frames that may be sent. */
static void take_frames(buffer *to) {
  to->length = 0;
  for (list *from; to->length < GATHERED_BYTES && (from = next_list()) != NULL;) {
    frame *one = take(from);
    if (one->bytes[4] == BLOCK) credit -= (int64_t)one->length;
    put_bytes(to, one->bytes, one->length);
    free(one);
  }
  writing = to->length > 0;
  pthread_cond_broadcast(&changed);
}

static void *writer(void *unused) {
  buffer bytes = {0};
  pthread_mutex_lock(&lock);
  while (!dead) {
    struct timespec until = in_ms(FLUSH_MS);
    if (queue.first == NULL && replies.first == NULL) wait_until(&until);
    if (has_dropped && !dead && queued < QUEUE_BYTES / 2) add_drops();
    if (queue.first == NULL && replies.first == NULL) {
      pthread_mutex_unlock(&lock);
      idle();
      pthread_mutex_lock(&lock);
    }
    while (queue.first != NULL && next_list() == NULL) pthread_cond_wait(&changed, &lock);
    take_frames(&bytes);
    pthread_mutex_unlock(&lock);
    bool sent = !bytes.failed && transfer(connection, bytes.bytes, bytes.length, true);
    pthread_mutex_lock(&lock);
    writing = false;
    if (!sent) die();
    pthread_cond_broadcast(&changed);
  }
  drop_buffer(&bytes);
  return end_thread();
}

/* Handles a frame of the front end. */
static void receive(uint8_t kind, const uint8_t *bytes, size_t length) {
  pthread_mutex_lock(&lock);
  if (kind == CREDIT && length >= 4) credit += number_at(bytes);
  if ((kind == CALL && length >= 5) || kind == GO) add(&calls, kind, bytes, length);
  call_count += kind == CALL;
  for (hold *at = kind == RELEASE && length >= 4 ? holds : NULL; at != NULL; at = at->next) {
    if (at->id != number_at(bytes)) continue;
    put_bytes(at->answer, bytes + 4, length - 4);
    at->done = true;
  }
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);
}

static void *reader(void *unused) {
  uint8_t header[HEADER];
  while (transfer(connection, header, HEADER, false)) {
    uint32_t length = number_at(header);
    uint8_t *bytes = length > FRAME_LIMIT ? NULL : malloc((size_t)length + 1);
    bool whole = bytes != NULL && transfer(connection, bytes, length, false);
    if (whole) receive(header[4], bytes, length);
    free(bytes);
    if (!whole) break;
  }
  pthread_mutex_lock(&lock);
  die();
  shutdown(connection, SHUT_RDWR); /* the other thread may write */
  return end_thread();
}

/* The next call or GO, which the caller frees; NULL when the front end is gone, or the deadline (0: none) has passed. */
frame *next_call(uint64_t deadline_ms) {
  pthread_mutex_lock(&lock);
  struct timespec until = in_ms(deadline_ms);
  while (calls.first == NULL && !dead)
    if (deadline_ms == 0) pthread_cond_wait(&changed, &lock);
    else if (!wait_until(&until)) break;
  frame *next = take(&calls);
  pthread_mutex_unlock(&lock);
  return next;
}

/*
 * Sends a block whose thread waits here until the front end releases it, HOLD_MS at most; `answer` gets what it sends. False if the event does not
 * get there.
 */
bool wire_hold(const buffer *block, buffer *answer) {
  hold own = {.answer = answer};
  buffer bytes = {0};
  pthread_mutex_lock(&lock);
  own.id = ++last_hold;
  own.next = holds;
  holds = &own;
  pthread_mutex_unlock(&lock);
  put_u32(&bytes, own.id);
  put_bytes(&bytes, block->bytes, block->length);
  bool sent = !bytes.failed && wire_frame(HOLD, &bytes, WAIT);
  drop_buffer(&bytes);
  pthread_mutex_lock(&lock);
  uint32_t calls_seen = call_count;
  struct timespec until = in_ms(HOLD_MS);
  while (sent && !own.done && !dead) {
    if (wait_until(&until)) continue;
    if (calls_seen == call_count) break;
    calls_seen = call_count;
    until = in_ms(HOLD_MS);
  }
  hold **at = &holds;
  while (*at != &own) at = &(*at)->next;
  *at = own.next;
  pthread_mutex_unlock(&lock);
  return sent;
}

/* Waits until the queue is empty, or the deadline has passed. */
static void wait_empty(uint64_t deadline_ms) {
  struct timespec until = in_ms(deadline_ms);
  while ((queue.first != NULL || replies.first != NULL || writing) && !dead && wait_until(&until)) continue;
}

/* Waits until everything in the queue is written. What the front end does not take in time is counted as dropped. */
void wire_drain(void) {
  pthread_mutex_lock(&lock);
  if (has_dropped && !dead) add_drops();
  wait_empty(HOLD_MS);
  list left = queue;
  for (const frame *one = left.first; one != NULL; one = one->next) queued -= one->length;
  queue = (list){0};
  for (frame *one; (one = take(&left)) != NULL; free(one))
    if (one->bytes[4] == BLOCK) count_block(one->bytes + HEADER);
    else add(&queue, one->bytes[4], one->bytes + HEADER, one->length - HEADER);
  if (has_dropped && !dead) add_drops();
  wait_empty(LAST_MS);
  pthread_mutex_unlock(&lock);
}

/* Forgets an earlier connection. False if it has not ended. */
static bool forget(void) {
  struct timespec until = in_ms(FORGET_MS);
  pthread_mutex_lock(&lock);
  while (running > 0 && dead && wait_until(&until)) continue;
  bool ended = running == 0;
  if (ended) {
    dead = writing = has_dropped = false;
    credit = 0;
    memset(dropped, 0, sizeof dropped);
    clear(&calls);
    clear(&queue);
    clear(&replies);
  }
  pthread_mutex_unlock(&lock);
  return ended;
}

static bool start(void *(*run)(void *)) {
  pthread_t made;
  bool started = pthread_create(&made, NULL, run, NULL) == 0;
  if (started) pthread_detach(made);
  pthread_mutex_lock(&lock);
  if (started) pthread_mutex_unlock(&lock);
  else end_thread();
  return started;
}

/* Connects, and starts both threads. `gather` puts into the queue what waits elsewhere; it is called when the queue is empty. */
bool wire_open(const char *folder, void (*gather)(void)) {
  if (!forget() || (connection = socket_open(folder)) < 0) return false;
  idle = gather;
  running = 2;
  bool reads = start(reader), writes = start(writer);
  if (!reads || !writes) shutdown(connection, SHUT_RDWR);
  return reads && writes;
}
