/* Names of classes as they are printed. */
#include "hprof.h"

char *class_name_of(const char *signature) {
  static const char *const PRIMITIVES[] = {"Zboolean", "Bbyte", "Cchar", "Ddouble", "Ffloat", "Iint", "Jlong", "Sshort"};
  size_t arrays = 0;
  while (signature != NULL && signature[arrays] == '[') arrays++;
  size_t length = signature == NULL ? 0 : strlen(signature + arrays);
  const char *name = length == 0 ? NULL : signature + arrays + 1;
  bool is_class = length > 2 && signature[arrays] == 'L';
  for (size_t i = 0; length > 0 && !is_class && i < sizeof PRIMITIVES / sizeof *PRIMITIVES; i++)
    if (PRIMITIVES[i][0] == signature[arrays]) name = PRIMITIVES[i] + 1;
  size_t shown = name == NULL ? 0 : is_class ? length - 2 : strlen(name);
  char *made = name == NULL ? NULL : malloc(shown + 2 * arrays + 1);
  if (made == NULL) return NULL;
  for (size_t i = 0; i < shown; i++) made[i] = name[i] == '/' ? '.' : name[i];
  for (size_t i = 0; i < arrays; i++) memcpy(made + shown + 2 * i, "[]", 2);
  made[shown + 2 * arrays] = 0;
  return made;
}
