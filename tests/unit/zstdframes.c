#include "tests/unit/test.h"

#include "common/event/zstdframes.h"

/* A frame with a window, a raw block "ab", a byte repeated 128 KB, and a last compressed block of three
 * bytes; with a checksum, if that is wanted. */
#define BLOCKS "\x10\0\0ab\x02\0\x10z\x1d\0\0xyz"
static const struct span plain = SPAN("\x28\xb5\x2f\xfd\0\x58" BLOCKS),
                         summed = SPAN("\x28\xb5\x2f\xfd\x04\x58" BLOCKS "1234"),
                         skipped = SPAN("\x5a\x2a\x4d\x18\x03\0\0\0abc");

/* How a stream stands that comes in pieces of `each` bytes. */
static struct zstdframes
follow(struct span stream, size_t each)
{
    struct zstdframes z = {.whole = 0};
    for (; stream.len > 0; stream = span_from(stream, each < stream.len ? each : stream.len))
        CHECK(zstdframes_add(&z, span_head(stream, each < stream.len ? each : stream.len)));
    return z;
}

TEST("a stream may end after each whole block, however its bytes come")
{
    static const size_t ends[] = {0, 6, 11, 15, 21};
    for (size_t len = 0, n = 0; len <= plain.len; len++) {
        n += n + 1 < sizeof ends / sizeof *ends && ends[n + 1] == len;
        for (size_t each = 1; each < 8; each++) {
            struct zstdframes z = follow(span_head(plain, len), each);
            CHECK(z.whole == ends[n]);
            CHECK(z.after == (n == 0 || n == 4 ? ZSTDFRAMES_FRAME : ZSTDFRAMES_BLOCK));
        }
    }
}

TEST("a checksum belongs to the last block, and a frame that is skipped is whole after its bytes")
{
    CHECK(follow(summed, 5).whole == summed.len);
    CHECK(follow(span_head(summed, summed.len - 1), 5).whole == 15);
    CHECK(follow(skipped, 5).whole == skipped.len);
    CHECK(follow(span_head(skipped, skipped.len - 1), 5).whole == 0);
}

TEST("the header of a frame has the size that its first byte says")
{
    static const struct {
        unsigned char first;
        size_t size;
    } headers[] = {{0x00, 6}, {0x20, 6},  {0x23, 10}, {0x43, 12},
                   {0x61, 8}, {0x80, 10}, {0xe2, 15}, {0xc3, 18}};
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) {
        char bytes[32] = "\x28\xb5\x2f\xfd";
        bytes[4] = (char)headers[i].first;
        CHECK(follow(span_of(bytes, headers[i].size - 1), 1).whole == 0);
        CHECK(follow(span_of(bytes, headers[i].size), 1).whole == headers[i].size);
    }
}

TEST("what is no zstd is seen at once")
{
    struct zstdframes z = {.whole = 0};
    CHECK(!zstdframes_add(&z, SPAN("\xfd\x37zXZ")));
    z = follow(span_head(plain, 11), 11);
    CHECK(!zstdframes_add(&z, SPAN("\x06\0\0")) && z.whole == 11);
    z = follow(plain, 64);
    CHECK(!zstdframes_add(&z, SPAN("BZh9")) && z.whole == plain.len);
}
