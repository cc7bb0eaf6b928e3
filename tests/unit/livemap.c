/* A perf map or a jitdump that grows while it is read. */
#include "cmd/stackrecord/capture/livemap.h"

#include <stdlib.h>
#include <unistd.h>

#include "common/sym/jitdump.h"
#include "common/sym/perfmap.h"

#include "tests/unit/makedump.h"
#include "tests/unit/test.h"

static FILE *writer;

/* A map of an empty file, which `writer` writes. */
static struct livemap
start(void)
{
    writer = tmpfile();
    CHECK(writer != NULL);
    return (struct livemap){.file = regular_of(dup(fileno(writer)))};
}

static void
append(const char *text)
{
    fputs(text, writer);
    fflush(writer);
}

/* Reads to the end of the file. */
static void
read_all(struct livemap *m, uint64_t now)
{
    do
        livemap_read(m, now);
    while (m->behind);
}

static void
end(struct livemap *m)
{
    livemap_free(m);
    fclose(writer);
}

/* "NAME+OFFSET" of the code at the address. */
static struct span
at(struct livemap *m, uint64_t addr)
{
    static char text[256];
    struct livemap_name found;
    uint32_t number;
    if (!livemap_find(m, addr, &number) || !livemap_name(m, number, addr, &found))
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

static struct text kept;
static uint64_t kept_read; /* m->read when lines were kept last */

static void
keep(void *keeper, const struct livemap *m, bool begins, struct span lines)
{
    CHECK(keeper == &kept && m->file.fd >= 0);
    kept_read = m->read;
    TEXT_ADD(&kept, begins ? SPAN("[") : SPAN("+"), lines);
}

TEST("whoever keeps a map gets its whole lines, and hears when it begins again")
{
    static char longer[PERFMAP_LINE + 100];
    struct livemap m = start();
    m.keep = keep;
    m.only_keeps = true;
    m.keeper = &kept;
    append("1000 100 one\n2000 1");
    CHECK(livemap_read(&m, 50) && !livemap_read(&m, 60));
    append("00 two\n");
    read_all(&m, 70);
    memset(longer, 'x', sizeof longer - 1);
    append(longer);
    append("\n3000 100 three\n");
    read_all(&m, 80);
    CHECK(ftruncate(fileno(writer), 0) == 0);
    rewind(writer);
    append("4000 100 four\n");
    read_all(&m, 90);
    CHECK_TEXT(text_span(&kept), "[1000 100 one\n+2000 100 two\n+3000 100 three\n[4000 100 four\n");
    CHECK_TEXT(at(&m, 0x4000), "");
    free(kept.ptr);
    kept = (struct text){0};
    end(&m);
}

TEST("lines that are read in several parts were all written since the map was last read to its end")
{
    static char longer[PERFMAP_LINE + 100];
    struct livemap m = start();
    m.keep = keep;
    m.only_keeps = true;
    m.keeper = &kept;
    append("1000 100 one\n");
    CHECK(livemap_read(&m, 50) && kept_read == 0);
    memset(longer, ' ', sizeof longer - 1);
    memcpy(longer, "2000 100 two\n", 13);
    memcpy(longer + PERFMAP_LINE, "\n3000 100 three\n", 16);
    append(longer);
    append("\n");
    CHECK(livemap_read(&m, 60) && m.behind && kept_read == 50);
    read_all(&m, 70);
    CHECK(!m.behind && kept_read == 50);
    append("4000 100 four\n");
    CHECK(livemap_read(&m, 80) && kept_read == 70);
    free(kept.ptr);
    kept = (struct text){0};
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
    read_all(&m, 50);
    CHECK_TEXT(at(&m, 0x1000), "RegExp.> src: 'a+0");
    CHECK_TEXT(at(&m, 0x2000), "");
    CHECK_TEXT(at(&m, 0x3000), "three+0");
    CHECK(m.records == 2);
    end(&m);
}

TEST("a file that is begun again is read from its start, and what it had is forgotten")
{
    struct livemap m = start();
    append("1000 100 one\n2000 100 two\n");
    livemap_read(&m, 50);
    CHECK(ftruncate(fileno(writer), 0) == 0);
    rewind(writer);
    append("1000 100 new\n");
    CHECK(livemap_read(&m, 100));
    CHECK(m.truncated);
    CHECK_TEXT(at(&m, 0x1000), "new+0");
    CHECK_TEXT(at(&m, 0x2000), "");
    end(&m);
}

TEST("an address whose record was written over has no name, and no other code's")
{
    struct livemap m = start();
    append("1000 100 one\n");
    livemap_read(&m, 50);
    rewind(writer);
    append("2000 100 two\n");
    CHECK_TEXT(at(&m, 0x1000), "");
    end(&m);
}

TEST("a large file is read a block at a time, and its first records count at once")
{
    enum { CODES = 10000 };
    char line[64];
    int reads = 0;
    struct livemap m = start();
    for (int i = 0; i < CODES; i++) {
        snprintf(line, sizeof line, "%x 10 f%d\n%x 8 g%d\n", 0x10000 + i * 16, i, 0x10000 + i * 16,
                 i);
        fputs(line, writer);
    }
    fflush(writer);
    do {
        CHECK(livemap_read(&m, 50));
        CHECK(livemap_is_new(&m) == m.behind);
        reads++;
    } while (m.behind);
    CHECK(reads > 3);
    CHECK(m.records == 2 * CODES && m.reused == CODES);
    CHECK(livemap_due(&m) == UINT64_MAX);
    CHECK_TEXT(at(&m, 0x10000 + 9999 * 16 + 7), "g9999+7");
    CHECK_TEXT(at(&m, 0x10000 + 9999 * 16 + 8), "f9999+8");
    end(&m);
}

TEST("memory is for the code that there is, and not for what was replaced")
{
    enum { CODES = 1000, ROUNDS = 300 };
    char line[64];
    size_t most = 0;
    struct budget share = {1 << 30, 1, 0};
    struct livemap m = start();
    m.share = &share;
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < CODES; i++) {
            snprintf(line, sizeof line, "%x 100 f%d.%d\n", 0x10000 + i * 0x100, i, round);
            fputs(line, writer);
        }
        fflush(writer);
        read_all(&m, (uint64_t)round * 100 + 100);
        livemap_advance(&m, (uint64_t)round * 100);
        most = share.used > most ? share.used : most;
    }
    CHECK(most > 16 * CODES && most < 200 * CODES);
    CHECK_TEXT(at(&m, 0x10000 + 7 * 0x100), "f7.299+0");
    end(&m);
    CHECK(share.used == 0);
}

TEST("without memory newer records are not kept, and addresses that they replace have no name")
{
    enum { CODES = 40000 };
    char line[64];
    struct budget share = {1 << 20, 4, 0};
    struct livemap m = start();
    m.share = &share;
    for (int i = 0; i < CODES; i++) {
        snprintf(line, sizeof line, "%x 80 f%d\n", 0x10000 + i * 0x100, i);
        fputs(line, writer);
    }
    append("10000 40 late\n");
    read_all(&m, 50);
    CHECK(share.used <= share.limit / 2 + 8192 && share.used > share.limit / 4);
    CHECK(m.given_up > CODES / 8);
    CHECK_TEXT(at(&m, 0x10000), "");
    CHECK_TEXT(at(&m, 0x10100), "f1+0");
    CHECK_TEXT(at(&m, 0x10000 + (CODES - 1) * 0x100), "");
    end(&m);
    CHECK(share.used == 0);
}

/* A jitdump with nothing but its header. */
static struct livemap
start_dump(uint64_t flags)
{
    struct livemap m = start();
    m.is_dump = true;
    put_head(0x4a695444, flags);
    return m;
}

/* Appends what was put since the last call. */
static void
append_dump(void)
{
    CHECK(fwrite(dumped.ptr, 1, dumped.len, writer) == dumped.len);
    fflush(writer);
    dumped.len = 0;
}

TEST("a record of a jitdump that replaces another counts from its own time on")
{
    struct livemap m = start_dump(0);
    put_load(10, 0x1000, 0x100, 0, "one");
    append_dump();
    CHECK(livemap_read(&m, 50));
    put_load(70, 0x1000, 0x80, 1, "two");
    put_load(60, 0x3000, 0x10, 2, "three");
    append_dump();
    CHECK(livemap_read(&m, 100));
    CHECK(livemap_due(&m) == 70);
    livemap_advance(&m, 69);
    CHECK_TEXT(at(&m, 0x1010), "one+10");
    CHECK_TEXT(at(&m, 0x3000), "three+0"); /* where nothing was before */
    livemap_advance(&m, 70);
    CHECK_TEXT(at(&m, 0x1010), "two+10");
    CHECK_TEXT(at(&m, 0x1090), "one+90");
    CHECK_TEXT(at(&m, 0x1100), "");
    end(&m);
}

TEST("records of a jitdump count at once if they are older than the recording, even those of one "
     "read")
{
    struct livemap m = start_dump(0);
    m.since = 20;
    put_load(10, 0x1000, 0x100, 0, "one");
    put_load(20, 0x1000, 0x100, 1, "two");
    put_load(21, 0x1000, 0x100, 2, "three");
    append_dump();
    livemap_read(&m, 50);
    CHECK_TEXT(at(&m, 0x1000), "two+0");
    livemap_advance(&m, 21);
    CHECK_TEXT(at(&m, 0x1000), "three+0");
    end(&m);
}

TEST("a record of a jitdump with a time of another clock counts from the last read without it")
{
    struct livemap m = start_dump(1);
    put_load(7000, 0x1000, 0x100, 0, "one");
    append_dump();
    livemap_read(&m, 50);
    livemap_read(&m, 100);
    put_load(3, 0x1000, 0x100, 1, "two");
    append_dump();
    livemap_read(&m, 150);
    CHECK(livemap_due(&m) == 100);
    end(&m);
    m = start_dump(0);
    put_load(7, 0x1000, 0x100, 0, "one");
    append_dump();
    livemap_read(&m, 50);
    livemap_read(&m, 100);
    put_load(UINT64_MAX, 0x1000, 0x100, 1, "two");
    append_dump();
    livemap_read(&m, 150);
    CHECK(livemap_due(&m) == 100);
    end(&m);
}

TEST("code that a jitdump moves keeps its name, also when it is moved again")
{
    struct livemap m = start_dump(0);
    put_load(10, 0x1000, 0x100, 4, "one");
    put_move(20, 0x1000, 0x5000, 0x100, 4);
    put_move(30, 0x5000, 0x7000, 0x100, 4);
    put_move(30, 0x9000, 0xa000, 0x100, 5);
    append_dump();
    livemap_read(&m, 50);
    CHECK_TEXT(at(&m, 0x5010), "one+10");
    CHECK_TEXT(at(&m, 0x70ff), "one+ff");
    CHECK_TEXT(at(&m, 0xa000), ""); /* of code that is not known */
    end(&m);
}

TEST("a half-written record of a jitdump is read when it is complete")
{
    struct livemap m = start_dump(0);
    put_load(10, 0x1000, 0x100, 0, "one");
    put_load(20, 0x2000, 0x100, 1, "two");
    for (size_t written = 0; written < dumped.len; written++) {
        CHECK(!m.behind && fputc(dumped.ptr[written], writer) != EOF && fflush(writer) == 0);
        livemap_read(&m, 50 + written);
        CHECK(m.problem == NULL && !m.truncated);
    }
    CHECK_TEXT(at(&m, 0x1000), "one+0");
    CHECK_TEXT(at(&m, 0x2000), "two+0");
    CHECK(m.records == 2);
    end(&m);
}

TEST("code and other records of any size are passed over, and a long name is cut")
{
    static char longer[100000];
    struct livemap m = start_dump(0);
    memset(longer, 'x', sizeof longer - 1);
    put_load(10, 0x1000, 300000, 0, "large");
    put_record(2, 70000, 15);
    for (int i = 0; i < 70000; i++)
        put("l", 1);
    put_load(20, 0x100000, 0x100, 1, longer);
    put_load(30, 0x200000, 0x100, 2, "last");
    append_dump();
    read_all(&m, 50);
    CHECK_TEXT(at(&m, 0x1000 + 299999), "large+493df");
    struct livemap_name found;
    uint32_t number;
    CHECK(livemap_find(&m, 0x100000, &number) && livemap_name(&m, number, 0x100000, &found));
    CHECK(found.text.len > 60000 && found.text.len < JITDUMP_RECORD);
    CHECK_TEXT(at(&m, 0x200000), "last+0");
    end(&m);
}

TEST("a jitdump that is none, or has a record that makes no sense, is read no further")
{
    struct livemap m = start();
    m.is_dump = true;
    append("0123456789012345678901234567890123456789");
    CHECK(!livemap_read(&m, 50));
    CHECK_TEXT(span_cstr(m.problem), "is not a jitdump");
    end(&m);
    m = start_dump(0);
    put_load(10, 0x1000, 0x100, 0, "one");
    put_record(0, 8, 20);
    put64(0);
    put_load(30, 0x2000, 0x100, 1, "two");
    append_dump();
    read_all(&m, 50);
    CHECK(m.problem != NULL);
    CHECK_TEXT(at(&m, 0x1000), "one+0");
    CHECK_TEXT(at(&m, 0x2000), "");
    end(&m);
}

TEST("a jitdump whose header or last record is longer than the file waits for the rest")
{
    struct livemap m = start_dump(0);
    dumped.ptr[11] = 0x7f; /* of the header's size */
    put_load(10, 0x1000, 0x100, 0, "one");
    append_dump();
    read_all(&m, 50);
    CHECK(!m.truncated && m.problem == NULL && m.records == 0);
    end(&m);
    m = start_dump(0);
    put_load(10, 0x1000, 0x100, 0, "one");
    dumped.ptr[40 + 7] = 0x7f; /* of the record's size */
    append_dump();
    read_all(&m, 50);
    CHECK(!m.truncated && m.problem == NULL && m.records == 0);
    end(&m);
}

TEST("a jitdump that is begun again is read from its start")
{
    struct livemap m = start_dump(0);
    put_load(10, 0x1000, 0x100, 0, "one");
    append_dump();
    livemap_read(&m, 50);
    CHECK(ftruncate(fileno(writer), 0) == 0);
    rewind(writer);
    put_head(0x4a695444, 0);
    put_load(60, 0x3000, 0x10, 0, "new");
    append_dump();
    CHECK(livemap_read(&m, 100) && m.truncated);
    CHECK_TEXT(at(&m, 0x1000), "");
    CHECK_TEXT(at(&m, 0x3000), "new+0");
    end(&m);
}
