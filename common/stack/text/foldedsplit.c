#include "common/stack/text/foldedsplit.h"

#include <stdlib.h>

#include "common/base/utf8.h"

bool
foldedsplit_next(struct foldedsplit *s, struct profile *profile, struct span stack)
{
    struct span before = span_of(s->last.text, s->last.len);
    size_t common = span_common(before, stack), at;
    bool sorted = span_less(before, stack, common);
    size_t n = folded_shared(&s->last, stack, common, &at);
    struct span rest = span_from(stack, at);
    if (profile->masks && utf8_masked(&s->masked, rest).ptr != rest.ptr)
        return foldedsplit_next(s, profile, utf8_masked(&s->masked, stack)); /* at most once */
    folded_remember(&s->last, stack, stack.len, n);
    size_t nends = s->last.nends;
    const uint32_t *ends = s->last.ends;
    s->frames = mem_grow(s->frames, &s->frames_cap, nends + 1, sizeof *s->frames);
    at += n > 0;
    for (; n + 1 < nends; at = (size_t)ends[n++] + 1)
        s->frames[n] =
            profile_name_before_semicolon(profile, span_of(stack.ptr + at, ends[n] - at));
    if (n < nends || stack.len == 0) /* the leaf; for an empty stack, an empty one */
        s->frames[n++] = profile_name(profile, span_from(stack, at));
    s->nframes = n;
    return sorted;
}

void
foldedsplit_free(struct foldedsplit *s)
{
    free(s->last.text);
    free(s->last.ends);
    free(s->masked.ptr);
    free(s->frames);
}
