/* Pieces of code by address. */
#include "common/sym/codemap.h"

#include "tests/unit/test.h"

/* The line of the piece at the address; 0: none is there. */
static uint32_t
line_at(const struct codemap *m, uint64_t addr)
{
    const struct codepiece *p = codemap_find(m, addr);
    return p != NULL ? p->line : 0;
}

TEST("a new piece cuts older ones, and their parts on both sides remain")
{
    FREED(codemap_free) struct codemap m = {0};
    CHECK(codemap_find(&m, 0) == NULL && !codemap_overlaps(&m, 0, UINT64_MAX));
    codemap_put(&m, 0x1000, 0x1100, 1);
    codemap_put(&m, 0x1040, 0x1080, 2);
    CHECK(line_at(&m, 0xfff) == 0 && line_at(&m, 0x1000) == 1 && line_at(&m, 0x103f) == 1);
    CHECK(line_at(&m, 0x1040) == 2 && line_at(&m, 0x107f) == 2 && line_at(&m, 0x1080) == 1);
    CHECK(line_at(&m, 0x10ff) == 1 && line_at(&m, 0x1100) == 0);
    CHECK(codemap_overlaps(&m, 0x10ff, 0x2000) && !codemap_overlaps(&m, 0x1100, 0x2000));
    CHECK(codemap_from(&m, 0)->start == 0x1000 && codemap_from(&m, 0x1100) == NULL);
}

TEST("a piece of no length is none, and one of 4 GB or more lies below all others")
{
    FREED(codemap_free) struct codemap m = {0};
    codemap_put(&m, UINT64_MAX, UINT64_MAX, 1);
    CHECK(!codemap_overlaps(&m, 0, UINT64_MAX));
    codemap_put(&m, 0x1000, 0x1100, 1);
    codemap_put(&m, 0, UINT64_MAX, 2);
    codemap_put(&m, 0x2000, 0x2100, 3);
    CHECK(line_at(&m, 0x1000) == 1 && line_at(&m, 0x2000) == 3 && line_at(&m, UINT64_MAX - 1) == 2);
    CHECK(codemap_overlaps(&m, 0x5000, 0x5001));
    codemap_clear(&m, 0x5000, 0x5001);
    CHECK(line_at(&m, 0x1000) == 1 && line_at(&m, 0x2000) == 3 && line_at(&m, 0x3000) == 0);
}

enum { SPACE = 20000, STEPS = 60000 };

TEST("random pieces answer as an array of all addresses does")
{
    static uint32_t wanted[SPACE + 64];
    FREED(codemap_free) struct codemap m = {0};
    uint32_t seed = 1;
    for (uint32_t step = 1; step <= STEPS; step++) {
        seed = seed * 1103515245u + 12345u;
        uint32_t start = (seed >> 8) % SPACE, len = 1 + (seed >> 27);
        if (step % 997 == 0)
            len = SPACE / 2;
        uint32_t end = start + len < SPACE + 64 ? start + len : SPACE + 64;
        bool clears = step % 5 == 0;
        bool covered = false;
        for (uint32_t i = start; i < end; i++)
            covered |= wanted[i] != 0;
        CHECK(codemap_overlaps(&m, start, end) == covered);
        if (clears)
            codemap_clear(&m, start, end);
        else
            codemap_put(&m, start, end, step);
        for (uint32_t i = start; i < end; i++)
            wanted[i] = clears ? 0 : step;
        if (step % 100 == 0)
            for (uint32_t i = 0; i < SPACE + 64; i++)
                CHECK(line_at(&m, i) == wanted[i]);
    }
}

static size_t
size_of_order(uint32_t first, uint32_t factor)
{
    enum { CODES = 100000 };
    struct codemap m = {0};
    for (uint32_t i = 0; i < CODES; i++)
        codemap_put(&m, (first + (uint64_t)i * factor) % CODES * 64,
                    (first + (uint64_t)i * factor) % CODES * 64 + 32, i + 1);
    size_t size = codemap_size(&m) / CODES;
    codemap_free(&m);
    return size;
}

TEST("a piece takes about 16 bytes in ascending and descending order, and at most 36 in any")
{
    CHECK(size_of_order(0, 1) <= 17);
    CHECK(size_of_order(99999, 99999) <= 17);
    CHECK(size_of_order(0, 61803) <= 36);
}

TEST("a piece that covers a million takes time for those that it removes")
{
    FREED(codemap_free) struct codemap m = {0};
    for (uint32_t round = 0; round < 3; round++) {
        for (uint64_t i = 0; i < 300000; i++)
            codemap_put(&m, i * 16, i * 16 + 8, 1);
        codemap_put(&m, 0, 300000 * 16, 2);
        CHECK(codemap_size(&m) < 100000);
    }
    CHECK(line_at(&m, 12345) == 2);
}
