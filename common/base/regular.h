/* Opens regular files only: opening a FIFO would block or wake its writer, and opening a device may
 * start it, as /dev/watchdog. */
#ifndef BASE_REGULAR_H
#define BASE_REGULAR_H

/* Opens the file of that name to read it. `flags` are 0, or O_NOFOLLOW to refuse a symbolic link.
 * Returns the descriptor; or -1, with what is wrong in *problem, such as "is not a regular file".
 */
int regular_open(const char *path, int flags, const char **problem);

#endif
