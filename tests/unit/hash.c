#include "tests/unit/test.h"

#include "common/base/hash.h"

static const struct hash_key key = {0x0123456789abcdef, 0xfedcba9876543210};

static uint64_t
hash(const char *p, size_t n)
{
    return hash_bytes(span_of(p, n), key);
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

TEST("every bit changes the hash, at every length")
{
    char a[80] = {0};
    for (size_t n = 1; n < sizeof a; n++) {
        uint64_t before = hash(a, n);
        for (size_t i = 0; i < n * 8; i++) {
            a[i / 8] ^= (char)(1 << i % 8);
            CHECK(hash(a, n) != before);
            a[i / 8] ^= (char)(1 << i % 8);
        }
    }
}

/* Whether some text of n bytes has the hash of all zeros if two of its bits are set. */
static bool
two_bits_cancel(char *zeros, size_t n)
{
    uint64_t before = hash(zeros, n);
    bool cancel = false;
    for (size_t i = 0; i < n * 8; i++) {
        zeros[i / 8] ^= (char)(1 << i % 8);
        for (size_t j = 0; j < i; j++) {
            zeros[j / 8] ^= (char)(1 << j % 8);
            cancel |= hash(zeros, n) == before;
            zeros[j / 8] ^= (char)(1 << j % 8);
        }
        zeros[i / 8] ^= (char)(1 << i % 8);
    }
    return cancel;
}

TEST("no two bits cancel each other")
{
    char text[80] = {0};
    for (size_t n = 1; n <= sizeof text; n += 7)
        CHECK(!two_bits_cancel(text, n));
}

TEST("the length changes the hash, even of NUL bytes")
{
    static const char zeros[80];
    for (size_t n = 1; n < sizeof zeros; n++)
        CHECK(hash(zeros, n) != hash(zeros, n - 1));
}

TEST("another key gives other hashes")
{
    struct hash_key a = key, b = key;
    a.a++;
    b.b++;
    CHECK(hash_number(7, a) != hash_number(7, key));
    CHECK(hash_number(7, b) != hash_number(7, key));
    for (size_t n = 0; n < 40; n++) {
        struct span text = span_head(SPAN("a text that is longer than two blocks of it"), n);
        CHECK(hash_bytes(text, a) != hash_bytes(text, key));
        CHECK(hash_bytes(text, b) != hash_bytes(text, key));
    }
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

TEST("numbers spread over a table's slots, whichever of their bits differ")
{
    enum { N = 4096 };
    for (int shift = 0; shift <= 52; shift += 4) {
        unsigned char used[N] = {0};
        size_t slots = 0;
        for (uint64_t i = 0; i < N; i++) {
            uint64_t h = hash_number(i << shift, key);
            slots += !used[h % N];
            used[h % N] = 1;
        }
        CHECK(slots > N * 50 / 100);
    }
}

TEST("the halves of a product are folded as 128 bits")
{
    CHECK(hash_fold(0, UINT64_MAX) == 0);
    CHECK(hash_fold(3, 5) == 15);
    CHECK(hash_fold(UINT64_MAX, UINT64_MAX) == (1 ^ (UINT64_MAX - 1)));
    CHECK(hash_fold(0x0123456789abcdef, 0xfedcba9876543210) ==
          (0x0121fa00ad77d742u ^ 0x2236d88fe5618cf0u));
}

TEST("the key stays the same in a process")
{
    CHECK(hash_key().a == hash_key().a && hash_key().b == hash_key().b);
    CHECK(hash_key().a != 0 && hash_key().b != 0);
}
