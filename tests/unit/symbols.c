#include "common/sym/symbols.h"

#include "tests/unit/test.h"

/* A table of one symbol. */
struct one {
    uint64_t start, end;
    struct span name;
};

static bool
find(const void *table, uint64_t addr, struct span *name, uint64_t *start)
{
    const struct one *t = table;
    if (addr < t->start || addr >= t->end)
        return false;
    *name = t->name;
    *start = t->start;
    return true;
}

static struct symbol_provider
provider(const struct one *table, const char *dso)
{
    return (struct symbol_provider){table, find, span_cstr(dso)};
}

TEST("no table knows no address")
{
    struct symbols s = {0};
    struct symbol found;
    CHECK(!symbols_find(&s, 0, &found));
    symbols_free(&s);
}

TEST("an address has the name, the offset and the DSO of the table that knows it")
{
    static const struct one map = {0x1000, 0x2000, {"f", 1}}, elf = {0x3000, UINT64_MAX, {"g", 1}};
    struct symbols s = {0};
    struct symbol found;
    symbols_add(&s, provider(&map, "/tmp/perf-1.map"));
    symbols_add(&s, provider(&elf, "/bin/node"));
    CHECK(symbols_find(&s, 0x1000, &found));
    CHECK_TEXT(found.name, "f");
    CHECK_TEXT(found.dso, "/tmp/perf-1.map");
    CHECK(found.offset == 0);
    CHECK(symbols_find(&s, 0x3012, &found));
    CHECK_TEXT(found.name, "g");
    CHECK_TEXT(found.dso, "/bin/node");
    CHECK(found.offset == 0x12);
    CHECK(symbols_find(&s, UINT64_MAX - 1, &found) && found.offset == UINT64_MAX - 1 - 0x3000);
    CHECK(!symbols_find(&s, 0x2000, &found));
    CHECK(!symbols_find(&s, 0xfff, &found));
    symbols_free(&s);
}

TEST("of two tables that know an address the one that was added first is asked")
{
    static const struct one a = {0x1000, 0x2000, {"first", 5}}, b = {0x0800, 0x3000, {"second", 6}};
    struct symbols s = {0};
    struct symbol found;
    symbols_add(&s, provider(&a, "a"));
    symbols_add(&s, provider(&b, "b"));
    CHECK(symbols_find(&s, 0x1800, &found));
    CHECK_TEXT(found.name, "first");
    CHECK(symbols_find(&s, 0x2800, &found));
    CHECK_TEXT(found.name, "second");
    CHECK_TEXT(found.dso, "b");
    symbols_free(&s);
    CHECK(!symbols_find(&s, 0x1800, &found));
}

TEST("a hundred tables are asked, each one")
{
    static struct one tables[100];
    struct symbols s = {0};
    struct symbol found;
    for (uint64_t i = 0; i < 100; i++) {
        tables[i] = (struct one){i * 16, i * 16 + 16, SPAN("f")};
        symbols_add(&s, provider(&tables[i], "x"));
    }
    for (uint64_t addr = 0; addr < 1600; addr++)
        CHECK(symbols_find(&s, addr, &found) && found.offset == addr % 16);
    CHECK(!symbols_find(&s, 1600, &found));
    symbols_free(&s);
}
