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

#include "cmd/stackcollapse/build/lineformat.h"
#include "cmd/stackcollapse/script/xdebugscript.h"
#include "common/base/bytes.h"
#include "common/base/num.h"

struct state {
    struct lineformat base;
    struct stacktree tree; /* counts seconds, or samples */
    uint32_t stack;        /* of the functions that have not ended, in the tree */
    uint64_t depth;        /* how many they are */
    bool started;          /* after "TRACE START" */
    bool leaf;             /* the function that began last called no other yet */
    struct decimal last;   /* the time of the last line that has one */
    void *script;          /* the state of xdebugscript.c, which then does all */
};

/* A line that says that a function begins, or that one ends. */
struct row {
    uint64_t level;
    struct decimal time;
    struct span name; /* empty: it ends */
};

/* Takes the text up to the next tab off the line at *p; it is empty where the line has ended. */
static inline struct span
next_field(const char **p)
{
    const char *field = *p, *end = bytes_skip_text(field);
    while (*end != '\t' && *end != '\n')
        end = bytes_skip_text(end + 1);
    *p = end + (*end == '\t');
    return span_of(field, (size_t)(end - field));
}

static bool
parse_row(struct span line, struct row *row)
{
    struct span level = span_head(line, span_run(line, 0, is_digit));
    const char *p = line.ptr + level.len;
    if (!num_u64(level, &row->level) || row->level == 0 || *p++ != '\t')
        return false;
    next_field(&p); /* the number of the call */
    char kind = *p;
    if ((kind != '0' && kind != '1') || p[1] != '\t')
        return false;
    p = decimal_read(p + 2, &row->time);
    if (p == NULL || (*p != '\t' && *p != '\n'))
        return false;
    row->name = SPAN("");
    if (kind == '1')
        return true;
    p += *p == '\t';
    next_field(&p); /* the memory */
    row->name = next_field(&p);
    return row->name.len > 0;
}

static bool
counts_samples(const struct state *st)
{
    return st->base.c->options->weight == WEIGHT_SAMPLES;
}

/* Counts the time since the line before for the stack. */
static void
add_time(struct state *st, struct decimal now)
{
    struct decimal time;
    if (st->depth > 0 && !counts_samples(st) && decimal_subtract(now, st->last, &time) &&
        !decimal_is_zero(time))
        stacktree_count(&st->tree, st->stack, time);
    st->last = now;
}

/* The stack gets `depth` frames, if it has more: where an end is missing, the next line's level
 * tells. */
static void
leave(struct state *st, uint64_t depth)
{
    if (st->depth <= depth)
        return;
    if (st->leaf && counts_samples(st))
        stacktree_count(&st->tree, st->stack, LINEFORMAT_ONCE);
    for (; st->depth > depth; st->depth--)
        st->stack = st->tree.nodes[st->stack].parent;
    st->leaf = false;
}

static void
enter(struct state *st, struct span name)
{
    st->stack = stackbuild_child(&st->base.stack, &st->tree, st->stack, name);
    st->depth++;
    st->leaf = true;
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

/* The end of the trace, or of the file: functions that did not return end here. */
static void
end_trace(struct state *st)
{
    leave(st, 0);
    st->started = false;
}

/* A line inside the trace that is not a row. Returned values and assignments take no time, and the
 * time of the trace's end stands alone. */
static void
take_other(struct state *st, struct span line)
{
    const char *p = line.ptr;
    struct decimal now;
    struct span level = next_field(&p);
    next_field(&p);
    struct span kind = next_field(&p), time = next_field(&p);
    if (span_trim(line).len == 0 || span_eq(kind, SPAN("R")) || span_eq(kind, SPAN("A")))
        return;
    if (level.len == 0 && decimal_parse(time, &now))
        add_time(st, now);
    else
        input_skip(&st->base.c->input, "not a line of Xdebug's trace (xdebug.trace_format=1)");
}

static void
take(void *state, struct span line)
{
    struct state *st = state;
    struct row row;
    if (st->started && parse_row(line, &row)) {
        take_row(st, &row);
    } else if (span_starts(line, SPAN("TRACE START"))) {
        end_trace(st);
        st->started = true;
        st->last = (struct decimal){0, 0};
    } else if (span_starts(line, SPAN("TRACE END"))) {
        end_trace(st);
    } else if (st->started) {
        take_other(st, line);
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
    if (st->script != NULL) {
        xdebugscript_finish(st->script);
        return;
    }
    end_trace(st);
    if (!counts_samples(st))
        stacktree_shift(&st->tree, STACKTREE_ROOT, 6); /* from seconds */
    profile_add_tree(&st->base.c->profile, &st->tree);
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
