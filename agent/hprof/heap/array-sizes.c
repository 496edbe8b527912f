/* How large arrays are: it depends on options of the VM, so it is measured. */
#include "counting.h"

static const char LETTERS[] = "ZCFDBSIJL";
static array_layout layouts[sizeof LETTERS];

static jarray new_array(JNIEnv *jni, char letter, jsize length, jclass object) {
  switch (letter) {
    case 'Z': return (*jni)->NewBooleanArray(jni, length);
    case 'C': return (*jni)->NewCharArray(jni, length);
    case 'F': return (*jni)->NewFloatArray(jni, length);
    case 'D': return (*jni)->NewDoubleArray(jni, length);
    case 'B': return (*jni)->NewByteArray(jni, length);
    case 'S': return (*jni)->NewShortArray(jni, length);
    case 'I': return (*jni)->NewIntArray(jni, length);
    case 'J': return (*jni)->NewLongArray(jni, length);
    default: return (*jni)->NewObjectArray(jni, length, object, NULL);
  }
}

static jlong size_of(JNIEnv *jni, char letter, jsize length, jclass object) {
  jlong size = 0;
  jarray made = new_array(jni, letter, length, object);
  if (made == NULL) return 0;
  (*hprof_ti)->GetObjectSize(hprof_ti, made, &size);
  (*jni)->DeleteLocalRef(jni, made);
  return size;
}

/* The smallest step in which sizes of byte arrays grow. */
static uint32_t alignment_of(JNIEnv *jni) {
  jlong first = size_of(jni, 'B', 0, NULL);
  for (jsize length = 1; first > 0 && length <= 512; length++) {
    jlong size = size_of(jni, 'B', length, NULL);
    if (size <= first) continue;
    for (jsize next = length + 1; next <= 1024; next++)
      if (size_of(jni, 'B', next, NULL) > size) return (uint32_t)(size_of(jni, 'B', next, NULL) - size);
  }
  return 0;
}

uint32_t measure_arrays(JNIEnv *jni) {
  jclass object = (*jni)->FindClass(jni, "java/lang/Object");
  uint32_t alignment = object == NULL ? 0 : alignment_of(jni);
  for (size_t i = 0; alignment > 0 && LETTERS[i] != 0; i++) {
    jlong many = size_of(jni, LETTERS[i], 4096, object), more = size_of(jni, LETTERS[i], 8192, object);
    uint32_t shift = 0;
    while ((4096 << shift) < more - many) shift++;
    /* The longest array that is not larger than an empty one tells where elements begin. */
    jsize length = 0;
    jlong empty = size_of(jni, LETTERS[i], 0, object);
    while (length < 1024 && size_of(jni, LETTERS[i], length + 1, object) == empty) length++;
    layouts[i] = (array_layout){.head = (uint32_t)(empty - ((jlong)length << shift)), .shift = shift};
  }
  if ((*jni)->ExceptionCheck(jni)) (*jni)->ExceptionClear(jni);
  return alignment;
}

array_layout layout_of_arrays(char letter) {
  const char *at = letter == 0 ? NULL : strchr(LETTERS, letter);
  return layouts[at == NULL ? sizeof LETTERS - 2 : (size_t)(at - LETTERS)];
}
