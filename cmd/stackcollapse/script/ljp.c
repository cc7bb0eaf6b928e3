/* Replaces stackcollapse-ljp.awk, which prints a stack when the next one begins, and the last one
 * only if "Total" follows, after which it reads nothing. */
#include "cmd/stackcollapse/shared/parts.h"
#include "cmd/stackcollapse/script/scriptparts.h"

struct ljp_script {
    struct stacker base;
    struct text count; /* count of the current stack */
};

/* Set *first and *last to the first and last word of the line. Return the number of its words. */
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
print(struct ljp_script *report)
{
    stacker_reverse(&report->base, 0);
    scriptstack_print(&report->base, text_span(&report->count));
}

static void
take(struct stacker *f, struct span line)
{
    struct ljp_script *report = (struct ljp_script *)f;
    struct span rest = line, first, last;
    if (awk_word(&rest, &first) && span_eq(first, SPAN("Total"))) {
        print(report);
        f->ended = true;
        return;
    }
    size_t n = split(parts_without_place(&f->name, line), &first, &last);
    if (n == 3) {
        if (awk_is_true(text_span(&report->count)))
            print(report);
        f->n = 0;
        text_set(&report->count, first);
        stacker_push_leaf_first(f, last);
    } else if (n == 1) {
        if (f->n == 0) /* stack = $1 ";" stack */
            stacker_push(f, SPAN(""));
        stacker_push_leaf_first(f, first);
    }
}

const struct format script_ljp = {.state_size = sizeof(struct ljp_script),
                                  .buffers = MEMBERS(struct ljp_script, count),
                                  .take = take};
