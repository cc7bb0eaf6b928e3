#define _GNU_SOURCE /* memmem, memrchr */
#include "common/base/span.h"

size_t
span_rfind(struct span s, char c)
{
    const char *at = s.len > 0 ? memrchr(s.ptr, c, s.len) : NULL;
    return at != NULL ? (size_t)(at - s.ptr) : SPAN_NONE;
}

size_t
span_search(struct span s, struct span text)
{
    if (text.len == 0)
        return 0;
    const char *at = s.len > 0 ? memmem(s.ptr, s.len, text.ptr, text.len) : NULL;
    return at != NULL ? (size_t)(at - s.ptr) : SPAN_NONE;
}

size_t
span_rsearch(struct span s, struct span text)
{
    size_t end = s.len; /* end of the part to compare */
    while (!span_ends(span_head(s, end), text)) {
        struct span before = span_head(s, end > 0 ? end - 1 : 0);
        size_t last = span_rfind(before, text.ptr[text.len - 1]);
        if (last == SPAN_NONE)
            return SPAN_NONE;
        end = last + 1;
    }
    return end - text.len;
}

size_t
span_common(struct span a, struct span b)
{
    size_t n = a.len < b.len ? a.len : b.len, i = 0;
    while (n - i >= 64 && memcmp(a.ptr + i, b.ptr + i, 64) == 0)
        i += 64;
    while (n - i >= 8 && memcmp(a.ptr + i, b.ptr + i, 8) == 0)
        i += 8;
    while (i < n && a.ptr[i] == b.ptr[i])
        i++;
    return i;
}

int
span_cmp(struct span a, struct span b)
{
    size_t n = a.len < b.len ? a.len : b.len;
    int order = n > 0 ? memcmp(a.ptr, b.ptr, n) : 0;
    return order != 0 ? order : (a.len > b.len) - (a.len < b.len);
}

bool
span_eq_any(struct span s, const struct span *of, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (span_eq(s, of[i]))
            return true;
    return false;
}

bool
span_starts_any(struct span s, const struct span *of, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (span_starts(s, of[i]))
            return true;
    return false;
}
