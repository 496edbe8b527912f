/* Frames, and the socket that they go over. */
#ifndef KANSOKU_SOCKET_H
#define KANSOKU_SOCKET_H

#include "remote.h"

#define HEADER 8

typedef struct frame {
  struct frame *next;
  size_t length; /* with the head */
  uint8_t bytes[];
} frame;

void drop_frames(frame *from);
/* Writes frames with as few calls as can be, and frees them. False if the front end is gone. */
bool write_frames(int connection, frame *from);
bool read_all(int connection, uint8_t *bytes, size_t length);
/* Connects to the socket of the front end. Its folder is readable by the user only, and so is the token. -1 if nobody is there, or another user. */
int socket_open(const char *folder);

#endif
