/* stackcollapse-ljp.awk: it prints a stack where the next begins, and the last one only where
 * "Total" follows, after which it reads nothing. */
#include "cmd/stackcollapse/shared/parts.h"
#include "cmd/stackcollapse/script/scriptparts.h"

/* Set *first and *last to the first and last word of the line, and return how many words it has. */
static size_t
split(struct span line, struct span *first, struct span *last)
{
    size_t n = 0;
    for (struct span word; awk_word(&line, &word); *last = word)
        if (n++ == 0)
            *first = word;
    return n;
}

static void
print(struct stacker *f)
{
    stacker_reverse(f, 0);
    scriptstack_print(f, text_span(f->kept));
}

/* Text kept: the count of the stack. */
static void
take(struct stacker *f, struct span line)
{
    struct span rest = line, first, last;
    if (awk_word(&rest, &first) && span_eq(first, SPAN("Total"))) {
        print(f);
        f->ended = true;
        return;
    }
    size_t n = split(parts_without_place(&f->name, line), &first, &last);
    if (n == 3) {
        if (awk_is_true(text_span(f->kept)))
            print(f);
        f->n = 0;
        text_set(f->kept, first);
        stacker_push_leaf_first(f, last);
    } else if (n == 1) {
        if (f->n == 0) /* stack = $1 ";" stack */
            stacker_push(f, SPAN(""));
        stacker_push_leaf_first(f, first);
    }
}

const struct format script_ljp = {.take = take};
