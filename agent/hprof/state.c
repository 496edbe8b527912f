/* What all of the agent needs. */
#include "hprof.h"

jvmtiEnv *hprof_ti;
JavaVM *hprof_vm;
hprof_options chosen;
_Atomic bool counting;

void free_of_vm(void *memory) {
  if (memory != NULL) (*hprof_ti)->Deallocate(hprof_ti, memory);
}

bool enable_events(const jvmtiEvent *events, size_t count) {
  bool granted = true;
  for (size_t i = 0; i < count; i++)
    granted &= (*hprof_ti)->SetEventNotificationMode(hprof_ti, JVMTI_ENABLE, events[i], NULL) == JVMTI_ERROR_NONE;
  return granted;
}
