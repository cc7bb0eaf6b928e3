/* The report of lightweight-java-profiler: a stack's count, its number of frames and its leaf on
 * one line, the callers on the next ones (its page at code.google.com/p/lightweight-java-profiler):
 *
 *     42 3  my_func_b(prog.java:455)
 *           my_func_a(prog.java:123)
 *           java.lang.Thread.run(Thread.java:744)
 *     Total trace count = 42 */
#include "cmd/stackcollapse/shared/stacker.h"
#include "cmd/stackcollapse/shared/parts.h"

struct ljp {
    struct stacker base;
    struct decimal count; /* of the current stack */
};

/* Split the line into words. Store the first three in word[]. Return the number of words. */
static size_t
split(struct span line, struct span word[3])
{
    size_t n = 0;
    for (struct span next; (next = span_take_word(&line)).len > 0; n++)
        if (n < 3)
            word[n] = next;
    return n;
}

static void
take(struct stacker *f, struct span line)
{
    struct ljp *report = (struct ljp *)f;
    struct span word[3], rest = line;
    struct decimal count;
    if (span_eq(span_take_word(&rest), SPAN("Total"))) {
        stacker_emit(f, LEAF_FIRST, report->count);
        f->ended = true;
        return;
    }
    size_t n = split(parts_without_place(&f->name, line), word);
    if (n == 3 && decimal_parse(word[0], &count)) {
        stacker_emit(f, LEAF_FIRST, report->count);
        report->count = count;
        stacker_push(f, word[2]);
    } else if (n == 1 && f->n > 0) {
        stacker_push(f, word[0]);
    } else if (n > 0) {
        stacker_skip(f, "not a line of lightweight-java-profiler");
    }
}

static void
finish(struct stacker *f)
{
    stacker_emit(f, LEAF_FIRST, ((struct ljp *)f)->count);
}

/* Return true for "42 3 my_func_b(prog.java:455)". */
static bool
is_ljp(struct span line)
{
    struct span word[3];
    size_t paren = split(line, word) == 3 ? span_find(word[2], '(') : SPAN_NONE;
    return paren != SPAN_NONE && paren > 0 && span_ends(word[2], SPAN(")")) &&
           span_run(word[0], 0, is_digit) == word[0].len &&
           span_run(word[1], 0, is_digit) == word[1].len;
}

const struct format format_ljp = {.is = is_ljp,
                                  .state_size = sizeof(struct ljp),
                                  .per_file = true,
                                  .take = take,
                                  .finish = finish};
