/* Decompression of zlib's format. */
#include "common/base/inflate.h"

#include <stdint.h>
#include <stdlib.h>

#include "common/base/text.h"
#include "tests/unit/test.h"

static char out[100000];

/* What the n bytes decompress to, as text of that size; "" if they do not. */
static struct span
inflated(const char *bytes, size_t n, size_t size)
{
    return inflate_zlib(span_of(bytes, n), out, size, NULL) ? span_of(out, size) : SPAN("");
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
        CHECK(!inflate_zlib(span_of(HELLO, n), out, 5, NULL));
    for (size_t n = 0; n < sizeof THOUSAND - 1; n++)
        CHECK(!inflate_zlib(span_of(THOUSAND, n), out, 1000, NULL));
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

/* A stream that is made of parts: each a block with an "a", and so many without output. */
static struct span
in_parts(struct text *stream, size_t parts, size_t empty)
{
    uint32_t a = 1, b = 0;
    text_set(stream, SPAN("\x78\x9c"));
    for (size_t i = 0; i < parts; i++) {
        text_add(stream, SPAN("\x4a\x04\0\0\0\xff\xff")); /* "a" in fixed codes, and one stored */
        for (size_t k = 1; k < empty; k++)
            text_add(stream, SPAN("\0\0\0\xff\xff"));
        a = (a + 'a') % 65521;
        b = (b + a) % 65521;
    }
    text_add(stream, SPAN("\x01\0\0\xff\xff"));
    char sum[4] = {(char)(b >> 8), (char)b, (char)(a >> 8), (char)a};
    text_add(stream, span_of(sum, sizeof sum));
    return text_span(stream);
}

TEST("a stream that was flushed after each byte is decompressed")
{
    struct text stream = {0};
    struct span in = in_parts(&stream, 5000, 2);
    CHECK(inflate_zlib(in, out, 5000, NULL));
    CHECK(out[0] == 'a' && out[4999] == 'a');
    free(stream.ptr);
}

TEST("a stream of thousands of blocks without output is given up")
{
    struct text stream = {0};
    CHECK(inflate_zlib(in_parts(&stream, 1, 900), out, 1, NULL));
    CHECK(!inflate_zlib(in_parts(&stream, 1, 1100), out, 1, NULL));
    CHECK(!inflate_zlib(in_parts(&stream, 1000, 7), out, 1000, NULL));
    free(stream.ptr);
}

struct leave {
    unsigned asked, most;
};

static bool
ask(void *ctx)
{
    struct leave *l = ctx;
    return l->asked++ < l->most;
}

TEST("whoever waits is asked in the midst of many blocks, and ends them")
{
    struct text stream = {0};
    struct leave all = {0, 1000000}, few = {0, 2};
    struct patience patient = {.ask = ask, .ctx = &all}, impatient = {.ask = ask, .ctx = &few};
    struct span in = in_parts(&stream, 5000, 1);
    CHECK(inflate_zlib(in, out, 5000, &patient));
    CHECK(all.asked > 100 && all.asked < 1000);
    CHECK(!inflate_zlib(in, out, 5000, &impatient));
    CHECK(few.asked == 3 && impatient.over);
    free(stream.ptr);
}
