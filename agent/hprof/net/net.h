/*
 * net=host:port: the agent connects, sends its file as it is written, and takes commands (spec of the JDK 8 agent, hprof_listener.c): a byte of
 * kind, a serial and a length that are ignored, and what the kind needs, big-endian; ids as the file has them.
 */
#ifndef KANSOKU_HPROF_NET_H
#define KANSOKU_HPROF_NET_H

#include "../hprof.h"

/* connect.c: a stream to `host:port`; NULL if nobody listens there. `socket` is for reading. */
FILE *connect_to(const char *address, int *socket);

/* listener.c: starts the thread that takes commands. */
void start_listener(JNIEnv *jni, int socket);
/* Commands that are run have ended, and no further one begins. */
void stop_listener(void);

/* commands.c: runs a command whose kind was read; `words` are those behind it. Called by one thread only. */
void collect_garbage(void);
void send_heap(JNIEnv *jni);
void send_sites(uint32_t flags, double cutoff);
void send_summary(void);
void send_traces(void);
void send_samples(JNIEnv *jni, double cutoff);
/* False if there is no such control. */
bool control(JNIEnv *jni, uint32_t what, uint32_t word);

#endif
