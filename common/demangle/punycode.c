/* "gödel" is "gdel" and "5qa". Each inserted character is a number in base 36, digits a-z and 0-9,
 * lowest digit first; a digit below the threshold of its position ends the number:
 *
 *     5qa    31 + 16 * 35 + 0 = 591 = 118 * 5 + 1: U+0080 + 118 = U+00F6, at position 1 of 5
 *
 * RFC 3492, sections 3 and 6, has the algorithm and the names of its parameters. */
#include "common/demangle/punycode.h"

#include <stdint.h>

#include "common/base/utf8.h"

enum { BASE = 36, TMIN = 1, TMAX = 26, SKEW = 38, DAMP = 700, BIAS = 72, FIRST = 0x80 };

struct characters {
    uint32_t at[PUNYCODE_MAX];
    uint32_t len;
};

/* Return the threshold of a digit: a smaller digit is the last of its number. k is BASE for the
 * first digit, 2 * BASE for the second. */
static uint32_t
threshold(uint32_t k, uint32_t bias)
{
    if (k <= bias + TMIN)
        return TMIN;
    return k - bias < TMAX ? k - bias : TMAX;
}

/* Return the value of a digit, or BASE if it is none. */
static uint32_t
digit_value(char c)
{
    if (c >= 'a' && c <= 'z')
        return (uint32_t)(c - 'a');
    return is_digit(c) ? (uint32_t)(c - '0') + 26 : BASE;
}

/* Remove a number from *code. Return false if it is cut, or too large for any character. */
static bool
take_delta(struct span *code, uint32_t bias, uint32_t *delta)
{
    uint64_t value = 0, weight = 1;
    for (uint32_t k = BASE; code->len > 0; k += BASE) {
        uint32_t digit = digit_value(code->ptr[0]), t = threshold(k, bias);
        *code = span_from(*code, 1);
        value += digit * weight;
        if (digit == BASE || value > UINT32_MAX)
            return false;
        *delta = (uint32_t)value;
        if (digit < t)
            return true;
        weight *= BASE - t;
        if (weight > UINT32_MAX)
            return false;
    }
    return false;
}

static uint32_t
adapt(uint32_t delta, uint32_t len, bool first)
{
    uint32_t k = 0;
    delta /= first ? DAMP : 2;
    delta += delta / len;
    for (; delta > (BASE - TMIN) * TMAX / 2; k += BASE)
        delta /= BASE - TMIN;
    return k + (BASE - TMIN + 1) * delta / (delta + SKEW);
}

static bool
decode(struct characters *text, struct span code)
{
    uint32_t bias = BIAS, place = 0, delta;
    uint64_t c = FIRST;
    for (bool first = true; code.len > 0; first = false) {
        if (text->len == PUNYCODE_MAX || !take_delta(&code, bias, &delta))
            return false;
        uint32_t len = text->len + 1;
        uint64_t sum = (uint64_t)place + delta;
        c += sum / len;
        place = (uint32_t)(sum % len);
        if (c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff)) /* not a character */
            return false;
        memmove(text->at + place + 1, text->at + place, (text->len - place) * sizeof *text->at);
        text->at[place++] = (uint32_t)c;
        text->len = len;
        bias = adapt(delta, len, first);
    }
    return true;
}

bool
punycode_add(struct text *out, struct span ascii, struct span code)
{
    struct characters text;
    char bytes[4];
    if (ascii.len > PUNYCODE_MAX)
        return false;
    for (text.len = 0; text.len < ascii.len; text.len++)
        text.at[text.len] = (unsigned char)ascii.ptr[text.len];
    if (!decode(&text, code))
        return false;
    for (uint32_t i = 0; i < text.len; i++)
        text_add(out, span_of(bytes, utf8_encode(bytes, text.at[i])));
    return true;
}
