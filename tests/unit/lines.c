#define _GNU_SOURCE /* memfd_create */
#include "tests/unit/test.h"

#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/base/lines.h"
#include "common/base/mem.h"

/* A descriptor that gives the text. */
static int
file_of(struct span text)
{
    int fd = memfd_create("lines", MFD_CLOEXEC);
    if (fd < 0 || write(fd, text.ptr, text.len) != (ssize_t)text.len ||
        lseek(fd, 0, SEEK_SET) != 0) {
        perror("memfd_create");
        exit(1);
    }
    return fd;
}

/* A pipe that gives the text in writes of `step` bytes; *child writes it. */
static int
pipe_of(struct span text, size_t step, pid_t *child)
{
    int ends[2];
    if (pipe(ends) != 0 || (*child = fork()) < 0) {
        perror("pipe");
        exit(1);
    }
    if (*child > 0) {
        close(ends[1]);
        return ends[0];
    }
    poll(NULL, 0, 5); /* let the reader come first */
    for (size_t at = 0; at < text.len; at += step)
        if (write(ends[1], text.ptr + at, text.len - at < step ? text.len - at : step) < 0)
            _exit(1);
    _exit(0);
}

/* True if the lines of fd are those of the text, by number, each with a newline after it. */
static bool
gives(int fd, struct span text)
{
    struct lines l = {0};
    struct span line;
    lines_start(&l, fd);
    size_t number = 0;
    bool same = true;
    while (same && lines_next(&l, &line)) {
        size_t end = span_find(text, '\n');
        struct span wanted = end != SPAN_NONE ? span_head(text, end) : text;
        same = text.len > 0 && span_eq(line, wanted) && line.ptr[line.len] == '\n' &&
               l.number == ++number;
        text = span_from(text, wanted.len < text.len ? wanted.len + 1 : text.len);
    }
    same &= text.len == 0 && l.error == 0 && !lines_next(&l, &line);
    lines_free(&l);
    close(fd);
    return same;
}

TEST("an empty file has no lines")
{
    CHECK(gives(file_of(SPAN("")), SPAN("")));
}

TEST("a file's last line needs no newline, and blank lines count")
{
    static const struct span texts[] = {SPAN("a"),      SPAN("\n"),         SPAN("\n\n"),
                                        SPAN("a\n"),    SPAN("a\nb"),       SPAN("a\n\nb\n"),
                                        SPAN("\na"),    SPAN("a\n\n"),      SPAN("a\r\n"),
                                        SPAN("\0\n\0"), SPAN("a\nb\n\n\nc")};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        CHECK(gives(file_of(texts[i]), texts[i]));
}

enum { LARGE = 1024 * 1024 };

/* LARGE bytes of lines, `len` bytes each and up to 6 more, any byte among them. */
static struct span
large_text(size_t len)
{
    char *text = mem_alloc(LARGE);
    for (size_t i = 0, left = len; i < LARGE; i++) {
        char c = (char)(i * 31 + i / 256);
        text[i] = left == 0 ? '\n' : c == '\n' ? 'n' : c;
        left = left == 0 ? len + i % 7 : left - 1;
    }
    return span_of(text, LARGE);
}

TEST("lines that cross the ends of blocks are whole")
{
    static const size_t lens[] = {1, 80, 4095, 65535, 262143, 262144, 262145, 600000, LARGE};
    for (size_t i = 0; i < sizeof lens / sizeof *lens; i++) {
        struct span text = large_text(lens[i]);
        CHECK(gives(file_of(text), text));
        free((char *)(uintptr_t)text.ptr);
    }
}

TEST("a newline at a block's very end or start is one newline")
{
    char *text = mem_alloc(LARGE);
    for (size_t at = 256 * 1024 - 3; at <= 256 * 1024 + 3; at++) {
        memset(text, 'x', LARGE);
        text[at] = '\n';
        CHECK(gives(file_of(span_of(text, LARGE)), span_of(text, LARGE)));
        CHECK(gives(file_of(span_of(text, at)), span_of(text, at)));
        CHECK(gives(file_of(span_of(text, at + 1)), span_of(text, at + 1)));
    }
    free(text);
}

static void
count_skipped(void *count)
{
    ++*(size_t *)count;
}

TEST("a line that is longer than the limit is skipped and counted, the next one has its own number")
{
    size_t skipped = 0, size = 3 * ((size_t)LINES_MAX + 2) + 2;
    char *text = mem_alloc(size);
    memset(text, 'x', size);
    text[LINES_MAX] = text[2 * LINES_MAX + 2] = '\n'; /* the second has a byte too many */
    text[2 * LINES_MAX + 4] = '\n';
    for (int whole = 0; whole < 2; whole++) {
        struct lines l = {.skipped = count_skipped, .skipped_ctx = &skipped};
        struct span line;
        skipped = 0;
        lines_start(&l, file_of(span_of(text, size)));
        if (whole == 1)
            lines_ahead(&l, size); /* all is buffered, and no line is shorter for it */
        CHECK(lines_next(&l, &line) && line.len == LINES_MAX && l.number == 1 && skipped == 0);
        CHECK(lines_next(&l, &line) && line.len == 1 && l.number == 3 && skipped == 1);
        CHECK(!lines_next(&l, &line) && l.number == 4 && skipped == 2 && l.too_long == 2);
        CHECK(!lines_next(&l, &line) && skipped == 2 && l.unterminated);
        CHECK(whole == 1 || l.cap < 2 * (size_t)LINES_MAX);
        close(l.fd);
        lines_free(&l);
    }
    free(text);
}

TEST("lines from a pipe that gives a byte at a time are the same")
{
    static const size_t steps[] = {1, 2, 3, 7};
    struct span text = SPAN("node 12 1.5: 1 cycles:\n\t 7f main (/bin/x)\n\n\0\nlast");
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        pid_t child = 0;
        int status = 1;
        CHECK(gives(pipe_of(text, steps[i], &child), text));
        CHECK(waitpid(child, &status, 0) == child && status == 0);
    }
}

TEST("a pipe that does not block is waited for")
{
    struct span text = SPAN("first\nsecond\nlast");
    pid_t child = 0;
    int status = 1, fd = pipe_of(text, 1, &child);
    fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
    CHECK(gives(fd, text));
    CHECK(waitpid(child, &status, 0) == child && status == 0);
}

TEST("lines from a large pipe are the same whatever the size of its writes")
{
    struct span text = large_text(100);
    pid_t child = 0;
    int status = 1;
    CHECK(gives(pipe_of(text, 4099, &child), text));
    CHECK(waitpid(child, &status, 0) == child && status == 0);
    free((char *)(uintptr_t)text.ptr);
}

TEST("a read that fails ends the lines and leaves its errno")
{
    struct lines l = {0};
    struct span line;
    int fd = open("/", O_RDONLY | O_CLOEXEC);
    lines_start(&l, fd);
    CHECK(!lines_next(&l, &line));
    CHECK(l.error != 0);
    close(fd);
    fd = file_of(SPAN("next\n"));
    lines_start(&l, fd);
    CHECK(l.error == 0);
    CHECK(lines_next(&l, &line));
    CHECK_TEXT(line, "next");
    CHECK(l.number == 1);
    lines_free(&l);
    close(fd);
}

TEST("a last line without a newline is known as such, and no other line is")
{
    static const struct span texts[] = {SPAN("a\nb"), SPAN("a\nb\n"), SPAN("a"), SPAN("")};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct lines l = {0};
        struct span line;
        int fd = file_of(texts[i]);
        lines_start(&l, fd);
        while (lines_next(&l, &line))
            CHECK(l.unterminated == (l.pos == l.end && !span_ends(texts[i], SPAN("\n"))));
        CHECK(l.unterminated == (texts[i].len > 0 && !span_ends(texts[i], SPAN("\n"))));
        lines_start(&l, fd);
        CHECK(!l.unterminated);
        lines_free(&l);
        close(fd);
    }
}

TEST("text can be looked at before it is consumed, and whole lines be consumed at once")
{
    struct lines l = {0};
    struct span line;
    int fd = file_of(SPAN("first\nsecond\nthird"));
    lines_start(&l, fd);
    CHECK_TEXT(lines_ahead(&l, 1), "first\nsecond\nthird");
    CHECK_TEXT(lines_ahead(&l, 1000), "first\nsecond\nthird");
    CHECK(l.number == 0);
    lines_skip(&l, sizeof "first\nsecond\n" - 1, 2);
    CHECK(l.number == 2);
    CHECK(lines_next(&l, &line));
    CHECK_TEXT(line, "third");
    CHECK(l.number == 3);
    CHECK(lines_ahead(&l, 1).len == 0);
    lines_free(&l);
    close(fd);
}

/* Counts the lines that it is called with, and decides at the wanted one. */
struct peeked {
    size_t lines;
    const char *wanted;
    struct span last;
};

static bool
is_wanted(void *ctx, struct span line)
{
    struct peeked *p = ctx;
    p->lines++;
    p->last = line;
    return p->wanted != NULL && span_eq(line, span_cstr(p->wanted));
}

TEST("peeking shows each line up to the one that decides, and consumes none")
{
    struct lines l = {0};
    struct span line;
    struct peeked p = {.wanted = "second"};
    int fd = file_of(SPAN("first\nsecond\nthird"));
    lines_start(&l, fd);
    CHECK(lines_peek(&l, 1000, is_wanted, &p) && p.lines == 2);
    p = (struct peeked){0};
    CHECK(!lines_peek(&l, 1000, is_wanted, &p) && p.lines == 3);
    CHECK_TEXT(p.last, "third");
    CHECK(l.number == 0);
    CHECK(lines_next(&l, &line));
    CHECK_TEXT(line, "first");
    lines_free(&l);
    close(fd);
}

TEST("peeking shows the lines that end within its limit, however the text is read")
{
    struct span text = SPAN("12345\n789\n12\nlast");
    static const struct {
        size_t most, lines;
    } cases[] = {{0, 0},  {1, 0},  {5, 0},  {6, 1},  {10, 2},      {12, 2},
                 {13, 3}, {16, 3}, {17, 3}, {18, 4}, {SIZE_MAX, 4}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int piecemeal = 0; piecemeal < 2; piecemeal++) {
            struct lines l = {0};
            struct peeked p = {0};
            pid_t child = 0;
            int fd = piecemeal ? pipe_of(text, 1, &child) : file_of(text);
            lines_start(&l, fd);
            CHECK(!lines_peek(&l, cases[i].most, is_wanted, &p));
            CHECK(p.lines == cases[i].lines);
            lines_free(&l);
            if (piecemeal) {
                while (read(fd, &(char){0}, 1) > 0)
                    continue;
                CHECK(waitpid(child, NULL, 0) == child);
            }
            close(fd);
        }
}

TEST("peeking at a file without a newline reads no more of it than the limit and a block")
{
    enum { SIZE = 8 * LARGE };
    struct lines l = {0};
    struct peeked p = {0};
    char *text = mem_alloc(SIZE);
    memset(text, 'x', SIZE);
    int fd = file_of(span_of(text, SIZE));
    lines_start(&l, fd);
    CHECK(!lines_peek(&l, LARGE, is_wanted, &p) && p.lines == 0);
    CHECK(lines_buffered(&l).len <= 2 * LARGE);
    lines_free(&l);
    close(fd);
    free(text);
}

TEST("no more bytes are read than the user allows, also of a file that has become longer")
{
    int fd = file_of(SPAN("one\ntwo\nthree\n"));
    struct lines l = {0};
    struct span line;
    lines_start(&l, fd);
    l.left = strlen("one\ntw");
    CHECK(lines_next(&l, &line) && span_eq(line, SPAN("one")));
    CHECK(lines_next(&l, &line) && span_eq(line, SPAN("tw")) && l.unterminated);
    CHECK(!lines_next(&l, &line) && l.error == 0);
    CHECK(lseek(fd, 0, SEEK_SET) == 0);
    lines_start(&l, fd);
    CHECK(lines_ahead(&l, 100).len == strlen("one\ntwo\nthree\n"));
    lines_free(&l);
    close(fd);
}
