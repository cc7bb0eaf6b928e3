/* An event as Chrome writes it, after the one before:
 *
 *     ,
 *     {"args":{"text_length":4},"cat":"ui","dur":10,"name":"Paint","ph":"X","pid":15363,"tid":15,
 *      "ts":49657285052,"tts":704344}
 *
 * The buffer ends with a NUL, which no loop passes, since it can be part of nothing here. */
#include "cmd/stackcollapse/chromescan.h"

#include "common/base/jsonrun.h"

/* The first byte from p on that is no white space. Mostly there is none, which costs one
 * comparison. */
static inline const char *
skip_space(struct chromescan *scan, const char *p)
{
    for (; (unsigned char)*p <= ' '; p++) {
        if (*p == '\n')
            scan->lines++;
        else if (*p != ' ' && *p != '\t' && *p != '\r')
            break;
    }
    return p;
}

/* The quote that ends the string whose text begins at p; another byte if it has escapes. */
static const char *
string_end(const char *p, const char *end)
{
    return p + json_plain_run(p, end);
}

/* The digits at p, at most eight of them: how many there are, and their number. All are read at
 * once, since a loop whose end the processor cannot predict costs more. */
static inline size_t
read_digits(const char *p, uint64_t *value)
{
    uint64_t x = 0;
    size_t n = 0;
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    const uint64_t ones = 0x0101010101010101;
    memcpy(&x, p, sizeof x);
    x ^= ones * '0';
    uint64_t others = ((x + ones * (0x80 - 10)) | x) & ones
                                                           << 7; /* exact up to the first of them */
    n = others != 0 ? (size_t)__builtin_ctzll(others) / 8 : 8;
    x = n != 0 ? x << (64 - 8 * n) : 0; /* puts zeros before the digits */
    x = (x * 10 + (x >> 8)) & 0x00ff00ff00ff00ff;
    x = (x * 100 + (x >> 16)) & 0x0000ffff0000ffff;
    x = (x * 10000 + (x >> 32)) & 0xffffffff;
#else
    for (; n < 8 && is_digit(p[n]); n++)
        x = x * 10 + (uint64_t)(p[n] - '0');
#endif
    *value = x;
    return n;
}

/* Skips the point and the digits of a fraction. NULL if there are none. */
static const char *
skip_fraction(const char *p, const char *end)
{
    const char *first = ++p;
    while (is_digit(*p))
        p++;
    return p > first && p < end ? p : NULL;
}

/* Reads the number at p. Its end; NULL if it has an exponent, or there is none. */
static const char *
read_number(const char *p, const char *end, struct chrome_value *value)
{
    static const uint64_t powers[] = {1,      10,      100,      1000,     10000,
                                      100000, 1000000, 10000000, 100000000};
    const char *start = p, *first = p += *p == '-';
    uint64_t more, whole = 0;
    size_t n;
    do {
        if (end - p < 8)
            return NULL;
        n = read_digits(p, &more);
        whole = whole * powers[n] + more;
        p += n;
    } while (n == 8);
    if (p == first || (*first == '0' && p > first + 1))
        return NULL;
    value->whole = whole;
    value->is_whole = p - start <= CHROME_DIGITS && first == start && *p != '.';
    if (*p == '.' && (p = skip_fraction(p, end)) == NULL)
        return NULL;
    value->item = JSON_NUMBER;
    value->text = span_of(start, (size_t)(p - start));
    return (*p | 0x20) != 'e' ? p : NULL;
}

/* What changes the state outside of strings. */
static const bool matters[256] = {
    ['"'] = true, ['{'] = true, ['}'] = true, ['['] = true, [']'] = true, ['\n'] = true, [0] = true,
};

/* The quote that ends the string whose text begins at p, escapes or not; NULL if it is not
 * buffered.
 */
static const char *
any_string_end(const char *p, const char *end)
{
    while (*(p = string_end(p, end)) != '"') {
        if (p == end || (*p == '\\' && ++p == end))
            return NULL;
        p++;
    }
    return p;
}

/* The byte after the object or array at p; NULL if it is not all there, or nested too deep for the
 * bits of a word. As in json_skip only strings and brackets are checked. */
static const char *
nested_end(struct chromescan *scan, const char *p, const char *end)
{
    uint64_t objects = 1; /* a bit for each open one, the innermost lowest, and a bit above them */
    do {
        while (!matters[(unsigned char)*p])
            p++;
        char c = *p++;
        if (c == '"') {
            p = any_string_end(p, end);
            if (p == NULL)
                return NULL;
            p++;
        } else if (c == '{' || c == '[') {
            objects = objects << 1 | (c == '{');
        } else if (c == '\n') {
            scan->lines++;
        } else {
            if (c == '\0' || (objects & 1) != (c == '}'))
                return NULL;
            objects >>= 1;
        }
    } while (objects != 1 && objects >> 63 == 0);
    return objects == 1 ? p : NULL;
}

/* The value at p; its end, or NULL if it cannot be read here. */
static const char *
read_value(struct chromescan *scan, const char *p, const char *end, struct chrome_value *value)
{
    value->is_whole = false;
    if (*p == '"') {
        const char *text = p + 1, *quote = string_end(text, end);
        value->item = JSON_STRING;
        value->text = span_of(text, (size_t)(quote - text));
        return *quote == '"' ? quote + 1 : NULL;
    }
    if (*p != '{' && *p != '[')
        return read_number(p, end, value);
    value->item = JSON_OBJECT;
    value->text = SPAN("");
    return nested_end(scan, p, end);
}

/* The member whose key, with its quote and colon, begins at p, where enough is buffered for any of
 * them. Comparisons with constants cost no call. */
static size_t
member_of(const char *p)
{
    return memcmp(p, "ph\":", 4) == 0     ? CHROME_PHASE
           : memcmp(p, "ts\":", 4) == 0   ? CHROME_START
           : memcmp(p, "dur\":", 5) == 0  ? CHROME_DURATION
           : memcmp(p, "name\":", 6) == 0 ? CHROME_NAME
           : memcmp(p, "pid\":", 5) == 0  ? CHROME_PID
           : memcmp(p, "tid\":", 5) == 0  ? CHROME_TID
                                          : CHROME_OTHER;
}

/* The member whose key's quote is at p; its end, or NULL if it cannot be read here. */
static const char *
read_member(struct chromescan *scan, const char *p, const char *end)
{
    static const unsigned char lengths[CHROME_MEMBERS] = {2, 2, 3, 4, 3, 3};
    enum { LONGEST = sizeof "\"name\":" };
    if (end - p < LONGEST || *p++ != '"')
        return NULL;
    size_t member = member_of(p);
    if (member != CHROME_OTHER) {
        p += lengths[member];
        if (scan->has >> member & 1)
            return NULL; /* the last value counts, unless it is wrong */
        scan->has |= 1u << member;
    } else {
        p = string_end(p, end);
        if (p[0] != '"' || p[1] != ':')
            return NULL;
    }
    return read_value(scan, skip_space(scan, p + 2), end, &scan->values[member]);
}

const char *
chromescan_event(struct chromescan *scan, struct json *j)
{
    const char *end, *p = json_buffered(j, &end);
    scan->lines = scan->has = 0;
    p = skip_space(scan, p);
    if (j->state == JSON_STATE_NEXT && *p == ',')
        p = skip_space(scan, p + 1);
    else if (j->state != JSON_STATE_FIRST)
        return NULL;
    if (*p != '{')
        return NULL;
    do {
        p = read_member(scan, skip_space(scan, p + 1), end);
        if (p == NULL)
            return NULL;
        p = skip_space(scan, p);
    } while (*p == ',');
    return *p == '}' ? p + 1 : NULL;
}
