#include "cmd/stackreport/stalltable.h"

#include <stdio.h>
#include <stdlib.h>

#include "common/base/clock.h"
#include "common/base/columns.h"
#include "common/base/num.h"
#include "common/base/utf8.h"

/* INDENT: spaces before a path. NAME_LEAST: columns that a function name keeps when it is cut. */
enum { INDENT = 4, NAME_LEAST = 8 };

enum { MS_TEXT = NUM_COMMAS + 1 };

/* Write microseconds as milliseconds, rounded. */
static struct span
milliseconds(char text[static NUM_COMMAS], uint64_t us)
{
    return num_commas(text, us / 1000 + (us % 1000 >= 500));
}

/* Return when a stall began. */
static uint64_t
begin_of(const struct stall *stall)
{
    uint64_t ms = stall->us / 1000, ns = stall->us % 1000 * 1000;
    if (ms > UINT64_MAX / CLOCK_MILLISECOND - 1 || stall->end < ms * CLOCK_MILLISECOND + ns)
        return 0;
    return stall->end - (ms * CLOCK_MILLISECOND + ns);
}

static struct span
name_of(const struct stalls *s, const struct turn_step *step)
{
    return intern_text(&s->names.texts, step->text);
}

/* A path, and what to leave out so that it fits a line. */
struct fitted {
    const struct stalls *stalls;
    const struct stall *stall;
    struct span gap; /* mark for left out functions: "…" or "..." */
    size_t skipped;  /* number of steps left out after the first */
    bool no_first;   /* the first step is left out, too */
};

/* Return the index of the step that is shown after step i. */
static size_t
next_step(const struct fitted *f, size_t i)
{
    return i == 0 ? 1 + f->skipped : i + 1;
}

/* Return the index of the first step that is shown. */
static size_t
first_step(const struct fitted *f)
{
    return f->no_first ? next_step(f, 0) : 0;
}

/* Return the separator before step i. */
static struct span
before_step(const struct fitted *f, size_t i)
{
    if (i == first_step(f))
        return f->no_first ? f->gap : SPAN("");
    bool gap = f->stall->path.steps.at[i].gap || (i == 1 + f->skipped && f->skipped > 0);
    return gap ? f->gap : SPAN(" > ");
}

/* Return the width of the path in columns if names are cut to `most`. */
static size_t
columns_of(const struct fitted *f, size_t most)
{
    size_t sum = 0, n = f->stall->path.steps.n;
    for (size_t i = first_step(f); i < n; i = next_step(f, i)) {
        size_t name = utf8_count(name_of(f->stalls, &f->stall->path.steps.at[i]));
        sum += utf8_count(before_step(f, i)) + (name < most ? name : most);
    }
    return sum;
}

/* Leave out steps until the path fits: those after the first one, then the first one, but never the
 * innermost function of the application and the steps after it. */
static void
leave_out(struct fitted *f, size_t room)
{
    size_t last = f->stall->path.last;
    while (f->skipped + 1 < last && columns_of(f, SIZE_MAX) > room)
        f->skipped++;
    f->no_first = last > 0 && columns_of(f, SIZE_MAX) > room;
}

/* Return the maximum width of names with which the path fits, but at least NAME_LEAST. */
static size_t
longest_name(const struct fitted *f, size_t room)
{
    size_t low = NAME_LEAST, high = room > NAME_LEAST ? room : NAME_LEAST;
    while (low < high) {
        size_t middle = high - (high - low) / 2;
        if (columns_of(f, middle) <= room)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

/* Write the path in at most `room` columns; in a little more if there are very few. */
static void
put_path(struct out *o, const struct stalls *s, const struct stall *stall, size_t room, bool utf8)
{
    struct fitted f = {s, stall, utf8 ? SPAN(" \xe2\x80\xa6 ") : SPAN(" ... "), 0, false};
    struct text scratch = {0};
    size_t most = SIZE_MAX;
    if (columns_of(&f, SIZE_MAX) > room) {
        leave_out(&f, room);
        most = longest_name(&f, room);
    }
    for (size_t i = first_step(&f); i < stall->path.steps.n; i = next_step(&f, i)) {
        struct span before = before_step(&f, i);
        bool first = i == first_step(&f);
        out_span(o, first && before.len > 0 ? span_from(before, 1) : before);
        columns_name(o, &scratch, name_of(s, &stall->path.steps.at[i]), most);
    }
    if (stall->path.steps.n == 0)
        out_text(o, "(no stack)");
    free(scratch.ptr);
}

/* Return the i-th remark on a stall, or NULL if there are no more. */
static const char *
remark(const struct stall *stall, size_t i)
{
    bool stopped = stall->stopped > 0 && stall->stopped >= stall->us - stall->stopped;
    const char *remarks[] = {
        stall->going_on ? "(going on when the recording ended)" : NULL,
        stopped ? "(stopped, not slow: by a signal, a debugger or a frozen cgroup)" : NULL,
        stall->path.no_waiting ? "(waits have no stack: the path is that of the time on a CPU)"
                               : NULL,
    };
    enum { REMARKS = sizeof remarks / sizeof *remarks };
    for (size_t k = 0; k < REMARKS; k++)
        if (remarks[k] != NULL && i-- == 0)
            return remarks[k];
    return NULL;
}

static void
put_ms(struct out *o, size_t width, uint64_t us)
{
    char text[MS_TEXT];
    columns_right(o, width, milliseconds(text, us));
}

enum { IDS_TEXT = 2 * PERF_NUMBER };

/* Write the ids of a stall's process and thread: "4242/4243", or "4242" for the main thread. */
static const char *
ids_of(const struct stall *stall, char text[static IDS_TEXT])
{
    char pid[PERF_NUMBER], tid[PERF_NUMBER];
    bool main_thread = stall->pid == stall->tid;
    snprintf(text, IDS_TEXT, "%.*s%s%.*s", SPAN_ARG(perf_id_text(stall->pid, pid)),
             main_thread ? "" : "/",
             SPAN_ARG(main_thread ? SPAN("") : perf_id_text(stall->tid, tid)));
    return text;
}

/* Write the thread. If its name does not fit, leave out the middle. */
static void
put_thread(struct out *o, const struct stalls *s, const struct stall *stall, size_t room)
{
    struct text scratch = {0};
    char ids[IDS_TEXT];
    size_t len = strlen(ids_of(stall, ids)) + 1;
    columns_name(o, &scratch, intern_text(&s->comms, stall->comm),
                 room > len + NAME_LEAST ? room - len : NAME_LEAST);
    out_format(o, " %s", ids);
    free(scratch.ptr);
}

enum {
    TIME_COLUMNS = WALLCLOCK_TIME,
    START = 8,
    MS = 8,
    CPU = 7,
    WAITING = 8,
    READY = 6,
    GC = 6,
    STOPPED = 8
};

/* How the table is written. */
struct look {
    const struct stalls *stalls;
    size_t width; /* maximum width of a line; 0: no limit */
    bool utf8;
    bool stopped; /* some process was stopped, so there is a column for that */
};

/* Return true if a process was stopped during a listed stall. */
static bool
any_stopped(const struct stalls *s)
{
    for (size_t i = 0; i < s->list.n; i++)
        if (s->list.at[i].stopped > 0)
            return true;
    return false;
}

static void
put_titles(struct out *o, const struct look *l)
{
    if (l->stalls->clock.known)
        columns_left(o, TIME_COLUMNS, SPAN("when"));
    columns_right(o, START, SPAN("start"));
    columns_right(o, MS, SPAN("ms"));
    columns_right(o, CPU, SPAN("CPU"));
    columns_right(o, WAITING, SPAN("waiting"));
    columns_right(o, READY, SPAN("ready"));
    columns_right(o, GC, SPAN("GC"));
    if (l->stopped)
        columns_right(o, STOPPED, SPAN("stopped"));
    out_text(o, "  thread\n");
}

/* Return the number of columns before that of the thread. */
static size_t
before_thread(const struct look *l)
{
    return (l->stalls->clock.known ? (size_t)TIME_COLUMNS : 0) + START + MS + CPU + WAITING +
           READY + GC + (l->stopped ? (size_t)STOPPED : 0) + strlen("  ");
}

static void
put_numbers(struct out *o, const struct look *l, const struct stall *stall)
{
    char text[WALLCLOCK_TIME], start[32];
    const struct wallclock *clock = &l->stalls->clock;
    if (clock->known)
        columns_left(o, TIME_COLUMNS, span_cstr(wallclock_time(clock, begin_of(stall), text)));
    snprintf(start, sizeof start, "%.3f", stalltable_start(l->stalls, stall));
    columns_right(o, START, span_cstr(start));
    put_ms(o, MS, stall->us);
    put_ms(o, CPU, stall->state[TURN_RUNNING]);
    put_ms(o, WAITING, stall->state[TURN_WAITING]);
    put_ms(o, READY, stall->state[TURN_READY]);
    put_ms(o, GC, stall->gc);
    if (l->stopped)
        put_ms(o, STOPPED, stall->stopped);
    columns_blanks(o, strlen("  "));
}

/* Return what is left of the width after `columns`. */
static size_t
room_after(const struct look *l, size_t columns)
{
    return l->width == 0 ? SIZE_MAX : l->width > columns ? l->width - columns : 0;
}

static void
put_row(struct out *o, const struct look *l, const struct stall *stall)
{
    const char *more;
    put_numbers(o, l, stall);
    put_thread(o, l->stalls, stall, room_after(l, before_thread(l)));
    out_char(o, '\n');
    for (size_t i = 0; (more = remark(stall, i)) != NULL; i++) {
        columns_blanks(o, INDENT);
        out_format(o, "%s\n", more);
    }
    columns_blanks(o, INDENT);
    put_path(o, l->stalls, stall, room_after(l, INDENT), l->utf8);
    out_char(o, '\n');
}

/* Write the number of stalls, their total time, and when the recording began. */
static void
put_summary(struct out *o, const struct stalls *s)
{
    char ms[MS_TEXT], date[WALLCLOCK_DATE], least[32];
    snprintf(least, sizeof least, "%.15g", (double)s->options->least / 1000);
    if (s->count == 0)
        out_format(o, "no stall of %s ms or longer", least);
    else
        out_format(o, "%s stall%s of %s ms and longer: %.*s ms in all", NUM_TEXT(s->count),
                   s->count == 1 ? "" : "s", least, SPAN_ARG(milliseconds(ms, s->us)));
    if (s->clock.known)
        out_format(o, "; the recording began %s", wallclock_date(&s->clock, s->began, date));
    out_char(o, '\n');
}

/* Write what the list leaves out. */
static void
put_rest(struct out *o, const struct stalls *s)
{
    uint64_t listed = 0;
    char ms[MS_TEXT];
    for (size_t i = 0; i < s->list.n; i++)
        listed = num_add(listed, s->list.at[i].us);
    if (s->count > s->list.n)
        out_format(o, "and %s that took no longer: %.*s ms (--top=N lists more)\n",
                   NUM_TEXT(s->count - s->list.n), SPAN_ARG(milliseconds(ms, s->us - listed)));
}

void
stalltable_write(struct out *o, const struct stalls *s, size_t width, bool utf8)
{
    put_summary(o, s);
    if (s->list.n == 0)
        return;
    struct look l = {s, width, utf8, any_stopped(s)};
    out_char(o, '\n');
    put_titles(o, &l);
    for (size_t i = 0; i < s->list.n; i++)
        put_row(o, &l, &s->list.at[i]);
    put_rest(o, s);
}

/* Append the path as in the table. */
static void
add_path(struct text *line, const struct stalls *s, const struct stall *stall)
{
    for (size_t i = 0; i < stall->path.steps.n; i++) {
        const struct turn_step *step = &stall->path.steps.at[i];
        TEXT_ADD(line,
                 i == 0      ? SPAN(": ")
                 : step->gap ? SPAN(" ... ")
                             : SPAN(" > "),
                 name_of(s, step));
    }
}

void
stalltable_describe(const struct stalls *s, const struct stall *stall, struct text *to)
{
    char ids[IDS_TEXT], ms[5][MS_TEXT], numbers[256];
    const char *more;
    int len = snprintf(numbers, sizeof numbers,
                       " %s: stall of %.*s ms (CPU %.*s, waiting %.*s, ready %.*s, GC %.*s)",
                       ids_of(stall, ids), SPAN_ARG(milliseconds(ms[0], stall->us)),
                       SPAN_ARG(milliseconds(ms[1], stall->state[TURN_RUNNING])),
                       SPAN_ARG(milliseconds(ms[2], stall->state[TURN_WAITING])),
                       SPAN_ARG(milliseconds(ms[3], stall->state[TURN_READY])),
                       SPAN_ARG(milliseconds(ms[4], stall->gc)));
    TEXT_ADD(to, intern_text(&s->comms, stall->comm), span_of(numbers, (size_t)len));
    add_path(to, s, stall);
    for (size_t i = 0; (more = remark(stall, i)) != NULL; i++)
        TEXT_ADD(to, SPAN(" "), span_cstr(more));
}

double
stalltable_start(const struct stalls *s, const struct stall *stall)
{
    uint64_t begin = begin_of(stall);
    return begin > s->began ? (double)(begin - s->began) * 1e-9 : 0;
}

void
stalltable_say(const struct stalls *s, const struct stall *stall)
{
    char time_text[WALLCLOCK_TIME] = "";
    struct text line = {0};
    if (s->clock.known)
        wallclock_time(&s->clock, begin_of(stall), time_text);
    stalltable_describe(s, stall, &line);
    diag_note(s->diag, "%s%sat %.3f s, %.*s", time_text, s->clock.known ? ", " : "",
              stalltable_start(s, stall), SPAN_ARG(text_span(&line)));
    free(line.ptr);
}
