#include "common/stack/foldedsplit.h"

#include <stdlib.h>

#include "common/base/utf8.h"
#include "common/stack/foldedtext.h"

static void
push(struct foldedsplit *s, uint32_t name, uint32_t end)
{
    s->frames = mem_grow(s->frames, &s->frames_cap, s->nframes + 1, sizeof *s->frames);
    s->ends = mem_grow(s->ends, &s->ends_cap, s->nframes + 1, sizeof *s->ends);
    s->frames[s->nframes] = name;
    s->ends[s->nframes++] = end;
}

bool
foldedsplit_next(struct foldedsplit *s, struct profile *profile, struct span stack)
{
    struct span last = s->last_len > 0 ? span_of(s->last, s->last_len) : SPAN("");
    size_t common = span_common(last, stack), n = 0;
    bool sorted = span_less(last, stack, common);
    while (n < s->nframes && s->ends[n] <= common)
        n++;
    size_t bytes = n > 0 ? s->ends[n - 1] : 0;
    struct span rest = span_from(stack, bytes);
    if (profile->masks && utf8_masked(&s->masked, rest).ptr != rest.ptr)
        return foldedsplit_next(s, profile, utf8_masked(&s->masked, stack)); /* once */
    s->nframes = n;
    s->last = mem_grow(s->last, &s->last_cap, stack.len + 1, 1);
    memcpy(s->last + bytes, stack.ptr + bytes, stack.len - bytes);
    s->last_len = stack.len;
    while (rest.ptr != NULL) {
        struct span name = folded_frame(&rest);
        uint32_t id = rest.ptr != NULL ? profile_name_before_semicolon(profile, name)
                                       : profile_name(profile, name);
        /* The leaf has no semicolon: no line shares it by its text alone. */
        uint32_t end = (uint32_t)(name.ptr + name.len - stack.ptr) + 1;
        push(s, id, rest.ptr != NULL ? end : UINT32_MAX);
    }
    return sorted;
}

void
foldedsplit_free(struct foldedsplit *s)
{
    free(s->last);
    free(s->masked.ptr);
    free(s->frames);
    free(s->ends);
}
