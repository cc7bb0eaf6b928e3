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
#include "cmd/stackcollapse/build/reader.h"
#include "common/base/num.h"
#include "common/stack/stacktree.h"

/* The reader's tree counts seconds, or samples; `depth`: of the functions that have not ended;
 * `started`: after "TRACE START"; `open`: the function that began last called no other yet; `count`:
 * the time of the last line that has one. */
struct state {
    struct reader base;
    uint32_t stack; /* of the functions that have not ended, in the tree */
};

/* A line that says that a function begins, or that one ends. */
struct row {
    uint64_t level;
    struct decimal time;
    struct span name; /* empty: it ends */
};

static bool
parse_row(struct span line, struct row *row)
{
    struct span level = span_take(&line, '\t');
    span_take(&line, '\t'); /* the number of the call */
    struct span kind = span_take(&line, '\t'), time = span_take(&line, '\t');
    bool enters = span_eq(kind, SPAN("0")), leaves = span_eq(kind, SPAN("1"));
    span_take(&line, '\t'); /* the memory */
    row->name = enters ? span_take(&line, '\t') : SPAN("");
    return num_u64(level, &row->level) && row->level > 0 && decimal_parse(time, &row->time) &&
           (leaves || row->name.len > 0);
}

static bool
counts_samples(const struct state *st)
{
    return st->base.c->options->weight == WEIGHT_SAMPLES;
}

/* Count the time since the line before for the stack. */
static void
add_time(struct state *st, struct decimal now)
{
    struct decimal time;
    if (st->base.depth > 0 && !counts_samples(st) && decimal_subtract(now, st->base.count, &time) &&
        !decimal_is_zero(time))
        stacktree_count(&st->base.tree, st->stack, time);
    st->base.count = now;
}

/* Give the stack `depth` frames, if it has more: where an end is missing, the next line's level
 * tells. */
static void
leave(struct state *st, uint64_t depth)
{
    if (st->base.depth <= depth)
        return;
    if (st->base.open && counts_samples(st))
        stacktree_count(&st->base.tree, st->stack, READER_ONCE);
    for (; st->base.depth > depth; st->base.depth--)
        st->stack = st->base.tree.nodes[st->stack].parent;
    st->base.open = false;
}

static void
enter(struct state *st, struct span name)
{
    st->stack = stacktree_child(&st->base.tree, st->stack, stackbuild_name(&st->base.stack, name));
    st->base.depth++;
    st->base.open = true;
    st->base.c->samples++;
}

static void
take_row(struct state *st, const struct row *row)
{
    add_time(st, row->time);
    leave(st, row->level - 1);
    if (row->name.len > 0)
        enter(st, row->name);
}

/* End the trace, or the file, or of the file: functions that did not return end here. */
static void
end_trace(struct state *st)
{
    leave(st, 0);
    st->base.started = false;
}

/* Take a line inside the trace that is not a row. Returned values and assignments take no time, and the
 * time of the trace's end stands alone. */
static void
take_other(struct state *st, struct span line)
{
    struct decimal now;
    struct span rest = line, level = span_take(&rest, '\t');
    span_take(&rest, '\t');
    struct span kind = span_take(&rest, '\t'), time = span_take(&rest, '\t');
    if (span_trim(line).len == 0 || span_eq(kind, SPAN("R")) || span_eq(kind, SPAN("A")))
        return;
    if (level.len == 0 && decimal_parse(time, &now))
        add_time(st, now);
    else
        reader_skip(&st->base, "not a line of Xdebug's trace (xdebug.trace_format=1)");
}

static void
take(struct reader *f, struct span line)
{
    struct state *st = (struct state *)f;
    struct row row;
    if (st->base.started && parse_row(line, &row)) {
        take_row(st, &row);
    } else if (span_starts(line, SPAN("TRACE START"))) {
        end_trace(st);
        st->base.started = true;
        st->base.count = (struct decimal){0, 0};
    } else if (span_starts(line, SPAN("TRACE END"))) {
        end_trace(st);
    } else if (st->base.started) {
        take_other(st, line);
    }
}

static void
finish(struct reader *f)
{
    struct state *st = (struct state *)f;
    end_trace(st);
    if (!counts_samples(st))
        stacktree_shift(&st->base.tree, STACKTREE_ROOT, 6); /* from seconds */
    profile_add_tree(&st->base.c->profile, &st->base.tree);
}

/* The first line, or the third: the second looks like folded text. */
static bool
is_xdebug(struct span line)
{
    const struct span version = SPAN("Version: ");
    return span_starts(line, SPAN("TRACE START [")) ||
           (span_starts(line, version) && span_run(line, version.len, is_digit) > 0);
}

const struct format format_xdebug = {
    .is = is_xdebug, .state_size = sizeof(struct state), .take = take, .finish = finish};
