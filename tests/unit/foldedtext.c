#define _GNU_SOURCE /* memfd_create(2), Linux 3.17 */
#include "common/stack/text/foldedtext.h"

#include <sys/mman.h>
#include <unistd.h>

#include "tests/unit/test.h"

TEST("a line is a stack and a count, whole or with a fraction")
{
    struct folded f;
    CHECK(folded_parse(SPAN("a;b c 12"), 0, &f));
    CHECK_TEXT(f.stack, "a;b c");
    CHECK_TEXT(f.count, "12");
    CHECK_TEXT(f.second, "");
    CHECK(folded_parse(SPAN("a\t1.50\r"), 1, &f));
    CHECK_TEXT(f.stack, "a");
    CHECK_TEXT(f.count, "1.50");
    CHECK(folded_parse(SPAN(" 3"), 1, &f));
    CHECK_TEXT(f.stack, "");
}

TEST("the number of counts on a line is given, or found out from the line")
{
    struct folded f;
    CHECK(folded_parse(SPAN("a 1 2 3"), 0, &f));
    CHECK_TEXT(f.stack, "a 1");
    CHECK_TEXT(f.count, "2");
    CHECK_TEXT(f.second, "3");
    CHECK(folded_parse(SPAN("a 1 2"), 1, &f));
    CHECK_TEXT(f.stack, "a 1");
    CHECK_TEXT(f.count, "2");
    CHECK_TEXT(f.second, "");
    CHECK(!folded_parse(SPAN("a 1"), 2, &f));
}

TEST("what has no count at its end is no folded stack")
{
    static const struct span bad[] = {
        SPAN(""),     SPAN("12"),   SPAN("a"),    SPAN("a 12x"), SPAN("a;12"),
        SPAN("a -1"), SPAN("a .5"), SPAN("a 1 "), SPAN("a 1e3"), SPAN("a 1.2.3"),
    };
    struct folded f;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        CHECK(!folded_parse(bad[i], 0, &f));
}

TEST("frames come root first, empty ones too, and then there is none")
{
    struct span stack = SPAN("a;;b");
    CHECK_TEXT(folded_frame(&stack), "a");
    CHECK_TEXT(folded_frame(&stack), "");
    CHECK(stack.ptr != NULL);
    CHECK_TEXT(folded_frame(&stack), "b");
    CHECK(stack.ptr == NULL);
    stack = SPAN("");
    CHECK_TEXT(folded_frame(&stack), "");
    CHECK(stack.ptr == NULL);
}

TEST("a mark goes from a name, and nothing that only looks like one")
{
    CHECK_TEXT(folded_unmarked(SPAN("vfs_read_[k]")), "vfs_read");
    CHECK_TEXT(folded_unmarked(SPAN("a_[i]")), "a");
    CHECK_TEXT(folded_unmarked(SPAN("a_[j]")), "a");
    CHECK_TEXT(folded_unmarked(SPAN("a_[0]")), "a");
    CHECK_TEXT(folded_unmarked(SPAN("a_[1]")), "a");
    CHECK_TEXT(folded_unmarked(SPAN("a_[2]")), "a_[2]");
    CHECK_TEXT(folded_unmarked(SPAN("a_[w]_[w]")), "a_[w]");
    CHECK_TEXT(folded_unmarked(SPAN("_[k]")), "");
    CHECK_TEXT(folded_unmarked(SPAN("a_[x]")), "a_[x]");
    CHECK_TEXT(folded_unmarked(SPAN("a_[k] ")), "a_[k] ");
    CHECK_TEXT(folded_unmarked(SPAN("[k]")), "[k]");
    CHECK_TEXT(folded_unmarked(SPAN("")), "");
}

/* A reader at the start of a text. */
static void
start(struct foldedtext *t, struct lines *lines, struct span text)
{
    int fd = memfd_create("folded", 0);
    CHECK(fd >= 0 && write(fd, text.ptr, text.len) == (ssize_t)text.len);
    lseek(fd, 0, SEEK_SET);
    *lines = (struct lines){0};
    lines_start(lines, fd);
    foldedtext_start(t, lines);
}

static void
stop(struct lines *lines)
{
    close(lines->fd);
    lines_free(lines);
}

static int
columns_of(struct span text)
{
    struct lines lines;
    struct foldedtext t;
    start(&t, &lines, text);
    stop(&lines);
    return t.columns;
}

TEST("a file has two counts a line if each of its lines does, else one")
{
    CHECK(columns_of(SPAN("a 1 2\nb;c 3 4\n")) == 2);
    CHECK(columns_of(SPAN("a 1 2\nb;c 3 4")) == 2);
    CHECK(columns_of(SPAN("a 1 2\nb;c 3\n")) == 1);
    CHECK(columns_of(SPAN("a 1\nb;c 3 4\n")) == 1);
    CHECK(columns_of(SPAN("a 1\n")) == 1);
    CHECK(columns_of(SPAN("")) == 1);
    CHECK(columns_of(SPAN("\n\n# only a comment\n")) == 1);
}

TEST("frames that end in numbers make no second count where one line has none")
{
    CHECK(columns_of(SPAN("a;Thread 5 2\na;Thread 6 1\nmain 7\n")) == 1);
    CHECK(columns_of(SPAN("a;Thread 5 2\nmain 7")) == 1);
}

TEST("blank lines, comments and lines without a count do not decide how many counts there are")
{
    CHECK(columns_of(SPAN("# profile\n\nwhat\na 1 2\n# end\nb 3 4\n")) == 2);
    CHECK(columns_of(SPAN("\na\n# 5\nb 3 4\n")) == 1); /* "#" with a count is a stack */
}

/* A text of `before` bytes of lines with two counts, then one with one. */
static int
columns_with_one_at(size_t before)
{
    static const char line[] = "a;bc;d 10 12 15\n";
    size_t len = 0;
    char *text = malloc(before + sizeof line);
    for (; len < before; len += strlen(line))
        memcpy(text + len, line, sizeof line);
    memcpy(text + len, "a 1\n", 4);
    int columns = columns_of(span_of(text, len + 4));
    free(text);
    return columns;
}

TEST("the first 64 KiB decide how many counts there are")
{
    CHECK(columns_with_one_at(64 * 1024 - 16) == 1);
    CHECK(columns_with_one_at(64 * 1024) == 2);
    CHECK(columns_with_one_at(1024 * 1024) == 2);
}

TEST("deciding how many counts there are consumes no line")
{
    struct lines lines;
    struct foldedtext t;
    struct folded f;
    start(&t, &lines, SPAN("# profile\n\na;b 1 2\nc 3.5 4"));
    CHECK(foldedtext_next(&t, &f) == FOLDED_OTHER);
    CHECK_TEXT(t.line, "# profile");
    CHECK(foldedtext_next(&t, &f) == FOLDED_OTHER);
    CHECK_TEXT(t.line, "");
    CHECK(foldedtext_next(&t, &f) == FOLDED_STACK);
    CHECK_TEXT(f.stack, "a;b");
    CHECK_TEXT(f.count, "1");
    CHECK_TEXT(f.second, "2");
    CHECK(foldedtext_next(&t, &f) == FOLDED_STACK);
    CHECK_TEXT(f.stack, "c");
    CHECK_TEXT(f.count, "3.5");
    CHECK(foldedtext_next(&t, &f) == FOLDED_END);
    CHECK(foldedtext_next(&t, &f) == FOLDED_END);
    stop(&lines);
}

TEST("a comment begins with # and has no count; a blank line may hold blanks")
{
    struct lines lines;
    struct foldedtext t;
    struct folded f;
    start(&t, &lines, SPAN("#\n# a 1x\n# a 1\n \t\r\na 1\n"));
    CHECK(foldedtext_next(&t, &f) == FOLDED_OTHER);
    CHECK(foldedtext_next(&t, &f) == FOLDED_OTHER);
    CHECK(foldedtext_next(&t, &f) == FOLDED_STACK);
    CHECK_TEXT(f.stack, "# a");
    CHECK(foldedtext_next(&t, &f) == FOLDED_OTHER);
    CHECK(foldedtext_next(&t, &f) == FOLDED_STACK);
    CHECK(foldedtext_next(&t, &f) == FOLDED_END);
    stop(&lines);
}

TEST("a line that is skipped has a reason, and the next one is read")
{
    struct lines lines;
    struct foldedtext t;
    struct folded f;
    start(&t, &lines, SPAN("a;b\na 1\n 12x\na;12\n"));
    CHECK(foldedtext_next(&t, &f) == FOLDED_SKIPPED);
    CHECK_TEXT(span_cstr(t.why), "not a folded stack");
    CHECK(foldedtext_next(&t, &f) == FOLDED_STACK);
    CHECK(foldedtext_next(&t, &f) == FOLDED_SKIPPED);
    CHECK(foldedtext_next(&t, &f) == FOLDED_SKIPPED);
    CHECK(foldedtext_next(&t, &f) == FOLDED_END);
    stop(&lines);
}

TEST("a line with one count is skipped in a file that was taken to have two")
{
    struct lines lines;
    struct foldedtext t;
    struct folded f;
    start(&t, &lines, SPAN("a 1 2\n"));
    CHECK(foldedtext_next(&t, &f) == FOLDED_STACK);
    stop(&lines);
    start(&t, &lines, SPAN("b 1\nwhat\n"));
    t.columns = 2;
    CHECK(foldedtext_next(&t, &f) == FOLDED_SKIPPED);
    CHECK_TEXT(span_cstr(t.why), "not a folded stack with two counts");
    CHECK(foldedtext_next(&t, &f) == FOLDED_SKIPPED);
    CHECK_TEXT(span_cstr(t.why), "not a folded stack");
    stop(&lines);
}

TEST("counts are written after their stack, one or two")
{
    static struct out o;
    out_open(&o, -1, "nowhere");
    out_text(&o, "a;b");
    folded_write_counts(&o, SPAN("12"), SPAN(""));
    out_text(&o, "a;c");
    folded_write_counts(&o, SPAN("1.5"), SPAN("0"));
    CHECK(span_eq(span_of(o.buf, o.len), SPAN("a;b 12\na;c 1.5 0\n")));
}
