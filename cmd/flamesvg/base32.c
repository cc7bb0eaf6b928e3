#include "cmd/flamesvg/base32.h"

enum { BITS = 5, BASE = 1 << BITS };

const char base32_alphabet[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_";

char *
base32_write_large(char *to, uint64_t n)
{
    int shift = 0;
    while (n >> shift >= BASE)
        shift += BITS;
    for (; shift > 0; shift -= BITS)
        *to++ = base32_alphabet[BASE + (n >> shift) % BASE];
    *to++ = base32_alphabet[n % BASE];
    return to;
}

void
base32_put(struct out *o, uint64_t n)
{
    char digits[BASE32_MAX];
    out_span(o, span_of(digits, (size_t)(base32_write(digits, n) - digits)));
}
