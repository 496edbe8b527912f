/* The socket. No lock is held here. */
#include "remote.h"
#include <errno.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* Writes or reads all bytes. False if the front end is gone. */
bool transfer(int connection, uint8_t *bytes, size_t length, bool writes) {
  while (length > 0) {
    ssize_t done = writes ? send(connection, bytes, length, MSG_NOSIGNAL) : recv(connection, bytes, length, 0);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return false;
    bytes += done;
    length -= (size_t)done;
  }
  return true;
}

/* Connects to the socket of the front end. Its folder is readable by the user only. -1 if nobody is there, or another user. */
int socket_open(const char *folder) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  int length = snprintf(address.sun_path, sizeof address.sun_path, "%s/socket", folder);
  if (length < 0 || (size_t)length >= sizeof address.sun_path) return -1;
  int opened = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  struct ucred peer;
  socklen_t size = sizeof peer;
  if (opened >= 0 && connect(opened, (struct sockaddr *)&address, sizeof address) == 0 &&
      getsockopt(opened, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && (peer.uid == geteuid() || peer.uid == 0))
    return opened;
  if (opened >= 0) close(opened);
  return -1;
}
