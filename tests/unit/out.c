#include "tests/unit/test.h"

#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <time.h>

#include "common/base/out.h"
#include "tests/unit/child.h"

static void
write_some(void *arg)
{
    struct out *o = arg;
    out_stdout(o);
    out_text(o, "frames ");
    out_u64(o, UINT64_MAX);
    out_char(o, ' ');
    out_cstr(o, "root");
    out_span(o, SPAN(";a\0b"));
    out_span(o, span_of(NULL, 0));
    out_format(o, " %d%%\n", 42);
    out_close(o);
}

TEST("text is written in order, NUL bytes too")
{
    static struct out o;
    struct child c;
    child_run(&c, write_some, &o);
    CHECK(span_eq(c.out, SPAN("frames 18446744073709551615 root;a\0b 42%\n")));
    CHECK_TEXT(c.err, "");
    CHECK(c.status == 99);
}

TEST("pieces of every size are written whole, whatever the buffer holds")
{
    static const size_t sizes[] = {1, OUT_SIZE - 1, OUT_SIZE,         1, OUT_SIZE + 1,
                                   7, OUT_SIZE,     OUT_SIZE * 3 + 5, 0, OUT_SIZE - 8};
    static char text[OUT_SIZE * 4];
    static struct out o;
    for (size_t i = 0; i < sizeof text; i++)
        text[i] = (char)(i * 7 + i / 251);
    FILE *file = tmpfile();
    out_open(&o, dup(fileno(file)), "file");
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        out_span(&o, span_of(text, sizes[i]));
    out_close(&o);
    rewind(file);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (size_t j = 0; j < sizes[i]; j++)
            if (getc(file) != (unsigned char)text[j]) {
                CHECK(false && "a byte is lost or changed");
                fclose(file);
                return;
            }
    CHECK(getc(file) == EOF);
    fclose(file);
}

TEST("single bytes may overflow the buffer")
{
    static struct out o;
    FILE *file = tmpfile();
    out_open(&o, dup(fileno(file)), "file");
    for (int i = 0; i < OUT_SIZE + 10; i++)
        out_char(&o, 'c');
    out_close(&o);
    fseek(file, 0, SEEK_END);
    CHECK(ftell(file) == OUT_SIZE + 10);
    fclose(file);
}

TEST("formatted text is cut at 1 KiB")
{
    static struct out o;
    FILE *file = tmpfile();
    out_open(&o, dup(fileno(file)), "file");
    out_format(&o, "%2000d", 1);
    out_close(&o);
    fseek(file, 0, SEEK_END);
    CHECK(ftell(file) == 1023);
    fclose(file);
}

static void
write_to_full(void *arg)
{
    struct out *o = arg;
    out_open(o, open("/dev/full", O_WRONLY), "out.svg");
    out_text(o, "text");
    out_close(o);
}

TEST("a write that fails ends the program with the file's name and status 1")
{
    static struct out o;
    struct child c;
    child_run(&c, write_to_full, &o);
    CHECK(c.status == 1);
    CHECK(span_ends(c.err, SPAN("out: out.svg: No space left on device\n")));
}

static void
write_to_file_of_odd_name(void *arg)
{
    struct out *o = arg;
    out_open(o, open("/dev/full", O_WRONLY), "\033[2J\x9b");
    out_text(o, "text");
    out_close(o);
}

TEST("control characters of a file's name do not reach the terminal")
{
    static struct out o;
    struct child c;
    child_run(&c, write_to_file_of_odd_name, &o);
    CHECK(span_ends(c.err, SPAN("out: ?[2J?: No space left on device\n")));
}

/* Fills a pipe that does not block, as node makes them. */
static void
write_to_slow_pipe(void *arg)
{
    struct out *o = arg;
    int fd = STDOUT_FILENO;
    fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
    out_open(o, fd, "pipe");
    for (int i = 0; i < 3 * 1024 * 1024; i++)
        out_char(o, 'x');
    out_close(o);
    _exit(0);
}

TEST("a write to a pipe that is full and does not block waits and goes on")
{
    static struct out o;
    static char text[4096];
    int ends[2], status = 1;
    size_t total = 0;
    ssize_t got;
    CHECK(pipe(ends) == 0);
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        close(ends[1]);
        write_to_slow_pipe(&o);
    }
    close(ends[1]);
    struct timespec pause = {0, 20 * 1000 * 1000}; /* so that the pipe is full at first */
    nanosleep(&pause, NULL);
    while ((got = read(ends[0], text, sizeof text)) > 0)
        total += (size_t)got;
    CHECK(total == 3 * 1024 * 1024);
    CHECK(waitpid(pid, &status, 0) == pid && status == 0);
    close(ends[0]);
}

static void
write_to_closed_pipe(void *arg)
{
    struct out *o = arg;
    int ends[2];
    if (pipe(ends) != 0)
        _exit(98);
    close(ends[0]);
    signal(SIGPIPE, SIG_IGN);
    out_open(o, ends[1], "pipe");
    out_text(o, "text");
    out_close(o);
}

TEST("a closed pipe ends the program without a message, even if SIGPIPE is ignored")
{
    static struct out o;
    struct child c;
    child_run(&c, write_to_closed_pipe, &o);
    CHECK(c.status == 128 + SIGPIPE);
    CHECK_TEXT(c.err, "");
}

static void
write_to_nothing(void *arg)
{
    close(STDOUT_FILENO);
    write_some(arg);
}

TEST("a standard output that is closed is an error")
{
    static struct out o;
    struct child c;
    child_run(&c, write_to_nothing, &o);
    CHECK(c.status == 1);
    CHECK(span_ends(c.err, SPAN("out: standard output: Bad file descriptor\n")));
}
