/*
 * The bridge: gives agents in C the function table of JVMPI in the process of the VM, and delivers events on their thread.
 * Ids are the VM's own where it has them: JNIEnv* of threads, jmethodID of methods.
 */
#ifndef KANSOKU_BRIDGE_H
#define KANSOKU_BRIDGE_H

#include "../agent.h"

/* load.c */
jint bridge_load(char *options);
void bridge_deliver(message *what);

/* heap-dump.c */
void put_big(buffer *to, uint64_t value, int bytes);
void put_word(buffer *to, const void *value);
void put_jvmpi_monitor(void *to, const monitor_use *use);

#endif
