/* Folded stacks in which calls of a function to itself become one frame: "main;fib;fib;fib 12" is
 * "main;fib 12". See folded(5). */
#include "cmd/stackcollapse/lineformat.h"
#include "common/stack/foldedtext.h"

/* Pushes the frames, each unless it is the one before again. To the script the frame before the
 * first is an empty one. */
static void
push(struct lineformat *f, struct span stack)
{
    struct span last = f->script ? SPAN("") : (struct span){NULL, 0};
    for (struct span rest = stack; rest.ptr != NULL;) {
        struct span frame = folded_frame(&rest);
        if (last.ptr == NULL || !span_eq(frame, last))
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
        push(f, stack);
    lineformat_emit(f, count);
}

static void
fold_right(struct collapse *c, struct lineformat *f)
{
    struct foldedtext text;
    struct folded parts;
    struct decimal count, second;
    foldedtext_start(&text, &c->input.lines);
    for (enum folded_item item; (item = foldedtext_next(&text, &parts)) != FOLDED_END;) {
        if (item == FOLDED_SKIPPED)
            input_skip(&c->input, text.why);
        if (item != FOLDED_STACK)
            continue;
        decimal_parse(parts.count, &count);
        bool two = decimal_parse(parts.second, &second);
        push(f, parts.stack);
        profile_add(&c->profile, f->stack.frames, f->stack.n, count, two ? &second : NULL);
        stackbuild_clear(&f->stack);
        c->stacks++;
    }
}

static void
fold(struct collapse *c, void **state)
{
    if (c->options->script)
        lineformat_fold(c, state, sizeof(struct lineformat), script_take);
    else
        fold_right(c, lineformat_state(c, state, sizeof(struct lineformat)));
}

/* It looks as folded text does: only --from and the script's name ask for it. */
const struct format format_recursive = {.fold = fold, .end = lineformat_end};
