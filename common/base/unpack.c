#include "common/base/unpack.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/base/pipe.h"
#include "common/base/subprocess.h"
#include "common/base/temporary.h"

/* RFC 1952; bzip2: "BZh", a digit, then the number at the start of a block or of the end of the
 * data; the .xz file format; RFC 8878. */
static const struct unpack_format formats[] = {
    {"gzip", "zcat", SPAN("\x1f\x8b\x08"), SPAN(""), 0},
    {"bzip2", "bzcat", SPAN("BZh"), SPAN("1AY&SY"), 4},
    {"bzip2", "bzcat", SPAN("BZh"), SPAN("\x17\x72\x45\x38\x50\x90"), 4},
    {"xz", "xzcat", SPAN("\xfd\x37zXZ"), SPAN(""), 0},
    {"zstd", "zstdcat", SPAN("\x28\xb5\x2f\xfd"), SPAN(""), 0},
};

const struct unpack_format *
unpack_format(struct span start)
{
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        const struct unpack_format *f = &formats[i];
        if (span_starts(start, f->magic) && start.len >= f->at &&
            span_starts(span_from(start, f->at), f->more))
            return f;
    }
    return NULL;
}

/* Copy `start`, then the rest of `from`. Return 0, or the errno of the failure. */
static int
copy(int from, int to, struct span start)
{
    static char block[64 * 1024];
    ssize_t got = 1;
    bool written = pipe_write(to, start);
    while (written && got != 0) {
        got = read(from, block, sizeof block);
        if (got < 0 && !pipe_retry(from, POLLIN))
            return errno;
        written = got <= 0 || pipe_write(to, span_of(block, (size_t)got));
    }
    return written ? 0 : errno;
}

static bool
open_pipe(int ends[2])
{
    if (pipe(ends) != 0)
        return false;
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    return true;
}

/* Start a process that copies `start` and the rest of `from` to a pipe. It ends when the pipe's
 * reader ends. Return the other end of the pipe, or -1. The process closes standard output and
 * error: otherwise, if this program were killed, their readers would wait for the process. */
static int
start_feeder(struct unpack *u, int from, struct span start)
{
    int ends[2];
    if (!open_pipe(ends))
        return -1;
    u->feeder = fork();
    if (u->feeder == 0) {
        close(STDOUT_FILENO);
        close(STDERR_FILENO);
        close(ends[0]);
        _exit(copy(from, ends[1], start));
    }
    close(ends[1]);
    if (u->feeder > 0)
        return ends[0];
    close(ends[0]);
    u->feeder = 0;
    return -1;
}

/* Start the tool with `in` as its input. Return the descriptor of its output, or -1 if it cannot be
 * run. */
static int
start_tool(struct unpack *u, const struct unpack_format *format, int in)
{
    const char *const argv[] = {format->tool, "-dc", NULL};
    int ends[2];
    if (!open_pipe(ends))
        return -1;
    u->tool = subprocess_run(argv, in, ends[1]);
    close(ends[1]);
    if (u->tool != 0)
        return ends[0];
    close(ends[0]);
    return -1;
}

/* If the input is a file, the tool reads it from its start. If it is a pipe, some bytes have
 * already been read from it: another process must then write the data to the tool while this one
 * reads. */
bool
unpack_start(struct unpack *u, const struct unpack_format *format, struct lines *l)
{
    struct span start = lines_buffered(l);
    bool file = lseek(l->fd, -(off_t)start.len, SEEK_CUR) >= 0;
    *u = (struct unpack){0};
    int in = file ? l->fd : start_feeder(u, l->fd, start);
    int out = in >= 0 ? start_tool(u, format, in) : -1;
    int error = errno;
    if (!file && in >= 0)
        close(in);
    if (out < 0) {
        unpack_end(u, false);
        errno = error;
        return false;
    }
    if (l->fd > STDIN_FILENO)
        close(l->fd);
    lines_start(l, out);
    return true;
}

/* Return the errno of the feeder's failure to write everything to the tool. Return 0 if there was
 * none, or if the tool had ended. */
static int
end_feeder(const struct unpack *u)
{
    kill(u->feeder, SIGKILL);
    int status = subprocess_wait(u->feeder);
    if (status == EPIPE || status == 128 + SIGPIPE || status == 128 + SIGKILL)
        return 0;
    return status < 128 ? status : EIO;
}

int
unpack_end(struct unpack *u, bool whole)
{
    int status = 0;
    if (u->tool > 0) {
        if (!whole)
            kill(u->tool, SIGKILL);
        status = subprocess_wait(u->tool);
    }
    int error = u->feeder > 0 ? end_feeder(u) : 0;
    *u = (struct unpack){0};
    status = error != 0 ? -error : status;
    return whole ? status : 0;
}

/* Wait until the pipe can be read. Return false if the patience is over. */
static bool
wait_patiently(int fd, struct patience *patience)
{
    enum { SLICE = 10 };
    struct pollfd p = {.fd = fd, .events = POLLIN};
    while (poll(&p, 1, SLICE) == 0)
        if (patience_is_over_after(patience, SLICE))
            return false;
    return true;
}

/* Read everything from a pipe. Return false if there is too much, if reading fails, or if it takes
 * too long. */
static bool
read_all(int fd, size_t most, struct text *out, struct patience *patience)
{
    static char block[64 * 1024];
    out->len = 0;
    for (;;) {
        if (!wait_patiently(fd, patience))
            return false;
        ssize_t got = read(fd, block, sizeof block);
        if (got == 0)
            return true;
        if (got < 0 && !pipe_retry(fd, POLLIN))
            return false;
        if (got > 0 && (size_t)got > most - out->len)
            return false;
        if (got > 0)
            text_add(out, span_of(block, (size_t)got));
    }
}

bool
unpack_bytes(const char *tool, struct span packed, size_t most, struct text *out,
             struct patience *patience)
{
    const struct unpack_format format = {.tool = tool};
    struct unpack u = {0};
    int in = temporary_open();
    if (in < 0)
        return false;
    bool written = pipe_write(in, packed) && lseek(in, 0, SEEK_SET) == 0;
    int from = written ? start_tool(&u, &format, in) : -1;
    close(in);
    if (from < 0)
        return false;
    bool whole = read_all(from, most, out, patience);
    close(from);
    return unpack_end(&u, whole) == 0 && whole;
}
