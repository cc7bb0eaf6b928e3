/* Decompression of zlib's format. */
#include "common/base/inflate.h"
#include "tests/unit/test.h"

static char out[100000];

/* What the n bytes decompress to, as text of that size; "" if they do not. */
static struct span
inflated(const char *bytes, size_t n, size_t size)
{
    return inflate_zlib(span_of(bytes, n), out, size) ? span_of(out, size) : SPAN("");
}

#define INFLATED(bytes, size) inflated(bytes, sizeof(bytes) - 1, size)

#define HELLO    "\x78\x9c\xcb\x48\xcd\xc9\xc9\x07\x00\x06\x2c\x02\x15"
#define THOUSAND "\x78\xda\x4b\x4c\x1c\x05\xa3\x60\x14\x0c\x77\x00\x00\xf9\xd8\x7a\xf8"

TEST("blocks of each kind are decompressed")
{
    CHECK_TEXT(INFLATED("\x78\x01\x01\x05\x00\xfa\xffhello\x06\x2c\x02\x15", 5), "hello");
    CHECK_TEXT(INFLATED(HELLO, 5), "hello");
    struct span many = INFLATED(THOUSAND, 1000);
    CHECK(many.len == 1000);
    for (size_t i = 0; i < many.len; i++)
        CHECK(many.ptr[i] == 'a');
}

TEST("a stream of another size than wanted, or with another checksum, is refused")
{
    CHECK_TEXT(INFLATED(HELLO, 4), "");
    CHECK_TEXT(INFLATED(HELLO, 6), "");
    CHECK_TEXT(INFLATED("\x78\x9c\xcb\x48\xcd\xc9\xc9\x07\x00\x06\x2c\x02\x16", 5), "");
}

TEST("a stream that was cut at any byte is refused")
{
    for (size_t n = 0; n < sizeof HELLO - 1; n++)
        CHECK(!inflate_zlib(span_of(HELLO, n), out, 5));
    for (size_t n = 0; n < sizeof THOUSAND - 1; n++)
        CHECK(!inflate_zlib(span_of(THOUSAND, n), out, 1000));
}

TEST("what is not of zlib's format is refused: another method, a dictionary, a wrong header")
{
    CHECK_TEXT(INFLATED("\x79\x9c\xcb\x48\xcd\xc9\xc9\x07\x00\x06\x2c\x02\x15", 5), "");
    CHECK_TEXT(INFLATED("\x78\x9d\xcb\x48\xcd\xc9\xc9\x07\x00\x06\x2c\x02\x15", 5), "");
    CHECK_TEXT(INFLATED("\x78\xbb\xcb\x48\xcd\xc9\xc9\x07\x00\x06\x2c\x02\x15", 5), "");
}

TEST("a distance beyond the beginning, a reserved block and a wrong inverse are refused")
{
    CHECK_TEXT(INFLATED("\x78\x9c\x03\x42\x00\x00\x00\x00\x01", 3), "");
    CHECK_TEXT(INFLATED("\x78\x9c\x07\x00\x00\x00\x00\x01", 0), "");
    CHECK_TEXT(INFLATED("\x78\x01\x01\x05\x00\xfa\xfehello\x06\x2c\x02\x15", 5), "");
}
