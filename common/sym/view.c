#include "common/sym/view.h"

#include <stdlib.h>

struct view
view_of(struct span bytes)
{
    return (struct view){.size = bytes.len, .buffered = bytes};
}

struct view
view_over(struct content *c, uint64_t start, uint64_t size, size_t block)
{
    if (start > c->size || size > c->size - start)
        return (struct view){0};
    if (c->path == NULL)
        return view_of(span_of(c->memory.ptr + start, (size_t)size));
    return (struct view){.content = c, .start = start, .size = size, .block = block};
}

/* Fills the buffer from an offset on with at least n bytes, or with all of a small part. */
static bool
fill(struct view *v, uint64_t offset, size_t n)
{
    bool all = v->size <= VIEW_TABLE && v->cap == 0;
    uint64_t at = all ? 0 : offset, left = v->size - at;
    size_t want = all ? VIEW_TABLE : n > v->block ? n : v->block;
    want = want < left ? want : (size_t)left;
    v->buffer = mem_grow(v->buffer, &v->cap, want, 1);
    v->buffered = SPAN("");
    if (!content_read(v->content, v->start + at, v->buffer, want))
        return false;
    v->at = at;
    v->buffered = span_of(v->buffer, want);
    return true;
}

struct span
view_unbuffered(struct view *v, uint64_t offset, size_t n)
{
    if (offset >= v->size)
        return SPAN("");
    uint64_t left = v->size - offset;
    n = n < left ? n : (size_t)left;
    bool buffered = offset >= v->at && offset - v->at + n <= v->buffered.len;
    if (!buffered && (v->content == NULL || !fill(v, offset, n)))
        return SPAN("");
    return span_from(v->buffered, (size_t)(offset - v->at));
}

struct span
view_string(struct view *v, uint64_t offset)
{
    enum { SHORT = 128 }; /* most names are */
    struct span s = view_at(v, offset, SHORT);
    size_t nul = span_find(span_head(s, s.len < SHORT ? s.len : SHORT), '\0');
    if (nul == SPAN_NONE) {
        s = view_at(v, offset, VIEW_STRING_MAX);
        s = span_head(s, s.len < VIEW_STRING_MAX ? s.len : VIEW_STRING_MAX);
        nul = span_find(s, '\0');
    }
    return nul == SPAN_NONE ? s : span_head(s, nul);
}

void
view_free(struct view *v)
{
    free(v->buffer);
    *v = (struct view){0};
}
