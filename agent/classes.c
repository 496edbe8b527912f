/* Which classes the profiler knows: each CLASS_LOAD is sent once. */
#include "agent.h"
#include <stdlib.h>
#include <string.h>

/* The classes whose CLASS_LOAD was sent: a bit an id. */
static pthread_mutex_t sent_lock = PTHREAD_MUTEX_INITIALIZER;
static uint8_t *sent;
static size_t sent_bytes;

/* Marks a class; true if it was not marked before. */
bool mark_sent(jlong tag) {
  size_t at = (size_t)(tag >> 1) / 8;
  uint8_t bit = (uint8_t)(1 << ((tag >> 1) & 7));
  bool is_new = false;
  pthread_mutex_lock(&sent_lock);
  if (at >= sent_bytes) {
    size_t room = (at + 1) * 2;
    uint8_t *grown = realloc(sent, room);
    if (grown != NULL) {
      memset(grown + sent_bytes, 0, room - sent_bytes);
      sent = grown;
      sent_bytes = room;
    }
  }
  if (at < sent_bytes && (sent[at] & bit) == 0) {
    sent[at] |= bit;
    is_new = true;
  }
  pthread_mutex_unlock(&sent_lock);
  return is_new;
}

/* A new front end knows no class. */
void forget_sent(void) {
  pthread_mutex_lock(&sent_lock);
  if (sent != NULL) memset(sent, 0, sent_bytes);
  pthread_mutex_unlock(&sent_lock);
}

/* Sends each loaded class that was not sent; those that are not yet linked, only if `all`. */
void each_unsent_class(JNIEnv *jni, bool all, void (*send)(JNIEnv *, jclass, bool)) {
  jint count = 0;
  jclass *classes = NULL;
  if ((*jvmti)->GetLoadedClasses(jvmti, &count, &classes) != JVMTI_ERROR_NONE) return;
  for (jint i = 0; i < count; i++) {
    jint status = 0;
    (*jvmti)->GetClassStatus(jvmti, classes[i], &status);
    bool prepared = (status & JVMTI_CLASS_STATUS_PREPARED) != 0;
    bool of_vm = (status & (JVMTI_CLASS_STATUS_ARRAY | JVMTI_CLASS_STATUS_PRIMITIVE)) != 0;
    if (!of_vm && (prepared || all) && mark_sent(tag_of(classes[i], true))) send(jni, classes[i], prepared);
    (*jni)->DeleteLocalRef(jni, classes[i]);
  }
  (*jvmti)->Deallocate(jvmti, (unsigned char *)classes);
}
