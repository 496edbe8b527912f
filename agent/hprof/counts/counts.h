/*
 * cpu=counts: how often each method was called, without a clock. Code in the start of each method raises a counter in memory of the thread that
 * runs it, which no other thread writes to: so no call is lost, and the compiler of the VM keeps the counter in a register in loops.
 *
 * Where the memory of a thread is, a field of java.lang.Thread says, which is added when the VM loads that class. The probe is a class of java.lang,
 * so that virtual threads count in the memory of their carrier. It has neither a test nor a call of its own: both would stay in compiled loops. So
 * threads that have no memory (yet) count in one that they share.
 */
#ifndef KANSOKU_HPROF_COUNTS_H
#define KANSOKU_HPROF_COUNTS_H

#include "../hprof.h"

#define COUNTER_CLASS "java/lang/KansokuCounts"
#define COUNTER_METHOD "count"
#define COUNTER_FIELD "kansokuCounts"

/* thread-field.c: the class java.lang.Thread with the field; empty if it cannot be added. The caller drops it. */
buffer with_counter_field(const uint8_t *bytes, size_t length);

/* counter-class.c: makes the probe. `current` is the method of Thread that gives the carrier, `base` what the field of a thread is added to. */
bool make_counter_class(JNIEnv *jni, const char *current, const void *base);

/* counts.c: makes the probe; false if the VM refuses. */
bool make_counters(JNIEnv *jni);
/* Gives a thread its counters, and keeps its counts when it ends. */
void give_counters(JNIEnv *jni, jthread thread);
void keep_counts(JNIEnv *jni, jthread thread);
/* As `number_method`, as long as there are counters. */
uint32_t number_counted(const rewritten_method *method);

/* Calls by number of the method since the last time; NULL if memory ran out. The caller frees it. */
uint64_t *take_counts(uint32_t *length);
/* Calls in the memory that threads share: of those that happen at once, some may be missing. */
uint64_t shared_calls(void);

/* counts-output.c: adds to the heading. */
void print_about_counts(FILE *to);
/* Prints the table; with the lock of the output. */
void print_counts(FILE *to);

#endif
