/* What the head of the file says of its sections of the heap. */
#include "heap.h"

void print_about_heap(FILE *to) {
  fputs("Objects are counted from the moment on in which the VM was complete. The trace of an object begins with the method whose\n"
        "instruction allocated it.\n"
        "\n"
        "SITES         by class and trace: live bytes and objects, and what was allocated since the start\n", to);
  if (chosen.every_object) fputs("  alloc'ed    each object that the VM allocated\n  live        exact\n", to);
  else
    fprintf(to, "  alloc'ed    exact: each instruction and call that allocates was counted as it ran\n"
                "  live        estimates: one object in %d bytes is followed, and stands for others\n", SAMPLE_BYTES);
  fputs(chosen.collects ? "  live        after a collection that this agent forced\n"
                        : "  live        what collections have left so far: no collection was forced, so garbage counts\n", to);
}
