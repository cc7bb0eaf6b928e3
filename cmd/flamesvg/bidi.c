#include "cmd/flamesvg/bidi.h"

#include <stdio.h>
#include <string.h>

#include "common/base/utf8.h"

enum { SHOWN = sizeof "<U+202E>" - 1, SHORTEST = 2 /* bytes that such a character takes */ };

struct span
bidi_visible(struct arena *a, struct span s)
{
    /* In UTF-8 all of them begin with one of these bytes. */
    if (!span_holds(s, SPAN("\xe2")) && !span_holds(s, SPAN("\xd8")))
        return s;
    char *text = arena_text(a, s.len * SHOWN / SHORTEST + 1); /* + 1: snprintf ends with a NUL */
    size_t n = 0;
    for (size_t len; s.len > 0; s = span_from(s, len)) {
        uint32_t c = utf8_decode(s, &len);
        if (utf8_is_direction(c)) {
            snprintf(text + n, SHOWN + 1, "<U+%04X>", (unsigned)(c & 0xffff));
            n += SHOWN;
        } else {
            memcpy(text + n, s.ptr, len);
            n += len;
        }
    }
    return span_of(text, n);
}
