/* Lines of code. */
#include "lines.h"

jint line_at(jvmtiEnv *ti, jmethodID method, jlocation location) {
  jint count = 0, line = -1;
  jvmtiLineNumberEntry *lines = NULL;
  if ((*ti)->GetLineNumberTable(ti, method, &count, &lines) != JVMTI_ERROR_NONE) return -1;
  jlocation best = -1;
  for (jint i = 0; i < count; i++)
    if (lines[i].start_location <= location && lines[i].start_location > best) {
      best = lines[i].start_location;
      line = lines[i].line_number;
    }
  (*ti)->Deallocate(ti, (unsigned char *)lines);
  return line;
}
