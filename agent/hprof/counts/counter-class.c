/* The class whose method raises the counters. */
#include "counts.h"
#include "../rewrite/class-bytes.h"

enum { LONG = 5, FIELD = 9, METHOD = 10, NAME_AND_TYPE = 12 };
enum { PUBLIC_FINAL_SUPER = 0x31, PUBLIC_STATIC = 9, STATIC = 8, STATIC_FINAL = 0x18 };
/* Without frames; every JVM reads it. */
#define VERSION 49

/* The constants, in their order; a long takes two places. */
enum {
  NAME = 1, THIS, OBJECT_NAME, OBJECT, COUNT, COUNT_TYPE, CODE, ANNOTATIONS, INLINED, THREAD_NAME, THREAD, CURRENT, CURRENT_TYPE, CURRENT_PAIR,
  CURRENT_METHOD, COUNTERS, COUNTERS_TYPE, COUNTERS_PAIR, COUNTERS_FIELD, BASE, BASE_END, UNSAFE_NAME, UNSAFE, MEMORY, MEMORY_TYPE, MEMORY_PAIR,
  MEMORY_FIELD, GET, GET_TYPE, GET_PAIR, GET_METHOD, PUT, PUT_TYPE, PUT_PAIR, PUT_METHOD, UNSAFE_GET, UNSAFE_GET_TYPE, UNSAFE_GET_PAIR,
  UNSAFE_GET_METHOD, INITIALISER, INITIALISER_TYPE, CONSTANTS
};

static void put_pair(buffer *to, uint32_t tag, uint32_t first, uint32_t second) {
  put_u8(to, (uint8_t)tag);
  put_u16_be(to, first);
  put_u16_be(to, second);
}

static void put_constants(buffer *to, const char *current, const void *base) {
  uint64_t address = (uint64_t)(uintptr_t)base;
  put_u16_be(to, CONSTANTS);
  put_text(to, COUNTER_CLASS);
  put_class_of(to, NAME);
  put_text(to, "java/lang/Object");
  put_class_of(to, OBJECT_NAME);
  put_text(to, COUNTER_METHOD);
  put_text(to, "(I)V");
  put_text(to, "Code");
  put_text(to, "RuntimeVisibleAnnotations");
  put_text(to, "Ljdk/internal/vm/annotation/ForceInline;");
  put_text(to, "java/lang/Thread");
  put_class_of(to, THREAD_NAME);
  put_text(to, current);
  put_text(to, "()Ljava/lang/Thread;");
  put_pair(to, NAME_AND_TYPE, CURRENT, CURRENT_TYPE);
  put_pair(to, METHOD, THREAD, CURRENT_PAIR);
  put_text(to, COUNTER_FIELD);
  put_text(to, "J");
  put_pair(to, NAME_AND_TYPE, COUNTERS, COUNTERS_TYPE);
  put_pair(to, FIELD, THREAD, COUNTERS_PAIR);
  put_u8(to, LONG);
  put_u32_be(to, (uint32_t)(address >> 32));
  put_u32_be(to, (uint32_t)address);
  put_text(to, "jdk/internal/misc/Unsafe");
  put_class_of(to, UNSAFE_NAME);
  put_text(to, "memory");
  put_text(to, "Ljdk/internal/misc/Unsafe;");
  put_pair(to, NAME_AND_TYPE, MEMORY, MEMORY_TYPE);
  put_pair(to, FIELD, THIS, MEMORY_PAIR);
  put_text(to, "getLong");
  put_text(to, "(Ljava/lang/Object;J)J");
  put_pair(to, NAME_AND_TYPE, GET, GET_TYPE);
  put_pair(to, METHOD, UNSAFE, GET_PAIR);
  put_text(to, "putLong");
  put_text(to, "(Ljava/lang/Object;JJ)V");
  put_pair(to, NAME_AND_TYPE, PUT, PUT_TYPE);
  put_pair(to, METHOD, UNSAFE, PUT_PAIR);
  put_text(to, "getUnsafe");
  put_text(to, "()Ljdk/internal/misc/Unsafe;");
  put_pair(to, NAME_AND_TYPE, UNSAFE_GET, UNSAFE_GET_TYPE);
  put_pair(to, METHOD, UNSAFE, UNSAFE_GET_PAIR);
  put_text(to, "<clinit>");
  put_text(to, "()V");
}

static void put_code(buffer *to, uint32_t stack, uint32_t locals, const uint8_t *instructions, uint32_t length) {
  put_u16_be(to, CODE);
  put_u32_be(to, 12 + length);
  put_u16_be(to, stack);
  put_u16_be(to, locals);
  put_u32_be(to, length);
  put_bytes(to, instructions, length);
  put_u32_be(to, 0); /* neither handlers nor attributes */
}

/* void count(int n) { long at = Thread.current().counters + BASE + ((long) n << 3); memory.putLong(null, at, memory.getLong(null, at) + 1); } */
static void put_count(buffer *to) {
  static const uint8_t INSTRUCTIONS[] = {
      0xb8, 0, CURRENT_METHOD, /* invokestatic */
      0xb4, 0, COUNTERS_FIELD, /* getfield */
      0x14, 0, BASE, 0x61,     /* ldc2_w, ladd */
      0x1a, 0x85, 0x06, 0x79,  /* iload_0, i2l, iconst_3, lshl */
      0x61, 0x40,              /* ladd, lstore_1 */
      0xb2, 0, MEMORY_FIELD,   /* getstatic */
      0x01, 0x1f,              /* aconst_null, lload_1 */
      0xb2, 0, MEMORY_FIELD,   /* getstatic */
      0x01, 0x1f,              /* aconst_null, lload_1 */
      0xb6, 0, GET_METHOD,     /* invokevirtual */
      0x0a, 0x61,              /* lconst_1, ladd */
      0xb6, 0, PUT_METHOD,     /* invokevirtual */
      0xb1,                    /* return */
  };
  put_u16_be(to, PUBLIC_STATIC);
  put_u16_be(to, COUNT);
  put_u16_be(to, COUNT_TYPE);
  put_u16_be(to, 2);
  put_code(to, 8, 3, INSTRUCTIONS, sizeof INSTRUCTIONS);
  put_u16_be(to, ANNOTATIONS);
  put_u32_be(to, 6);
  put_u16_be(to, 1);
  put_u16_be(to, INLINED);
  put_u16_be(to, 0);
}

/* memory = Unsafe.getUnsafe() */
static void put_initialiser(buffer *to) {
  static const uint8_t INSTRUCTIONS[] = {0xb8, 0, UNSAFE_GET_METHOD, 0xb3, 0, MEMORY_FIELD, 0xb1};
  put_u16_be(to, STATIC);
  put_u16_be(to, INITIALISER);
  put_u16_be(to, INITIALISER_TYPE);
  put_u16_be(to, 1);
  put_code(to, 1, 0, INSTRUCTIONS, sizeof INSTRUCTIONS);
}

static void put_counter_class(buffer *to, const char *current, const void *base) {
  put_u32_be(to, 0xcafebabe);
  put_u32_be(to, VERSION);
  put_constants(to, current, base);
  put_u16_be(to, PUBLIC_FINAL_SUPER);
  put_u16_be(to, THIS);
  put_u16_be(to, OBJECT);
  put_u16_be(to, 0); /* no interfaces */
  put_u16_be(to, 1);
  put_u16_be(to, STATIC_FINAL);
  put_u16_be(to, MEMORY);
  put_u16_be(to, MEMORY_TYPE);
  put_u16_be(to, 0);
  put_u16_be(to, 2);
  put_count(to);
  put_initialiser(to);
  put_u16_be(to, 0);
}

bool make_counter_class(JNIEnv *jni, const char *current, const void *base) {
  buffer bytes = {0};
  put_counter_class(&bytes, current, base);
  jclass made = bytes.failed ? NULL : (*jni)->DefineClass(jni, COUNTER_CLASS, NULL, (const jbyte *)bytes.bytes, (jsize)bytes.length);
  drop_buffer(&bytes);
  /* Initialised before any method counts: number 0 is no method. */
  jmethodID count = made == NULL ? NULL : (*jni)->GetStaticMethodID(jni, made, COUNTER_METHOD, "(I)V");
  if (count != NULL) (*jni)->CallStaticVoidMethod(jni, made, count, 0);
  if (made != NULL) (*jni)->DeleteLocalRef(jni, made);
  bool failed = (*jni)->ExceptionCheck(jni);
  if (failed) (*jni)->ExceptionDescribe(jni);
  return count != NULL && !failed;
}
