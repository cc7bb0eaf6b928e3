#include "common/base/jsontext.h"

#include "common/base/utf8.h"

/* Characters that are escaped although JSON does not require it. */
enum escapes { NO_MORE, MARKUP, MARKUP_AND_NON_ASCII };

/* Return true for characters that must be escaped inside HTML, XML, or JavaScript before 2019. */
static bool
is_markup(uint32_t c)
{
    return c == '<' || c == '>' || c == '&' || c == 0x2028 || c == 0x2029 || c == 0xfffe ||
           c == 0xffff;
}

/* Append an escape such as "\u003c"; above U+FFFF, a pair of surrogates. */
static void
put_escape(struct out *o, uint32_t c)
{
    if (c > 0xffff) {
        out_format(o, "\\u%04x", (unsigned)(0xd7c0 + (c >> 10)));
        c = 0xdc00 | (c & 0x3ff);
    }
    out_format(o, "\\u%04x", (unsigned)c);
}

static void
put_char(struct out *o, struct span bytes, uint32_t c, enum escapes escapes)
{
    if (c == UTF8_BAD) {
        c = 0xfffd;
        bytes = SPAN("\xef\xbf\xbd");
    }
    if (c == '"' || c == '\\')
        out_format(o, "\\%c", (int)c);
    else if (c < ' ' || (c != 0xfffd && utf8_is_masked(c)) || (escapes >= MARKUP && is_markup(c)) ||
             (escapes == MARKUP_AND_NON_ASCII && c > 0x7f))
        put_escape(o, c);
    else
        out_span(o, bytes);
}

/* Return true for ASCII characters that are never escaped. */
static bool
is_plain(char c)
{
    return c >= ' ' && c <= '~' && c != '"' && c != '\\' && c != '<' && c != '>' && c != '&';
}

static void
put_string(struct out *o, struct span s, enum escapes escapes)
{
    out_char(o, '"');
    while (s.len > 0) {
        size_t len = span_run(s, 0, is_plain);
        out_span(o, span_head(s, len));
        s = span_from(s, len);
        if (s.len == 0)
            break;
        uint32_t c = utf8_decode(s, &len);
        put_char(o, span_head(s, len), c, escapes);
        s = span_from(s, len);
    }
    out_char(o, '"');
}

void
jsontext_string(struct out *o, struct span s)
{
    put_string(o, s, NO_MORE);
}

void
jsontext_embedded(struct out *o, struct span s, bool ascii)
{
    put_string(o, s, ascii ? MARKUP_AND_NON_ASCII : MARKUP);
}
