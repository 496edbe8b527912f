/* A dump of the heap with the traces that it names. */
#include "dump-output.h"
#include "../output.h"
#include <inttypes.h>

void dump_heap(JNIEnv *jni) {
  if (chosen.collects) (*hprof_ti)->ForceGarbageCollection(hprof_ti);
  class_shapes classes = {0};
  bool whole = take_shapes(jni, &classes);
  name_threads(jni);
  FILE *to = lock_output();
  dump_result result = {.failed = true};
  if (whole && take_traces(jni, &classes)) result = chosen.binary ? write_dump(to, &classes) : print_dump(to, &classes);
  unlock_output();
  drop_shapes(&classes);
  if (result.failed) fputs("HPROF ERROR: memory ran out, or the VM refused it: the dump of the heap is not whole\n", stderr);
  if (result.of_new_classes > 0)
    fprintf(stderr, "HPROF: %" PRIu64 " objects of classes that were loaded while the dump began are not in it\n", result.of_new_classes);
}
