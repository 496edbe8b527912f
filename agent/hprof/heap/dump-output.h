/* What the writers of a dump share (dump-parts.c). */
#ifndef KANSOKU_HPROF_DUMP_OUTPUT_H
#define KANSOKU_HPROF_DUMP_OUTPUT_H

#include "dump.h"

/* The serial of threads that have none. */
#define UNKNOWN_THREAD 200000u

/* Prints the traces of all sites, before the dump; false if memory ran out. */
bool take_traces(JNIEnv *jni, const class_shapes *classes);
/* The serial of the trace of a site; that of the trace without frames for site 0. */
uint32_t trace_of_site(uint32_t site);
/* The name of the class that an object is. */
const char *name_of_class_object(uint32_t serial);
/* Writes each class once, behind those above it. */
void write_classes(class_shapes *classes, void (*write)(class_shape *of, uint32_t trace));

/* dump-text.c and dump-binary.c: with the lock of the output; both print all but the traces. */
dump_result print_dump(FILE *to, class_shapes *classes);
dump_result write_dump(FILE *to, class_shapes *classes);

#endif
