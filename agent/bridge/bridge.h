/*
 * The bridge: gives agents in C the function table of JVMPI in the process of the VM, and delivers events on their thread.
 * Ids are the VM's own where it has them: JNIEnv* of threads, jmethodID of methods.
 */
#ifndef KANSOKU_BRIDGE_H
#define KANSOKU_BRIDGE_H

#include "../agent.h"

/* load.c */
extern const half bridge_half;

/* collections.c */
void add_collection_callbacks(jvmtiEventCallbacks *callbacks);
void deliver_collections(uint64_t patience_ms);
void JNICALL deliver_thread(jvmtiEnv *ti, JNIEnv *jni, void *unused);

/* raw-monitors.c */
void put_raw_monitors(buffer *to);
void fill_raw_monitor_functions(JVMPI_Interface *of);

/* heap-dump.c */
jint heap_dump(JNIEnv *jni, jint level);
jint object_dump(JNIEnv *jni, jobject object);
void put_big(buffer *to, uint64_t value, int bytes);
void put_word(buffer *to, const void *value);
void put_jvmpi_monitor(void *to, const monitor_use *use);

#endif
