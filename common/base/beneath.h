/* Opens files below a folder as if that folder were "/". */
#ifndef BASE_BENEATH_H
#define BASE_BENEATH_H

/* Open the path below the folder `root` with these flags of open(2), without leaving the folder: links in
 * the path, also absolute ones and "..", lead where they would if `root` were "/". With O_NOFOLLOW the last
 * name itself is no link that is followed. Return the descriptor, or -1 with errno. */
int beneath_open(const char *root, const char *path, int flags);

#endif
