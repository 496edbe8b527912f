/*
 * The socket: one thread writes what application threads put into a queue, one reads. No application thread ever writes to
 * the socket; it waits for room in the queue only where an event must not be lost, and then at most WAIT_MS.
 */
#include "socket.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define QUEUE_BYTES (16u << 20)
#define FRAME_LIMIT (256u << 20)
#define FLUSH_MS 100
#define WAIT_MS 10000
/* How long the last counts may take. */
#define LAST_MS 1000
#define HOLDS 64
/* How long a handler may hold a thread. */
#define HOLD_MS 10000
/* Bytes of frames that are taken from the queue together. */
#define GATHERED_BYTES (256u << 10)
/* How long a new connection waits for the end of the one before. */
#define FORGET_MS 2000

typedef struct {
  uint32_t id;
  bool waiting, done;
  uint8_t *answer;
  size_t length;
} hold;

static int connection = -1;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static frame *first, *last;
static size_t queued;
static int64_t credit;
static bool dead, writing;
static int running; /* threads of this connection */
static uint32_t dropped[EVENTS];
static bool has_dropped;
static call *first_call, *last_call;
static hold holds[HOLDS];
static uint32_t last_hold;

bool wire_alive(void) {
  pthread_mutex_lock(&lock);
  bool alive = connection >= 0 && !dead;
  pthread_mutex_unlock(&lock);
  return alive;
}

/* The front end is gone: nobody waits for it any more. Called with the lock. */
static void die(void) {
  dead = true;
  drop_frames(first);
  first = last = NULL;
  queued = 0;
  for (int i = 0; i < HOLDS; i++) holds[i].done = true;
  pthread_cond_broadcast(&changed);
}

/* Appends a frame. Called with the lock; false if memory ran out. */
static bool append(uint8_t kind, const void *bytes, size_t length) {
  frame *made = malloc(sizeof *made + HEADER + length);
  if (made == NULL) return false;
  *made = (frame){.length = HEADER + length};
  for (int i = 0; i < HEADER; i++) made->bytes[i] = i < 4 ? (uint8_t)(length >> (8 * i)) : i == 4 ? kind : 0;
  if (length > 0) memcpy(made->bytes + HEADER, bytes, length);
  if (last == NULL) first = made;
  else last->next = made;
  last = made;
  queued += made->length;
  pthread_cond_broadcast(&changed);
  return true;
}

void wire_count_drop(jint event) {
  pthread_mutex_lock(&lock);
  dropped[event]++;
  has_dropped = true;
  pthread_mutex_unlock(&lock);
}

static uint32_t number_at(const uint8_t *bytes) {
  return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

/* Counts the records of a block that is not sent: their number leads it. */
static void count_block(const uint8_t *bytes) {
  dropped[0] += number_at(bytes);
  has_dropped = true;
}

/* Puts a frame into the queue. False if it is not there: a block is counted as dropped. */
bool wire_frame(uint8_t kind, const buffer *content, policy full) {
  pthread_mutex_lock(&lock);
  struct timespec until = in_ms(WAIT_MS);
  while (!dead && full == WAIT && queued > QUEUE_BYTES)
    if (pthread_cond_timedwait(&changed, &lock, &until) == ETIMEDOUT) break;
  bool there = !dead && queued <= QUEUE_BYTES && append(kind, content->bytes, content->length);
  if (!there && !dead && kind == BLOCK) count_block(content->bytes);
  pthread_mutex_unlock(&lock);
  return there;
}

/* A frame with the counts of what was dropped: number of the event (0: any) and count, each four bytes. */
static void append_drops(void) {
  uint8_t bytes[EVENTS * 8];
  size_t length = 0;
  for (uint32_t event = 0; event < EVENTS; event++) {
    if (dropped[event] == 0) continue;
    memcpy(bytes + length, &event, 4);
    memcpy(bytes + length + 4, &dropped[event], 4);
    length += 8;
    dropped[event] = 0;
  }
  has_dropped = false;
  append(DROPPED, bytes, length);
}

/* A thread of the connection ends. The last one closes the socket. */
static void *end_thread(void) {
  pthread_mutex_lock(&lock);
  if (--running == 0) {
    close(connection);
    connection = -1;
  }
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);
  return NULL;
}

/* Replies and events that hold a thread need no credit: the front end waits for them. */
static bool may_send(const frame *one) { return one->bytes[4] != BLOCK || credit > 0; }

/* Takes the first frames from the queue, up to one that has no credit. Called with the lock. */
static frame *take_frames(void) {
  frame *taken = dead ? NULL : first, **end = &taken;
  size_t bytes = 0;
  while (!dead && first != NULL && bytes < GATHERED_BYTES && may_send(first)) {
    if (first->bytes[4] == BLOCK) credit -= (int64_t)first->length;
    bytes += first->length;
    end = &first->next;
    first = first->next;
  }
  *end = NULL;
  if (first == NULL) last = NULL;
  queued -= bytes;
  writing = bytes > 0;
  pthread_cond_broadcast(&changed);
  return taken;
}

static void *writer(void *unused) {
  (void)unused;
  for (;;) {
    pthread_mutex_lock(&lock);
    if (first == NULL && !dead) {
      struct timespec until = in_ms(FLUSH_MS);
      pthread_cond_timedwait(&changed, &lock, &until);
    }
    if (dead) {
      pthread_mutex_unlock(&lock);
      return end_thread();
    }
    bool idle = first == NULL;
    if (has_dropped && queued < QUEUE_BYTES / 2) append_drops();
    pthread_mutex_unlock(&lock);
    if (idle) flush_threads();

    pthread_mutex_lock(&lock);
    while (first != NULL && !dead && !may_send(first)) pthread_cond_wait(&changed, &lock);
    frame *taken = take_frames();
    pthread_mutex_unlock(&lock);
    if (taken == NULL) continue;
    bool sent = write_frames(connection, taken);
    pthread_mutex_lock(&lock);
    writing = false;
    if (!sent) die();
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
  }
}

/* Called with the lock. */
static void append_call(uint32_t id, uint8_t function, const uint8_t *bytes, size_t length) {
  call *made = malloc(sizeof *made + length);
  if (made == NULL) return; /* the front end's deadline passes */
  *made = (call){.next = NULL, .id = id, .function = function, .length = length};
  if (length > 0) memcpy(made->bytes, bytes, length);
  if (last_call == NULL) first_call = made;
  else last_call->next = made;
  last_call = made;
}

/* Called with the lock. */
static void release_hold(uint32_t id, const uint8_t *bytes, size_t length) {
  for (int i = 0; i < HOLDS; i++) {
    if (!holds[i].waiting || holds[i].id != id) continue;
    holds[i].done = true;
    if (length > 0 && (holds[i].answer = malloc(length)) != NULL) {
      memcpy(holds[i].answer, bytes, length);
      holds[i].length = length;
    }
  }
}

/* Handles a frame of the front end. */
static void receive(uint8_t kind, const uint8_t *bytes, size_t length) {
  pthread_mutex_lock(&lock);
  if (kind == CREDIT && length >= 4) credit += number_at(bytes);
  if (kind == CALL && length >= 5) append_call(number_at(bytes), bytes[4], bytes + 5, length - 5);
  if (kind == RELEASE && length >= 4) release_hold(number_at(bytes), bytes + 4, length - 4);
  if (kind == GO) append_call(0, CALL_GO, bytes, length);
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);
}

static void *reader(void *unused) {
  (void)unused;
  uint8_t header[HEADER];
  while (read_all(connection, header, HEADER)) {
    uint32_t length = number_at(header);
    uint8_t *bytes = length > FRAME_LIMIT ? NULL : malloc((size_t)length + 1);
    if (bytes == NULL || !read_all(connection, bytes, length)) {
      free(bytes);
      break;
    }
    receive(header[4], bytes, length);
    free(bytes);
  }
  pthread_mutex_lock(&lock);
  die();
  pthread_mutex_unlock(&lock);
  shutdown(connection, SHUT_RDWR); /* the other thread may write */
  return end_thread();
}

/* The next call; CALL_END when the front end is gone or the deadline (0: none) has passed. NULL if memory ran out. */
call *next_call(uint64_t deadline_ms) {
  pthread_mutex_lock(&lock);
  struct timespec until = in_ms(deadline_ms);
  while (first_call == NULL && !dead)
    if (deadline_ms == 0) pthread_cond_wait(&changed, &lock);
    else if (pthread_cond_timedwait(&changed, &lock, &until) == ETIMEDOUT) break;
  call *next = first_call;
  if (next != NULL) {
    first_call = next->next;
    if (first_call == NULL) last_call = NULL;
  }
  pthread_mutex_unlock(&lock);
  if (next == NULL) next = calloc(1, sizeof *next);
  return next;
}

/*
 * Sends a block whose thread waits here until the front end releases it, HOLD_MS at most; `answer` gets what it sends. False if the event did not
 * reach it, or too many threads wait.
 */
bool wire_hold(const buffer *block, buffer *answer) {
  pthread_mutex_lock(&lock);
  hold *own = NULL;
  for (int i = 0; i < HOLDS && own == NULL && !dead; i++)
    if (!holds[i].waiting) own = &holds[i];
  if (own != NULL) *own = (hold){.id = ++last_hold, .waiting = true};
  pthread_mutex_unlock(&lock);
  if (own == NULL) return false;
  buffer bytes = {0};
  put_u32(&bytes, own->id);
  put_bytes(&bytes, block->bytes, block->length);
  bool sent = !bytes.failed && wire_frame(HOLD, &bytes, WAIT);
  drop_buffer(&bytes);
  pthread_mutex_lock(&lock);
  struct timespec until = in_ms(HOLD_MS);
  while (sent && !own->done && !dead)
    if (pthread_cond_timedwait(&changed, &lock, &until) == ETIMEDOUT) break;
  hold ended = *own;
  *own = (hold){0};
  if (ended.done && !dead) put_bytes(answer, ended.answer, ended.length);
  pthread_mutex_unlock(&lock);
  free(ended.answer);
  return sent;
}

/* Waits until the queue is empty, or the deadline has passed. Called with the lock. */
static void wait_empty(uint64_t deadline_ms) {
  struct timespec until = in_ms(deadline_ms);
  while ((first != NULL || writing) && !dead)
    if (pthread_cond_timedwait(&changed, &lock, &until) == ETIMEDOUT) break;
}

/* Waits until everything in the queue is written. What the front end does not take in time is counted as dropped. */
void wire_drain(void) {
  pthread_mutex_lock(&lock);
  if (has_dropped && !dead) append_drops();
  wait_empty(HOLD_MS);
  for (frame **at = &first; *at != NULL && !dead;) {
    frame *one = *at;
    if (one->bytes[4] != BLOCK) {
      at = &one->next;
      continue;
    }
    count_block(one->bytes + HEADER);
    queued -= one->length;
    *at = one->next;
    free(one);
  }
  last = NULL;
  for (frame *at = first; at != NULL; at = at->next) last = at;
  if (has_dropped && !dead) append_drops();
  wait_empty(LAST_MS);
  pthread_mutex_unlock(&lock);
}

/* Forgets an earlier connection. False if it has not ended. */
static bool forget(void) {
  struct timespec until = in_ms(FORGET_MS);
  pthread_mutex_lock(&lock);
  while (running > 0 && dead)
    if (pthread_cond_timedwait(&changed, &lock, &until) == ETIMEDOUT) break;
  bool ended = running == 0;
  if (ended) {
    dead = writing = has_dropped = false;
    credit = 0;
    memset(dropped, 0, sizeof dropped);
    memset(holds, 0, sizeof holds);
    while (first_call != NULL) {
      call *next = first_call->next;
      free(first_call);
      first_call = next;
    }
    last_call = NULL;
  }
  pthread_mutex_unlock(&lock);
  return ended;
}

/* Connects, and starts both threads. */
bool wire_open(const char *folder) {
  pthread_t made;
  pthread_attr_t attributes;
  if (!forget() || (connection = socket_open(folder)) < 0) return false;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  running = 2;
  bool reads = pthread_create(&made, &attributes, reader, NULL) == 0;
  bool writes = reads && pthread_create(&made, &attributes, writer, NULL) == 0;
  pthread_attr_destroy(&attributes);
  if (!reads) end_thread();
  if (!writes) end_thread();
  return writes;
}
