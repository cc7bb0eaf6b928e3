#include "common/base/utf8.h"

uint32_t
utf8_decode(struct span s, size_t *len)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    unsigned char first = (unsigned char)s.ptr[0];
    size_t n = first < 0x80   ? 1
               : first < 0xc0 ? 0
               : first < 0xe0 ? 2
               : first < 0xf0 ? 3
               : first < 0xf8 ? 4
                              : 0;
    *len = 1;
    if (n == 1)
        return first;
    if (n == 0 || n > s.len)
        return UTF8_BAD;
    uint32_t c = first & (0x7fu >> n);
    for (size_t i = 1; i < n; i++) {
        unsigned char next = (unsigned char)s.ptr[i];
        if ((next & 0xc0) != 0x80)
            return UTF8_BAD;
        c = c << 6 | (next & 0x3f);
    }
    if (c < least[n] || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff))
        return UTF8_BAD;
    *len = n;
    return c;
}

size_t
utf8_encode(char *to, uint32_t c)
{
    static const unsigned char lead[] = {0, 0, 0xc0, 0xe0, 0xf0};
    size_t n = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    for (size_t i = n - 1; i > 0; i--, c >>= 6)
        to[i] = (char)(0x80 | (c & 0x3f));
    to[0] = (char)(lead[n] | c);
    return n;
}

size_t
utf8_offset(struct span s, size_t n)
{
    size_t at = 0, len;
    for (; n > 0 && at < s.len && (unsigned char)s.ptr[at] < 0x80; n--)
        at++;
    for (; n > 0 && at < s.len; n--, at += len)
        utf8_decode(span_from(s, at), &len);
    return at;
}

size_t
utf8_count(struct span s)
{
    size_t n = 0, len;
    for (size_t at = 0; at < s.len; at += len, n++) {
        len = 1;
        if ((unsigned char)s.ptr[at] >= 0x80)
            utf8_decode(span_from(s, at), &len);
    }
    return n;
}

void
utf8_mask(char *text, size_t len)
{
    size_t n;
    for (size_t at = 0; at < len; at += n) {
        n = 1;
        if (text[at] >= ' ' && text[at] < 0x7f)
            continue;
        uint32_t c = utf8_decode(span_of(text + at, len - at), &n);
        if (c < ' ' || (c >= 0x7f && c < 0xa0) || c == UTF8_BAD)
            memset(text + at, '?', n);
    }
}
