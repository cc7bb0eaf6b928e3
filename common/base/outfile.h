/* A file that a program writes: kept open and written in place, or written whole or not at all,
 * beside the one that is there, which it replaces in the end, so that a full disk leaves the old
 * one.
 *
 * In a folder like /tmp another user can have put a link that leads to any file, or a FIFO, whose
 * opening waits: links and FIFOs are followed and opened only if they are our own or root's. */
#ifndef BASE_OUTFILE_H
#define BASE_OUTFILE_H

#include <signal.h>
#include <sys/stat.h>

#include "common/base/diag.h"

struct outfile {
    const char *name; /* as it was given; "-" is standard output for outfile_open */
    int fd;

    /* private */
    bool created; /* by outfile_open */
    char *path;   /* of outfile_replace: the file, through its links */
    char *beside; /* the new file; NULL: it is written in place */
    sigset_t signals;
};

/* Follow the links at the path, and set *target to the path at their end, which the caller frees,
 * and *st to what is there, st->st_mode 0 if that is nothing. A link that leads to an open file,
 * as /dev/stdout does, is such an end. Return NULL, or what is wrong, such as another user's link;
 * then there is nothing to free. */
const char *outfile_resolve(const char *path, char **target, struct stat *st);

/* Open the file, and keep its contents; the name is borrowed. Only its owner may read a new one.
 * Return false, after a message, if it cannot be written. */
bool outfile_open(struct outfile *f, const char *name, struct diag *diag);

/* Return true if what is written cannot be changed later. */
bool outfile_is_pipe(const struct outfile *f);

/* Remove the old contents; a pipe or a device has none. Return false, with errno set, if that
 * fails. */
bool outfile_empty(const struct outfile *f);

/* Remove the file if outfile_open created it: to be called when nothing will be written. */
void outfile_drop(const struct outfile *f);

/* Return the file, for messages. */
struct place outfile_place(const struct outfile *f);

/* Create a new file in place of that at the path, which is borrowed; it is removed if the program
 * exits before outfile_finish. SIGHUP, SIGINT and SIGTERM are blocked until outfile_finish, which
 * the caller is to call soon. What is no regular file, such as /dev/stdout or a FIFO, is written in
 * place; and so is a file in a folder where none can be created. Return NULL, or what is wrong;
 * then there is nothing to free. */
const char *outfile_replace(struct outfile *f, const char *path);

/* Give the new file its name, after f->fd was closed, and free *f. Return NULL, or what is wrong;
 * then the new file is removed. */
const char *outfile_finish(struct outfile *f);

#endif
