/* Opens files below a folder as if that folder were "/". */
#ifndef BASE_BENEATH_H
#define BASE_BENEATH_H

/* Open the path below the folder `root` with these flags of open(2), without leaving the folder:
 * absolute symbolic links and ".." are resolved as if `root` were "/". A symbolic link that is the
 * last component is followed only if the flags have O_PATH and not O_NOFOLLOW. Return the
 * descriptor, or -1 with errno: ELOOP if a link was not followed and the flags lack O_PATH. */
int beneath_open(const char *root, const char *path, int flags);

#endif
