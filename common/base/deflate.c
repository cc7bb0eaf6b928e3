/* RFC 1952 (gzip):
 *
 *     1f 8b 08 00 00 00 00 00 00 ff    deflate, no name, no time, system unknown
 *     4b 04 00                         blocks, as in inflate.c; ours all have codes of their own
 *     43 be b7 e8  01 00 00 00         the CRC-32 and the size of the data, lowest byte first
 *
 * At each position, search the window for the longest match among the latest positions that have
 * the same three bytes. If the next position has a longer match, write this byte as a literal and
 * use that one. The output is about as small as that of gzip -9. With the fixed codes of RFC 1951
 * the data of a page would be a quarter larger. */
#include "common/base/deflate.h"

#include <stdlib.h>

#include "common/base/crc32.h"
#include "common/base/deflatetable.h"
#include "common/base/huffman.h"

enum {
    WINDOW = 32 * 1024,
    BLOCK = 64 * 1024, /* size of a block, in bytes */
    HASHES = 1 << 15,
    LEAST = 3, /* shortest match, in bytes */
    MOST = 258,
    NEAR = 4096,  /* a match of LEAST bytes at a larger distance takes more space than its bytes */
    PLACES = 128, /* positions tried for a match */
    LITERALS = DEFLATE_FIRST_LENGTH + DEFLATE_LENGTHS,
    NOWHERE = 0xffffffff
};

/* A match, or a literal byte if the distance is 0. */
struct token {
    uint16_t length, distance;
};

struct deflate {
    struct text *out;
    uint64_t bits; /* bits that are not in *out yet, the first one lowest */
    unsigned nbits;
    struct crc32 crc;
    uint32_t size;
    size_t old, len; /* bytes in `bytes`: those that are compressed, and all */
    char bytes[WINDOW + BLOCK];
    uint32_t newest[HASHES];          /* by a hash of three bytes: their last position in `bytes` */
    uint32_t earlier[WINDOW + BLOCK]; /* by position: the previous one with the same hash */
    struct token tokens[BLOCK];
    size_t ntokens;
    uint32_t literals[LITERALS], distances[DEFLATE_DISTANCES]; /* frequency of each symbol */
};

/* Bits */

static void
put_bits(struct deflate *z, unsigned bits, unsigned n)
{
    z->bits |= (uint64_t)bits << z->nbits;
    z->nbits += n;
    for (; z->nbits >= 8; z->nbits -= 8, z->bits >>= 8) {
        char byte = (char)(z->bits & 255);
        text_add(z->out, span_of(&byte, 1));
    }
}

static void
put_code(struct deflate *z, const struct huffman_code *code, unsigned symbol)
{
    put_bits(z, code->bits[symbol], code->length[symbol]);
}

static void
put_u32(struct deflate *z, uint32_t n)
{
    put_bits(z, n & 0xffff, 16);
    put_bits(z, n >> 16, 16);
}

/* Matches */

static size_t
hash_at(const struct deflate *z, size_t at)
{
    const unsigned char *p = (const unsigned char *)z->bytes + at;
    uint32_t three = p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16;
    return three * 0x9e3779b1u >> 17; /* 2^32 / golden ratio; the upper bits, as in HASHES */
}

static void
remember(struct deflate *z, size_t at)
{
    if (z->len - at < LEAST)
        return;
    size_t hash = hash_at(z, at);
    z->earlier[at] = z->newest[hash];
    z->newest[hash] = (uint32_t)at;
}

/* Return the longest match at a position. Its length is 0 if no match is longer than `least`. */
static struct token
find_match(const struct deflate *z, size_t at, size_t least)
{
    struct token best = {0, 0};
    size_t most = z->len - at < MOST ? z->len - at : MOST;
    const char *p = z->bytes + at;
    if (most < LEAST || most <= least)
        return best;
    uint32_t place = z->newest[hash_at(z, at)];
    for (size_t n = 0; n < PLACES && place != NOWHERE && at - place <= WINDOW; n++) {
        const char *q = z->bytes + place;
        size_t length = 0;
        if (q[least] == p[least])
            while (length < most && q[length] == p[length])
                length++;
        if (length > least && (length > LEAST || at - place <= NEAR)) {
            best = (struct token){(uint16_t)length, (uint16_t)(at - place)};
            least = length;
            if (length == most)
                break;
        }
        place = z->earlier[place];
    }
    return best;
}

/* Return the last symbol whose smallest value is at most `value`. */
static unsigned
symbol_of(const struct deflate_base *bases, unsigned n, unsigned value)
{
    unsigned low = 0;
    while (n - low > 1) {
        unsigned middle = low + (n - low) / 2;
        if (bases[middle].least <= value)
            low = middle;
        else
            n = middle;
    }
    return low;
}

static unsigned
length_of(struct token t)
{
    return symbol_of(deflate_lengths, DEFLATE_LENGTHS, t.length);
}

static unsigned
distance_of(struct token t)
{
    return symbol_of(deflate_distances, DEFLATE_DISTANCES, t.distance);
}

static void
add_token(struct deflate *z, struct token t)
{
    z->tokens[z->ntokens++] = t;
    if (t.distance == 0) {
        z->literals[t.length]++;
    } else {
        z->literals[DEFLATE_FIRST_LENGTH + length_of(t)]++;
        z->distances[distance_of(t)]++;
    }
}

/* Divide the new bytes into matches and literals. */
static void
find_tokens(struct deflate *z)
{
    struct token match = {0, 0}; /* the match at `at` */
    for (size_t at = z->old; at < z->len;) {
        if (match.length == 0)
            match = find_match(z, at, LEAST - 1);
        remember(z, at);
        struct token next = match.length > 0 ? find_match(z, at + 1, match.length) : match;
        if (match.length == 0 || next.length > 0) {
            add_token(z, (struct token){(unsigned char)z->bytes[at++], 0});
            match = next;
            continue;
        }
        add_token(z, match);
        for (size_t end = at + match.length; ++at < end;)
            remember(z, at);
        match = next;
    }
}

/* Blocks */

/* Write the lengths of both codes. A run of equal lengths is written as one length and a repeat
 * count. */
static void
put_lengths(struct deflate *z, const uint8_t *lengths, unsigned n)
{
    struct item {
        uint8_t symbol, more;
    } items[LITERALS + DEFLATE_DISTANCES];
    uint32_t counts[DEFLATE_LENGTH_CODES] = {0};
    struct huffman_code code;
    unsigned nitems = 0;
    for (unsigned i = 0, run; i < n; i += run) {
        bool repeats = i > 0 && lengths[i] == lengths[i - 1];
        unsigned kind = lengths[i] > 0 ? 0 : 1, most = kind == 0 ? 6 : 138;
        for (run = 1; run < most && i + run < n && lengths[i + run] == lengths[i];)
            run++;
        if (run > 10 && kind == 1)
            kind = 2;
        if (run >= LEAST && (repeats || kind > 0)) {
            items[nitems] = (struct item){(uint8_t)(DEFLATE_REPEAT + kind),
                                          (uint8_t)(run - deflate_repeats[kind].least)};
        } else {
            run = 1;
            items[nitems] = (struct item){lengths[i], 0};
        }
        counts[items[nitems++].symbol]++;
    }
    huffman_make(&code, counts, DEFLATE_LENGTH_CODES, DEFLATE_LENGTH_MAX);
    for (unsigned i = 0; i < DEFLATE_LENGTH_CODES; i++)
        put_bits(z, code.length[deflate_order[i]], 3);
    for (unsigned i = 0; i < nitems; i++) {
        put_code(z, &code, items[i].symbol);
        if (items[i].symbol >= DEFLATE_REPEAT)
            put_bits(z, items[i].more, deflate_repeats[items[i].symbol - DEFLATE_REPEAT].extra);
    }
}

static void
put_tokens(struct deflate *z, const struct huffman_code *literals,
           const struct huffman_code *distances)
{
    for (size_t i = 0; i < z->ntokens; i++) {
        struct token t = z->tokens[i];
        if (t.distance == 0) {
            put_code(z, literals, t.length);
            continue;
        }
        unsigned length = length_of(t), distance = distance_of(t);
        put_code(z, literals, DEFLATE_FIRST_LENGTH + length);
        put_bits(z, t.length - deflate_lengths[length].least, deflate_lengths[length].extra);
        put_code(z, distances, distance);
        put_bits(z, t.distance - deflate_distances[distance].least,
                 deflate_distances[distance].extra);
    }
    put_code(z, literals, DEFLATE_END);
}

/* Compress the new bytes. */
static void
put_block(struct deflate *z, bool last)
{
    struct huffman_code literals, distances;
    uint8_t lengths[LITERALS + DEFLATE_DISTANCES];
    memset(z->literals, 0, sizeof z->literals);
    memset(z->distances, 0, sizeof z->distances);
    z->ntokens = 0;
    z->literals[DEFLATE_END] = 1;
    find_tokens(z);
    huffman_make(&literals, z->literals, LITERALS, DEFLATE_CODE_MAX);
    huffman_make(&distances, z->distances, DEFLATE_DISTANCES, DEFLATE_CODE_MAX);
    memcpy(lengths, literals.length, LITERALS);
    memcpy(lengths + LITERALS, distances.length, DEFLATE_DISTANCES);
    put_bits(z, last, 1);
    put_bits(z, 2, 2); /* a block with its own codes */
    put_bits(z, LITERALS - DEFLATE_FIRST_LENGTH, 5);
    put_bits(z, DEFLATE_DISTANCES - 1, 5);
    put_bits(z, DEFLATE_LENGTH_CODES - 4, 4);
    put_lengths(z, lengths, sizeof lengths);
    put_tokens(z, &literals, &distances);
    z->old = z->len;
}

/* Drop what is no longer in the window, and remember the positions of the rest. */
static void
slide(struct deflate *z)
{
    size_t kept = z->len < WINDOW ? z->len : WINDOW;
    memmove(z->bytes, z->bytes + z->len - kept, kept);
    z->old = z->len = kept;
    memset(z->newest, 0xff, sizeof z->newest); /* NOWHERE */
    for (size_t at = 0; at < kept; at++)
        remember(z, at);
}

struct deflate *
deflate_start(struct text *out)
{
    struct deflate *z = mem_alloc(sizeof *z);
    z->out = out;
    z->bits = z->nbits = z->size = 0;
    z->old = z->len = 0;
    crc32_start(&z->crc);
    slide(z);
    text_add(out, SPAN("\x1f\x8b\x08\0\0\0\0\0\0\xff"));
    return z;
}

void
deflate_add(struct deflate *z, struct span bytes)
{
    crc32_add(&z->crc, bytes);
    z->size += (uint32_t)bytes.len;
    while (bytes.len > 0) {
        if (z->len - z->old == BLOCK) {
            put_block(z, false);
            slide(z);
        }
        size_t room = BLOCK - (z->len - z->old), n = bytes.len < room ? bytes.len : room;
        memcpy(z->bytes + z->len, bytes.ptr, n);
        z->len += n;
        bytes = span_from(bytes, n);
    }
}

void
deflate_finish(struct deflate *z)
{
    put_block(z, true);
    put_bits(z, 0, (8 - z->nbits) % 8);
    put_u32(z, crc32_value(&z->crc));
    put_u32(z, z->size);
    free(z);
}
