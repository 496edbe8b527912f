/* The remote half: events as frames on a Unix socket, and calls that arrive there. */
#ifndef KANSOKU_REMOTE_H
#define KANSOKU_REMOTE_H

#include "../agent.h"

#define PROTOCOL 1
#define BLOCK_BYTES 8192

/* Bits beside the number of an event in its record. */
enum { EXTRAS = 0x80 };

/* Kinds of frames: up to 15 from the agent, from 16 to it. */
enum { HELLO = 1, BLOCK = 2, REPLY = 3, DROPPED = 4, HOLD = 5, PART = 6, CALL = 16, CREDIT = 17, RELEASE = 18, GO = 19 };

/* What to do with a frame if the queue is full. */
typedef enum { DROP, WAIT } policy;

#define HEADER 8

/* A frame with its head. */
typedef struct frame {
  struct frame *next;
  size_t length;
  uint8_t bytes[];
} frame;

/* socket.c, wire.c */
int socket_open(const char *folder);
bool transfer(int connection, uint8_t *bytes, size_t length, bool writes);
uint32_t number_at(const uint8_t *bytes);
bool wire_open(const char *folder, void (*gather)(void));
void wire_drain(void);
bool wire_alive(void);
bool wire_frame(uint8_t kind, const buffer *bytes, policy full);
void wire_count_drop(jint event);
bool wire_hold(const buffer *block, buffer *answer);
frame *next_call(uint64_t deadline_ms);

/* blocks.c */
extern _Atomic int trace_depth[EVENTS], wants[EVENTS], blocking[EVENTS];
/* Bits of `wants`: what is sent beside an event, with its trace. */
#define WANTS_CPU 1
#define WANTS_STATUS 2
extern buffer *reply_content; /* what requested events are put into */
void remote_deliver(message *what);
void flush_threads(void);
void end_blocks(agent_thread *of);
void put_frames(buffer *to, jint count, const JVMPI_CallFrame *frames);
void put_monitor_use(void *to, const monitor_use *use);

/* heap-parts.c */
bool put_heap(buffer *to, JNIEnv *jni, jint level, jobject only, uint32_t call_id);

/* calls.c */
int serve(JNIEnv *jni, bool until_go);
void end_calls(void);
void JNICALL serve_thread(jvmtiEnv *ti, JNIEnv *jni, void *unused);

/* start.c */
extern const half remote_half;

#endif
