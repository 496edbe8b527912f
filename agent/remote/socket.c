/* The socket: writing and reading whole frames. No lock is held here. */
#include "socket.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

/* Frames that are written with one call. */
#define GATHERED 32

void drop_frames(frame *from) {
  while (from != NULL) {
    frame *next = from->next;
    free(from);
    from = next;
  }
}

bool write_frames(int connection, frame *from) {
  size_t done = 0; /* bytes of the first frame that are written */
  while (from != NULL) {
    struct iovec parts[GATHERED];
    struct msghdr message = {.msg_iov = parts};
    size_t skipped = done;
    for (frame *at = from; at != NULL && message.msg_iovlen < GATHERED; at = at->next, skipped = 0)
      parts[message.msg_iovlen++] = (struct iovec){at->bytes + skipped, at->length - skipped};
    ssize_t written = sendmsg(connection, &message, MSG_NOSIGNAL);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      drop_frames(from);
      return false;
    }
    for (done += (size_t)written; from != NULL && done >= from->length;) {
      frame *next = from->next;
      done -= from->length;
      free(from);
      from = next;
    }
  }
  return true;
}

bool read_all(int connection, uint8_t *bytes, size_t length) {
  while (length > 0) {
    ssize_t got = recv(connection, bytes, length, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    bytes += got;
    length -= (size_t)got;
  }
  return true;
}

int socket_open(const char *folder) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  int length = snprintf(address.sun_path, sizeof address.sun_path, "%s/socket", folder);
  if (length < 0 || (size_t)length >= sizeof address.sun_path) return -1;
  int opened = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (opened < 0) return -1;
  struct ucred peer;
  socklen_t size = sizeof peer;
  if (connect(opened, (struct sockaddr *)&address, sizeof address) != 0 ||
      getsockopt(opened, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0 || (peer.uid != geteuid() && peer.uid != 0)) {
    close(opened);
    return -1;
  }
  return opened;
}
