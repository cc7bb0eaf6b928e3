/* An event as Chrome writes it, after the one before:
 *
 *     ,
 *     {"args":{"text_length":4},"cat":"ui","dur":10,"name":"Paint","ph":"X","pid":15363,"tid":15,
 *      "ts":49657285052,"tts":704344}
 *
 * The buffer ends with a NUL, which no loop passes, since it can be part of nothing here. */
#include "cmd/stackcollapse/chromescan.h"

#include "common/base/digits.h"
#include "common/base/jsonrun.h"

/* The first byte from p on that is no white space. Mostly there is none, which costs one
 * comparison. */
static inline const char *
skip_space(const char *p, size_t *lines)
{
    for (; (unsigned char)*p <= ' '; p++) {
        if (*p == '\n')
            ++*lines;
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

static const uint64_t powers[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};

enum { EXACT = 15 /* a double holds so many digits exactly */ };

/* Reads the whole number at p, of EXACT digits at most. The byte after it; NULL if there is none.
 */
static inline const char *
read_whole(const char *p, const char *end, uint64_t *value)
{
    uint64_t more;
    if (end - p < 16)
        return NULL;
    size_t n = digits_read(p, value);
    if (n == 8) {
        n += digits_read(p + 8, &more);
        *value = *value * powers[n - 8] + more;
    }
    return n > 0 && n <= EXACT && (n == 1 || *p != '0') ? p + n : NULL;
}

static inline bool
is_exponent(char c)
{
    return (c | 0x20) == 'e';
}

/* Reads the time at p, of EXACT digits at most, and 7 after the point. */
static const char *
read_time(const char *p, const char *end, double *time)
{
    uint64_t value, more;
    const char *after = read_whole(p, end, &value);
    if (after == NULL)
        return NULL;
    size_t places = 0;
    if (*after == '.') {
        if (end - after < 9)
            return NULL;
        places = digits_read(after + 1, &more);
        if (places == 0 || places == 8 || (size_t)(after - p) + places > EXACT)
            return NULL;
        value = value * powers[places] + more;
        after += 1 + places;
    }
    *time = places > 0 ? (double)value / (double)powers[places] : (double)value;
    return !is_exponent(*after) ? after : NULL;
}

static const char *
read_id(const char *p, const char *end, int64_t *id)
{
    uint64_t value;
    const char *after = read_whole(p, end, &value);
    if (after == NULL || *after == '.' || is_exponent(*after))
        return NULL;
    *id = (int64_t)value;
    return after;
}

static const char *
read_name(const char *p, const char *end, struct span *name)
{
    if (*p++ != '"')
        return NULL;
    const char *quote = string_end(p, end);
    *name = span_of(p, (size_t)(quote - p));
    return *quote == '"' ? quote + 1 : NULL;
}

static const char *
read_phase(const char *p, char *phase)
{
    if (p[0] != '"' || !is_alpha(p[1]) || p[2] != '"')
        return NULL;
    *phase = p[1];
    return p + 3;
}

/* Reads a member whose value is what it usually is. The byte after it; NULL if it is anything
 * else. */
static inline const char *
read_usual(struct chromeevent *e, size_t member, const char *p, const char *end)
{
    return member == CHROME_PHASE      ? read_phase(p, &e->phase)
           : member == CHROME_START    ? read_time(p, end, &e->start)
           : member == CHROME_DURATION ? read_time(p, end, &e->duration)
           : member == CHROME_NAME     ? read_name(p, end, &e->name)
           : member == CHROME_PID      ? read_id(p, end, &e->pid)
           : member == CHROME_TID      ? read_id(p, end, &e->tid)
                                       : NULL;
}

/* The byte after the digits at p; NULL if there are none or they are not all buffered. */
static inline const char *
skip_digits(const char *p, const char *end)
{
    uint64_t digits;
    const char *first = p;
    size_t n;
    do {
        if (end - p < 8)
            return NULL;
        p += n = digits_run(p, &digits);
    } while (n == 8);
    return p > first ? p : NULL;
}

/* The byte after the number at p; NULL if it has an exponent, or there is none. */
static const char *
number_end(const char *p, const char *end)
{
    const char *first = p += *p == '-';
    p = skip_digits(p, end);
    if (p == NULL || (*first == '0' && p > first + 1))
        return NULL;
    if (*p == '.' && (p = skip_digits(p + 1, end)) == NULL)
        return NULL;
    return !is_exponent(*p) ? p : NULL;
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
nested_end(const char *p, const char *end, size_t *lines)
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
            ++*lines;
        } else {
            if (c == '\0' || (objects & 1) != (c == '}'))
                return NULL;
            objects >>= 1;
        }
    } while (objects != 1 && objects >> 63 == 0);
    return objects == 1 ? p : NULL;
}

/* Reads any value at p as json_scalar does. The byte after it; NULL if it cannot be read here. */
static const char *
read_value(struct json *j, const char *p, const char *end, size_t *lines)
{
    const char *after;
    if (*p == '"') {
        after = read_name(p, end, &j->text);
        j->item = JSON_STRING;
    } else if (*p == '{' || *p == '[') {
        after = p[1] == *p + 2 ? p + 2 : nested_end(p, end, lines); /* "{}" and "[]" */
        j->item = JSON_OBJECT;
    } else {
        after = number_end(p, end);
        j->item = JSON_NUMBER;
        j->text = span_of(p, after != NULL ? (size_t)(after - p) : 0);
    }
    return after;
}

/* The member whose key, with its quote and colon, begins at p, where enough is buffered for any of
 * them. Comparisons with constants cost no call. */
static inline size_t
member_of(const char *p)
{
    return memcmp(p, "ph\":", 4) == 0     ? CHROME_PHASE
           : memcmp(p, "ts\":", 4) == 0   ? CHROME_START
           : memcmp(p, "dur\":", 5) == 0  ? CHROME_DURATION
           : memcmp(p, "name\":", 6) == 0 ? CHROME_NAME
           : memcmp(p, "pid\":", 5) == 0  ? CHROME_PID
           : memcmp(p, "tid\":", 5) == 0  ? CHROME_TID
                                          : CHROME_MEMBERS;
}

/* The byte after the key, with its colon and blanks, whose quote is at p; NULL if it cannot be read
 * here. */
static const char *
read_key(const char *p, const char *end, size_t *member, size_t *lines)
{
    static const unsigned char lengths[CHROME_MEMBERS] = {2, 2, 3, 4, 3, 3};
    enum { LONGEST = sizeof "\"name\":" };
    if (end - p < LONGEST || *p++ != '"')
        return NULL;
    *member = member_of(p);
    p = *member < CHROME_MEMBERS ? p + lengths[*member] : string_end(p, end);
    return p[0] == '"' && p[1] == ':' ? skip_space(p + 2, lines) : NULL;
}

/* Reads what is before a member's value, from the comma, or from the end of the event before, on.
 * The byte after it; NULL if it cannot be read here. Keeps it in *key for the next event. */
static const char *
read_before(struct chromekey *key, const char *start, const char *end, bool first, size_t *lines)
{
    size_t member, newlines = 0;
    const char *p = skip_space(start, &newlines);
    if (*p++ != ',')
        return NULL;
    p = skip_space(p, &newlines);
    if (first && *p++ != '{')
        return NULL;
    p = read_key(skip_space(p, &newlines), end, &member, &newlines);
    if (p == NULL)
        return NULL;
    bool fits = p - start <= (ptrdiff_t)sizeof key->text && newlines < UINT8_MAX;
    key->len = fits ? (unsigned char)(p - start) : 0;
    key->lines = (unsigned char)newlines;
    key->member = (unsigned char)member;
    memcpy(key->text, start, key->len);
    memset(key->mask, 0, sizeof key->mask);
    memset(key->mask, -1, key->len);
    *lines += newlines;
    return p;
}

/* True if what is at p is known. */
static inline bool
is_known(const struct chromekey *key, const char *p, const char *end)
{
    if (end - p < (ptrdiff_t)sizeof(bytes) || key->len == 0)
        return false;
    bytes differ = (bytes)(bytes_load(p) != bytes_load(key->text));
    return !bytes_any(differ & bytes_load(key->mask));
}

/* Reads a member's value, which is at p. The byte after it; NULL if it cannot be read here. */
static inline const char *
read_member(struct chromeevent *e, struct json *j, size_t member, const char *p, const char *end,
            size_t *lines)
{
    if (member == CHROME_MEMBERS)
        return read_value(j, p, end, lines);
    if (e->has >> member & 1)
        return NULL; /* the last value counts, unless it is wrong */
    e->has |= 1u << member;
    const char *after = read_usual(e, member, p, end);
    if (after == NULL && (after = read_value(j, p, end, lines)) != NULL)
        chromeevent_set(e, member, j);
    return after;
}

const char *
chromescan_event(struct chromeevent *e, struct json *j, size_t *lines)
{
    const char *end, *p = json_buffered(j, &end);
    struct chromekey *key = e->keys, *last = key + sizeof e->keys / sizeof *e->keys - 1;
    *lines = 0;
    if (j->state != JSON_STATE_NEXT)
        return NULL; /* the first one */
    for (;; key += key < last) {
        if (is_known(key, p, end)) {
            *lines += key->lines;
            p += key->len;
        } else if ((p = read_before(key, p, end, key == e->keys, lines)) == NULL) {
            return NULL;
        }
        p = read_member(e, j, key->member, p, end, lines);
        if (p == NULL)
            return NULL;
        p = skip_space(p, lines);
        if (*p == '}')
            return p + 1;
    }
}
