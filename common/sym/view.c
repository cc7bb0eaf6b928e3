#include "common/sym/view.h"

#include <stdlib.h>

struct view
view_of(struct span bytes)
{
    return (struct view){.memory = bytes, .size = bytes.len};
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

/* Fills the buffer from an offset on, with at least n bytes. */
static bool
fill(struct view *w, uint64_t offset, size_t n)
{
    uint64_t left = w->size - offset;
    size_t want = n > w->block ? n : w->block;
    if (w->size <= VIEW_TABLE && w->len == 0) { /* all of it */
        offset = 0;
        left = w->size;
        want = VIEW_TABLE;
    }
    want = want < left ? want : (size_t)left;
    w->buffer = mem_grow(w->buffer, &w->cap, want, 1);
    w->len = 0;
    if (!content_read(w->content, w->start + offset, w->buffer, want))
        return false;
    w->at = offset;
    w->len = want;
    return true;
}

struct span
view_at(struct view *w, uint64_t offset, size_t n)
{
    if (offset >= w->size)
        return SPAN("");
    uint64_t left = w->size - offset;
    n = n < left ? n : (size_t)left;
    if (w->content == NULL)
        return span_from(w->memory, (size_t)offset);
    bool buffered = offset >= w->at && offset - w->at <= w->len && w->len - (offset - w->at) >= n;
    if (!buffered && !fill(w, offset, n))
        return SPAN("");
    return span_from(span_of(w->buffer, w->len), (size_t)(offset - w->at));
}

bool
view_read(struct view *w, uint64_t offset, void *to, size_t n)
{
    struct span from = view_at(w, offset, n);
    if (from.len < n)
        return false;
    memcpy(to, from.ptr, n);
    return true;
}

struct span
view_string(struct view *w, uint64_t offset)
{
    enum { SHORT = 128 }; /* most names are */
    struct span s = view_at(w, offset, SHORT);
    size_t nul = span_find(span_head(s, s.len < SHORT ? s.len : SHORT), '\0');
    if (nul == SPAN_NONE) {
        s = view_at(w, offset, VIEW_STRING_MAX);
        s = span_head(s, s.len < VIEW_STRING_MAX ? s.len : VIEW_STRING_MAX);
        nul = span_find(s, '\0');
    }
    return nul == SPAN_NONE ? s : span_head(s, nul);
}

void
view_free(struct view *w)
{
    free(w->buffer);
    *w = (struct view){0};
}
