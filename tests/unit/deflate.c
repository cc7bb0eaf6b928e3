/* Compression into gzip's format, and the Huffman codes and the checksum that it needs. */
#include "common/base/deflate.h"

#include "common/base/crc32.h"
#include "common/base/huffman.h"
#include "tests/unit/gunzip.h"
#include "tests/unit/test.h"

enum { BYTES = 300 * 1000, BLOCK = 64 * 1024 };

/* The generator of Marsaglia's "Xorshift RNGs" (2003). */
static uint32_t
next_random(uint32_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

/* Random bytes below a limit. */
static struct span
random_bytes(char *bytes, size_t n, unsigned limit)
{
    uint32_t state = 1;
    for (size_t i = 0; i < n; i++)
        bytes[i] = (char)(next_random(&state) % limit);
    return span_of(bytes, n);
}

/* Compress, given in parts of so many bytes; return the size of the stream, 0 if it does not
 * decompress to the same bytes. */
static size_t
round_trip(struct span bytes, size_t part)
{
    struct text packed = {0};
    struct deflate *z = deflate_start(&packed);
    for (struct span rest = bytes; rest.len > 0;) {
        size_t n = rest.len < part ? rest.len : part;
        deflate_add(z, span_head(rest, n));
        rest = span_from(rest, n);
    }
    deflate_finish(z);
    size_t size = gunzips_to(text_span(&packed), bytes) ? packed.len : 0;
    free(packed.ptr);
    return size;
}

TEST("what is compressed decompresses to the same bytes, whatever is around a block's end")
{
    static char bytes[BYTES];
    size_t ends[] = {0, 1, 2, 3, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK + 2, BYTES};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        CHECK(round_trip(random_bytes(bytes, ends[i], 4), BYTES) > 0);
        memset(bytes, 'a', ends[i]);
        CHECK(round_trip(span_of(bytes, ends[i]), BYTES) > 0);
    }
}

TEST("the stream is the same however its bytes are divided among calls")
{
    static char bytes[2 * BLOCK + 100];
    struct text whole = {0}, parts = {0};
    struct span all = random_bytes(bytes, sizeof bytes, 7);
    struct deflate *z = deflate_start(&whole);
    deflate_add(z, all);
    deflate_finish(z);
    z = deflate_start(&parts);
    for (size_t i = 0; i < all.len; i++)
        deflate_add(z, span_of(all.ptr + i, 1));
    deflate_finish(z);
    CHECK(span_eq(text_span(&whole), text_span(&parts)));
    free(whole.ptr);
    free(parts.ptr);
}

TEST("bytes are repeated from up to 32 KB before, also across blocks, and random ones grow by 1 % "
     "at most")
{
    static char bytes[BYTES];
    enum { REPEATED = 32 * 1024 };
    random_bytes(bytes, REPEATED, 256);
    for (size_t i = REPEATED; i < BYTES; i++)
        bytes[i] = bytes[i - REPEATED];
    size_t size = round_trip(span_of(bytes, BYTES), 1000);
    CHECK(size > REPEATED && size < REPEATED + BYTES / 50);
    size = round_trip(random_bytes(bytes, BYTES, 256), 1000);
    CHECK(size > 0 && size < BYTES + BYTES / 100);
    memset(bytes, 0, BYTES);
    size = round_trip(span_of(bytes, BYTES), 1000);
    CHECK(size > 0 && size < BYTES / 500);
}

TEST("codes whose best lengths exceed the limit fill the code space with lengths up to it")
{
    struct huffman_code code;
    uint32_t counts[40] = {1, 1};
    for (unsigned limit = 6; limit <= 15; limit += 9) {
        uint32_t sum = 0;
        for (unsigned i = 2; i < 40; i++) /* Fibonacci's numbers make the longest codes */
            counts[i] = counts[i - 1] + counts[i - 2];
        huffman_make(&code, counts, 40, limit);
        for (unsigned i = 0; i < 40; i++) {
            CHECK(code.length[i] >= 1 && code.length[i] <= limit);
            CHECK(i == 0 || code.length[i] <= code.length[i - 1]);
            sum += 1u << (limit - code.length[i]);
        }
        CHECK(sum == 1u << limit);
    }
}

TEST("a code is the shortest one, and has two symbols at least")
{
    struct huffman_code code;
    huffman_make(&code, (const uint32_t[]){45, 13, 12, 16, 9, 5}, 6, 15);
    const uint8_t best[] = {1, 3, 3, 3, 4, 4};
    CHECK(memcmp(code.length, best, sizeof best) == 0);
    huffman_make(&code, (const uint32_t[]){0, 0, 7}, 3, 15);
    CHECK(code.length[0] == 1 && code.length[1] == 0 && code.length[2] == 1);
}

TEST("the CRC-32 is that of IEEE 802.3")
{
    struct crc32 crc;
    crc32_start(&crc);
    crc32_add(&crc, SPAN("12345"));
    crc32_add(&crc, SPAN("6789"));
    CHECK(crc32_value(&crc) == 0xcbf43926);
}
