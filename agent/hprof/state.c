/* What all of the agent needs. */
#include "hprof.h"

jvmtiEnv *hprof_ti;
JavaVM *hprof_vm;
hprof_options chosen;
_Atomic bool counting;

void free_of_vm(void *memory) {
  if (memory != NULL) (*hprof_ti)->Deallocate(hprof_ti, memory);
}
