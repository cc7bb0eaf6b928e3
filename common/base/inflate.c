/* RFC 1950 (zlib) and RFC 1951 (deflate):
 *
 *     78 9c            deflate with a window of 32 KB; a multiple of 31 as a number
 *     4b 04 00         blocks, from the lowest bit of each byte on: 1 (the last one), 01 (fixed
 *                      codes), 10010001 ("a"), 0000000 (end of the block)
 *     00 62 00 62      the Adler-32 of the bytes that they stand for, highest byte first
 */
#include "common/base/inflate.h"

#include <stdint.h>

#include "common/base/deflatetable.h"

enum {
    CODE_MAX = DEFLATE_CODE_MAX,
    FAST = 10,        /* bits of a code that can be decoded by one lookup */
    SYMBOLS_MAX = 288 /* literals, the end, lengths, and two unused ones */
};

/* A Huffman code: the number of codes of each length, and the symbols in the order of their
 * codes. */
struct huffman {
    uint16_t count[CODE_MAX + 1], symbols[SYMBOLS_MAX];
    uint16_t fast[1 << FAST]; /* by the next bits: symbol << 4 | length; 0: the code is longer */
};

struct codes {
    struct huffman literals, distances;
};

struct inflate {
    struct span in;
    uint64_t bits; /* bits that were read from `in`, the next one lowest */
    unsigned nbits;
    char *out;
    size_t at, size; /* position in `out`, and its size */
    size_t empty;    /* blocks without output */
    bool has_fixed;  /* `fixed` is made */
    struct codes own, fixed;
    struct patience *patience;
};

/* Bits */

/* Return the first eight bytes as a number, the first byte lowest. This is one instruction on most
 * machines. */
static inline uint64_t
load(const char *p)
{
    const unsigned char *u = (const unsigned char *)p;
    return (uint64_t)u[0] | (uint64_t)u[1] << 8 | (uint64_t)u[2] << 16 | (uint64_t)u[3] << 24 |
           (uint64_t)u[4] << 32 | (uint64_t)u[5] << 40 | (uint64_t)u[6] << 48 |
           (uint64_t)u[7] << 56;
}

/* Read bytes until there are more than 55 bits, or no more input. Eight bytes are loaded at once;
 * as many as fit are used. */
static inline void
refill(struct inflate *z)
{
    if (z->in.len >= 8 && z->nbits < 56) {
        size_t n = (63 - z->nbits) / 8;
        z->bits |= load(z->in.ptr) << z->nbits;
        z->in = span_from(z->in, n);
        z->nbits += 8 * (unsigned)n;
        z->bits &= ~(uint64_t)0 >> (64 - z->nbits);
    }
    while (z->nbits < 56 && z->in.len > 0) {
        z->bits |= (uint64_t)(unsigned char)z->in.ptr[0] << z->nbits;
        z->in = span_from(z->in, 1);
        z->nbits += 8;
    }
}

/* Take n bits, at most 16, that refill() has read. Return false at the end of the input. */
static inline bool
take(struct inflate *z, unsigned n, unsigned *value)
{
    *value = (unsigned)(z->bits & ((1u << n) - 1));
    if (n > z->nbits)
        return false;
    z->bits >>= n;
    z->nbits -= n;
    return true;
}

/* Codes */

/* Return the code of this length that follows another one. The first bit of both is the lowest. */
static unsigned
next_code(unsigned code, unsigned length)
{
    unsigned bit = 1u << (length - 1);
    for (; (code & bit) != 0; bit >>= 1)
        code ^= bit;
    return code | bit;
}

/* Fill the fast table. For each additional bit, copy the table of the shorter codes once behind
 * itself, then enter the codes of this length. For few symbols this takes no longer than one or two
 * copies of the table. That matters: every ten bytes of input may define a new code. */
static void
fill_fast(struct huffman *h)
{
    unsigned code = 0;
    const uint16_t *symbol = h->symbols;
    h->fast[0] = 0;
    for (unsigned length = 1; length <= FAST; length++) {
        memcpy(h->fast + (1u << (length - 1)), h->fast, sizeof *h->fast << (length - 1));
        for (unsigned n = h->count[length]; n > 0; n--) {
            h->fast[code] = (uint16_t)((unsigned)*symbol++ << 4 | length);
            code = next_code(code, length);
        }
    }
}

/* Make the code from the length of each symbol's code, which is 0 if the symbol has none. Return
 * false if the lengths form no code, or an incomplete one; only a code of one symbol may be
 * incomplete. */
static bool
make_code(struct huffman *h, const uint8_t *lengths, unsigned n)
{
    unsigned start[CODE_MAX + 2] = {0};
    int left = 1;
    memset(h->count, 0, sizeof h->count);
    for (unsigned i = 0; i < n; i++)
        h->count[lengths[i]]++;
    unsigned used = n - h->count[0];
    h->count[0] = 0;
    for (unsigned length = 1; length <= CODE_MAX; length++) {
        left = left * 2 - h->count[length];
        if (left < 0)
            return false;
        start[length + 1] = start[length] + h->count[length];
    }
    for (unsigned i = 0; i < n; i++)
        if (lengths[i] > 0)
            h->symbols[start[lengths[i]]++] = (uint16_t)i;
    fill_fast(h);
    return left == 0 || used <= 1;
}

/* Decode a symbol bit by bit if its code is longer than FAST. */
static bool
decode_slowly(struct inflate *z, const struct huffman *h, unsigned *symbol)
{
    unsigned code = 0, first = 0, index = 0;
    for (unsigned length = 1; length <= CODE_MAX && length <= z->nbits; length++) {
        code |= (unsigned)(z->bits >> (length - 1) & 1);
        unsigned count = h->count[length];
        if (code < first + count) {
            z->bits >>= length;
            z->nbits -= length;
            *symbol = h->symbols[index + code - first];
            return true;
        }
        index += count;
        first = (first + count) << 1;
        code <<= 1;
    }
    return false;
}

static inline bool
decode(struct inflate *z, const struct huffman *h, unsigned *symbol)
{
    unsigned entry = h->fast[z->bits & ((1u << FAST) - 1)], length = entry & 15;
    if (length == 0)
        return decode_slowly(z, h, symbol);
    if (length > z->nbits)
        return false;
    *symbol = entry >> 4;
    z->bits >>= length;
    z->nbits -= length;
    return true;
}

/* Blocks */

static bool
copy_stored(struct inflate *z)
{
    unsigned skipped, n, inverse;
    if (!take(z, z->nbits % 8, &skipped))
        return false;
    refill(z);
    if (!take(z, 16, &n) || !take(z, 16, &inverse) || n != (~inverse & 0xffff) ||
        n > z->size - z->at)
        return false;
    for (; n > 0 && z->nbits > 0; n--) {
        z->out[z->at++] = (char)z->bits;
        z->bits >>= 8;
        z->nbits -= 8;
    }
    if (n > z->in.len)
        return false;
    memcpy(z->out + z->at, z->in.ptr, n);
    z->in = span_from(z->in, n);
    z->at += n;
    return true;
}

/* Append a copy of the bytes `distance` before the end. The copy may overlap its source. */
static inline bool
copy_match(struct inflate *z, size_t length, size_t distance)
{
    if (distance > z->at || length > z->size - z->at)
        return false;
    char *to = z->out + z->at;
    const char *from = to - distance;
    z->at += length;
    if (distance >= length) {
        memcpy(to, from, length);
        return true;
    }
    while (length-- > 0)
        *to++ = *from++;
    return true;
}

/* Copy the match that begins with a symbol of the literals' code. All its bits, at most 48, have
 * been read. */
static bool
add_match(struct inflate *z, const struct huffman *distances, unsigned symbol)
{
    unsigned more, distance;
    if (symbol - DEFLATE_FIRST_LENGTH >= DEFLATE_LENGTHS)
        return false;
    const struct deflate_base *length = &deflate_lengths[symbol - DEFLATE_FIRST_LENGTH];
    if (!take(z, length->extra, &more) || !decode(z, distances, &distance) ||
        distance >= DEFLATE_DISTANCES)
        return false;
    unsigned whole = length->least + more;
    const struct deflate_base *back = &deflate_distances[distance];
    return take(z, back->extra, &more) && copy_match(z, whole, back->least + more);
}

static bool
copy_compressed(struct inflate *z, const struct codes *codes)
{
    enum { SLICE = 1024 };
    unsigned symbol;
    for (unsigned n = 1;; n++) {
        refill(z);
        if (!decode(z, &codes->literals, &symbol) ||
            (n % SLICE == 0 && patience_is_over(z->patience, SLICE)))
            return false;
        if (symbol == DEFLATE_END)
            return true;
        if (symbol > DEFLATE_END) {
            if (!add_match(z, &codes->distances, symbol))
                return false;
        } else if (z->at < z->size) {
            z->out[z->at++] = (char)symbol;
        } else {
            return false;
        }
    }
}

/* Return the codes of blocks without codes of their own. They are made once. */
static const struct codes *
fixed_codes(struct inflate *z)
{
    uint8_t lengths[SYMBOLS_MAX];
    if (z->has_fixed)
        return &z->fixed;
    for (unsigned i = 0; i < SYMBOLS_MAX; i++)
        lengths[i] = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8;
    make_code(&z->fixed.literals, lengths, SYMBOLS_MAX);
    memset(lengths, 5, 32);
    make_code(&z->fixed.distances, lengths, 32);
    z->has_fixed = true;
    return &z->fixed;
}

/* Read the lengths of both codes. They are compressed by a third code. */
static bool
read_lengths(struct inflate *z, uint8_t *lengths, unsigned n)
{
    for (unsigned i = 0; i < n;) {
        unsigned symbol, times;
        refill(z);
        if (!decode(z, &z->own.literals, &symbol))
            return false;
        if (symbol < DEFLATE_REPEAT) {
            lengths[i++] = (uint8_t)symbol;
            continue;
        }
        if (!take(z, deflate_repeats[symbol - DEFLATE_REPEAT].extra, &times) ||
            (symbol == DEFLATE_REPEAT && i == 0))
            return false;
        times += deflate_repeats[symbol - DEFLATE_REPEAT].least;
        if (times > n - i)
            return false;
        memset(lengths + i, symbol == DEFLATE_REPEAT ? lengths[i - 1] : 0, times);
        i += times;
    }
    return true;
}

static bool
read_codes(struct inflate *z)
{
    uint8_t lengths[SYMBOLS_MAX + 32] = {0};
    unsigned nliterals, ndistances, n, length;
    refill(z);
    if (!take(z, 5, &nliterals) || !take(z, 5, &ndistances) || !take(z, 4, &n))
        return false;
    nliterals += 257;
    ndistances += 1;
    if (nliterals > SYMBOLS_MAX)
        return false;
    for (unsigned i = 0; i < n + 4; i++) {
        refill(z);
        if (!take(z, 3, &length))
            return false;
        lengths[deflate_order[i]] = (uint8_t)length;
    }
    if (!make_code(&z->own.literals, lengths, DEFLATE_LENGTH_CODES))
        return false;
    memset(lengths, 0, sizeof lengths);
    return read_lengths(z, lengths, nliterals + ndistances) && lengths[DEFLATE_END] > 0 &&
           make_code(&z->own.distances, lengths + nliterals, ndistances) &&
           make_code(&z->own.literals, lengths, nliterals);
}

/* Return true while the number of blocks without output is plausible. zlib makes one at each flush,
 * before version 1.2.6 two; there may be a flush after each byte. Programs that join streams add a
 * few at each joint. */
static bool
makes_progress(struct inflate *z, size_t before)
{
    enum { FREE = 1000, EACH = 4 };
    z->empty += z->at == before;
    return z->empty < FREE || (z->empty - FREE) / EACH < z->at;
}

static bool
copy_blocks(struct inflate *z)
{
    enum { BLOCK = 64 }; /* steps for a block's codes */
    unsigned last, type;
    do {
        size_t before = z->at;
        refill(z);
        if (!take(z, 1, &last) || !take(z, 2, &type) || type == 3)
            return false;
        bool whole = type == 0   ? copy_stored(z)
                     : type == 1 ? copy_compressed(z, fixed_codes(z))
                                 : read_codes(z) && copy_compressed(z, &z->own);
        if (!whole || !makes_progress(z, before) || patience_is_over(z->patience, BLOCK))
            return false;
    } while (last == 0);
    return true;
}

/* Return the Adler-32 of RFC 1950. Sums of NMOD bytes fit into 32 bits. */
static uint32_t
adler32(struct span s, struct patience *patience)
{
    enum { MODULUS = 65521, NMOD = 5552, STEPS = NMOD / 16 };
    uint32_t a = 1, b = 0;
    while (s.len > 0 && !patience_is_over(patience, STEPS)) {
        size_t n = s.len < NMOD ? s.len : NMOD;
        for (size_t i = 0; i < n; i++) {
            a += (unsigned char)s.ptr[i];
            b += a;
        }
        a %= MODULUS;
        b %= MODULUS;
        s = span_from(s, n);
    }
    return b << 16 | a;
}

static bool
has_checksum(struct inflate *z, uint32_t sum)
{
    unsigned skipped, byte;
    take(z, z->nbits % 8, &skipped);
    for (int shift = 24; shift >= 0; shift -= 8) {
        refill(z);
        if (!take(z, 8, &byte) || byte != (sum >> shift & 0xff))
            return false;
    }
    return true;
}

bool
inflate_zlib(struct span in, char *out, size_t n, struct patience *patience)
{
    struct inflate z = {.in = in, .out = out, .size = n, .patience = patience};
    if (in.len < 2)
        return false;
    unsigned method = (unsigned char)in.ptr[0], flags = (unsigned char)in.ptr[1];
    if ((method & 15) != 8 || method >> 4 > 7 || (flags & 0x20) != 0 ||
        (method << 8 | flags) % 31 != 0)
        return false;
    z.in = span_from(in, 2);
    return copy_blocks(&z) && z.at == n && has_checksum(&z, adler32(span_of(out, n), patience));
}
