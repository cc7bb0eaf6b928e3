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

int
span_cmp(struct span a, struct span b)
{
    size_t n = a.len < b.len ? a.len : b.len;
    int order = n > 0 ? memcmp(a.ptr, b.ptr, n) : 0;
    return order != 0 ? order : (a.len > b.len) - (a.len < b.len);
}

int
span_cmp_qsort(const void *a, const void *b)
{
    return span_cmp(*(const struct span *)a, *(const struct span *)b);
}

struct span
span_trim(struct span s)
{
    while (s.len > 0 && is_space(s.ptr[0]))
        s = span_from(s, 1);
    while (s.len > 0 && is_space(s.ptr[s.len - 1]))
        s.len--;
    return s;
}

size_t
span_run(struct span s, size_t at, bool (*is)(char))
{
    size_t end = at;
    while (end < s.len && is(s.ptr[end]))
        end++;
    return end - at;
}
