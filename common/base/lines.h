/* Reads the lines of a descriptor in large blocks and returns them as spans. */
#ifndef BASE_LINES_H
#define BASE_LINES_H

#include <stdint.h>
#include <sys/types.h>

#include "common/base/progress.h"
#include "common/base/span.h"

/* Longer lines are skipped, so that a small compressed file cannot fill the memory. The longest
 * names, of C++ templates, have some hundred kilobytes. */
enum { LINES_MAX = 16 * 1024 * 1024 };

struct lines {
    int fd;
    int error; /* errno of a failed read, which ends the lines; 0: none */
    bool eof;
    bool unterminated; /* the last line has no newline: the file was perhaps truncated */
    size_t number;     /* number of the last line, from 1 */
    size_t too_long;   /* number of skipped lines, of all descriptors */
    size_t pos, end, cap;
    char *buf; /* cap bytes; the last one is for a newline after the bytes read */
    /* Bytes still to be read; lines_start sets no limit, the user may set one then. */
    uint64_t left;
    struct progress *progress; /* counts the bytes read; NULL: none */
    /* Called before each read(2), which may wait for a pipe's writer; may be NULL. */
    void (*before_read)(void *ctx, int fd);
    void *ctx;
    /* Reads the input like read(2), in place of fd; NULL: read from fd. */
    ssize_t (*read)(void *file, void *to, size_t n);
    void *file;
    /* Called for each skipped line; its number is l->number then; may be NULL. */
    void (*skipped)(void *skipped_ctx);
    void *skipped_ctx;
};

/* Start reading a descriptor, which the caller closes. *l is {0}, or has read another descriptor:
 * then its buffer is reused. */
void lines_start(struct lines *l, int fd);

/* As lines_start, for input from a function that returns like read(2); `file` is passed to it. */
void lines_start_with(struct lines *l, ssize_t (*read)(void *file, void *to, size_t n), void *file);

/* lines_next if no whole line is buffered, or a long one; do not call it directly. */
bool lines_next_unread(struct lines *l, struct span *line);

/* Set *line to the next line of at most LINES_MAX bytes, without its newline. The span is valid
 * until the next call, and the byte after it is always a newline, even if the file's last line has
 * none. Return false at the end of the file or after a read error (l->error). */
static inline bool
lines_next(struct lines *l, struct span *line)
{
    char *start = l->buf + l->pos;
    char *newline = memchr(start, '\n', l->end - l->pos);
    if (newline == NULL || newline - start > LINES_MAX)
        return lines_next_unread(l, line);
    *line = span_of(start, (size_t)(newline - start));
    l->pos += line->len + 1;
    l->number++;
    return true;
}

/* Return the bytes that were read and are not consumed yet. Valid until the next call. */
static inline struct span
lines_buffered(const struct lines *l)
{
    return span_of(l->buf + l->pos, l->end - l->pos);
}

/* As lines_buffered, after reading until at least `want` bytes are buffered or the input ends; the
 * byte after them is a newline. Consume nothing: programs use this to recognize the format of their
 * input. */
struct span lines_ahead(struct lines *l, size_t want);

/* Call decides() for each line that ends within the next `most` bytes, without consuming it, until
 * it returns true. A line cut by that limit is not passed on. Return false if no line decided. */
bool lines_peek(struct lines *l, size_t most, bool (*decides)(void *ctx, struct span line),
                void *ctx);

/* As lines_peek, for *line, which is the last line, and the lines after it, within LINES_NEXT_MAX
 * bytes. Reading on may move *line, which is updated. */
enum { LINES_NEXT_MAX = 64 * 1024 };
bool lines_peek_from(struct lines *l, struct span *line,
                     bool (*decides)(void *ctx, struct span line), void *ctx);

/* Set *next to the line after *line, which is the last one, without consuming it. Reading on may
 * move *line, which is updated. Return false if there is no such line, or if it does not end within
 * LINES_NEXT_MAX bytes. */
bool lines_peek_next(struct lines *l, struct span *line, struct span *next);

/* Consume `bytes` bytes with `lines` whole lines, which the caller has found in lines_buffered(l):
 * a predicted line then costs one comparison. */
static inline void
lines_skip(struct lines *l, size_t bytes, size_t lines)
{
    l->pos += bytes;
    l->number += lines;
}

/* Free the buffer; the descriptor stays open. *l may be used again. */
void lines_free(struct lines *l);

#endif
