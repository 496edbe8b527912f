/* What the head of the file says of its sections of the heap. */
#include "heap.h"

void print_about_heap(FILE *to) {
  fputs("Objects are counted from the moment on in which the VM was complete. The trace of an object begins with the method whose\n"
        "instruction allocated it.\n"
        "\n"
        "SITES         by class and trace: live bytes and objects, and what was allocated since the start\n", to);
  fprintf(to, "  alloc'ed    exact\n");
  if (chosen.every_object) fputs("  live        exact\n", to);
  else fprintf(to, "  live        estimates: one object in %d bytes is followed, and stands for others\n", SAMPLE_BYTES);
  fputs(chosen.collects ? "  live        after a collection that this agent forced\n"
                        : "  live        what collections have left so far: no collection was forced, so garbage counts\n", to);
}
