/* "gC" is the number 32: a digit of base64 has six bits; the highest says that another digit
 * follows, and the others are five bits of the number, the lowest first: 0 and 2, 64. The lowest
 * bit of the whole is the sign. ECMA-426, "Base64 VLQ". */
#include "common/filter/sourcemap/vlq.h"

enum { NO_DIGIT = 64, PADDING = '=' };

static unsigned
digit_of(char c)
{
    if (c >= 'A' && c <= 'Z')
        return (unsigned)(c - 'A');
    if (c >= 'a' && c <= 'z')
        return (unsigned)(c - 'a') + 26;
    if (c >= '0' && c <= '9')
        return (unsigned)(c - '0') + 52;
    return c == '+' ? 62 : c == '/' ? 63 : NO_DIGIT;
}

bool
vlq_take(struct span *s, int32_t *value)
{
    enum { MORE = 1 << 5, BITS = 5, MOST_SHIFT = 30 };
    uint64_t bits = 0;
    unsigned digit = MORE;
    for (unsigned shift = 0; (digit & MORE) != 0; shift += BITS) {
        digit = s->len > 0 ? digit_of(s->ptr[0]) : NO_DIGIT;
        if (digit == NO_DIGIT || shift > MOST_SHIFT)
            return false;
        bits |= (uint64_t)(digit & (MORE - 1)) << shift;
        *s = span_from(*s, 1);
    }
    if (bits >> 1 > INT32_MAX)
        return false;
    *value = (bits & 1) != 0 ? -(int32_t)(bits >> 1) : (int32_t)(bits >> 1);
    return true;
}

bool
base64_decode(struct span text, struct text *to)
{
    uint32_t bits = 0;
    unsigned held = 0; /* bits that are not yet written */
    while (text.len > 0 && text.ptr[text.len - 1] == PADDING)
        text.len--;
    to->ptr = mem_grow(to->ptr, &to->cap, to->len + text.len / 4 * 3 + 3, 1);
    for (size_t i = 0; i < text.len; i++) {
        unsigned digit = digit_of(text.ptr[i]);
        if (digit == NO_DIGIT)
            return false;
        bits = bits << 6 | digit;
        held += 6;
        if (held >= 8) {
            held -= 8;
            to->ptr[to->len++] = (char)(bits >> held & 0xff);
        }
    }
    return text.len % 4 != 1;
}
