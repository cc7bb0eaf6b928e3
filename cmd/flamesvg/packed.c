#include "cmd/flamesvg/packed.h"

enum { BITS = 5, BASE = 1 << BITS, MOST_DIGITS = (64 + BITS - 1) / BITS };

void
packed_put(struct out *o, uint64_t n)
{
    static const char alphabet[] =
        "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_";
    char digits[MOST_DIGITS];
    size_t at = sizeof digits;
    digits[--at] = alphabet[n % BASE];
    while ((n /= BASE) > 0)
        digits[--at] = alphabet[BASE + n % BASE];
    out_span(o, span_of(digits + at, sizeof digits - at));
}
