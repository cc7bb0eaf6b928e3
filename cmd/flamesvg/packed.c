#include "cmd/flamesvg/packed.h"

enum { BITS = 5, BASE = 1 << BITS };

const char packed_alphabet[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_";

char *
packed_write_large(char *to, uint64_t n)
{
    int shift = 0;
    while (n >> shift >= BASE)
        shift += BITS;
    for (; shift > 0; shift -= BITS)
        *to++ = packed_alphabet[BASE + (n >> shift) % BASE];
    *to++ = packed_alphabet[n % BASE];
    return to;
}

void
packed_put(struct out *o, uint64_t n)
{
    char digits[PACKED_MOST];
    out_span(o, span_of(digits, (size_t)(packed_write(digits, n) - digits)));
}
