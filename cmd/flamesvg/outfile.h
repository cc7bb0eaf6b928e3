/* A file that is written whole or not at all: beside the one that is there, which it replaces in
 * the end. So a full disk leaves the old one. */
#ifndef FLAMESVG_OUTFILE_H
#define FLAMESVG_OUTFILE_H

#include <signal.h>

struct outfile {
    int fd;
    char *path;   /* of the file, through its links */
    char *beside; /* of the new file; NULL: it is written in place */

    /* private */
    sigset_t signals;
};

/* Create the new file, which is removed if the program exits before outfile_finish. SIGHUP, SIGINT
 * and SIGTERM are blocked until outfile_finish, which the caller is to call soon. A link of our own
 * or root's is followed, and no other user's, which in a folder like /tmp could lead to any file.
 * What is no regular file, such as /dev/stdout or a FIFO, is written in place; and so is a file in
 * a folder where none can be created. Returns NULL, or what is wrong; then there is nothing to
 * free. */
const char *outfile_open(struct outfile *f, const char *path);

/* Give the new file its name, after f->fd was closed, and free *f. Returns NULL, or what is
 * wrong; then the new file is removed. */
const char *outfile_finish(struct outfile *f);

#endif
