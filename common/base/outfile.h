/* An output file. It is either kept open and written in place; or written completely or not at all,
 * beside the existing one, which it replaces at the end, so that a full disk leaves the old one.
 *
 * In a folder like /tmp another user can have put a link to any file, or a FIFO, whose opening
 * waits. So links and FIFOs are followed and opened only if they are our own or root's. */
#ifndef BASE_OUTFILE_H
#define BASE_OUTFILE_H

#include <signal.h>
#include <sys/stat.h>

#include "common/base/diag.h"

struct outfile {
    const char *name; /* as given; "-" is standard output for outfile_open */
    int fd;

    /* private */
    bool created; /* by outfile_open */
    char *path;   /* for outfile_replace: the file, with its links followed */
    char *beside; /* the new file; NULL: written in place */
    sigset_t signals;
};

/* Follow the links at the path. Set *target to the path at their end, which the caller frees, and
 * *st to the file there; st->st_mode is 0 if there is none. A link to an open file, such as
 * /dev/stdout, is such an end. Return NULL, or what is wrong, such as another user's link: then
 * there is nothing to free. */
const char *outfile_resolve(const char *path, char **target, struct stat *st);

/* Open the file, and keep its contents; the name is borrowed. A new file is readable only by its
 * owner. Return false, after a message, if it cannot be written. */
bool outfile_open(struct outfile *f, const char *name, struct diag *diag);

/* Return true if written data cannot be changed later. */
bool outfile_is_pipe(const struct outfile *f);

/* Remove the old contents; do nothing for a pipe or a device. Return false, with errno set, if that
 * fails. */
bool outfile_empty(const struct outfile *f);

/* Remove the file if outfile_open created it. Call this if nothing will be written. */
void outfile_drop(const struct outfile *f);

/* Return the file's place, for messages. */
struct place outfile_place(const struct outfile *f);

/* Create a new file to replace the one at the path, which is borrowed. It is removed if the program
 * exits before outfile_finish. SIGHUP, SIGINT and SIGTERM are blocked until outfile_finish, so call
 * that soon. A file that is not regular, such as /dev/stdout or a FIFO, is written in place; so is
 * a file in a folder where none can be created. Return NULL, or what is wrong: then there is
 * nothing to free. */
const char *outfile_replace(struct outfile *f, const char *path);

/* Give the new file its name, after f->fd was closed, and free *f. Return NULL, or what is wrong:
 * then the new file is removed. */
const char *outfile_finish(struct outfile *f);

#endif
