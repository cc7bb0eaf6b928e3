/* Pipes between programs. */
#ifndef BASE_PIPE_H
#define BASE_PIPE_H

#include "common/base/span.h"

/* Make the pipe fd as large as an unprivileged process may (1 MiB, /proc/sys/fs/pipe-max-size), so
 * that the kernel switches less often between the programs at its ends. Do nothing if fd is not a
 * pipe or may not be enlarged. */
void pipe_enlarge(int fd);

/* Call after a read or write of fd that failed with errno. Return true if it should be tried again:
 * it was interrupted; or the descriptor is non-blocking, as node leaves its pipes, and this
 * function has waited with poll(2) for `events`, POLLIN or POLLOUT. Return false after any other
 * error. */
bool pipe_retry(int fd, short events);

/* Write all of the text to a pipe or file, with pipe_retry. Return false, with errno set, if that
 * fails. */
bool pipe_write(int fd, struct span text);

#endif
