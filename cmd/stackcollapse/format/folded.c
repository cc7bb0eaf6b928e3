/* Merges folded stacks, "root;caller;leaf 12". The format "recursive" also makes one frame of the
 * calls of a function to itself: "main;fib;fib;fib 12" becomes "main;fib 12". See folded(5). */
#include "cmd/stackcollapse/shared/stacker.h"
#include "common/stack/text/foldedsplit.h"
#include "common/stack/text/foldedtext.h"

struct folded_file {
    struct stacker base;
    struct foldedsplit split;
    bool recursive; /* drop a frame that repeats the one before it */
};

/* Add the file's stacks. */
static void
fold(struct stacker *r)
{
    struct folded_file *st = (struct folded_file *)r;
    struct foldedtext text;
    struct folded f;
    struct decimal count, second;
    struct collapse *c = r->c;
    struct stacker *b = r;
    foldedtext_start(&text, &c->input.lines);
    for (enum folded_item item; (item = foldedtext_next(&text, &f)) != FOLDED_END;) {
        if (item == FOLDED_SKIPPED)
            stacker_skip(r, text.why);
        if (item != FOLDED_STACK)
            continue;
        decimal_parse(f.count, &count);
        const struct decimal *two = decimal_parse(f.second, &second) ? &second : NULL;
        bool sorted = foldedsplit_next(&st->split, &c->profile, f.stack);
        if (st->recursive) {
            b->n = 0;
            for (size_t i = 0; i < st->split.nframes; i++)
                if (i == 0 || st->split.frames[i] != st->split.frames[i - 1])
                    stacker_push_name(b, st->split.frames[i]);
            profile_add(&c->profile, b->frames, b->n, count, two);
        } else {
            (sorted ? profile_append : profile_add)(&c->profile, st->split.frames,
                                                    st->split.nframes, count, two);
        }
        c->stacks++;
    }
}

static void
fold_recursive(struct stacker *r)
{
    ((struct folded_file *)r)->recursive = true;
    fold(r);
}

static bool
is_folded(struct span line)
{
    struct folded f;
    return !folded_is_comment(line) && folded_parse(line, 0, &f) &&
           (f.stack.len > 0 || line.ptr[0] == ' ');
}

static void
end(struct stacker *f)
{
    foldedsplit_free(&((struct folded_file *)f)->split);
}

const struct format format_folded = {.is = is_folded,
                                     .hash_is_text = true,
                                     .state_size = sizeof(struct folded_file),
                                     .fold = fold,
                                     .end = end};

/* It looks like folded text, so only --from selects it. */
const struct format format_recursive = {
    .state_size = sizeof(struct folded_file), .fold = fold_recursive, .end = end};
