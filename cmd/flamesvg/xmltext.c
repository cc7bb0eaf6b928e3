#include "cmd/flamesvg/xmltext.h"

#include "common/base/num.h"
#include "common/base/number.h"
#include "common/base/utf8.h"

static const struct entity {
    struct span name;
    char c;
} references[] = {
    {SPAN("amp;"), '&'},  {SPAN("lt;"), '<'},    {SPAN("gt;"), '>'},
    {SPAN("quot;"), '"'}, {SPAN("apos;"), '\''},
};

/* Return true for ASCII that needs no escape in text and quoted values. */
static bool
is_plain(char c)
{
    return c >= ' ' && c <= '~' && c != '"' && c != '&' && c != '<' && c != '>';
}

/* Return true for a character that XML permits: section 2.2 of the recommendation, "Char". */
static bool
is_char(uint32_t c)
{
    return c < ' ' ? c == '\t' || c == '\n' || c == '\r'
                   : c <= 0x10ffff && c != 0xfffe && c != 0xffff && (c < 0xd800 || c > 0xdfff);
}

/* Write the character c, which is not plain. Its bytes are s. */
static void
put_special(const struct xmltext *x, struct span s, uint32_t c, bool value)
{
    switch (c) {
    case '&':
        out_text(x->out, "&amp;");
        break;
    case '<':
        out_text(x->out, "&lt;");
        break;
    case '>':
        out_text(x->out, "&gt;");
        break;
    case '"':
        out_text(x->out, "&quot;");
        break;
    default:
        if (!is_char(c)) {
            c = 0xfffd;
            s = SPAN("\xef\xbf\xbd");
        }
        /* XML parsers replace these by other blanks: section 2.11 of the recommendation, and 3.3.3
         * for values. */
        bool changed = c == '\r' || (value && (c == '\t' || c == '\n'));
        if ((x->ascii && c > 0x7e) || changed)
            out_format(x->out, "&#%u;", (unsigned)c);
        else
            out_span(x->out, s);
    }
}

/* Write a text, or the value of an attribute. */
static void
put_text(const struct xmltext *x, struct span s, bool value)
{
    for (;;) {
        size_t plain = span_run(s, 0, is_plain), len;
        out_span(x->out, span_head(s, plain));
        s = span_from(s, plain);
        if (s.len == 0)
            return;
        uint32_t c = (unsigned char)s.ptr[0];
        len = 1;
        if (c >= 0x80)
            c = utf8_decode(s, &len);
        put_special(x, span_head(s, len), c, value);
        s = span_from(s, len);
    }
}

void
xmltext_put(const struct xmltext *x, struct span s)
{
    put_text(x, s, false);
}

void
xmltext_attribute(const struct xmltext *x, const char *name, struct span value)
{
    out_char(x->out, ' ');
    out_cstr(x->out, name);
    out_text(x->out, "=\"");
    put_text(x, value, true);
    out_char(x->out, '"');
}

void
xmltext_number(const struct xmltext *x, const char *name, double value)
{
    char digits[NUMBER_TEXT];
    xmltext_attribute(x, name, number_plain(digits, value));
}

void
xmltext_comment(const struct xmltext *x, struct span s)
{
    out_text(x->out, "<!-- ");
    for (size_t dash; (dash = span_search(s, SPAN("--"))) != SPAN_NONE;
         s = span_from(s, dash + 1)) {
        xmltext_put(x, span_head(s, dash + 1));
        out_char(x->out, ' ');
    }
    xmltext_put(x, s);
    out_text(x->out, " -->\n");
}

static bool
is_reference_byte(char c)
{
    return is_digit(c) || is_alpha(c);
}

/* Return the character of "#233;" or "#xe9;" at the start of s, and set *len to the length of that;
 * 0 if there is none. Read only as far as letters and digits go, so that a text of many "&#" takes
 * linear time. */
static uint32_t
numbered(struct span s, size_t *len)
{
    uint64_t value = 0;
    if (s.ptr[0] != '#')
        return 0;
    size_t end = 1 + span_run(s, 1, is_reference_byte);
    struct span digits = span_from(span_head(s, end), 1);
    bool hex = digits.len > 0 && digits.ptr[0] == 'x';
    if (end == s.len || s.ptr[end] != ';' ||
        !(hex ? num_hex(span_from(digits, 1), &value) : num_u64(digits, &value)) ||
        value > 0x10ffff || !is_char((uint32_t)value))
        return 0;
    *len = end + 1;
    return (uint32_t)value;
}

/* Return the character of a reference, whose text after "&" is s, and set *len to its length; 0 if
 * it is no reference. */
static uint32_t
reference(struct span s, size_t *len)
{
    for (size_t i = 0; i < sizeof references / sizeof *references; i++)
        if (span_starts(s, references[i].name)) {
            *len = references[i].name.len;
            return (uint32_t)references[i].c;
        }
    return numbered(s, len);
}

struct span
xmltext_decode(struct arena *a, struct span s)
{
    char *text = arena_text(a, s.len); /* a reference is at least as long as its character */
    size_t n = 0;
    while (s.len > 0) {
        size_t len = 1;
        uint32_t c = s.ptr[0] == '&' && s.len > 1 ? reference(span_from(s, 1), &len) : 0;
        if (c == 0)
            text[n++] = s.ptr[0];
        else
            n += utf8_encode(text + n, c);
        s = span_from(s, c == 0 ? 1 : len + 1);
    }
    return span_of(text, n);
}
