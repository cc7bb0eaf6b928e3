/* Folded stacks, merged: "root;caller;leaf 12". */
#include "cmd/stackcollapse/collapse.h"

#include <stdlib.h>

#include "common/stack/folded.h"

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

/* Sets st->frames to the stack's names. True where the stack comes behind the one before. */
static bool
split(struct state *st, struct stacks *stacks, struct span stack)
{
    struct span last = st->last_len > 0 ? span_of(st->last, st->last_len) : SPAN("");
    size_t common = span_common(last, stack), n = 0;
    bool behind = span_less(last, stack, common);
    while (n < st->nframes && st->ends[n] <= common)
        n++;
    size_t bytes = n > 0 ? st->ends[n - 1] : 0;
    st->nframes = n;
    st->last = mem_grow(st->last, &st->last_cap, stack.len + 1, 1);
    memcpy(st->last + bytes, stack.ptr + bytes, stack.len - bytes);
    st->last_len = stack.len;
    for (struct span rest = span_from(stack, bytes); rest.ptr != NULL;) {
        struct span name = folded_frame(&rest);
        uint32_t id = rest.ptr != NULL ? stacks_name_before_semicolon(stacks, name)
                                       : stacks_name(stacks, name);
        /* The leaf has no semicolon: no line shares it by its text alone. */
        size_t end = (size_t)(name.ptr + name.len - stack.ptr) + 1;
        push(st, id, rest.ptr != NULL ? end : SIZE_MAX);
    }
    return behind;
}

/* How much of a file to look at. */
enum { LOOK_AHEAD = 64 * 1024 };

/* True of a line that can have one count only. */
static bool
has_one_count(void *ctx, struct span line)
{
    struct folded f;
    (void)ctx;
    return folded_parse(line, 1, &f) && !folded_parse(line, 2, &f);
}

static void
fold(struct collapse *c, void **state)
{
    struct span line;
    struct folded f;
    struct decimal count, second;
    /* A frame may end in a number: two counts are two only where all lines have them. */
    int columns = lines_peek(&c->input.lines, LOOK_AHEAD, has_one_count, NULL) ? 1 : 2;
    if (*state == NULL) {
        *state = mem_alloc(sizeof(struct state));
        *(struct state *)*state = (struct state){0};
    }
    struct state *st = *state;
    while (lines_next(&c->input.lines, &line)) {
        if (!folded_parse(line, columns, &f)) {
            if (span_trim(line).len > 0)
                input_skip(&c->input, folded_parse(line, 1, &f)
                                          ? "not a folded stack with two counts"
                                          : "not a folded stack");
            continue;
        }
        decimal_parse(f.count, &count);
        if (columns == 2)
            decimal_parse(f.second, &second);
        bool behind = split(st, &c->stacks, f.stack);
        (behind ? stacks_add_behind : stacks_add)(&c->stacks, st->frames, st->nframes, count,
                                                  columns == 2 ? &second : NULL);
        c->samples++;
    }
}

static bool
claims(struct span line)
{
    struct folded f;
    return folded_parse(line, 0, &f) && f.stack.len > 0;
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

const struct format format_folded = {"folded", claims, fold, end};
