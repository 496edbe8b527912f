/* Lines of code, for all agents (lines.c). */
#ifndef KANSOKU_LINES_H
#define KANSOKU_LINES_H

#include <jvmti.h>

/* The number of the line at a place of a method with code; -1 if it is unknown. */
jint line_at(jvmtiEnv *ti, jmethodID method, jlocation location);

#endif
