#include "common/v8/accept.h"

#include "tests/unit/test.h"

/* A Smi. */
static uint64_t
smi(uint32_t number)
{
    return (uint64_t)number << 32;
}

enum { MS = 1000 * 1000 };

TEST("a function that was read within 10 ms was there")
{
    struct accept a = {0};
    CHECK(accept_first(&a, 1, 100 * MS, 110 * MS, smi(7)));
    CHECK(!accept_first(&a, 1, 100 * MS, 111 * MS, smi(7)));
    accept_free(&a);
}

TEST("a function of a script that is known to be older than the sample was there, in its thread "
     "alone")
{
    struct accept a = {0};
    CHECK(accept_note(&a, 1, 50 * MS, smi(7)));
    CHECK(!accept_note(&a, 1, 60 * MS, smi(6)));
    CHECK(accept_first(&a, 1, 100 * MS, 200 * MS, smi(7)));
    CHECK(accept_first(&a, 1, 100 * MS, 200 * MS, smi(3)));
    CHECK(!accept_first(&a, 1, 100 * MS, 200 * MS, smi(8)));
    CHECK(!accept_first(&a, 1, 40 * MS, 200 * MS, smi(7)));
    CHECK(!accept_first(&a, 2, 100 * MS, 200 * MS, smi(7)));
    accept_free(&a);
}

TEST("a word that is no number is refused")
{
    struct accept a = {0};
    CHECK(!accept_note(&a, 1, 50 * MS, smi(7) + 1));
    CHECK(!accept_first(&a, 1, 100 * MS, 100 * MS, smi(7) + 1));
    accept_free(&a);
}

TEST("a server that starts workers all day has its newest ones known, and its main thread")
{
    struct accept a = {0};
    for (uint32_t i = 1; i <= 2000; i++) {
        accept_note(&a, 1, (uint64_t)i * 10, smi(5));
        accept_note(&a, 1 + i, (uint64_t)i * 10, smi(i));
    }
    CHECK(accept_first(&a, 2001, 100 * MS, 200 * MS, smi(2000)));
    CHECK(accept_first(&a, 1900, 100 * MS, 200 * MS, smi(1899)));
    CHECK(accept_first(&a, 1, 100 * MS, 200 * MS, smi(5)));
    CHECK(!accept_first(&a, 2, 100 * MS, 200 * MS, smi(1)));
    CHECK(accept_size(&a) < 256 * 1024);
    accept_free(&a);
}
