/*
 * cpu=samples: each thread of Java has a timer that runs with its CPU time, and whose signal takes the stack by AsyncGetCallTrace, wherever the
 * thread is. Threads that wait use no CPU time, and are not sampled.
 */
#ifndef KANSOKU_HPROF_SAMPLES_H
#define KANSOKU_HPROF_SAMPLES_H

#include "../hprof.h"
#include <stdint.h>

/* A frame as HotSpot gives it; a negative place is that of native code. */
typedef struct {
  jint place;
  jmethodID method;
} sampled_frame;

/* sampler.c: what was measured since the VM was complete. */
typedef struct {
  uint64_t delivered;     /* samples */
  uint64_t without_stack; /* of those */
  uint64_t cpu_ns;        /* of the sampled threads */
  uint64_t sampling_ns;   /* of those, while samples were taken */
  uint64_t process_ns;    /* CPU time of the process */
  uint64_t without_timer; /* threads */
} sampler_totals;

/* False if the VM cannot be sampled. */
bool prepare_samples(void);
/* Adds what samples ask the VM for. */
void ask_for_samples(jvmtiEventCallbacks *callbacks);
/* The classes that are there already get what samples need. */
void begin_samples(JNIEnv *jni);
/* Samples this thread of the operating system from now on, as the thread of a serial. */
void sample_thread(JNIEnv *jni, uint32_t serial);
/* This thread of the operating system runs another thread of Java from now on. */
/* The method below which frames are those of a carrier; NULL before JDK 19. */
jmethodID first_of_virtual_threads(void);
void sample_as(uint32_t serial);
void stop_sampling_thread(void);
/* Whether the thread of a serial, 0: each one, is sampled from now on. */
void sample_only(uint32_t serial, bool on);
sampler_totals totals_of_samples(void);

/* sample-table.c: stacks with their samples; for handlers of signals, too. */
bool make_sample_table(void);
/* False if there is no room for the stack: the sample is one without a stack then. */
bool count_sample(uint32_t thread, const sampled_frame *frames, jint length);
/* Takes the samples since the last time. */
void take_samples(void (*take)(uint32_t thread, const sampled_frame *frames, jint length, uint64_t samples, void *to), void *to);

/* samples-output.c: a line of the heading, which each dump writes anew. */
void print_sampler(FILE *to);
/* Prints the table; with the lock of the output. */
/* `goes_on`: they are counted on. */
void print_samples(JNIEnv *jni, FILE *to, bool goes_on);
/* Forgets the samples until now; without the lock. */
void clear_samples(JNIEnv *jni);

#endif
