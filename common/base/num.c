#include "common/base/num.h"

struct span
num_decimal(char digits[static NUM_DIGITS], uint64_t value)
{
    char *end = digits + NUM_DIGITS, *p = end;
    do
        *--p = (char)('0' + value % 10);
    while ((value /= 10) > 0);
    return span_of(p, (size_t)(end - p));
}

struct span
num_commas(char digits[static NUM_COMMAS], uint64_t value)
{
    char plain[NUM_DIGITS];
    return num_group(digits, num_decimal(plain, value));
}

struct span
num_group(char *text, struct span number)
{
    size_t first = span_starts(number, SPAN("-")), n = 0;
    size_t end = first + span_run(number, first, is_digit);
    for (size_t i = 0; i < number.len; i++) {
        if (i > first && i < end && (end - i) % 3 == 0)
            text[n++] = ',';
        text[n++] = number.ptr[i];
    }
    return span_of(text, n);
}

bool
num_u64(struct span s, uint64_t *value)
{
    size_t safe = s.len < NUM_DIGITS ? s.len : NUM_DIGITS - 1; /* this many digits never overflow */
    size_t i = 0;
    uint64_t v = 0;
    unsigned digit;
    for (; i < safe && (digit = (unsigned)(s.ptr[i] - '0')) <= 9; i++)
        v = v * 10 + digit;
    bool saturated = false;
    for (; i < s.len && (digit = (unsigned)(s.ptr[i] - '0')) <= 9; i++) {
        saturated |= v > (UINT64_MAX - digit) / 10;
        v = v * 10 + digit;
    }
    if (s.len == 0 || i < s.len)
        return false;
    *value = saturated ? UINT64_MAX : v;
    return true;
}

/* Values of hexadecimal digits plus 16; 0 for all other characters. */
const unsigned char num_hex_digits[256] = {
    ['0'] = 16, ['1'] = 17, ['2'] = 18, ['3'] = 19, ['4'] = 20, ['5'] = 21, ['6'] = 22, ['7'] = 23,
    ['8'] = 24, ['9'] = 25, ['a'] = 26, ['b'] = 27, ['c'] = 28, ['d'] = 29, ['e'] = 30, ['f'] = 31,
    ['A'] = 26, ['B'] = 27, ['C'] = 28, ['D'] = 29, ['E'] = 30, ['F'] = 31,
};

bool
num_hex(struct span s, uint64_t *value)
{
    if (span_starts(s, SPAN("0x")) || span_starts(s, SPAN("0X")))
        s = span_from(s, 2);
    if (s.len == 0 || s.len > 16)
        return false;
    uint64_t v = 0;
    for (size_t i = 0; i < s.len; i++) {
        unsigned digit = num_hex_digit(s.ptr[i]);
        if (digit == 16)
            return false;
        v = v << 4 | digit;
    }
    *value = v;
    return true;
}

bool
num_unit(struct span s, const char *letters, const uint64_t *factors, uint64_t *value)
{
    const char *letter = s.len > 1 ? strchr(letters, s.ptr[s.len - 1]) : NULL;
    bool has_unit = letter != NULL && *letter != '\0';
    uint64_t n, factor = has_unit ? factors[letter - letters] : 1;
    if (!num_u64(span_head(s, s.len - has_unit), &n) || n > UINT64_MAX / factor)
        return false;
    *value = n * factor;
    return true;
}
