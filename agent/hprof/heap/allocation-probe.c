/* The class whose methods count allocations. It is made in the VM, in the loader of the VM's own classes. */
#include "counting.h"
#include "../rewrite/class-bytes.h"

enum { METHOD = 10, NAME_AND_TYPE = 12 };
enum { PUBLIC_FINAL_SUPER = 0x31, PUBLIC_STATIC = 9, PUBLIC_STATIC_NATIVE = 0x109 };
/* Without frames; every JVM reads it. */
#define VERSION 49

/* Entries of the pool. */
enum { THIS_NAME = 1, THIS, SUPER_NAME, SUPER, MADE, MADE_TYPE, ARRAY, ARRAY_TYPE, SEVERAL, SEVERAL_TYPE, CONTEXT, CONTEXT_TYPE, CODE, RETURNED, RETURNED_TYPE, CONTEXT_PAIR, CONTEXT_METHOD, ENTRIES };

static void put_pair(buffer *to, uint32_t tag, uint32_t first, uint32_t second) {
  put_u8(to, (uint8_t)tag);
  put_u16_be(to, first);
  put_u16_be(to, second);
}

static void put_head(buffer *to, uint32_t flags, uint32_t name, uint32_t type, uint32_t attributes) {
  put_u16_be(to, flags);
  put_u16_be(to, name);
  put_u16_be(to, type);
  put_u16_be(to, attributes);
}

static void put_method(buffer *to, uint32_t name, uint32_t type, uint32_t stack, uint32_t locals, const uint8_t *code, size_t length) {
  put_head(to, PUBLIC_STATIC, name, type, 1);
  put_u16_be(to, CODE);
  put_u32_be(to, (uint32_t)length + 12);
  put_u16_be(to, stack);
  put_u16_be(to, locals);
  put_u32_be(to, (uint32_t)length);
  put_bytes(to, code, length);
  put_u32_be(to, 0); /* neither handlers nor attributes */
}

/* `if (counters == null) counters = context(method); counters[cell]++; return counters` */
static const uint8_t MADE_CODE[] = {
    42, 199, 0, 8,              /* aload_0, ifnonnull */
    27, 184, 0, CONTEXT_METHOD, /* iload_1, invokestatic */
    75,                         /* astore_0 */
    42, 28, 92, 47, 10, 97, 80, /* aload_0, iload_2, dup2, laload, lconst_1, ladd, lastore */
    42, 176,                    /* aload_0, areturn */
};

/* The same of (length, counters, method, cell, head, shift), and `counters[cell + 1] += head + (length << shift) + a - 1 & -a` */
static void put_array_method(buffer *to, uint32_t alignment) {
  const uint8_t code[] = {
      43, 199, 0, 8,              /* aload_1, ifnonnull */
      28, 184, 0, CONTEXT_METHOD, /* iload_2, invokestatic */
      76,                         /* astore_1 */
      43, 29, 92, 47, 10, 97, 80, /* aload_1, iload_3, dup2, laload, lconst_1, ladd, lastore */
      43, 29, 4, 96, 92, 47,      /* aload_1, iload_3, iconst_1, iadd, dup2, laload */
      26, 133, 21, 5, 121,        /* iload_0, i2l, iload 5, lshl */
      21, 4, 133, 97,             /* iload 4, i2l, ladd */
      17, (uint8_t)((alignment - 1) >> 8), (uint8_t)(alignment - 1), 133, 97,            /* sipush, i2l, ladd */
      17, (uint8_t)((0x10000 - alignment) >> 8), (uint8_t)(0x10000 - alignment), 133, 127, /* sipush, i2l, land */
      97, 80, 43, 176,            /* ladd, lastore, aload_1, areturn */
  };
  put_method(to, ARRAY, ARRAY_TYPE, 10, 6, code, sizeof code);
}

static void put_pool(buffer *to) {
  put_u16_be(to, ENTRIES);
  put_text(to, ALLOCATIONS_CLASS);
  put_class_of(to, THIS_NAME);
  put_text(to, "java/lang/Object");
  put_class_of(to, SUPER_NAME);
  put_text(to, "made");
  put_text(to, "([JII)[J");
  put_text(to, "array");
  put_text(to, "(I[JIIII)[J");
  put_text(to, "several");
  put_text(to, "(Ljava/lang/Object;[JII)[J");
  put_text(to, "context");
  put_text(to, "(I)[J");
  put_text(to, "Code");
  put_text(to, "returned");
  put_text(to, "(Ljava/lang/Object;II)V");
  put_pair(to, NAME_AND_TYPE, CONTEXT, CONTEXT_TYPE);
  put_pair(to, METHOD, THIS, CONTEXT_PAIR);
}

bool make_allocation_probe(JNIEnv *jni) {
  static char context_name[] = "context", context_type[] = "(I)[J", several_name[] = "several", several_type[] = "(Ljava/lang/Object;[JII)[J",
              returned_name[] = "returned", returned_type[] = "(Ljava/lang/Object;II)V";
  const JNINativeMethod natives[] = {{context_name, context_type, (void *)(uintptr_t)counters_of}, {several_name, several_type, (void *)(uintptr_t)count_several},
                                     {returned_name, returned_type, (void *)(uintptr_t)count_returned}};
  uint32_t alignment = measure_arrays(jni);
  buffer bytes = {0};
  put_u32_be(&bytes, 0xcafebabe);
  put_u32_be(&bytes, VERSION);
  put_pool(&bytes);
  put_u16_be(&bytes, PUBLIC_FINAL_SUPER);
  put_u16_be(&bytes, THIS);
  put_u16_be(&bytes, SUPER);
  put_u32_be(&bytes, 0); /* neither interfaces nor fields */
  put_u16_be(&bytes, 5);
  put_method(&bytes, MADE, MADE_TYPE, 6, 3, MADE_CODE, sizeof MADE_CODE);
  put_array_method(&bytes, alignment);
  put_head(&bytes, PUBLIC_STATIC_NATIVE, SEVERAL, SEVERAL_TYPE, 0);
  put_head(&bytes, PUBLIC_STATIC_NATIVE, CONTEXT, CONTEXT_TYPE, 0);
  put_head(&bytes, PUBLIC_STATIC_NATIVE, RETURNED, RETURNED_TYPE, 0);
  put_u16_be(&bytes, 0);
  jclass probe = bytes.failed || alignment == 0 ? NULL : (*jni)->DefineClass(jni, ALLOCATIONS_CLASS, NULL, (const jbyte *)bytes.bytes, (jsize)bytes.length);
  bool made = probe != NULL && (*jni)->RegisterNatives(jni, probe, natives, 3) == JNI_OK;
  if ((*jni)->ExceptionCheck(jni)) (*jni)->ExceptionDescribe(jni);
  drop_buffer(&bytes);
  return made;
}
