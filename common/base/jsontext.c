#include "common/base/jsontext.h"

#include "common/base/utf8.h"

static void
put_char(struct out *o, struct span bytes, uint32_t c)
{
    if (c == UTF8_BAD)
        out_text(o, "\xef\xbf\xbd"); /* U+FFFD */
    else if (c == '"' || c == '\\')
        out_format(o, "\\%c", (int)c);
    else if (c < ' ' || c == 0x7f)
        out_format(o, "\\u%04x", (unsigned)c);
    else
        out_span(o, bytes);
}

void
jsontext_string(struct out *o, struct span s)
{
    out_char(o, '"');
    while (s.len > 0) {
        size_t len;
        uint32_t c = utf8_decode(s, &len);
        put_char(o, span_head(s, len), c);
        s = span_from(s, len);
    }
    out_char(o, '"');
}
