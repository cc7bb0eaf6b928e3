/* Reads the lines of a descriptor in large blocks and gives them as spans. */
#ifndef BASE_LINES_H
#define BASE_LINES_H

#include <stdint.h>
#include <sys/types.h>

#include "common/base/progress.h"
#include "common/base/span.h"

/* A longer line is skipped, so that a small compressed file cannot fill the memory. The longest
 * names, of C++ templates, have some hundred kilobytes. */
enum { LINES_MOST = 16 * 1024 * 1024 };

struct lines {
    int fd;
    int error; /* errno of a read that failed, 0: none; the lines end there */
    bool eof;
    bool unterminated; /* the line given last has no newline: the file was perhaps cut */
    size_t number;     /* of the line given last, from 1 */
    size_t too_long;   /* lines that were skipped, of all descriptors */
    size_t pos, end, cap;
    char *buf;                 /* cap bytes, the last one for a newline after what was read */
    uint64_t left;             /* bytes to be read; lines_start sets no limit, the user may then */
    struct progress *progress; /* counts what is read; NULL: none */
    /* Called before each read(2), which may wait for a pipe's writer; NULL: nothing is. */
    void (*before_read)(void *ctx, int fd);
    void *ctx;
    /* Reads the input in place of read(2) on fd, and does so; NULL: it is read from fd. */
    ssize_t (*read)(void *file, void *to, size_t n);
    void *file;
    /* Called for each line that is skipped, whose number is l->number then; NULL: nothing is. */
    void (*skipped)(void *skipped_ctx);
    void *skipped_ctx;
};

/* Start to read a descriptor, which the caller closes. *l is {0}, or has read another descriptor,
 * and then its buffer is used again. */
void lines_start(struct lines *l, int fd);

/* The same for what a function reads, which returns as read(2) does; `file` is passed to it. */
void lines_start_with(struct lines *l, ssize_t (*read)(void *file, void *to, size_t n), void *file);

/* lines_next for when no whole line is buffered, or a long one; not to be called directly. */
bool lines_next_unread(struct lines *l, struct span *line);

/* Set *line to the next line, without its newline, that is not longer than LINES_MOST. The span is
 * valid until the next call, and the byte after it is always a newline, even if the file's last
 * line has none. Return false at the end of the file or after a read error (l->error). */
static inline bool
lines_next(struct lines *l, struct span *line)
{
    char *start = l->buf + l->pos;
    char *newline = memchr(start, '\n', l->end - l->pos);
    if (newline == NULL || newline - start > LINES_MOST)
        return lines_next_unread(l, line);
    *line = span_of(start, (size_t)(newline - start));
    l->pos += line->len + 1;
    l->number++;
    return true;
}

/* Return the bytes that are read and not yet consumed. Valid until the next call. */
static inline struct span
lines_buffered(const struct lines *l)
{
    return span_of(l->buf + l->pos, l->end - l->pos);
}

/* As lines_buffered, after reading until at least `want` bytes are buffered or the input ends; the
 * byte after them is a newline. Consumes nothing: a program looks at the start of its input with it
 * to recognize the format. */
struct span lines_ahead(struct lines *l, size_t want);

/* Call decides() for each line that ends within the next `most` bytes, without consuming it, until
 * it returns true. A line cut by that limit is not passed to it. Return false if no line
 * decided. */
bool lines_peek(struct lines *l, size_t most, bool (*decides)(void *ctx, struct span line),
                void *ctx);

/* The same for the line that was given last, which is *line, and those after it, within
 * LINES_NEXT_MOST bytes. Reading on may move *line, which is updated. */
enum { LINES_NEXT_MOST = 64 * 1024 };
bool lines_peek_from(struct lines *l, struct span *line,
                     bool (*decides)(void *ctx, struct span line), void *ctx);

/* Set *next to the line after *line, the one that was given last, without consuming it. Reading on
 * may move *line, which is updated. Return false if there is no such line, or it does not end
 * within LINES_NEXT_MOST bytes. */
bool lines_peek_next(struct lines *l, struct span *line, struct span *next);

/* Consume `bytes` bytes that hold `lines` whole lines, which the caller has found in
 * lines_buffered(l): a predicted line costs one comparison that way. */
static inline void
lines_skip(struct lines *l, size_t bytes, size_t lines)
{
    l->pos += bytes;
    l->number += lines;
}

/* Free the buffer; the descriptor stays open. *l may be used again. */
void lines_free(struct lines *l);

#endif
