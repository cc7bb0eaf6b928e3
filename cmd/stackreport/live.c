#include "cmd/stackreport/live.h"

#include <poll.h>

#include "cmd/stackreport/write.h"
#include "common/base/clock.h"

/* Return a counter with the same settings, without samples. */
static struct counter
empty_counter(const struct counter *c)
{
    return (struct counter){.groups = {.by = c->groups.by, .names = c->groups.names}};
}

void
live_start(struct live *l)
{
    l->recent = empty_counter(l->all);
    l->drawn = clock_now();
}

static double
seconds_since(uint64_t then)
{
    return (double)(clock_now() - then) * 1e-9;
}

/* Return the number of rows of a table, so that two tables, with their titles and the lines around
 * them, fit the terminal. */
static size_t
rows_most(const struct live *l)
{
    enum { AROUND = 6, TEN = 10 }; /* lines that are no rows; rows without a terminal */
    size_t fit = l->height > AROUND + 2 ? (l->height - AROUND) / 2 : 1;
    if (l->height == 0)
        return l->top > 0 ? l->top : TEN;
    return l->top > 0 && l->top < fit ? l->top : fit;
}

static void
draw_table(struct live *l, struct out *o, struct counter *c)
{
    struct rows rows;
    rows_start(&rows, c, l->sort, rows_most(l));
    write_table(o, &rows, l->width);
    out_char(o, '\n');
}

static void
draw_tables(struct live *l, struct out *o)
{
    char text[DECIMAL_TEXT];
    out_format(o, "last %.1f seconds: ", seconds_since(l->drawn));
    out_span(o, decimal_text(text, l->recent.all));
    out_char(o, '\n');
    draw_table(l, o, &l->recent);
    out_text(o, "all: ");
    out_span(o, decimal_text(text, l->all->all));
    out_char(o, '\n');
    draw_table(l, o, l->all);
}

/* Draw the rows nearest the root, as many as fit the terminal. */
static void
draw_flame(const struct live *l, struct out *o)
{
    enum { AROUND = 3 }; /* the frame "all", a blank line, the cursor's line */
    struct flame_look look = *l->flame;
    size_t fit = l->height > AROUND ? l->height - AROUND : 1;
    if (l->height > 0 && (look.depth == 0 || look.depth > fit))
        look.depth = fit;
    counter_sum(l->all);
    flame_write(o, l->all, &look);
    out_char(o, '\n');
}

void
live_draw(struct live *l)
{
    static struct out out;
    out_stdout(&out);
    if (l->height > 0)
        out_text(&out, "\033[H\033[J"); /* ECMA-48: move to the top left, erase all after it */
    if (l->flame != NULL)
        draw_flame(l, &out);
    else
        draw_tables(l, &out);
    out_flush(&out);
    counter_free(&l->recent);
    l->recent = empty_counter(l->all);
    l->drawn = clock_now();
}

void
live_wait(void *live, int fd)
{
    struct live *l = live;
    struct pollfd p = {.fd = fd, .events = POLLIN};
    for (;;) {
        double left = l->seconds - seconds_since(l->drawn);
        if (left <= 0)
            live_draw(l);
        else if (poll(&p, 1, (int)(1000 * left) + 1) != 0)
            return; /* there is input, or read() will report an error */
    }
}

void
live_free(struct live *l)
{
    counter_free(&l->recent);
}
