/* A perf map that grows while it is read. */
#include "common/symbolize/livemap.h"

#include <unistd.h>

#include "tests/unit/test.h"

static FILE *writer;

/* A map of an empty file, which `writer` writes. */
static struct livemap
start(void)
{
    writer = tmpfile();
    CHECK(writer != NULL);
    return (struct livemap){.fd = dup(fileno(writer))};
}

static void
append(const char *text)
{
    fputs(text, writer);
    fflush(writer);
}

static void
end(struct livemap *m)
{
    livemap_free(m);
    fclose(writer);
}

/* "NAME+OFFSET" of the code at the address. */
static struct span
at(const struct livemap *m, uint64_t addr)
{
    static char text[256];
    struct livemap_name found;
    if (!livemap_find(m, addr, &found))
        return SPAN("");
    snprintf(text, sizeof text, "%.*s+%llx", SPAN_ARG(found.text),
             (unsigned long long)(addr - found.start));
    return span_cstr(text);
}

TEST("an address has the name of the record that covers it")
{
    struct livemap m = start();
    append("1000 100 JS:*get email /srv/app.js:12\n2000 0 stub\n");
    CHECK(livemap_read(&m, 50));
    CHECK(!livemap_read(&m, 60));
    CHECK_TEXT(at(&m, 0xfff), "");
    CHECK_TEXT(at(&m, 0x1000), "JS:*get email /srv/app.js:12+0");
    CHECK_TEXT(at(&m, 0x10ff), "JS:*get email /srv/app.js:12+ff");
    CHECK_TEXT(at(&m, 0x1100), "");
    CHECK_TEXT(at(&m, 0x2000), "stub+0");
    CHECK(m.records == 2 && m.reused == 0);
    end(&m);
}

TEST("a record at addresses that no other has names them before it was read, too")
{
    struct livemap m = start();
    append("1000 100 one\n");
    livemap_read(&m, 50);
    livemap_advance(&m, 10);
    append("3000 100 two\n");
    CHECK(livemap_read(&m, 100));
    livemap_advance(&m, 20);
    CHECK_TEXT(at(&m, 0x1000), "one+0");
    CHECK_TEXT(at(&m, 0x3000), "two+0");
    CHECK(livemap_due(&m) == UINT64_MAX);
    end(&m);
}

TEST("a record that replaces another counts from the last read without it")
{
    struct livemap m = start();
    append("1000 100 one\n");
    livemap_read(&m, 50);
    livemap_read(&m, 100);
    append("1000 80 two\n");
    CHECK(livemap_read(&m, 150));
    CHECK(livemap_due(&m) == 100);
    livemap_advance(&m, 99);
    CHECK_TEXT(at(&m, 0x1010), "one+10");
    livemap_advance(&m, 100);
    CHECK_TEXT(at(&m, 0x1010), "two+10");
    CHECK_TEXT(at(&m, 0x1090), "one+90");
    CHECK(livemap_due(&m) == UINT64_MAX && m.reused == 1);
    end(&m);
}

TEST("records wait for each other: the last one that is valid at a time has the address")
{
    struct livemap m = start();
    append("1000 100 one\n");
    livemap_read(&m, 50);
    append("1000 100 two\n");
    livemap_read(&m, 100);
    append("1080 100 three\n1100 100 four\n");
    livemap_read(&m, 150);
    livemap_advance(&m, 49);
    CHECK_TEXT(at(&m, 0x1090), "one+90");
    CHECK_TEXT(at(&m, 0x1100), "four+0"); /* where nothing was before */
    livemap_advance(&m, 99);
    CHECK_TEXT(at(&m, 0x1090), "two+90");
    livemap_advance(&m, 1000);
    CHECK_TEXT(at(&m, 0x1090), "three+10");
    CHECK_TEXT(at(&m, 0x1100), "four+0");
    end(&m);
}

TEST("of the records of the first read the last one counts, for all times")
{
    struct livemap m = start();
    append("1000 100 one\n1040 100 two\n");
    livemap_read(&m, 50);
    livemap_advance(&m, 1);
    CHECK_TEXT(at(&m, 0x1000), "one+0");
    CHECK_TEXT(at(&m, 0x1040), "two+0");
    CHECK(livemap_due(&m) == UINT64_MAX);
    end(&m);
}

TEST("a record that is written twice replaces nothing")
{
    struct livemap m = start();
    append("1000 100 one\n");
    livemap_read(&m, 50);
    append("1000 100 one\n");
    livemap_read(&m, 100);
    CHECK(m.records == 2 && m.reused == 0);
    end(&m);
}

TEST("a half-written line is read when it is complete")
{
    struct livemap m = start();
    append("1000 100 on");
    CHECK(!livemap_read(&m, 50));
    CHECK_TEXT(at(&m, 0x1000), "");
    append("e\n20");
    CHECK(livemap_read(&m, 100));
    CHECK_TEXT(at(&m, 0x1000), "one+0");
    append("00 100 two\n");
    CHECK(livemap_read(&m, 150));
    CHECK_TEXT(at(&m, 0x2000), "two+0");
    end(&m);
}

TEST("lines that are not records, or endless, are passed over")
{
    struct livemap m = start();
    append("1000 100 RegExp.> src: 'a\nb' flags: 'sy'\nzzz\n2000 100 ");
    for (int i = 0; i < 70000; i++)
        append("x");
    append("\n3000 100 three\n");
    livemap_read(&m, 50);
    CHECK_TEXT(at(&m, 0x1000), "RegExp.> src: 'a+0");
    CHECK_TEXT(at(&m, 0x2000), "");
    CHECK_TEXT(at(&m, 0x3000), "three+0");
    CHECK(m.records == 2);
    end(&m);
}

TEST("a file that is begun again is read from its start, and replaces what it had")
{
    struct livemap m = start();
    append("1000 100 one\n2000 100 two\n");
    livemap_read(&m, 50);
    CHECK(ftruncate(fileno(writer), 0) == 0);
    rewind(writer);
    append("1000 100 new\n");
    livemap_read(&m, 100);
    CHECK(m.truncated);
    livemap_advance(&m, 49);
    CHECK_TEXT(at(&m, 0x1000), "one+0");
    livemap_advance(&m, 50);
    CHECK_TEXT(at(&m, 0x1000), "new+0");
    CHECK_TEXT(at(&m, 0x2000), "two+0");
    end(&m);
}

TEST("what was read stays when the file is closed")
{
    struct livemap m = start();
    append("1000 100 one\n");
    livemap_read(&m, 50);
    close(m.fd);
    m.fd = -1;
    CHECK(!livemap_read(&m, 100));
    CHECK_TEXT(at(&m, 0x1000), "one+0");
    end(&m);
}

TEST("names of code that was replaced are removed, so that memory does not grow with time")
{
    enum { CODES = 1000, ROUNDS = 300 };
    char line[64];
    size_t most = 0;
    struct livemap m = start();
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < CODES; i++) {
            snprintf(line, sizeof line, "%x 100 f%d.%d\n", 0x10000 + i * 0x100, i, round);
            fputs(line, writer);
        }
        fflush(writer);
        livemap_read(&m, (uint64_t)round * 100 + 100);
        livemap_advance(&m, (uint64_t)round * 100);
        most = m.names.count > most ? m.names.count : most;
    }
    CHECK(m.renumbered);
    CHECK(most > CODES && most < 100 * CODES);
    CHECK(m.cap < 10 * CODES);
    CHECK_TEXT(at(&m, 0x10000 + 7 * 0x100), "f7.299+0");
    end(&m);
}
