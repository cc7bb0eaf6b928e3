/* Folded stacks in which calls of a function to itself become one frame: "main;fib;fib;fib 12" is
 * "main;fib 12". See folded(5). */
#include "cmd/stackcollapse/build/lineformat.h"
#include "common/stack/foldedsplit.h"
#include "common/stack/foldedtext.h"

struct state {
    struct lineformat base;
    struct foldedsplit split;
};

/* Push the frames, each unless it is the one before again. */
static void
push_different(const struct foldedsplit *split, struct stackbuild *b)
{
    for (size_t i = 0; i < split->nframes; i++)
        if (i == 0 || split->frames[i] != split->frames[i - 1])
            stackbuild_push_name(b, split->frames[i]);
}

static void
fold(struct collapse *c, void **state)
{
    struct foldedtext text;
    struct folded parts;
    struct decimal count, second;
    struct state *st = lineformat_state(c, state, sizeof(struct state));
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
end(void *state)
{
    struct state *st = state;
    foldedsplit_free(&st->split);
    lineformat_end(st);
}

/* It looks as folded text does: only --from asks for it. */
const struct format format_recursive = {.fold = fold, .end = end};
