#include "cmd/nodeprofile/jsonspan.h"

#include "common/base/num.h"
#include "common/base/utf8.h"

static bool
is_plain(char c)
{
    return c != '"' && c != '\\';
}

/* Return how many bytes the string takes with which s begins: all if it does not end. */
static size_t
string_size(struct span s)
{
    enum { ESCAPE = 2 };
    for (size_t at = 1; at < s.len; at += ESCAPE) {
        at += span_run(s, at, is_plain);
        if (at < s.len && s.ptr[at] == '"')
            return at + 1;
    }
    return s.len;
}

/* Return how many bytes the value takes with which s begins. */
static size_t
value_size(struct span s)
{
    size_t at = 0, depth = 0;
    while (at < s.len) {
        char c = s.ptr[at];
        bool closes = c == '}' || c == ']';
        if (depth == 0 && (closes || c == ','))
            break;
        depth += c == '{' || c == '[';
        depth -= closes;
        at += c == '"' ? string_size(span_from(s, at)) : 1;
    }
    return at;
}

static struct span
take(struct span *rest, size_t size)
{
    struct span taken = span_head(*rest, size);
    *rest = span_from(*rest, size);
    return taken;
}

/* Take white space and then the character off the beginning. */
static bool
take_sign(struct span *rest, char sign)
{
    take(rest, span_run(*rest, 0, is_space));
    return span_skip(rest, span_of(&sign, 1));
}

/* Take what is before the first item, or before the next. */
static bool
take_start(struct span *rest, char bracket)
{
    bool starts = take_sign(rest, bracket) || take_sign(rest, ',');
    take(rest, span_run(*rest, 0, is_space));
    return starts;
}

static bool
take_value(struct span *rest, struct span *value)
{
    take(rest, span_run(*rest, 0, is_space));
    *value = span_trim(take(rest, value_size(*rest)));
    return value->len > 0;
}

bool
jsonspan_member(struct span *object, struct span *key, struct span *value)
{
    if (!take_start(object, '{') || !span_starts(*object, SPAN("\"")))
        return false;
    *key = jsonspan_string(take(object, string_size(*object)));
    return take_sign(object, ':') && take_value(object, value);
}

bool
jsonspan_element(struct span *array, struct span *value)
{
    return take_start(array, '[') && take_value(array, value);
}

struct span
jsonspan_find(struct span object, struct span key)
{
    struct span name, value;
    while (jsonspan_member(&object, &name, &value))
        if (span_eq(name, key))
            return value;
    return SPAN("");
}

struct span
jsonspan_string(struct span value)
{
    bool is_string =
        value.len > 1 && span_starts(value, SPAN("\"")) && span_ends(value, SPAN("\""));
    return is_string ? span_of(value.ptr + 1, value.len - 2) : SPAN("");
}

/* Take the four digits of "\u00e9", whose "u" was taken, off the beginning. */
static uint32_t
take_unit(struct span *rest)
{
    enum { DIGITS = 4 };
    uint64_t unit = 0;
    num_hex(take(rest, rest->len < DIGITS ? rest->len : DIGITS), &unit);
    return (uint32_t)unit;
}

/* Take a character of one or two units off the beginning. */
static uint32_t
take_unicode(struct span *rest)
{
    uint32_t high = take_unit(rest);
    if (high < 0xd800 || high > 0xdfff)
        return high;
    struct span after = *rest;
    uint32_t low = span_skip(&after, SPAN("\\u")) ? take_unit(&after) : 0;
    if (high > 0xdbff || low < 0xdc00 || low > 0xdfff)
        return 0xfffd;
    *rest = after;
    return 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
}

/* Take an escape off the beginning, and append what it stands for. */
static void
decode_escape(struct text *to, struct span *rest)
{
    static const char letters[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
    char utf8[4];
    take(rest, 1);
    if (span_skip(rest, SPAN("u"))) {
        text_add(to, span_of(utf8, utf8_encode(utf8, take_unicode(rest))));
        return;
    }
    struct span letter = take(rest, rest->len > 0);
    size_t which = letter.len > 0 ? span_find(SPAN(letters), *letter.ptr) : SPAN_NONE;
    if (which != SPAN_NONE)
        text_add(to, span_of(&meanings[which], 1));
}

void
jsonspan_decode(struct text *to, struct span string)
{
    /* No escape is shorter than what it stands for. */
    to->ptr = mem_grow(to->ptr, &to->cap, to->len + string.len + 1, 1);
    while (string.len > 0) {
        text_add(to, take(&string, span_before(string, '\\').len));
        if (string.len > 0)
            decode_escape(to, &string);
    }
}
