#ifndef KANSOKU_HPROF_MONITORS_H
#define KANSOKU_HPROF_MONITORS_H

#include "hprof.h"

/* Adds what monitor=y asks the VM for. */
void ask_for_monitors(jvmtiCapabilities *wanted, jvmtiEventCallbacks *callbacks);
/* From now on, waits are printed and counted. */
void watch_monitors(void);
/* Hands the threads and monitors of this moment to the output; `at_end`: of the VM. */
void take_monitors(JNIEnv *jni, bool at_end);

#endif
