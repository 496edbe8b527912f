/* Allocations that are counted by code in the classes (rewrite/allocations.h). */
#ifndef KANSOKU_HPROF_COUNTING_H
#define KANSOKU_HPROF_COUNTING_H

#include "../rewrite/allocations.h"
#include "heap.h"

/* allocation-probe.c: makes the class that is called; false, with the reason on standard error, if the VM refuses it. */
bool make_allocation_probe(JNIEnv *jni);

/* array-sizes.c: how large arrays of this VM are. The alignment of objects; 0 if it cannot be told. */
uint32_t measure_arrays(JNIEnv *jni);
array_layout layout_of_arrays(char letter);

/* contexts.c: the methods of the class that is called. */
jlongArray JNICALL counters_of(JNIEnv *jni, jclass probe, jint method);
jlongArray JNICALL count_several(JNIEnv *jni, jclass probe, jobject made, jlongArray counters, jint method, jint cell);
void JNICALL count_returned(JNIEnv *jni, jclass probe, jobject made, jint method, jint cell);
/* The rewriter's: an instruction that allocates in a method. */
bool add_allocation(uint32_t method, const allocation *of);
/* Adds what a thread that ends has counted to the sites; all threads. */
void end_counting_thread(JNIEnv *jni, uint32_t serial);
void take_allocations(JNIEnv *jni);

/* instance-sizes.c: before rows are taken. */
void take_instance_sizes(JNIEnv *jni);
/* Objects whose sizes are not known, since their classes are unloaded: they are in no sum of bytes. */
uint64_t unknown_sizes(void);

#endif
