#define _GNU_SOURCE /* memfd_create */
#include "tests/unit/test.h"

#include <sys/mman.h>

#include "common/stack/text/input.h"
#include "tests/unit/child.h"

/* Makes a file for the run of the test. */
static void
make_file(char *name, struct span text)
{
    int fd = mkstemp(name);
    if (fd < 0 || write(fd, text.ptr, text.len) != (ssize_t)text.len || close(fd) != 0) {
        perror(name);
        exit(1);
    }
}

/* Reads the files and prints each line with its place; the status is the diag's. */
static void
print_lines(void *arg)
{
    char **names = arg;
    size_t n = 0;
    while (names[n] != NULL)
        n++;
    struct diag d;
    struct input in;
    struct span line;
    diag_init(&d, "prog");
    input_start(&in, &d, names, n);
    while (input_next(&in))
        while (lines_next(&in.lines, &line)) {
            struct place at = input_place(&in);
            printf("%s:%zu: %.*s\n", at.file, at.line, SPAN_ARG(line));
        }
    input_free(&in);
    fflush(stdout);
    _exit(d.status);
}

/* Standard input gives the text, then print_lines. */
static void
print_with_stdin(void *arg)
{
    int fd = memfd_create("stdin", 0);
    if (fd < 0 || write(fd, "one\ntwo", 7) != 7 || lseek(fd, 0, SEEK_SET) != 0)
        _exit(98);
    dup2(fd, STDIN_FILENO);
    print_lines(arg);
}

TEST("the files are read one after the other, lines counted in each")
{
    char a[] = "/tmp/unit-input-XXXXXX", b[] = "/tmp/unit-input-XXXXXX", wanted[256];
    make_file(a, SPAN("x\ny\n"));
    make_file(b, SPAN("z"));
    char *names[] = {a, b, NULL};
    struct child c;
    child_run(&c, print_lines, names);
    snprintf(wanted, sizeof wanted, "%s:1: x\n%s:2: y\n%s:1: z\n", a, a, b);
    CHECK_TEXT(c.out, wanted);
    CHECK_TEXT(c.err, "");
    CHECK(c.status == 0);
    unlink(a);
    unlink(b);
}

TEST("what is not text in lines is an error that says how to make text of it")
{
    static const struct {
        struct span start;
        const char *error;
    } cases[] = {
        {{"\xff\xfem\0o\0", 6}, "UTF-16 text: convert it with iconv -f UTF-16 -t UTF-8"},
        {{"\xfe\xff\0m\0o", 6}, "UTF-16 text: convert it with iconv -f UTF-16 -t UTF-8"},
        {{"a 1\rb 2\r", 8}, "its lines end in CR alone: convert it with tr '\\r' '\\n'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char a[] = "/tmp/unit-input-XXXXXX", b[] = "/tmp/unit-input-XXXXXX", wanted[256];
        make_file(a, cases[i].start);
        make_file(b, SPAN("z"));
        char *names[] = {a, b, NULL};
        struct child c;
        child_run(&c, print_lines, names);
        snprintf(wanted, sizeof wanted, "%s:1: z\n", b);
        CHECK_TEXT(c.out, wanted);
        snprintf(wanted, sizeof wanted, "prog: %s: %s\n", a, cases[i].error);
        CHECK_TEXT(c.err, wanted);
        CHECK(c.status == 1);
        unlink(a);
        unlink(b);
    }
}

TEST("a recording of perf is an error that gives the commands to read it with")
{
    char a[] = "/tmp/unit-input-XXXXXX", wanted[256];
    make_file(a, SPAN("PERFILE2more\n"));
    char *names[] = {a, NULL};
    struct child c;
    child_run(&c, print_lines, names);
    CHECK_TEXT(c.out, "");
    snprintf(wanted, sizeof wanted,
             "prog: %s is perf's binary recording; run: perf-script %s | prog\n", a, a);
    CHECK_TEXT(c.err, wanted);
    CHECK(c.status == 1);
    unlink(a);
}

TEST("text that only begins like a magic number is text")
{
    static const char *const texts[] = {"PERFILE", "BZh",     "BZh9",     "BZh91AY",
                                        "a\r",     "a\rb\rc", "\xef\xbb", "\x1f\x8b"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char a[] = "/tmp/unit-input-XXXXXX", line[32], wanted[256];
        snprintf(line, sizeof line, "%s\n", texts[i]);
        make_file(a, span_cstr(line));
        char *names[] = {a, NULL};
        struct child c;
        child_run(&c, print_lines, names);
        snprintf(wanted, sizeof wanted, "%s:1: %s", a, line);
        CHECK_TEXT(c.out, wanted);
        CHECK_TEXT(c.err, "");
        CHECK(c.status == 0);
        unlink(a);
    }
}

/* The first line of a file that holds the text. */
static void
print_first_line(struct child *c, struct span text, void (*print)(void *))
{
    char a[] = "/tmp/unit-input-XXXXXX";
    make_file(a, text);
    char *names[] = {a, NULL};
    child_run(c, print, names);
    unlink(a);
}

static void
print_bare_line(void *arg)
{
    struct diag d;
    struct input in;
    struct span line;
    diag_init(&d, "prog");
    input_start(&in, &d, arg, 1);
    if (input_next(&in) && lines_next(&in.lines, &line))
        printf("[%.*s]", SPAN_ARG(line));
}

static void
print_bare_line_as_is(void *arg)
{
    struct diag d;
    struct input in;
    struct span line;
    diag_init(&d, "prog");
    input_start(&in, &d, arg, 1);
    in.as_is = true;
    if (input_next(&in) && lines_next(&in.lines, &line))
        printf("[%.*s]", SPAN_ARG(line));
}

TEST("a UTF-8 byte order mark is not part of the first line")
{
    struct child c;
    print_first_line(&c, SPAN("\xef\xbb\xbfnode\n"), print_bare_line);
    CHECK_TEXT(c.out, "[node]");
    print_first_line(&c, SPAN("\xef\xbb\xbf"), print_bare_line);
    CHECK_TEXT(c.out, "");
}

TEST("read as it is, a byte order mark and bare CRs are text")
{
    struct child c;
    print_first_line(&c, SPAN("\xef\xbb\xbfnode\n"), print_bare_line_as_is);
    CHECK_TEXT(c.out, "[\xef\xbb\xbfnode]");
    print_first_line(&c, SPAN("a 1\rb 2\r"), print_bare_line_as_is);
    CHECK_TEXT(c.out, "[a 1\rb 2\r]");
    CHECK_TEXT(c.err, "");
}

TEST("standard input is read if no file is named, and for \"-\"")
{
    char dash[] = "-", *none[] = {NULL}, *one[] = {dash, NULL};
    struct child c;
    child_run(&c, print_with_stdin, none);
    CHECK_TEXT(c.out, "standard input:1: one\nstandard input:2: two\n");
    CHECK(c.status == 0);
    child_run(&c, print_with_stdin, one);
    CHECK_TEXT(c.out, "standard input:1: one\nstandard input:2: two\n");
    CHECK(c.status == 0);
}

/* Skips every line of the files. */
static void
skip_lines(void *arg)
{
    char **names = arg;
    struct diag d;
    struct input in;
    struct span line;
    diag_init(&d, "prog");
    input_start(&in, &d, names, 2);
    while (input_next(&in))
        while (lines_next(&in.lines, &line))
            input_skip(&in, "no good");
    diag_finish(&d);
    input_say_skipped(&in, 1, "stack");
    input_free(&in);
    _exit(d.status);
}

TEST("the first three skipped lines are reported with their places, and at the end how many there "
     "were")
{
    char a[] = "/tmp/unit-input-XXXXXX", b[] = "/tmp/unit-input-XXXXXX", wanted[256];
    make_file(a, SPAN("x\ny\n"));
    make_file(b, SPAN("x\ny\nz\n"));
    char *names[] = {a, b, NULL};
    struct child c;
    child_run(&c, skip_lines, names);
    snprintf(wanted, sizeof wanted,
             "prog: %s:1: no good\nprog: %s:2: no good\nprog: %s:1: no good\n"
             "prog: 1 stack, 5 lines skipped (first at %s:1)\n",
             a, a, b, a);
    CHECK_TEXT(c.err, wanted);
    CHECK(c.status == 0);
    unlink(a);
    unlink(b);
}

/* Reads the files to their ends. */
static void
read_and_warn(void *arg)
{
    struct diag d;
    struct input in;
    struct span line;
    diag_init(&d, "prog");
    input_start(&in, &d, arg, 3);
    while (input_next(&in)) {
        while (lines_next(&in.lines, &line))
            ;
        input_warn_cut(&in);
    }
    input_free(&in);
    _exit(d.status);
}

TEST("a file whose last line has no newline is reported as perhaps cut")
{
    char whole[] = "/tmp/unit-input-XXXXXX", cut[] = "/tmp/unit-input-XXXXXX", wanted[256];
    char empty[] = "/tmp/unit-input-XXXXXX";
    make_file(whole, SPAN("x\ny\n"));
    make_file(cut, SPAN("x\ny"));
    make_file(empty, SPAN(""));
    char *names[] = {cut, whole, empty, NULL};
    struct child c;
    child_run(&c, read_and_warn, names);
    snprintf(wanted, sizeof wanted,
             "prog: %s:2: the last line has no newline: perhaps the file was cut\n", cut);
    CHECK_TEXT(c.err, wanted);
    CHECK(c.status == 0);
    unlink(whole);
    unlink(cut);
    unlink(empty);
}

TEST("skipped lines fail the program under --strict only, an error does always")
{
    struct diag d;
    diag_init(&d, "prog");
    struct input in = {.diag = &d};
    CHECK(input_status(&in, false) == 0);
    CHECK(input_status(&in, true) == 0);
    in.skipped = 2;
    CHECK(input_status(&in, false) == 0);
    CHECK(input_status(&in, true) == 1);
    in.skipped = 0;
    d.status = 1;
    CHECK(input_status(&in, false) == 1);
}

TEST("a file that is missing is an error, and the others are still read")
{
    char a[] = "/tmp/unit-input-XXXXXX", missing[] = "/nonexistent/file", wanted[256];
    make_file(a, SPAN("x\n"));
    char *names[] = {missing, a, missing, NULL};
    struct child c;
    child_run(&c, print_lines, names);
    snprintf(wanted, sizeof wanted, "%s:1: x\n", a);
    CHECK_TEXT(c.out, wanted);
    CHECK_TEXT(c.err, "prog: /nonexistent/file: No such file or directory\n"
                      "prog: /nonexistent/file: No such file or directory\n");
    CHECK(c.status == 1);
    unlink(a);
}

TEST("a directory is an error, and the others are still read")
{
    char a[] = "/tmp/unit-input-XXXXXX", root[] = "/", wanted[256];
    make_file(a, SPAN("x"));
    char *names[] = {root, a, root, NULL};
    struct child c;
    child_run(&c, print_lines, names);
    snprintf(wanted, sizeof wanted, "%s:1: x\n", a);
    CHECK_TEXT(c.out, wanted);
    CHECK_TEXT(c.err, "prog: /: Is a directory\nprog: /: Is a directory\n");
    CHECK(c.status == 1);
    unlink(a);
}

static void
print_without_stdin(void *arg)
{
    close(STDIN_FILENO);
    print_lines(arg);
}

TEST("a standard input that is closed is an error")
{
    char *none[] = {NULL};
    struct child c;
    child_run(&c, print_without_stdin, none);
    CHECK_TEXT(c.out, "");
    CHECK_TEXT(c.err, "prog: standard input: Bad file descriptor\n");
    CHECK(c.status == 1);
}
