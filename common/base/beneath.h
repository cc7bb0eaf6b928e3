/* Opens files below a folder as if that folder were "/". */
#ifndef BASE_BENEATH_H
#define BASE_BENEATH_H

/* Open the path below the folder `root` with these flags of open(2), without leaving the folder:
 * absolute symbolic links and ".." are resolved as if `root` were "/". With O_NOFOLLOW, do not
 * follow a symbolic link in the last component. Return the descriptor, or -1 with errno: ELOOP for
 * such a link, unless the flags have O_PATH. */
int beneath_open(const char *root, const char *path, int flags);

#endif
