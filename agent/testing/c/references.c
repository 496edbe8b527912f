/* Of References.java: two global references and a weak one, of which one each is freed. */
#include <jni.h>

JNIEXPORT void JNICALL Java_References_make(JNIEnv *env, jclass type, jobject object) {
  (void)type;
  (*env)->NewGlobalRef(env, object);
  (*env)->DeleteGlobalRef(env, (*env)->NewGlobalRef(env, object));
  (*env)->DeleteWeakGlobalRef(env, (*env)->NewWeakGlobalRef(env, object));
}
