/* Buffered output to a descriptor. A failed write ends the program with a message and status 1
 * ("out.svg: No space left on device"); a closed pipe ends it as SIGPIPE does. */
#ifndef BASE_OUT_H
#define BASE_OUT_H

#include <stdint.h>

#include "common/base/span.h"

enum { OUT_SIZE = 64 * 1024 };

struct out {
    int fd;
    const char *name; /* for messages; borrowed */
    /* Called after the message, before a failed write ends the program. May be NULL. */
    void (*before_exit)(void *ctx);
    /* Called in place of write(2); the bytes are borrowed. May be NULL. */
    void (*take)(void *ctx, struct span bytes);
    void *ctx;
    size_t len;
    char buf[OUT_SIZE];
};

/* Start writing to standard output. If it is a pipe, enlarge it (pipe_enlarge). */
void out_stdout(struct out *o);

/* Start writing to another descriptor, which out_close closes. */
void out_open(struct out *o, int fd, const char *name);

/* Start writing to a function, which gets `ctx` too. It has all bytes after out_flush. */
void out_call(struct out *o, void (*take)(void *ctx, struct span bytes), void *ctx);

/* Write the buffer, then n more bytes. out_span calls this if they do not fit into the buffer. */
void out_write(struct out *o, const char *text, size_t n);

/* Write the buffer. */
void out_flush(struct out *o);

/* For lines.before_read: write the buffer if reading the descriptor would wait, so that the next
 * program of a pipeline gets samples immediately. `out` is a struct out. */
void out_before_read(void *out, int fd);

/* Flush and close; a failed close is an error too. */
void out_close(struct out *o);

/* Write a text. */
static inline void
out_span(struct out *o, struct span s)
{
    if (s.len > OUT_SIZE - o->len) {
        out_write(o, s.ptr, s.len);
        return;
    }
    if (s.len > 0)
        memcpy(o->buf + o->len, s.ptr, s.len);
    o->len += s.len;
}

static inline void
out_char(struct out *o, char c)
{
    if (o->len == OUT_SIZE)
        out_flush(o);
    o->buf[o->len++] = c;
}

/* Return a pointer to room for n bytes, at most OUT_SIZE. The caller writes there, and adds the
 * number of bytes written to o->len. */
static inline char *
out_room(struct out *o, size_t n)
{
    if (n > OUT_SIZE - o->len)
        out_flush(o);
    return o->buf + o->len;
}

/* Write a string literal. */
#define out_text(o, literal) out_span((o), SPAN(literal))

static inline void
out_cstr(struct out *o, const char *s)
{
    out_span(o, span_cstr(s));
}

/* Write the value as decimal digits. */
void out_u64(struct out *o, uint64_t value);

/* Write like printf; output is cut after 1023 bytes. */
void out_format(struct out *o, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
