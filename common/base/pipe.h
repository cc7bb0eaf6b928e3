/* The pipes between the programs. */
#ifndef BASE_PIPE_H
#define BASE_PIPE_H

/* Makes the pipe behind fd as large as an unprivileged process may (1 MiB,
 * /proc/sys/fs/pipe-max-size), so that the programs at its ends change places less often. No pipe,
 * or not allowed: no change. */
void pipe_enlarge(int fd);

#endif
