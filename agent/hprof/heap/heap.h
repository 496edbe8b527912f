/*
 * heap=sites and heap=dump: where objects were allocated, and which of them are there at a dump.
 *
 * The tag of an object is the number of its site, shifted by 32 bits, and its serial, which it has once it was named: 0 until then. Locks: that of
 * the sites is held alone, or over calls of the VM that take no lock of the agent.
 */
#ifndef KANSOKU_HPROF_HEAP_H
#define KANSOKU_HPROF_HEAP_H

#include "../hprof.h"

/* Ids of objects in the file begin here: behind it is the serial. */
#define FIRST_ID 0x50000000u

/* Bytes between samples of allocations. */
#define SAMPLE_BYTES (512 * 1024)

/* A class with objects. */
typedef struct {
  char *signature; /* of the VM */
  char *name;      /* as it is printed */
  uint32_t serial; /* of its object */
  bool written;    /* format=b */
  bool counted;    /* it has objects */
  uint64_t bytes;  /* of an instance, where objects are counted and not seen; 0: not known yet */
} heap_class;

/* The objects of a class that were allocated with a stack. */
typedef struct {
  thread_stack *stack;
  uint32_t type; /* number of its class */
  uint32_t number;
  _Atomic uint64_t objects, bytes;  /* since the start */
  double live_objects, live_bytes; /* when they were counted last */
  uint64_t written_live, written; /* bytes, when they were written last */
} allocation_site;

/* classes.c: the serial in a tag, which gets one. May be called while the VM stands still. */
uint32_t serial_in(jlong *tag);
/* That of an object, which gets one; 0 if the VM refuses it. */
uint32_t serial_of_object(jobject object);
/* The number of a class, from 1; 0 if memory ran out. */
uint32_t number_class(jclass type);
heap_class *class_with(uint32_t number);
/* The number of the classes with a signature, whatever their loaders. */
uint32_t number_signature(const char *signature);
/* NULL if none has it. */
heap_class *class_with_signature(const char *signature);

/* sites.c: NULL if memory ran out. */
allocation_site *site_of(thread_stack *stack, uint32_t type);
/* The site with a number from 1, NULL behind the last one. */
allocation_site *site_with(uint32_t number);

size_t site_count(void);

/* live.c: capabilities, events, and the sites of the objects that are there. */
void ask_for_allocations(jvmtiCapabilities *wanted, jvmtiEventCallbacks *callbacks);
bool set_interval(void);
bool watch_allocations(JNIEnv *jni);
void stop_allocations(void);
void resume_allocations(void);
void count_live_objects(void);
/* Whether this thread's allocations are the agent's own now. */
extern _Thread_local bool telling_of_agent;
void count_lost_object(void);
/* Counts an object that a call of rewritten code has returned; not one that `Arrays.copyOf` gets by reflection, whose calls are counted. */
void count_call_result(JNIEnv *jni, jclass type, jlong size, bool is_reflected);
/* Objects for whose sites there was no memory. */
uint64_t lost_objects(void);

/* How sites are written: those with less than a part of the total are left out, and with `incremental` those that are as they were written last. */
typedef struct {
  double cutoff;
  bool by_allocation, forced, incremental;
} site_choice;
/* As the options say. */
site_choice usual_sites(void);

/* sites-output.c, with the lock of the output. */
void print_sites(FILE *to, const site_choice *as);

/* sites-binary.c */
void write_sites(FILE *to, const site_choice *as);

/* dump-output.c: writes a dump of the heap; takes the lock of the output. */
void dump_heap(JNIEnv *jni);

/* about.c: the lines of the file's head that say how the sections of the heap came about. */
void print_about_heap(FILE *to);

#endif
