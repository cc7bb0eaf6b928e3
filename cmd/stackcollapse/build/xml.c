/* The part of XML 1.0 that xctrace's exports need:
 *
 *     <?xml version="1.0"?>
 *     <row><weight id="9" fmt="1.00 ms">1000000</weight><backtrace ref='15'/></row>
 *
 * The text in <![CDATA[...]]> is passed over as comments are. */
#include "cmd/stackcollapse/build/xml.h"

#include "common/base/num.h"
#include "common/base/utf8.h"

/* A longer tag is an error, so that memory is bounded. */
enum { TAG_MAX = 1024 * 1024 };

void
xml_start(struct xml *x, struct lines *lines)
{
    *x = (struct xml){.lines = lines, .item = XML_TEXT};
    lines->number = 1;
}

/* Read on until more than n bytes are buffered. False if the text ends before. */
static bool
has(struct xml *x, size_t n)
{
    return lines_buffered(x->lines).len > n || lines_ahead(x->lines, n + 1).len > n;
}

static char
byte(const struct xml *x, size_t at)
{
    return x->lines->buf[x->lines->pos + at];
}

/* Consume n bytes, and return them. */
static struct span
consume(struct xml *x, size_t n)
{
    struct span s = span_head(lines_buffered(x->lines), n), rest = s;
    size_t newlines = 0;
    for (size_t at; (at = span_find(rest, '\n')) != SPAN_NONE; newlines++)
        rest = span_from(rest, at + 1);
    lines_skip(x->lines, n, newlines);
    return s;
}

static enum xml_item
fail(struct xml *x, const char *why)
{
    x->why = why;
    return x->item = XML_ERROR;
}

/* Pass over text until after the first occurrence of `end`. */
static bool
skip_to(struct xml *x, struct span end)
{
    while (has(x, end.len - 1)) {
        struct span text = lines_buffered(x->lines);
        size_t at = span_search(text, end);
        if (at != SPAN_NONE) {
            consume(x, at + end.len);
            return true;
        }
        consume(x, text.len - (end.len - 1)); /* it may begin in what remains */
    }
    return false;
}

/* Return the length of the tag that begins here, up to its ">" that is not in quotation marks; 0:
 * it has no end. */
static size_t
tag_length(struct xml *x)
{
    char quote = 0;
    for (size_t at = 1; at < TAG_MAX && has(x, at);)
        for (struct span text = lines_buffered(x->lines); at < text.len; at++) {
            char c = text.ptr[at];
            if (quote != 0)
                quote = c == quote ? 0 : quote;
            else if (c == '>')
                return at + 1;
            else if (c == '"' || c == '\'')
                quote = c;
        }
    return 0;
}

static enum xml_item
read_tag(struct xml *x)
{
    size_t len = tag_length(x), end = 0;
    if (len == 0)
        return fail(x, has(x, TAG_MAX)
                           ? "a tag of a megabyte and more: its quotation marks do not pair"
                           : "the XML text ends in a tag");
    struct span tag = consume(x, len);
    bool close = tag.ptr[1] == '/', empty = !close && tag.len > 3 && tag.ptr[len - 2] == '/';
    tag = span_of(tag.ptr + 1 + close, len - 2 - close - empty);
    while (end < tag.len && !is_space(tag.ptr[end]))
        end++;
    x->name = span_head(tag, end);
    x->attributes = span_from(tag, end);
    if (close && x->depth == 0)
        return fail(x, "an end tag without its start");
    x->depth = close ? x->depth - 1 : x->depth + !empty;
    return x->item = close ? XML_CLOSE : empty ? XML_EMPTY : XML_OPEN;
}

/* Read up to the next "<", or to the end; a long text in pieces. */
static enum xml_item
read_text(struct xml *x)
{
    size_t at, len = 0; /* bytes that are known to hold no "<" */
    do {
        struct span text = lines_buffered(x->lines);
        at = span_find(span_from(text, len), '<');
        len = at == SPAN_NONE ? text.len : len + at;
    } while (at == SPAN_NONE && len < TAG_MAX && has(x, len));
    x->text = consume(x, len);
    return x->item = XML_TEXT;
}

enum xml_item
xml_next(struct xml *x)
{
    static const struct {
        struct span start, end;
    } skipped[] = {
        {SPAN("<!--"), SPAN("-->")},
        {SPAN("<![CDATA["), SPAN("]]>")},
        {SPAN("<?"), SPAN("?>")},
        {SPAN("<!"), SPAN(">")},
    };
    if (x->item == XML_END || x->item == XML_ERROR)
        return x->item;
    while (has(x, 0) && byte(x, 0) == '<') {
        size_t i = 0;
        if (has(x, 1) && byte(x, 1) != '!' && byte(x, 1) != '?')
            return read_tag(x);
        while (i < sizeof skipped / sizeof *skipped &&
               !(has(x, skipped[i].start.len - 1) &&
                 span_starts(lines_buffered(x->lines), skipped[i].start)))
            i++;
        if (i == sizeof skipped / sizeof *skipped)
            return read_tag(x);
        if (!skip_to(x, skipped[i].end))
            return fail(x, "the XML text ends in a comment or declaration");
    }
    if (has(x, 0))
        return read_text(x);
    return x->depth > 0 ? fail(x, "the XML text ends too early") : (x->item = XML_END);
}

/* Return the character that "&name;" stands for; UTF8_BAD: none. */
static uint32_t
entity(struct span name)
{
    static const struct {
        struct span name;
        char is;
    } known[] = {
        {SPAN("amp"), '&'},  {SPAN("lt"), '<'},    {SPAN("gt"), '>'},
        {SPAN("quot"), '"'}, {SPAN("apos"), '\''},
    };
    uint64_t c;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (span_eq(name, known[i].name))
            return (unsigned char)known[i].is;
    bool hex = span_starts(name, SPAN("#x")), number = span_starts(name, SPAN("#"));
    bool good = hex ? num_hex(span_from(name, 2), &c) : number && num_u64(span_from(name, 1), &c);
    return good && c < 0x110000 && (c < 0xd800 || c > 0xdfff) ? (uint32_t)c : UTF8_BAD;
}

static void
decode(struct span raw, struct text *to)
{
    enum { LONGEST = 16 }; /* "#x10ffff;", with some zeros before it */
    char utf8[4];
    for (size_t amp; (amp = span_find(raw, '&')) != SPAN_NONE;) {
        text_add(to, span_head(raw, amp));
        raw = span_from(raw, amp + 1);
        size_t end = span_find(span_head(raw, raw.len < LONGEST ? raw.len : LONGEST), ';');
        uint32_t c = end != SPAN_NONE ? entity(span_head(raw, end)) : UTF8_BAD;
        if (c == UTF8_BAD) {
            text_add(to, SPAN("&"));
            continue;
        }
        text_add(to, span_of(utf8, utf8_encode(utf8, c)));
        raw = span_from(raw, end + 1);
    }
    text_add(to, raw);
}

bool
xml_attribute(const struct xml *x, struct span name, struct text *value)
{
    struct span rest = x->attributes;
    value->len = 0;
    text_add(value, SPAN(""));
    for (size_t equals; (equals = span_find(rest, '=')) != SPAN_NONE;) {
        struct span key = span_trim(span_head(rest, equals));
        rest = span_from(rest, equals + 1);
        rest = span_from(rest, span_run(rest, 0, is_space));
        size_t end = rest.len > 1 ? span_find(span_from(rest, 1), rest.ptr[0]) : SPAN_NONE;
        if (end == SPAN_NONE)
            return false;
        if (span_eq(key, name)) {
            decode(span_of(rest.ptr + 1, end), value);
            return true;
        }
        rest = span_from(rest, end + 2);
    }
    return false;
}
