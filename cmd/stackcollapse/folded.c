/* Folded stacks, merged: "root;caller;leaf 12". */
#include "cmd/stackcollapse/formats.h"

#include <stdlib.h>

#include "common/stack/foldedtext.h"

struct state {
    /* The line before, since a sorted file's lines begin alike. */
    char *last;
    size_t last_len, last_cap;
    uint32_t *frames; /* its name numbers */
    size_t nframes, frames_cap;
    size_t *ends; /* where each frame ends in `last`, its semicolon included */
    size_t ends_cap;
};

static void
push(struct state *st, uint32_t name, size_t end)
{
    st->frames = mem_grow(st->frames, &st->frames_cap, st->nframes + 1, sizeof *st->frames);
    st->ends = mem_grow(st->ends, &st->ends_cap, st->nframes + 1, sizeof *st->ends);
    st->frames[st->nframes] = name;
    st->ends[st->nframes++] = end;
}

/* Sets st->frames to the stack's names. True if the stack sorts after the one before. */
static bool
split(struct state *st, struct profile *profile, struct span stack)
{
    struct span last = st->last_len > 0 ? span_of(st->last, st->last_len) : SPAN("");
    size_t common = span_common(last, stack), n = 0;
    bool sorted = span_less(last, stack, common);
    while (n < st->nframes && st->ends[n] <= common)
        n++;
    size_t bytes = n > 0 ? st->ends[n - 1] : 0;
    st->nframes = n;
    st->last = mem_grow(st->last, &st->last_cap, stack.len + 1, 1);
    memcpy(st->last + bytes, stack.ptr + bytes, stack.len - bytes);
    st->last_len = stack.len;
    for (struct span rest = span_from(stack, bytes); rest.ptr != NULL;) {
        struct span name = folded_frame(&rest);
        uint32_t id = rest.ptr != NULL ? profile_name_before_semicolon(profile, name)
                                       : profile_name(profile, name);
        /* The leaf has no semicolon: no line shares it by its text alone. */
        size_t end = (size_t)(name.ptr + name.len - stack.ptr) + 1;
        push(st, id, rest.ptr != NULL ? end : SIZE_MAX);
    }
    return sorted;
}

static void
fold(struct collapse *c, void **state)
{
    struct foldedtext text;
    struct folded f;
    struct decimal count, second;
    if (*state == NULL) {
        *state = mem_alloc(sizeof(struct state));
        *(struct state *)*state = (struct state){0};
    }
    struct state *st = *state;
    foldedtext_start(&text, &c->input.lines);
    for (enum folded_item item; (item = foldedtext_next(&text, &f)) != FOLDED_END;) {
        if (item == FOLDED_SKIPPED)
            input_skip(&c->input, text.why);
        if (item != FOLDED_STACK)
            continue;
        decimal_parse(f.count, &count);
        bool two = decimal_parse(f.second, &second);
        bool sorted = split(st, &c->profile, f.stack);
        (sorted ? profile_append : profile_add)(&c->profile, st->frames, st->nframes, count,
                                                two ? &second : NULL);
        c->stacks++;
    }
}

static bool
is_folded(struct span line)
{
    struct folded f;
    return folded_parse(line, 0, &f) && f.stack.len > 0;
}

static size_t
claims(struct span head)
{
    return format_first_line(head, is_folded);
}

static void
end(void *state)
{
    struct state *st = state;
    free(st->last);
    free(st->frames);
    free(st->ends);
    free(st);
}

const struct format format_folded = {claims, fold, end};
