/* What is in a file that others may change while it is read. It is not mapped, since reading a
 * mapped file that somebody truncated ends the program with SIGBUS: it is read with pread(2), where
 * it is needed. */
#ifndef SYM_CONTENT_H
#define SYM_CONTENT_H

#include <stdint.h>
#include <sys/types.h>

#include "common/base/mem.h"
#include "common/base/regular.h"

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
    uid_t owner, namer; /* namer: who must own it, if it is `named` by a file of another user */
    bool named;
    struct span memory;
    struct regular_file file; /* it may be closed for now */
    struct contentpool *pool;
    size_t slot;
};

/* Open the regular file at the path, which begins with the folder `root` that it must be in ("":
 * anywhere). Both are borrowed; *c must not move. The pool, which may be NULL, closes it when many
 * are open. NULL, or what is wrong: then there is nothing to close. */
const char *content_open(struct content *c, const char *root, const char *path,
                         struct contentpool *pool);

/* The same for a file that an open one names. A file of another user than root, and than the one who
 * runs the program, may name only that user's files: else it could make root read any. */
const char *content_open_named(struct content *c, const struct content *by, const char *root,
                               const char *path, struct contentpool *pool);

/* Return false for a file that is known by a descriptor alone: it is a container's, or was removed
 * (heldfiles.h), and paths in it mean something else here, or nothing; and for bytes in memory. */
bool content_has_neighbours(const struct content *c);

/* Return true for a file at a path here that is root's, or of the one who runs the program. */
bool content_is_trusted(const struct content *c);

/* Bytes in memory, borrowed, as a file's. */
struct content content_of(struct span bytes);

/* Read n bytes at an offset. False, and c->problem is set, if the file was changed since it was
 * opened; and where there are not that many. */
bool content_read(struct content *c, uint64_t offset, void *to, size_t n);

void content_close(struct content *c);

/* A part of a content, which is read through a buffer. {0} is empty. */
struct view {
    struct content *content; /* borrowed; NULL: bytes in memory */
    uint64_t start, size;    /* of the part */
    size_t block;            /* the number of bytes that are read at once */

    /* private */
    struct span buffered;
    uint64_t at; /* of what is buffered, in the part */
    char *buffer;
    size_t cap;
};

/* For tables that are read from their beginning to their end, and for texts and entries at any
 * offset. A part that is not larger than a block is read once. */
enum { VIEW_TABLE = 1 << 16, VIEW_ENTRIES = 1 << 12 };

/* Return the view of a part; empty if that lies partly outside of the content. */
struct view view_over(struct content *c, uint64_t start, uint64_t size, size_t block);

/* Return the view of bytes in memory, which are borrowed. */
struct view view_of(struct span bytes);

/* view_at for bytes that are not buffered; not to be called directly. */
struct span view_unbuffered(struct view *v, uint64_t offset, size_t n);

/* At least n bytes from an offset on; fewer if the part ends before, and none if they cannot be
 * read. Valid until the next call. */
static inline struct span
view_at(struct view *v, uint64_t offset, size_t n)
{
    uint64_t skipped = offset - v->at;
    if (offset >= v->at && skipped < v->buffered.len && n <= v->buffered.len - skipped)
        return span_from(v->buffered, (size_t)skipped);
    return view_unbuffered(v, offset, n);
}

/* Copy n bytes at an offset. False where there are fewer. */
static inline bool
view_read(struct view *v, uint64_t offset, void *to, size_t n)
{
    struct span from = view_at(v, offset, n);
    if (from.len < n)
        return false;
    memcpy(to, from.ptr, n);
    return true;
}

/* The longest text that view_string() gives: longer ones are cut. Hostile files have many that
 * overlap. */
enum { VIEW_STRING_MAX = 4096 };

/* Return the text at an offset, up to a NUL byte or the end of the part; "" outside of it. Valid
 * until the next call. */
struct span view_string(struct view *v, uint64_t offset);

void view_free(struct view *v);

#endif
