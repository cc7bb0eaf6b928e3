#define _GNU_SOURCE /* program_invocation_short_name */
#include "common/base/out.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "common/base/diag.h"
#include "common/base/num.h"
#include "common/base/pipe.h"

void
out_open(struct out *o, int fd, const char *name)
{
    o->fd = fd;
    o->name = name;
    o->before_exit = NULL;
    o->take = NULL;
    o->len = 0;
}

void
out_call(struct out *o, void (*take)(void *ctx, struct span bytes), void *ctx)
{
    out_open(o, -1, "");
    o->take = take;
    o->ctx = ctx;
}

void
out_stdout(struct out *o)
{
    out_open(o, STDOUT_FILENO, "standard output");
    pipe_enlarge(STDOUT_FILENO);
}

static _Noreturn void
fail(const struct out *o)
{
    if (errno == EPIPE) {
        /* The parent ignored SIGPIPE. End by it nevertheless, as `yes | head` does. */
        signal(SIGPIPE, SIG_DFL);
        raise(SIGPIPE);
    }
    struct diag d;
    diag_init(&d, program_invocation_short_name);
    diag_error(&d, (struct place){o->name, 0}, "%s", strerror(errno));
    if (o->before_exit != NULL)
        o->before_exit(o->ctx);
    exit(1);
}

static void
write_all(const struct out *o, const char *p, size_t n)
{
    if (o->take != NULL)
        o->take(o->ctx, span_of(p, n));
    else if (!pipe_write(o->fd, span_of(p, n)))
        fail(o);
}

void
out_flush(struct out *o)
{
    write_all(o, o->buf, o->len);
    o->len = 0;
}

void
out_write(struct out *o, const char *text, size_t n)
{
    out_flush(o);
    if (n >= OUT_SIZE) {
        write_all(o, text, n);
        return;
    }
    memcpy(o->buf, text, n);
    o->len = n;
}

void
out_before_read(void *out, int fd)
{
    struct pollfd p = {.fd = fd, .events = POLLIN};
    struct out *o = out;
    if (o->len > 0 && poll(&p, 1, 0) == 0)
        out_flush(o);
}

void
out_close(struct out *o)
{
    out_flush(o);
    if (close(o->fd) != 0 && errno != EINTR)
        fail(o);
}

void
out_u64(struct out *o, uint64_t value)
{
    char digits[NUM_DIGITS];
    out_span(o, num_decimal(digits, value));
}

void
out_format(struct out *o, const char *format, ...)
{
    char text[1024];
    va_list args;
    va_start(args, format);
    int n = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (n > 0)
        out_span(o, span_of(text, (size_t)n < sizeof text ? (size_t)n : sizeof text - 1));
}
