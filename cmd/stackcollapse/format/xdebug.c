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
#include "cmd/stackcollapse/shared/stacker.h"
#include "common/base/num.h"

struct xdebug {
    struct stacker base;
    struct stacktree tree; /* counts seconds, or samples */
    struct u32vec open;    /* stacks of the functions that have not ended, each with its callers */
    bool traces;           /* "TRACE START" was read */
    bool is_leaf;          /* the last function that began has called no other yet */
    struct decimal time;   /* of the last line with a time */
};

/* The fields of a line about the begin or the end of a function. Only the begin has the last
 * one. */
enum { LEVEL, CALL, KIND, TIME, MEMORY, NAME, FIELDS };

static uint32_t
stack_of(const struct xdebug *f)
{
    return f->open.n > 0 ? f->open.at[f->open.n - 1] : STACKTREE_ROOT;
}

/* Attribute the time since the last line to the stack. */
static void
add_time(struct xdebug *f, struct decimal now)
{
    struct decimal time;
    bool times = f->open.n > 0 && f->base.c->options->weight != WEIGHT_SAMPLES;
    if (times && decimal_subtract(now, f->time, &time) && !decimal_is_zero(time))
        stacktree_count(&f->tree, stack_of(f), time);
    f->time = now;
}

/* Reduce the stack to at most `depth` frames: the level of the next line shows that ends are
 * missing. */
static void
leave(struct xdebug *f, uint64_t depth)
{
    if (f->open.n <= depth)
        return;
    if (f->is_leaf && f->base.c->options->weight == WEIGHT_SAMPLES)
        stacktree_count(&f->tree, stack_of(f), ONCE);
    f->open.n = (size_t)depth;
    f->is_leaf = false;
}

/* Take such a line. Return false if it is another one. */
static bool
take_call(struct xdebug *f, const struct span field[FIELDS])
{
    struct decimal now;
    uint64_t level;
    bool begins = span_eq(field[KIND], SPAN("0")) && field[NAME].len > 0;
    if (!(begins || span_eq(field[KIND], SPAN("1"))) || !num_u64(field[LEVEL], &level) ||
        level == 0 || !decimal_parse(field[TIME], &now))
        return false;
    add_time(f, now);
    leave(f, level - 1);
    if (begins) {
        uint32_t name = stacker_name(&f->base, field[NAME]);
        VEC_ADD(f->open, stacktree_child(&f->tree, stack_of(f), name));
        f->is_leaf = true;
        f->base.c->samples++;
    }
    return true;
}

/* Take a line inside the trace. Returned values and assignments take no time. The time of the
 * trace's end is on a line of its own. */
static void
take_row(struct xdebug *f, struct span line)
{
    struct span field[FIELDS], rest = line;
    struct decimal now;
    for (size_t i = 0; i < FIELDS; i++)
        field[i] = span_take(&rest, '\t');
    if (take_call(f, field) || span_trim(line).len == 0 || span_eq(field[KIND], SPAN("R")) ||
        span_eq(field[KIND], SPAN("A")))
        return;
    if (field[LEVEL].len == 0 && decimal_parse(field[TIME], &now))
        add_time(f, now);
    else
        stacker_skip(&f->base, "not a line of Xdebug's trace (xdebug.trace_format=1)");
}

static void
take(struct stacker *s, struct span line)
{
    struct xdebug *f = (struct xdebug *)s;
    bool start = span_starts(line, SPAN("TRACE START"));
    if (start || span_starts(line, SPAN("TRACE END"))) {
        leave(f, 0);
        f->traces = start;
        f->time = start ? (struct decimal){0, 0} : f->time;
    } else if (f->traces) {
        take_row(f, line);
    }
}

/* End the functions that did not return. */
static void
finish(struct stacker *s)
{
    struct xdebug *f = (struct xdebug *)s;
    leave(f, 0);
    f->traces = false;
    if (f->base.c->options->weight != WEIGHT_SAMPLES)
        stacktree_shift(&f->tree, STACKTREE_ROOT, 6); /* from seconds to microseconds */
    profile_add_tree(&f->base.c->profile, &f->tree);
}

/* Return true for the first or the third line; the second looks like folded text. */
static bool
is_xdebug(struct span line)
{
    const struct span version = SPAN("Version: ");
    return span_starts(line, SPAN("TRACE START [")) ||
           (span_starts(line, version) && span_run(line, version.len, is_digit) > 0);
}

const struct format format_xdebug = {.is = is_xdebug,
                                     .state_size = sizeof(struct xdebug),
                                     .take = take,
                                     .finish = finish,
                                     .trees = MEMBERS(struct xdebug, tree),
                                     .buffers = MEMBERS(struct xdebug, open)};
