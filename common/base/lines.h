/* The lines of a descriptor, read in big blocks and handed out as spans, with no limit on a line's
 * length but memory. */
#ifndef BASE_LINES_H
#define BASE_LINES_H

#include "common/base/progress.h"
#include "common/base/span.h"

struct lines {
    int fd;
    int error; /* errno of a read that failed, 0: none; the lines end there */
    bool eof;
    bool unterminated; /* the line handed out last has no newline: the file was perhaps cut */
    size_t number; /* of the line handed out last, from 1 */
    size_t pos, end, cap;
    char *buf;                 /* cap + 1 bytes */
    struct progress *progress; /* told of what is read; NULL: nobody is */
};

/* Starts on a descriptor, which stays the caller's. {0} is a fresh one; one that has read another
 * descriptor before keeps its buffer. */
void lines_start(struct lines *l, int fd);

/* lines_next where no whole line is read in. */
bool lines_next_unread(struct lines *l, struct span *line);

/* Gives the next line without its newline. The span is good until the next call, and the byte
 * behind it is always a newline, even where the file's last line lacks one. False at the end or on
 * an error. */
static inline bool
lines_next(struct lines *l, struct span *line)
{
    char *start = l->buf + l->pos;
    char *newline = memchr(start, '\n', l->end - l->pos);
    if (newline == NULL)
        return lines_next_unread(l, line);
    *line = span_of(start, (size_t)(newline - start));
    l->pos += line->len + 1;
    l->number++;
    return true;
}

/* What is read in and not yet taken. Good until the next call. */
static inline struct span
lines_buffered(const struct lines *l)
{
    return span_of(l->buf + l->pos, l->end - l->pos);
}

/* The same after reading on, so that it is at least `want` bytes where the input has them; nothing
 * is taken. This is how a program looks at its input before it knows how to
 * read it. */
struct span lines_ahead(struct lines *l, size_t want);

/* Calls decides() for each line that ends within the next `most` bytes, without consuming it, until
 * it returns true; a line cut by that limit is not shown. False where no line decided. */
bool lines_peek(struct lines *l, size_t most, bool (*decides)(void *ctx, struct span line),
                void *ctx);

/* Takes `lines` whole lines of so many bytes together, which the caller has recognised in
 * lines_buffered(l): a line that is foretold costs one comparison that way. */
static inline void
lines_skip(struct lines *l, size_t bytes, size_t lines)
{
    l->pos += bytes;
    l->number += lines;
}

void lines_free(struct lines *l);

#endif
