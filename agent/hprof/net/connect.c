/* The connection of net=host:port. */
#include "net.h"
#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>

/* What is sent at once, as the agent of JDK 8 does. */
#define BUFFER_BYTES (64 * 1024)

static int connected(const struct addrinfo *to) {
  for (; to != NULL; to = to->ai_next) {
    int made = socket(to->ai_family, to->ai_socktype | SOCK_CLOEXEC, to->ai_protocol);
    if (made >= 0 && connect(made, to->ai_addr, to->ai_addrlen) == 0) return made;
    if (made >= 0) close(made);
  }
  return -1;
}

FILE *connect_to(const char *address, int *socket) {
  const struct addrinfo wanted = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM};
  struct addrinfo *all = NULL;
  char *host = strdup(address), *colon = host == NULL ? NULL : strrchr(host, ':');
  if (colon != NULL) *colon = 0;
  *socket = colon == NULL || getaddrinfo(host, colon + 1, &wanted, &all) != 0 ? -1 : connected(all);
  if (all != NULL) freeaddrinfo(all);
  free(host);
  FILE *to = *socket < 0 ? NULL : fdopen(dup(*socket), "w");
  if (to != NULL) setvbuf(to, NULL, _IOFBF, BUFFER_BYTES);
  return to;
}
