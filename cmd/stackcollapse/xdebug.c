/* Function traces of Xdebug with xdebug.trace_format=1, separated by tabs: level, number of the
 * call, 0 where it begins and 1 where it ends, seconds, bytes, and where it begins its name and
 * more (xdebug.org/docs/trace):
 *
 *     Version: 3.2.0
 *     File format: 4
 *     TRACE START [2026-11-16 10:00:00.625741]
 *     1       0       0       0.010870        114112  {main}  1               /srv/app.php    0
 *     2       1       0       0.032009        114272  strlen  0               /srv/app.php    8
 *     2       1       1       0.032073        116632
 *     2       1       R                       3
 *                             0.033974        392400
 *     TRACE END   [2026-11-16 10:00:00.626511]
 *
 * The line before the last has the time of the end. */
#include <stdlib.h>

#include "cmd/stackcollapse/lineformat.h"
#include "cmd/stackcollapse/xdebugscript.h"
#include "common/base/num.h"

struct state {
    struct lineformat base;
    bool started;        /* after "TRACE START" */
    bool leaf;           /* the function that began last called no other yet */
    struct decimal last; /* the time of the last line that has one */
    void *script;        /* the state of xdebugscript.c, which then does all */
};

enum field { LEVEL, CALL, KIND, TIME, MEMORY, NAME, FIELDS };

/* Splits at each tab; fields that are not there are empty. */
static void
split(struct span line, struct span field[FIELDS])
{
    for (size_t i = 0; i < FIELDS; i++) {
        size_t tab = span_find(line, '\t');
        field[i] = tab == SPAN_NONE ? line : span_head(line, tab);
        line = span_from(line, tab == SPAN_NONE ? line.len : tab + 1);
    }
}

/* Counts the microseconds since the line before for the stack. */
static void
add_time(struct state *st, struct decimal now)
{
    const struct stackbuild *b = &st->base.stack;
    struct decimal time;
    bool times = st->base.c->options->weight != WEIGHT_SAMPLES;
    if (times && b->n > 0 && decimal_subtract(now, st->last, &time) && !decimal_is_zero(time))
        profile_add(b->profile, b->frames, b->n, decimal_shift(time, 6), NULL);
    st->last = now;
}

/* The stack gets `depth` frames, if it has more: where an end is missing, the next line's level
 * tells. */
static void
leave(struct state *st, uint64_t depth)
{
    struct stackbuild *b = &st->base.stack;
    if (b->n <= depth)
        return;
    if (st->leaf && st->base.c->options->weight == WEIGHT_SAMPLES)
        profile_add(b->profile, b->frames, b->n, LINEFORMAT_ONCE, NULL);
    b->n = (size_t)depth;
    st->leaf = false;
}

/* A function begins or ends. False if the line is of another form. */
static bool
take_call(struct state *st, const struct span field[FIELDS])
{
    struct decimal now;
    uint64_t level;
    bool begins = span_eq(field[KIND], SPAN("0")), ends = span_eq(field[KIND], SPAN("1"));
    if ((!begins && !ends) || !num_u64(field[LEVEL], &level) || level == 0 ||
        !decimal_parse(field[TIME], &now) || (begins && field[NAME].len == 0))
        return false;
    add_time(st, now);
    leave(st, level - 1);
    if (begins) {
        lineformat_push(&st->base, field[NAME]);
        st->leaf = true;
        st->base.c->samples++;
    }
    return true;
}

/* The end of the trace, or of the file: functions that did not return end here. */
static void
end_trace(struct state *st)
{
    leave(st, 0);
    st->started = false;
}

static void
take(void *state, struct span line)
{
    struct state *st = state;
    struct span field[FIELDS];
    struct decimal now;
    split(line, field);
    bool is_value = span_eq(field[KIND], SPAN("R")) || span_eq(field[KIND], SPAN("A"));
    if (span_starts(line, SPAN("TRACE START"))) {
        end_trace(st);
        st->started = true;
        st->last = (struct decimal){0, 0};
    } else if (span_starts(line, SPAN("TRACE END"))) {
        end_trace(st);
    } else if (!st->started || span_trim(line).len == 0 || is_value || take_call(st, field)) {
        return;
    } else if (field[LEVEL].len == 0 && decimal_parse(field[TIME], &now)) {
        add_time(st, now);
    } else {
        input_skip(&st->base.c->input, "not a line of Xdebug's trace (xdebug.trace_format=1)");
    }
}

static void
fold(struct collapse *c, void **state)
{
    struct state *st = lineformat_state(c, state, sizeof *st);
    if (c->options->script)
        xdebugscript_fold(c, &st->script);
    else
        lineformat_fold(c, state, sizeof *st, take);
}

static void
finish(void *state)
{
    struct state *st = state;
    if (st->script != NULL)
        xdebugscript_finish(st->script);
    else
        end_trace(st);
}

static void
end(void *state)
{
    struct state *st = state;
    if (st->script != NULL)
        xdebugscript_end(st->script);
    lineformat_end(state);
}

/* The first line, or the third: the second looks like folded text. */
static bool
is_xdebug(struct span line)
{
    const struct span version = SPAN("Version: ");
    return span_starts(line, SPAN("TRACE START [")) ||
           (span_starts(line, version) && span_run(line, version.len, is_digit) > 0);
}

const struct format format_xdebug = {.is = is_xdebug, .fold = fold, .finish = finish, .end = end};
