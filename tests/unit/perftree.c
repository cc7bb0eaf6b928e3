/* Perf maps as perf script reads them. What is wanted here was printed by perf 6.1. */
#include "common/sym/perftree.h"

#include <fcntl.h>
#include <unistd.h>

#include "tests/unit/test.h"

/* The tree of that text. */
static struct perftree
tree_of(struct span text)
{
    struct perftree t;
    char path[] = "/tmp/perftree-test.XXXXXX";
    int fd = mkstemp(path);
    CHECK(fd >= 0 && write(fd, text.ptr, text.len) == (ssize_t)text.len);
    close(fd);
    struct regular_file f = regular_of(open(path, O_RDONLY));
    CHECK(perftree_load(&t, &f) == NULL);
    unlink(path);
    return t;
}

/* The name at the address, "" if there is none. */
static struct span
name_at(const struct perftree *t, uint64_t addr)
{
    struct span name = SPAN("");
    uint64_t start;
    perftree_find(t, addr, &name, &start);
    return name;
}

TEST("a record names its addresses, from the first to the last")
{
    FREED(perftree_free)
    struct perftree t = tree_of(SPAN("1000 10 JS:*get email /srv/my app.js:12\n2000 1 two\n"));
    uint64_t start = 0;
    struct span name;
    CHECK(t.count == 2);
    CHECK_TEXT(name_at(&t, 0xfff), "");
    CHECK_TEXT(name_at(&t, 0x1000), "JS:*get email /srv/my app.js:12");
    CHECK_TEXT(name_at(&t, 0x100f), "JS:*get email /srv/my app.js:12");
    CHECK_TEXT(name_at(&t, 0x1010), "");
    CHECK_TEXT(name_at(&t, 0x2000), "two");
    CHECK(perftree_find(&t, 0x1008, &name, &start) && start == 0x1000);
}

TEST("where two records overlap, the older one names the address")
{
    FREED(perftree_free) struct perftree t = tree_of(SPAN("1000 100 old\n1000 40 new\n"));
    CHECK_TEXT(name_at(&t, 0x1010), "old");
    CHECK_TEXT(name_at(&t, 0x10f0), "old");
}

TEST("the record that is met first in perf's tree names the address, also if it is not the oldest")
{
    FREED(perftree_free)
    struct perftree t = tree_of(SPAN("1000 100 first\n1010 100 second\n1020 100 third\n"));
    CHECK_TEXT(name_at(&t, 0x1008), "first");
    CHECK_TEXT(name_at(&t, 0x1018), "second");
    CHECK_TEXT(name_at(&t, 0x1028), "second"); /* the root, after one rotation */
    CHECK_TEXT(name_at(&t, 0x1118), "third");
}

TEST("an address may be lost behind a record that does not cover it")
{
    FREED(perftree_free)
    struct perftree t = tree_of(SPAN("1000 8000 large\n2000 10 two\n3000 10 three\n"));
    CHECK_TEXT(name_at(&t, 0x1800), "large");
    CHECK_TEXT(name_at(&t, 0x2800), "");
    CHECK_TEXT(name_at(&t, 0x2008), "two");
}

TEST("numbers are read as strtoull does, and any character after one is skipped")
{
    FREED(perftree_free)
    struct perftree t = tree_of(SPAN("  0XAB00\t 10:colon\n+1000,+10,plus\n0x 800 zero\n"
                                     "2000 -1ff0 down\n11112222333344445 1 over\n"));
    CHECK_TEXT(name_at(&t, 0xab0f), "colon");
    CHECK_TEXT(name_at(&t, 0x100f), "plus");
    CHECK_TEXT(name_at(&t, 0x7ff), "zero"); /* the number 0, then the x is skipped */
    CHECK_TEXT(name_at(&t, 0x2000), "");
    CHECK(t.count == 5);
}

TEST("a control character is not taken for a digit")
{
    FREED(perftree_free) struct perftree t = tree_of(SPAN("\x11 10 name\n"));
    CHECK_TEXT(name_at(&t, 0xf), "name"); /* no number: 0 */
    CHECK_TEXT(name_at(&t, 0x11), "");
}

TEST("names of less than three bytes are skipped, and a carriage return is part of one")
{
    FREED(perftree_free)
    struct perftree t = tree_of(SPAN("1000 10 ab\n2000 10 abc\n3000 10 ab\r\n4000 10\n\n5000\n"));
    CHECK(t.count == 2);
    CHECK_TEXT(name_at(&t, 0x1000), "");
    CHECK_TEXT(name_at(&t, 0x2000), "abc");
    CHECK_TEXT(name_at(&t, 0x3000), "ab\r");
}

TEST("a name ends at a NUL")
{
    FREED(perftree_free) struct perftree t = tree_of(SPAN("1000 10 abc\0def\n"));
    CHECK(span_eq(name_at(&t, 0x1000), SPAN("abc")));
}

TEST("a last line without newline loses its last byte")
{
    FREED(perftree_free) struct perftree t = tree_of(SPAN("1000 10 first\n2000 10 half writ"));
    CHECK_TEXT(name_at(&t, 0x2000), "half wri");
    perftree_free(&t);
    t = tree_of(SPAN("1000 10 abc"));
    CHECK(t.count == 0);
    CHECK_TEXT(name_at(&t, 0x1000), "");
}

TEST("a record of size 0 has one address")
{
    FREED(perftree_free) struct perftree t = tree_of(SPAN("1000 0 empty\n"));
    struct span name;
    uint64_t start = 0;
    CHECK(perftree_find(&t, 0x1000, &name, &start) && start == 0x1000);
    CHECK_TEXT(name_at(&t, 0x1001), "");
}

TEST("ten thousand records in ascending order are found at once")
{
    enum { RECORDS = 10000 };
    static char text[RECORDS * 32];
    size_t len = 0;
    for (unsigned i = 0; i < RECORDS; i++)
        len += (size_t)snprintf(text + len, sizeof text - len, "%x 10 n%05u\n", i * 16, i);
    FREED(perftree_free) struct perftree t = tree_of(span_of(text, len));
    CHECK(t.count == RECORDS);
    for (unsigned i = 0; i < RECORDS; i++) {
        char wanted[16];
        snprintf(wanted, sizeof wanted, "n%05u", i);
        CHECK_TEXT(name_at(&t, i * 16 + 15), wanted);
    }
}

TEST("a file that cannot be read leaves an empty tree")
{
    struct perftree t;
    struct regular_file f = regular_of(open("/", O_RDONLY));
    CHECK_TEXT(span_cstr(perftree_load(&t, &f)), "Is a directory");
    CHECK(t.count == 0);
    CHECK_TEXT(name_at(&t, 0), "");
}
