#include "common/base/lines.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

#include "common/base/mem.h"
#include "common/base/pipe.h"

/* The size of a read: large enough that system calls cost little, and small enough for the
 * second-level cache of a core. */
enum { BLOCK = 256 * 1024 };

static void
begin(struct lines *l)
{
    if (l->buf == NULL) {
        l->cap = BLOCK + 1;
        l->buf = mem_alloc(l->cap);
    }
    l->error = 0;
    l->eof = l->unterminated = false;
    l->progress = NULL;
    l->read = NULL;
    l->number = l->pos = l->end = 0;
    l->left = UINT64_MAX;
}

void
lines_start(struct lines *l, int fd)
{
    begin(l);
    l->fd = fd;
    pipe_enlarge(fd);
}

void
lines_start_with(struct lines *l, ssize_t (*read)(void *file, void *to, size_t n), void *file)
{
    begin(l);
    l->fd = -1;
    l->read = read;
    l->file = file;
}

static ssize_t
read_descriptor(struct lines *l, char *to, size_t n)
{
    ssize_t got;
    if (l->before_read != NULL)
        l->before_read(l->ctx, l->fd);
    do
        got = read(l->fd, to, n);
    while (got < 0 && pipe_retry(l->fd, POLLIN));
    return got;
}

void
lines_free(struct lines *l)
{
    free(l->buf);
    *l = (struct lines){0};
}

/* Make room in the buffer, and append the result of one read. */
static void
fill(struct lines *l)
{
    if (l->pos > 0) {
        memmove(l->buf, l->buf + l->pos, l->end - l->pos);
        l->end -= l->pos;
        l->pos = 0;
    }
    if (l->end == l->cap - 1)
        l->buf = mem_grow(l->buf, &l->cap, l->cap + 1, 1);
    char *to = l->buf + l->end;
    size_t room = l->cap - 1 - l->end;
    room = room < l->left ? room : (size_t)l->left;
    ssize_t got = l->read != NULL ? l->read(l->file, to, room) : read_descriptor(l, to, room);
    if (got < 0)
        l->error = errno;
    if (got <= 0) {
        l->eof = true;
        return;
    }
    l->end += (size_t)got;
    l->left -= (uint64_t)got;
    if (l->progress != NULL)
        progress_add(l->progress, (uint64_t)got);
}

/* Read until the buffer contains the next line, and return a pointer to its newline. Return NULL at
 * the end of the input. Set *too_long if the line is longer than LINES_MAX; its start is then
 * lost. */
static char *
find_newline(struct lines *l, bool *too_long)
{
    size_t seen = 0; /* bytes of the line that are known to contain no newline */
    *too_long = false;
    for (;;) {
        char *start = l->buf + l->pos;
        size_t have = l->end - l->pos;
        char *newline = memchr(start + seen, '\n', have - seen);
        *too_long |= (newline != NULL ? (size_t)(newline - start) : have) > LINES_MAX;
        if (newline != NULL || l->eof)
            return newline;
        if (*too_long)
            l->pos = l->end;
        seen = l->end - l->pos;
        fill(l);
    }
}

bool
lines_next_unread(struct lines *l, struct span *line)
{
    bool too_long;
    do {
        char *newline = find_newline(l, &too_long), *start = l->buf + l->pos;
        if (newline == NULL && l->pos == l->end && !too_long)
            return false;
        l->unterminated = newline == NULL;
        if (newline == NULL) {
            newline = l->buf + l->end;
            *newline = '\n';
        }
        *line = span_of(start, (size_t)(newline - start));
        l->pos = l->unterminated ? l->end : (size_t)(newline + 1 - l->buf);
        l->number++;
        l->too_long += too_long;
        if (too_long && l->skipped != NULL)
            l->skipped(l->skipped_ctx);
    } while (too_long);
    return true;
}

struct span
lines_ahead(struct lines *l, size_t want)
{
    while (l->end - l->pos < want && !l->eof)
        fill(l);
    l->buf[l->end] = '\n';
    return lines_buffered(l);
}

bool
lines_peek(struct lines *l, size_t most, bool (*decides)(void *ctx, struct span line), void *ctx)
{
    size_t done = 0;
    for (size_t want = 1;; want = want < most / 4 ? want * 4 : most) {
        struct span ahead = lines_ahead(l, want);
        bool complete = ahead.len < want; /* at the end, the last line needs no newline */
        ahead.len = ahead.len < most ? ahead.len : most;
        while (done < ahead.len) {
            struct span rest = span_from(ahead, done);
            size_t len = span_find(rest, '\n');
            if (len == SPAN_NONE && !complete)
                break;
            len = len != SPAN_NONE ? len : rest.len;
            if (decides(ctx, span_head(rest, len)))
                return true;
            done += len + 1;
        }
        if (complete || want >= most)
            return false;
    }
}

struct second {
    bool first_seen;
    struct span line;
};

static bool
is_second(void *ctx, struct span line)
{
    struct second *s = ctx;
    bool second = s->first_seen;
    s->first_seen = true;
    s->line = line;
    return second;
}

bool
lines_peek_from(struct lines *l, struct span *line, bool (*decides)(void *ctx, struct span line),
                void *ctx)
{
    size_t len = line->len + 1;
    if (l->unterminated)
        return false;
    l->pos -= len; /* the line is kept while more is read */
    bool found = lines_peek(l, len + LINES_NEXT_MAX, decides, ctx);
    line->ptr = l->buf + l->pos;
    l->pos += len;
    return found;
}

bool
lines_peek_next(struct lines *l, struct span *line, struct span *next)
{
    struct second s = {0};
    bool found = lines_peek_from(l, line, is_second, &s);
    *next = s.line;
    return found;
}
