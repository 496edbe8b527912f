/* The class whose methods the rewritten code calls. It is made in the VM, in the loader of the VM's own classes. */
#include "hprof.h"
#include "probe-class.h"
#include "rewrite/class-bytes.h"

enum { PUBLIC = 1, FINAL = 0x10, SUPER = 0x20, PUBLIC_STATIC_NATIVE = 0x109 };
/* Without frames, since there is no code; every JVM reads it. */
#define VERSION 49

static void put_native(buffer *to, uint32_t name, uint32_t descriptor) {
  put_u16_be(to, PUBLIC_STATIC_NATIVE);
  put_u16_be(to, name);
  put_u16_be(to, descriptor);
  put_u16_be(to, 0);
}

static void put_probe_class(buffer *to) {
  put_u32_be(to, 0xcafebabe);
  put_u32_be(to, VERSION);
  put_u16_be(to, 9); /* entries of the pool, and 1 */
  put_text(to, PROBE_CLASS);
  put_class_of(to, 1);
  put_text(to, "java/lang/Object");
  put_class_of(to, 3);
  put_text(to, "enter");
  put_text(to, "exit");
  put_text(to, "caught");
  put_text(to, "(I)V");
  put_u16_be(to, PUBLIC | FINAL | SUPER);
  put_u16_be(to, 2);
  put_u16_be(to, 4);
  put_u32_be(to, 0); /* neither interfaces nor fields */
  put_u16_be(to, 3);
  for (uint32_t name = 5; name < 8; name++) put_native(to, name, 8);
  put_u16_be(to, 0);
}

static void JNICALL enter(JNIEnv *jni, jclass probe, jint method) { enter_method((uint32_t)method); }

static void JNICALL leave(JNIEnv *jni, jclass probe, jint method) { exit_method((uint32_t)method); }

static void JNICALL caught(JNIEnv *jni, jclass probe, jint method) { caught_in((uint32_t)method); }

bool make_probe(JNIEnv *jni) {
  static char enter_name[] = "enter", exit_name[] = "exit", caught_name[] = "caught", descriptor[] = "(I)V";
  const JNINativeMethod methods[] = {{enter_name, descriptor, (void *)(uintptr_t)enter},
                                     {exit_name, descriptor, (void *)(uintptr_t)leave},
                                     {caught_name, descriptor, (void *)(uintptr_t)caught}};
  buffer bytes = {0};
  put_probe_class(&bytes);
  jclass probe = bytes.failed ? NULL : (*jni)->DefineClass(jni, PROBE_CLASS, NULL, (const jbyte *)bytes.bytes, (jsize)bytes.length);
  bool made = probe != NULL && (*jni)->RegisterNatives(jni, probe, methods, 3) == JNI_OK;
  if ((*jni)->ExceptionCheck(jni)) (*jni)->ExceptionDescribe(jni);
  if (probe != NULL) (*jni)->DeleteLocalRef(jni, probe);
  drop_buffer(&bytes);
  return made;
}
