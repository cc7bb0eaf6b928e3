/* Replaces stackcollapse-xdebug.php, which first replaces runs of tabs by one tab in the file
 * itself. (This program does not change the file.) See format/xdebug.c. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cmd/stackcollapse/shared/stacker.h"
#include "cmd/stackcollapse/script/floatsum.h"
#include "cmd/stackcollapse/script/scriptparts.h"

enum field { EXIT = 2, TIME, NAME = 5, FIELDS };

/* A time as the script subtracts it: a missing time is 0; if it is no number, the script exits. */
struct xdebug_time {
    double seconds;
    bool wrong;
};

struct xdebug_script {
    struct stacker base;
    struct u32vec list; /* stacks of the functions that have not ended, each with its callers */
    bool started, over; /* "TRACE START" was read; "TRACE END" was read */
    bool after_exit;    /* the last line was the end of a function */
    struct xdebug_time last; /* time of the last line */
    struct floatsum sums;
};

/* Split the line at tabs. The ptr of missing fields is NULL. The last field includes the
 * newline. */
static void
split(struct span line, struct span field[FIELDS])
{
    size_t n = 0;
    for (bool more = true; n < FIELDS && more; n++) {
        field[n] = span_before(line, '\t');
        more = field[n].len < line.len;
        line = span_from(line, field[n].len);
        span_take_of(&line, SPAN("\t"));
    }
    while (n < FIELDS)
        field[n++] = (struct span){NULL, 0};
}

static struct xdebug_time
time_of(struct span field)
{
    bool there = field.ptr != NULL;
    if (there)
        span_take_run(&field, is_space);
    return (struct xdebug_time){scriptnum(field), there && scriptnum_length(field) == 0};
}

static uint32_t
stack_of(const struct xdebug_script *st)
{
    return st->list.n > 0 ? st->list.at[st->list.n - 1] : STACKTREE_ROOT;
}

/* Leave the current function, or enter the function `name`. */
static void
step(struct xdebug_script *st, bool is_exit, struct span name)
{
    if (!is_exit)
        VEC_ADD(st->list, floatsum_child(&st->sums, stack_of(st), name));
    else if (st->list.n > 0)
        st->list.n--;
}

/* Add the microseconds since the last line to the stack. */
static void
add_time(struct xdebug_script *st, struct xdebug_time now)
{
    if (now.wrong || st->last.wrong) {
        script_fail(&st->base, "a time is not a number", 255);
        return;
    }
    floatsum_add(&st->sums, stack_of(st), 1000000 * (now.seconds - st->last.seconds));
}

static void
take_times(struct xdebug_script *st, const struct span field[FIELDS])
{
    struct xdebug_time now = time_of(field[TIME]);
    bool is_exit = field[EXIT].len > 0 && !span_eq(field[EXIT], SPAN("0"));
    if (is_exit && st->list.n == 0) {
        out_text(st->base.c->out, "[WARNING] Found function exit without corresponding entrance. "
                                  "Discarding line. Check your input.\n");
        return;
    }
    if (st->list.n > 0)
        add_time(st, now);
    step(st, is_exit, field[NAME]);
    st->last = now;
}

/* With -c, a function that has called no other counts 1. */
static void
take_counts(struct xdebug_script *st, const struct span field[FIELDS])
{
    bool is_exit = span_eq(field[EXIT], SPAN("1"));
    if (is_exit && !st->after_exit)
        floatsum_add(&st->sums, stack_of(st), 1);
    step(st, is_exit, field[NAME]);
    st->after_exit = is_exit;
}

static void
take(struct stacker *f, struct span line)
{
    struct xdebug_script *st = (struct xdebug_script *)f;
    struct span field[FIELDS];
    if (!st->started) {
        st->started = span_starts(line, SPAN("TRACE START"));
        return;
    }
    bool unterminated = f->c->input.lines.unterminated; /* PHP regards a last line "0" as the end */
    if (span_starts(line, SPAN("\t")) || span_starts(line, SPAN("TRACE END")) ||
        (unterminated && span_eq(line, SPAN("0"))))
        st->over = true;
    if (st->over)
        return;
    line.len += !unterminated;
    split(line, field);
    if (f->c->options->weight == WEIGHT_SAMPLES)
        take_counts(st, field);
    else
        take_times(st, field);
    f->c->samples++;
}

/* Print a number as PHP's echo does, with 14 digits: "12.5", "1.0E-5". */
static void
print_float(struct out *out, double value)
{
    char text[32];
    snprintf(text, sizeof text, "%.14g", value);
    char *e = strchr(text, 'e');
    if (e == NULL) {
        out_cstr(out, text);
        return;
    }
    *e = '\0';
    out_cstr(out, text);
    if (strchr(text, '.') == NULL)
        out_text(out, ".0");
    out_format(out, "E%+ld", strtol(e + 1, NULL, 10));
}

static void
finish(struct stacker *f)
{
    floatsum_write(&((struct xdebug_script *)f)->sums, f->c->out, -INFINITY, print_float);
}

static void
end(struct stacker *f)
{
    floatsum_free(&((struct xdebug_script *)f)->sums);
}

const struct format script_xdebug = {.state_size = sizeof(struct xdebug_script),
                                     .take = take,
                                     .finish = finish,
                                     .end = end,
                                     .buffers = MEMBERS(struct xdebug_script, list)};
