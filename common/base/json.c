/* The grammar of RFC 8259, one item a call:
 *
 *     {"name": "caf\u00e9 \ud83d\ude00", "dur": -1.5e3, "args": [true, null, {}]}
 *
 * Strings are decoded where they lie in the buffer, since no escape is shorter than what it stands
 * for. */
#include "common/base/json.h"

#include <stdarg.h>
#include <stdio.h>

#include "common/base/jsonrun.h"
#include "common/base/utf8.h"

void
json_start(struct json *j, struct lines *lines)
{
    *j = (struct json){.lines = lines, .state = JSON_STATE_FIRST};
    lines->number = 1;
}

/* Reads on until the byte `at` bytes from the start of the current item is buffered. False if the
 * text ends before it, or the item is too long. */
static bool
has(struct json *j, size_t at)
{
    struct lines *l = j->lines;
    if (l->end - l->pos > at)
        return true;
    if (at > LINES_MOST)
        return false;
    size_t pos = l->pos;
    lines_ahead(l, at + 1);
    j->before += pos - l->pos;
    return l->end - l->pos > at;
}

static char
byte(const struct json *j, size_t at)
{
    return j->lines->buf[j->lines->pos + at];
}

static enum json_item
fail_at(struct json *j, size_t at, const char *format, ...)
{
    va_list args;
    unsigned long long offset = j->before + j->lines->pos + at + 1;
    int n = snprintf(j->why, sizeof j->why, "byte %llu: ", offset);
    va_start(args, format);
    vsnprintf(j->why + n, sizeof j->why - (size_t)n, format, args);
    va_end(args);
    j->state = JSON_STATE_OVER;
    return j->item = JSON_ERROR;
}

/* The text ends `at` bytes on, or here is a byte that cannot be. */
static enum json_item
fail(struct json *j, size_t at, const char *wanted)
{
    if (at > LINES_MOST)
        return fail_at(j, 0, "a string or number of more than 16 MB");
    j->cut = !has(j, at);
    if (j->cut)
        return fail_at(j, at, "the JSON text ends where %s should follow", wanted);
    char c = byte(j, at);
    if (c > ' ' && c < 0x7f)
        return fail_at(j, at, "'%c' where %s should follow", c, wanted);
    return fail_at(j, at, "the byte 0x%02x where %s should follow", (unsigned char)c, wanted);
}

static void
consume(struct json *j, size_t n)
{
    j->lines->pos += n;
}

bool
json_ahead(struct json *j)
{
    return has(j, 0);
}

enum json_item
json_fail(struct json *j, const char *wanted)
{
    return fail(j, 0, wanted);
}

/* Consumes white space. False at the end of the text. */
static bool
skip_blanks(struct json *j)
{
    while (has(j, 0)) {
        switch (byte(j, 0)) {
        case '\n':
            j->lines->number++;
            break;
        case ' ':
        case '\t':
        case '\r':
            break;
        default:
            return true;
        }
        consume(j, 1);
    }
    return false;
}

static unsigned
hex_digit(char c)
{
    return is_digit(c)            ? (unsigned)(c - '0')
           : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a' + 10)
           : c >= 'A' && c <= 'F' ? (unsigned)(c - 'A' + 10)
                                  : 16;
}

/* The four digits of a \u escape. False if they are not all there. */
static bool
hex_escape(struct json *j, size_t at, uint32_t *c)
{
    *c = 0;
    for (size_t i = at; i < at + 4; i++) {
        unsigned digit = has(j, i) ? hex_digit(byte(j, i)) : 16;
        if (digit == 16)
            return false;
        *c = *c << 4 | digit;
    }
    return true;
}

/* Decodes a \u escape, or two that are the halves of a surrogate pair, *at bytes from the start of
 * the item; advances *at past it. */
static bool
unicode_escape(struct json *j, size_t *at, uint32_t *c)
{
    uint32_t low;
    if (!hex_escape(j, *at + 2, c))
        return false;
    *at += 6;
    if (*c >= 0xd800 && *c < 0xdc00 && has(j, *at + 1) && byte(j, *at) == '\\' &&
        byte(j, *at + 1) == 'u' && hex_escape(j, *at + 2, &low) && low >= 0xdc00 && low < 0xe000) {
        *c = 0x10000 + ((*c - 0xd800) << 10) + (low - 0xdc00);
        *at += 6;
    }
    if (*c >= 0xd800 && *c < 0xe000)
        *c = 0xfffd;
    return true;
}

/* Decodes the escape *at bytes from the start of the item to *to, and advances both. */
static bool
escape(struct json *j, size_t *at, size_t *to)
{
    static const char letters[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
    uint32_t c;
    const char *letter = has(j, *at + 1) ? memchr(letters, byte(j, *at + 1), 8) : NULL;
    if (letter != NULL) {
        j->lines->buf[j->lines->pos + (*to)++] = meanings[letter - letters];
        *at += 2;
        return true;
    }
    if (!has(j, *at + 1) || byte(j, *at + 1) != 'u' || !unicode_escape(j, at, &c))
        return false;
    *to += utf8_encode(j->lines->buf + j->lines->pos + *to, c);
    return true;
}

/* Where the escape, which is wrong, goes wrong. */
static enum json_item
bad_escape(struct json *j, size_t at)
{
    size_t wrong = at + 1;
    if (has(j, wrong) && byte(j, wrong) == 'u')
        do
            wrong++;
        while (has(j, wrong) && hex_digit(byte(j, wrong)) < 16);
    return fail(j, wrong, "the rest of an escape");
}

/* Reads any string: with escapes, longer than what is buffered, or invalid. */
static enum json_item
long_string(struct json *j, enum json_item item)
{
    size_t at = 1, to = 1;
    for (;;) {
        char *buf = j->lines->buf + j->lines->pos;
        size_t run = json_plain_run(buf + at, j->lines->buf + j->lines->end);
        if (to < at)
            memmove(buf + to, buf + at, run);
        at += run;
        to += run;
        if (at > LINES_MOST || !has(j, at))
            return fail(j, at, "the rest of a string");
        char c = byte(j, at);
        if (c == '"')
            break;
        if (c == '\\' && !escape(j, &at, &to))
            return bad_escape(j, at);
        if ((unsigned char)c < ' ')
            return fail(j, at, "the rest of a string");
    }
    j->text = span_of(j->lines->buf + j->lines->pos + 1, to - 1);
    consume(j, at + 1);
    return j->item = item;
}

/* Reads a string. Most have no escapes and are buffered whole: these are not copied. */
static enum json_item
string(struct json *j, enum json_item item)
{
    const char *start = j->lines->buf + j->lines->pos + 1, *end = j->lines->buf + j->lines->end;
    size_t run = json_plain_run(start, end);
    if (start + run == end || start[run] != '"' || run > LINES_MOST)
        return long_string(j, item);
    j->text = span_of(start, run);
    consume(j, run + 2);
    return j->item = item;
}

/* How many digits there are from `at` on, before which all is buffered. */
static size_t
digits(struct json *j, size_t at)
{
    const char *start = j->lines->buf + j->lines->pos + at, *end = j->lines->buf + j->lines->end;
    size_t n = 0;
    while (start + n < end && is_digit(start[n]))
        n++;
    if (start + n == end)
        while (has(j, at + n) && is_digit(byte(j, at + n)))
            n++;
    return n;
}

/* The number that begins here: -?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)? */
static enum json_item
number(struct json *j)
{
    size_t at = byte(j, 0) == '-', whole = digits(j, at), more;
    if (whole == 0)
        return fail(j, at, "a digit");
    if (whole > 1 && byte(j, at) == '0')
        return fail(j, at + 1, "the end of a number that begins with 0");
    at += whole;
    if (has(j, at) && byte(j, at) == '.') {
        if ((more = digits(j, at + 1)) == 0)
            return fail(j, at + 1, "a digit");
        at += more + 1;
    }
    if (has(j, at) && (byte(j, at) == 'e' || byte(j, at) == 'E')) {
        at++;
        at += has(j, at) && (byte(j, at) == '-' || byte(j, at) == '+');
        if ((more = digits(j, at)) == 0)
            return fail(j, at, "a digit");
        at += more;
    }
    if (at > LINES_MOST)
        return fail(j, at, "the end of a number");
    j->text = span_of(j->lines->buf + j->lines->pos, at);
    consume(j, at);
    return j->item = JSON_NUMBER;
}

static enum json_item
word(struct json *j, struct span word, enum json_item item)
{
    for (size_t i = 1; i < word.len; i++)
        if (!has(j, i) || byte(j, i) != word.ptr[i])
            return fail(j, i, "the rest of true, false or null");
    consume(j, word.len);
    return j->item = item;
}

bool
json_open(struct json *j, bool object)
{
    if (j->depth == JSON_DEPTH)
        return false;
    j->depth++;
    uint64_t bit = (uint64_t)1 << j->depth % 64;
    j->objects[j->depth / 64] &= ~bit;
    j->objects[j->depth / 64] |= object ? bit : 0;
    j->in_object = object;
    return true;
}

void
json_close(struct json *j)
{
    j->depth--;
    j->in_object = (j->objects[j->depth / 64] >> j->depth % 64 & 1) != 0; /* never at depth 0 */
}

static enum json_item
open(struct json *j, enum json_item item)
{
    if (!json_open(j, item == JSON_OBJECT))
        return fail_at(j, 0, "nested deeper than %d levels", JSON_DEPTH);
    j->state = JSON_STATE_FIRST;
    consume(j, 1);
    return j->item = item;
}

/* The value that begins here. */
static enum json_item
value(struct json *j)
{
    if (!has(j, 0))
        return fail(j, 0, "a value");
    j->state = JSON_STATE_NEXT;
    switch (byte(j, 0)) {
    case '"':
        return string(j, JSON_STRING);
    case '{':
        return open(j, JSON_OBJECT);
    case '[':
        return open(j, JSON_ARRAY);
    case 't':
        return word(j, SPAN("true"), JSON_TRUE);
    case 'f':
        return word(j, SPAN("false"), JSON_FALSE);
    case 'n':
        return word(j, SPAN("null"), JSON_NULL);
    default:
        return byte(j, 0) == '-' || is_digit(byte(j, 0)) ? number(j) : fail(j, 0, "a value");
    }
}

/* The key that begins here, or a value. */
static enum json_item
member(struct json *j)
{
    if (!j->in_object)
        return value(j);
    if (!has(j, 0) || byte(j, 0) != '"')
        return fail(j, 0, "a key in quotes");
    j->state = JSON_STATE_COLON;
    return string(j, JSON_KEY);
}

/* Here the text ends, or nothing but white space follows. */
static enum json_item
end(struct json *j)
{
    if (has(j, 0))
        return fail(j, 0, "the end of the JSON text");
    j->state = JSON_STATE_OVER;
    return j->item = JSON_END;
}

static enum json_item
close(struct json *j)
{
    j->item = j->in_object ? JSON_OBJECT_END : JSON_ARRAY_END;
    json_close(j);
    j->state = JSON_STATE_NEXT;
    consume(j, 1);
    return j->item;
}

/* The same, fast where there is none. */
static inline bool
at_item(struct json *j)
{
    const struct lines *l = j->lines;
    return (l->pos < l->end && l->buf[l->pos] > ' ') || skip_blanks(j);
}

enum json_item
json_next(struct json *j)
{
    if (j->state == JSON_STATE_OVER)
        return j->item;
    bool more = at_item(j);
    if (j->state == JSON_STATE_COLON) {
        if (!more || byte(j, 0) != ':')
            return fail(j, 0, "a colon");
        consume(j, 1);
        at_item(j);
        return value(j);
    }
    if (j->depth == 0)
        return j->state == JSON_STATE_FIRST ? value(j) : end(j);
    if (more && byte(j, 0) == (j->in_object ? '}' : ']'))
        return close(j);
    if (j->state == JSON_STATE_FIRST)
        return member(j);
    if (!more || byte(j, 0) != ',')
        return fail(j, 0, j->in_object ? "a comma or }" : "a comma or ]");
    consume(j, 1);
    at_item(j);
    return member(j);
}
