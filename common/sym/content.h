/* What is in a file that others may change while it is read. It is not mapped, since reading a
 * mapped file that somebody truncated ends the program with SIGBUS: it is read with pread(2), where
 * it is needed. */
#ifndef SYM_CONTENT_H
#define SYM_CONTENT_H

#include <stdint.h>

#include "common/base/mem.h"

enum { CONTENTPOOL_MOST = 128 };

/* The files that are held open; the one opened first is closed when there are too many, and opened
 * again when more of it is read. {0} has none. */
struct contentpool {
    struct content *open[CONTENTPOOL_MOST];
    size_t next;
};

/* What tells a file, unchanged, from all others. */
struct content_id {
    uint64_t device, inode, size;
    int64_t seconds, nanoseconds; /* when it was modified */
};

struct content {
    uint64_t size;
    struct content_id id; /* of a file */
    const char *problem;  /* why nothing more can be read, such as "was changed while it was read";
                             NULL: it can */
    const char *path;     /* NULL: bytes in memory */
    const char *root;     /* the folder that the file must be in, see regular.h */

    /* private */
    struct span memory;
    int fd; /* -1: closed for now */
    struct contentpool *pool;
    size_t slot;
};

/* Opens the regular file at the path, which begins with the folder `root` that it must be in ("":
 * anywhere). Both are borrowed; *c must not move. The pool, which may be NULL, closes it when many
 * are open. NULL, or what is wrong: then there is nothing to close. */
const char *content_open(struct content *c, const char *root, const char *path,
                         struct contentpool *pool);

/* Bytes in memory, borrowed, as a file's. */
struct content content_of(struct span bytes);

/* Reads n bytes at an offset. False, and c->problem is set, if the file was changed since it was
 * opened; and where there are not that many. */
bool content_read(struct content *c, uint64_t offset, void *to, size_t n);

void content_close(struct content *c);

#endif
