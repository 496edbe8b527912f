/* Keeps records in files, with some mistakes: what it does to files and to its heap is for `gprofng collect app -H on -i on`. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct record {
  int number;
  char text[60];
};

/* Each record is a write of its own. */
static void write_records(const char *path, int count) {
  int file = open(path, O_CREAT | O_TRUNC | O_WRONLY, 0644);
  for (int i = 0; i < count; i++) {
    struct record *made = calloc(1, sizeof *made);
    made->number = i;
    snprintf(made->text, sizeof made->text, "record %d", i);
    write(file, made, sizeof *made);
    /* Every tenth one is forgotten. */
    if (i % 10 != 0) free(made);
  }
  close(file);
}

/* Reads the file at once into a block that grows, and returns its size. */
static size_t read_all(const char *path) {
  int file = open(path, O_RDONLY);
  size_t size = 0, room = 4096;
  char *all = malloc(room);
  for (;;) {
    ssize_t count = read(file, all + size, room - size);
    if (count <= 0) break;
    size += (size_t)count;
    if (size == room) all = realloc(all, room *= 2);
  }
  close(file);
  free(all);
  return size;
}

int main(void) {
  write_records("records.bin", 400);
  size_t size = read_all("records.bin");
  char *index = malloc(size);
  memset(index, 1, size);
  int file = open("records.idx", O_CREAT | O_TRUNC | O_WRONLY, 0644);
  write(file, index, size);
  close(file);
  open("no/such/file", O_RDONLY);
  pid_t child = fork();
  if (child == 0) {
    write_records("copy.bin", 100);
    _exit(0);
  }
  waitpid(child, NULL, 0);
  free(index);
  unlink("copy.bin");
  return 0;
}
