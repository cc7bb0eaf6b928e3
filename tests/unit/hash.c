#include "tests/unit/test.h"

#include "common/base/hash.h"

static uint64_t
hash(const char *p, size_t n)
{
    return hash_bytes(span_of(p, n), 42);
}

TEST("equal text at another address has the same hash, at every length")
{
    char a[80], b[81];
    for (size_t n = 0; n < sizeof a; n++) {
        for (size_t i = 0; i < n; i++)
            a[i] = b[i + 1] = (char)(i * 37 + n);
        CHECK(hash(a, n) == hash(b + 1, n));
    }
}

TEST("every byte changes the hash, at every length")
{
    char a[80] = {0};
    for (size_t n = 1; n < sizeof a; n++) {
        uint64_t before = hash(a, n);
        for (size_t i = 0; i < n; i++) {
            a[i] ^= 1;
            CHECK(hash(a, n) != before);
            a[i] ^= 1;
        }
    }
}

TEST("the length changes the hash, even of NUL bytes")
{
    static const char zeros[80];
    for (size_t n = 1; n < sizeof zeros; n++)
        CHECK(hash(zeros, n) != hash(zeros, n - 1));
}

TEST("another seed gives other hashes")
{
    CHECK(hash_bytes(SPAN("text"), 1) != hash_bytes(SPAN("text"), 2));
    CHECK(hash_bytes(SPAN("a text of more than sixteen bytes"), 1) !=
          hash_bytes(SPAN("a text of more than sixteen bytes"), 2));
}

TEST("texts that differ in a number spread over a table's slots")
{
    enum { N = 4096 };
    static unsigned char used[N];
    size_t slots = 0;
    for (int i = 0; i < N; i++) {
        char text[64];
        int n =
            snprintf(text, sizeof text, "\t    7f1e2215%04x uv_run+0x%x (/usr/bin/node)\n", i, i);
        uint64_t h = hash(text, (size_t)n);
        slots += !used[h % N];
        used[h % N] = 1;
    }
    CHECK(slots > N * 55 / 100); /* 1 - 1/e = 63 % are expected of a good one */
}

TEST("the seed stays the same in a process")
{
    CHECK(hash_seed() == hash_seed());
}
