/* Folded stacks in which calls of a function to itself become one frame: "main;fib;fib;fib 12" is
 * "main;fib 12". See folded(5). */
#include "cmd/stackcollapse/build/lineformat.h"
#include "common/stack/foldedsplit.h"
#include "common/stack/foldedtext.h"

struct state {
    struct lineformat base;
    struct foldedsplit split; /* not of a script */
};

/* Pushes the frames as the script does, each unless it is the one before again; the one before the
 * first is an empty one. */
static void
script_push(struct lineformat *f, struct span stack)
{
    struct span last = SPAN("");
    for (struct span rest = stack; rest.ptr != NULL;) {
        struct span frame = folded_frame(&rest);
        if (!span_eq(frame, last))
            stackbuild_push_folded(&f->stack, frame);
        last = frame;
    }
}

static bool
is_number_part(char c)
{
    return is_digit(c) || c == '.';
}

/* The script has one count a line, and no empty frames at a stack's end. */
static void
script_take(void *state, struct span line)
{
    struct lineformat *f = state;
    struct decimal count;
    size_t end = line.len;
    while (end > 0 && is_number_part(line.ptr[end - 1]))
        end--;
    struct span stack = span_head(line, end);
    if (end < 2 || !is_space(line.ptr[end - 1]) || !decimal_parse(span_from(line, end), &count))
        return;
    stack.len--;
    if (span_eq(stack, SPAN("0")))
        return;
    while (span_ends(stack, SPAN(";")))
        stack.len--;
    if (stack.len > 0)
        script_push(f, stack);
    lineformat_emit(f, count);
}

/* Pushes the frames, each unless it is the one before again. */
static void
push_different(const struct foldedsplit *split, struct stackbuild *b)
{
    for (size_t i = 0; i < split->nframes; i++)
        if (i == 0 || split->frames[i] != split->frames[i - 1])
            stackbuild_push_name(b, split->frames[i]);
}

static void
fold_right(struct collapse *c, struct state *st)
{
    struct foldedtext text;
    struct folded parts;
    struct decimal count, second;
    struct stackbuild *b = &st->base.stack;
    foldedtext_start(&text, &c->input.lines);
    for (enum folded_item item; (item = foldedtext_next(&text, &parts)) != FOLDED_END;) {
        if (item == FOLDED_SKIPPED)
            input_skip(&c->input, text.why);
        if (item != FOLDED_STACK)
            continue;
        decimal_parse(parts.count, &count);
        bool two = decimal_parse(parts.second, &second);
        foldedsplit_next(&st->split, &c->profile, parts.stack);
        push_different(&st->split, b);
        profile_add(&c->profile, b->frames, b->n, count, two ? &second : NULL);
        stackbuild_clear(b);
        c->stacks++;
    }
}

static void
fold(struct collapse *c, void **state)
{
    if (c->options->script)
        lineformat_fold(c, state, sizeof(struct state), script_take);
    else
        fold_right(c, lineformat_state(c, state, sizeof(struct state)));
}

static void
end(void *state)
{
    struct state *st = state;
    foldedsplit_free(&st->split);
    lineformat_end(st);
}

/* It looks as folded text does: only --from and the script's name ask for it. */
const struct format format_recursive = {.fold = fold, .end = end};
