#ifndef KANSOKU_HPROF_PROBE_CLASS_H
#define KANSOKU_HPROF_PROBE_CLASS_H

#define PROBE_CLASS "kansoku/Probe"

#include <jni.h>
#include <stdbool.h>

/* Makes the class in the VM, with its methods bound to the probe; false, with the reason on standard error, if the VM refuses it. */
bool make_probe(JNIEnv *jni);

#endif
