/* Folded stacks, merged: "root;caller;leaf 12". */
#include "cmd/stackcollapse/formats.h"

#include <stdlib.h>

#include "common/stack/foldedsplit.h"
#include "common/stack/foldedtext.h"

static void
fold(struct collapse *c, void **state)
{
    struct foldedtext text;
    struct folded f;
    struct decimal count, second;
    if (*state == NULL) {
        *state = mem_alloc(sizeof(struct foldedsplit));
        *(struct foldedsplit *)*state = (struct foldedsplit){0};
    }
    struct foldedsplit *split = *state;
    foldedtext_start(&text, &c->input.lines);
    for (enum folded_item item; (item = foldedtext_next(&text, &f)) != FOLDED_END;) {
        if (item == FOLDED_SKIPPED)
            input_skip(&c->input, text.why);
        if (item != FOLDED_STACK)
            continue;
        decimal_parse(f.count, &count);
        bool two = decimal_parse(f.second, &second);
        bool sorted = foldedsplit_next(split, &c->profile, f.stack);
        (sorted ? profile_append : profile_add)(&c->profile, split->frames, split->nframes, count,
                                                two ? &second : NULL);
        c->stacks++;
    }
}

static bool
is_folded(struct span line)
{
    struct folded f;
    return !folded_is_comment(line) && folded_parse(line, 0, &f) &&
           (f.stack.len > 0 || line.ptr[0] == ' ');
}

static void
end(void *state)
{
    foldedsplit_free(state);
    free(state);
}

const struct format format_folded = {
    .is = is_folded,
    .hash_is_text = true,
    .fold = fold,
    .end = end,
};
