/* The contents of a file that others may change while it is read. The file is not mapped, since
 * reading a mapped file that was truncated raises SIGBUS; it is read with pread(2) on demand. */
#ifndef SYM_CONTENT_H
#define SYM_CONTENT_H

#include <stdint.h>
#include <sys/types.h>

#include "common/base/mem.h"
#include "common/base/regular.h"

enum { CONTENTPOOL_MAX = 128 };

/* The files held open. If there are too many, the one opened first is closed, and opened again when
 * more of it is read. {0} is empty. */
struct contentpool {
    struct content *open[CONTENTPOOL_MAX];
    size_t next;
};

/* Identifies a file in one state: equal if it is the same file, and unchanged. */
struct content_id {
    uint64_t device, inode, size;
    int64_t seconds, nanoseconds; /* time of modification */
};

struct content {
    uint64_t size;
    struct content_id id; /* of the file */
    /* Why nothing more can be read, such as "was changed while it was read"; NULL: no problem. */
    const char *problem;
    const char *path; /* NULL: bytes in memory */
    const char *root; /* the folder that the file must be in, see regular.h */

    /* private */
    /* The owner of the file; and if `named`, the user who must own it, since it was opened by
     * content_open_named() for a file of that user. */
    uid_t owner, namer;
    bool named;
    struct span memory;
    struct regular_file file; /* may be closed for now */
    struct contentpool *pool;
    size_t slot;
};

/* Open the regular file at `path`, which begins with the folder `root` that it must be in ("": it
 * may be anywhere). Both are borrowed; *c must not move. The pool, which may be NULL, closes the
 * file when it holds too many. Return NULL, or what is wrong: then there is nothing to close. */
const char *content_open(struct content *c, const char *root, const char *path,
                         struct contentpool *pool);

/* Open a file that an open one names. If the owner of `by` is neither root nor the user who runs
 * the program, the file must have the same owner: else a user could make root read any file. */
const char *content_open_named(struct content *c, const struct content *by, const char *root,
                               const char *path, struct contentpool *pool);

/* Return true if the paths that are named in the file lead to the files that it means. Return false
 * for bytes in memory, and for a file opened through its descriptor (heldfiles.h), which is in a
 * container or was deleted. */
bool content_has_neighbours(const struct content *c);

/* Return true if the file has a path here, and belongs to root or to the user who runs the
 * program. */
bool content_is_trusted(const struct content *c);

/* Return a content of bytes in memory, which are borrowed. */
struct content content_of(struct span bytes);

/* Read n bytes at an offset. Return false if there are fewer, or if the file was changed since it
 * was opened; then c->problem is set. */
bool content_read(struct content *c, uint64_t offset, void *to, size_t n);

void content_close(struct content *c);

/* A part of a content, read through a buffer. {0} is empty. */
struct view {
    struct content *content; /* borrowed; NULL: bytes in memory */
    uint64_t start, size;    /* of the part */
    size_t block;            /* bytes to read at once */

    /* private */
    struct span buffered;
    uint64_t at; /* offset of `buffered` in the part */
    char *buffer;
    size_t cap;
};

/* Block sizes: for tables read from start to end, and for texts and entries at any offset. A part
 * not larger than a block is read once. */
enum { VIEW_TABLE = 1 << 16, VIEW_ENTRIES = 1 << 12 };

/* Return a view of a part of the content. It is empty if the part is not entirely inside. */
struct view view_over(struct content *c, uint64_t start, uint64_t size, size_t block);

/* Return a view of bytes in memory, which are borrowed. */
struct view view_of(struct span bytes);

/* view_at for bytes that are not buffered; do not call it directly. */
struct span view_unbuffered(struct view *v, uint64_t offset, size_t n);

/* Return the bytes at an offset: at least n, fewer if the part ends before, and none if they cannot
 * be read. Valid until the next call. */
static inline struct span
view_at(struct view *v, uint64_t offset, size_t n)
{
    uint64_t skipped = offset - v->at;
    if (offset >= v->at && skipped < v->buffered.len && n <= v->buffered.len - skipped)
        return span_from(v->buffered, (size_t)skipped);
    return view_unbuffered(v, offset, n);
}

/* Copy n bytes at an offset. Return false if there are fewer. */
static inline bool
view_read(struct view *v, uint64_t offset, void *to, size_t n)
{
    struct span from = view_at(v, offset, n);
    if (from.len < n)
        return false;
    memcpy(to, from.ptr, n);
    return true;
}

/* Longer texts are cut by view_string(): hostile files have many long ones that overlap. */
enum { VIEW_STRING_MAX = 4096 };

/* Return the text at an offset, up to a NUL byte or the end of the part; "" if the offset is
 * outside. Valid until the next call. */
struct span view_string(struct view *v, uint64_t offset);

void view_free(struct view *v);

#endif
