/* Perf map files: which name has an address. */
#include "common/sym/perfmap.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/unit/test.h"

static char path[] = "/tmp/perfmap-test.XXXXXX";

/* A new file of that content under `path`. */
static void
write_file(struct span text)
{
    memcpy(path + sizeof path - 7, "XXXXXX", 6);
    int fd = mkstemp(path);
    CHECK(fd >= 0 && write(fd, text.ptr, text.len) == (ssize_t)text.len);
    close(fd);
}

/* The map of that text. */
static struct perfmap
map_of(struct span text)
{
    struct perfmap m;
    write_file(text);
    struct regular_file f = regular_of(open(path, O_RDONLY));
    CHECK(perfmap_load(&m, &f) == NULL);
    unlink(path);
    return m;
}

/* The name at the address, "" where there is none. */
static struct span
name_at(const struct perfmap *m, uint64_t addr)
{
    struct span name = SPAN("");
    uint64_t start;
    bool found = perfmap_find(m, addr, &name, &start);
    CHECK(!found || start <= addr);
    return name;
}

TEST("a record names its addresses, from the first to the last")
{
    FREED(perfmap_free)
    struct perfmap m = map_of(SPAN("1000 10 JS:*get email /srv/my app.js:12\n2000 1 b\n"));
    uint64_t start = 0;
    struct span name;
    CHECK(m.skipped == 0);
    CHECK_TEXT(name_at(&m, 0xfff), "");
    CHECK_TEXT(name_at(&m, 0x1000), "JS:*get email /srv/my app.js:12");
    CHECK_TEXT(name_at(&m, 0x100f), "JS:*get email /srv/my app.js:12");
    CHECK_TEXT(name_at(&m, 0x1010), "");
    CHECK_TEXT(name_at(&m, 0x2000), "b");
    CHECK_TEXT(name_at(&m, 0x2001), "");
    CHECK(perfmap_find(&m, 0x1008, &name, &start) && start == 0x1000);
}

TEST("numbers are read with 0x and without, in either case, and a carriage return is no part of a "
     "name")
{
    FREED(perfmap_free) struct perfmap m = map_of(SPAN("0xAB00 0x10 a\r\nabcd 1 b\n"));
    CHECK_TEXT(name_at(&m, 0xab0f), "a");
    CHECK_TEXT(name_at(&m, 0xabcd), "b");
}

TEST("where records overlap, the later one has the address")
{
    FREED(perfmap_free)
    struct perfmap m = map_of(SPAN("1000 100 old\n1000 40 new\n1080 10 hole\n0ff0 18 edge\n"));
    CHECK_TEXT(name_at(&m, 0xff0), "edge");
    CHECK_TEXT(name_at(&m, 0x1007), "edge");
    CHECK_TEXT(name_at(&m, 0x1008), "new");
    CHECK_TEXT(name_at(&m, 0x103f), "new");
    CHECK_TEXT(name_at(&m, 0x1040), "old");
    CHECK_TEXT(name_at(&m, 0x1080), "hole");
    CHECK_TEXT(name_at(&m, 0x1090), "old");
    CHECK_TEXT(name_at(&m, 0x10ff), "old");
    CHECK_TEXT(name_at(&m, 0x1100), "");
}

TEST("a record that a later one covers whole is gone")
{
    FREED(perfmap_free)
    struct perfmap m = map_of(SPAN("1010 10 small\n1000 100 large\n1010 10 small again\n"));
    CHECK_TEXT(name_at(&m, 0x1000), "large");
    CHECK_TEXT(name_at(&m, 0x1010), "small again");
    CHECK_TEXT(name_at(&m, 0x1020), "large");
}

TEST("a record of 4 GB or more is no code, and takes no other's name")
{
    FREED(perfmap_free)
    struct perfmap m = map_of(SPAN("1000 40 code\n0 ffffffffff all\n8000 ffffffffff later\n"));
    CHECK_TEXT(name_at(&m, 0x1000), "code");
    CHECK_TEXT(name_at(&m, 0x8000), "later");
    CHECK_TEXT(name_at(&m, 0x2000), "");
    CHECK(!perfmap_reused(&m, 0x2000));
}

TEST("an address that records that differ cover is known to be reused")
{
    FREED(perfmap_free)
    struct perfmap m =
        map_of(SPAN("1000 100 a\n1000 40 b\n2000 10 c\n2000 10 c\n3000 10 d\n3000 10 e\n"
                    "3000 10 d\n4000 10 f\n4008 10 f\n"));
    CHECK(perfmap_reused(&m, 0x1000) && perfmap_reused(&m, 0x103f));
    CHECK(!perfmap_reused(&m, 0x1040) && !perfmap_reused(&m, 0x10ff));
    CHECK(!perfmap_reused(&m, 0x2000)); /* written twice, and alike */
    CHECK(perfmap_reused(&m, 0x3000));
    CHECK_TEXT(name_at(&m, 0x3000), "d");
    CHECK(!perfmap_reused(&m, 0x4007) && perfmap_reused(&m, 0x4008) && !perfmap_reused(&m, 0x4010));
    CHECK(!perfmap_reused(&m, 0) && !perfmap_reused(&m, 0x5000));
}

TEST("random records answer as a search through all of them does")
{
    enum { RECORDS = 200, SPACE = 1024 };
    static char text[RECORDS * 32];
    unsigned owner[SPACE + 64] = {0}, covers[SPACE + 64] = {0}, seed = 1;
    size_t len = 0;
    for (unsigned i = 1; i <= RECORDS; i++) {
        seed = seed * 1103515245u + 12345u;
        unsigned start = seed >> 8 & (SPACE - 1), size = 1 + (seed >> 20 & 63);
        len += (size_t)snprintf(text + len, sizeof text - len, "%x %x n%u\n", start, size, i);
        for (unsigned at = start; at < start + size; at++, covers[at - 1]++)
            owner[at] = i;
    }
    FREED(perfmap_free) struct perfmap m = map_of(span_of(text, len));
    for (unsigned at = 0; at < SPACE + 64; at++) {
        char wanted[16] = "";
        if (owner[at] > 0)
            snprintf(wanted, sizeof wanted, "n%u", owner[at]);
        CHECK_TEXT(name_at(&m, at), wanted);
        CHECK(perfmap_reused(&m, at) == (covers[at] > 1));
    }
}

TEST("lines that are no record are counted, and what else there is can be used")
{
    FREED(perfmap_free)
    struct perfmap m = map_of(SPAN("1000 10 RegExp.> src: 'a\nb' flags: 'sy'\n\nxyz\n2000 10\n"
                                   "2000  10 two blanks\n3000 10 ok\n11112222333344445 1 long\n"));
    CHECK(m.skipped == 6);
    CHECK(m.first_skipped == 2);
    CHECK_TEXT(name_at(&m, 0x1000), "RegExp.> src: 'a");
    CHECK_TEXT(name_at(&m, 0x3000), "ok");
}

TEST("a last record that is half written counts as far as it goes")
{
    struct perfmap named = map_of(SPAN("1000 10 a\n2000 10 JS:*hal"));
    CHECK_TEXT(name_at(&named, 0x2000), "JS:*hal");
    perfmap_free(&named);
    FREED(perfmap_free) struct perfmap nameless = map_of(SPAN("1000 10 a\n2000 1"));
    CHECK(nameless.skipped == 1);
    CHECK_TEXT(name_at(&nameless, 0x2000), "");
}

TEST("the highest addresses are held")
{
    FREED(perfmap_free)
    struct perfmap m = map_of(SPAN("fffffffffffffff0 ffffffffffffffff top\n0 1 bottom\n"));
    CHECK_TEXT(name_at(&m, UINT64_MAX - 1), "top");
    CHECK_TEXT(name_at(&m, 0), "bottom");
    CHECK_TEXT(name_at(&m, 1), "");
}

TEST("a record of no size has its address")
{
    FREED(perfmap_free) struct perfmap m = map_of(SPAN("1000 0 a\n"));
    CHECK_TEXT(name_at(&m, 0x1000), "a");
    CHECK_TEXT(name_at(&m, 0x1001), "");
}

TEST("a name may hold any byte")
{
    FREED(perfmap_free) struct perfmap m = map_of(SPAN("1000 1 a\0\xff\x1b \n"));
    CHECK(span_eq(name_at(&m, 0x1000), SPAN("a\0\xff\x1b ")));
}

TEST("an empty file is an empty map")
{
    FREED(perfmap_free) struct perfmap m = map_of(SPAN(""));
    CHECK_TEXT(name_at(&m, 0), "");
}

/* Why a file is not opened as a map. */
static struct span
refusal(const char *name)
{
    struct regular_file f;
    const char *problem = perfmap_open(&f, name, NULL);
    CHECK(problem != NULL && f.fd == -1);
    return span_cstr(problem);
}

TEST("a file that is not there, a link, a directory and a pipe are refused")
{
    char link[sizeof path + 8];
    CHECK_TEXT(refusal("/nonexistent/perf-1.map"), "No such file or directory");
    CHECK_TEXT(refusal("/"), "is not a regular file");
    write_file(SPAN("1000 1 a\n"));
    snprintf(link, sizeof link, "%s.link", path);
    CHECK(symlink(path, link) == 0);
    CHECK_TEXT(refusal(link), "is a symbolic link, which is not followed");
    unlink(link);
    CHECK(mkfifo(link, 0600) == 0);
    CHECK_TEXT(refusal(link), "is not a regular file");
    unlink(link);
    unlink(path);
}

TEST("a file larger than a gigabyte is refused before it is read")
{
    write_file(SPAN(""));
    CHECK(truncate(path, (off_t)PERFMAP_MAX + 1) == 0);
    CHECK_TEXT(refusal(path), "is larger than a gigabyte");
    unlink(path);
}

TEST("a map takes at most one and a half times the memory that its text has")
{
    enum { RECORDS = 50000 };
    struct text text = {0};
    char line[64];
    for (unsigned i = 0; i < RECORDS; i++) { /* in no order, each third at addresses of others */
        unsigned long long at = 0x7f0000000000 + (i * 7919ull % (RECORDS / 3 * 2)) * 64;
        snprintf(line, sizeof line, "%llx 40 JS:*function%u /srv/lib.js:%u:17\n", at, i, i);
        text_add(&text, span_cstr(line));
    }
    struct perfmap m = map_of(text_span(&text));
    size_t size = codemap_size(&m.code) + codemap_size(&m.reused) + m.names.len;
    CHECK(perfmap_reused(&m, 0x7f0000000000));
    CHECK(size < text.len / 2 * 3);
    perfmap_free(&m);
    free(text.ptr);
}
