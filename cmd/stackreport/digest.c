/*     # Profile of `node server.js`
 *
 *     - recorded: on `web1`, `2026-11-28T14:02:09Z`, 30.1 s from the first sample to the last
 *     - samples: 12,345 of `cpu-clock (12,345)`, 410 a second; lost: 0; lines skipped: 0
 *
 *     ## Most self
 *
 *     | self | % | ± | total | % | ± | kind | function |
 *     |-:|-:|-:|-:|-:|-:|-|-|
 *     |6,000|48.60|1.10|6,100|49.41|1.10|app|`parse /srv/app.js:12:3`| */
#include "cmd/stackreport/digest.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "cmd/stackreport/rows.h"
#include "cmd/stackreport/stalltable.h"
#include "common/base/clock.h"
#include "common/base/num.h"
#include "common/base/number.h"
#include "common/base/stats.h"
#include "common/base/utf8.h"
#include "common/stack/frames/checkadvice.h"

/* Limits of what the page shows. */
struct fill {
    size_t name; /* bytes of a name */
    size_t line; /* bytes of a piece of advice, or of a stall */
    size_t rows, kinds, packages, steps, stalls, advice;
};

/* The first one that fits is used. The last one fits with any names. */
static const struct fill fills[] = {
    {120, 400, 10, 10, 5, 8, 3, 4}, {80, 300, 10, 10, 5, 8, 3, 4}, {60, 240, 10, 10, 5, 8, 3, 3},
    {44, 200, 10, 8, 5, 6, 3, 3},   {32, 160, 10, 8, 4, 6, 2, 2},  {24, 120, 10, 6, 3, 5, 2, 2},
    {20, 100, 10, 5, 2, 4, 1, 1},   {12, 80, 4, 3, 1, 3, 1, 1},
};

/* A page that is being made. */
struct page {
    struct digest *digest;
    const struct fill *fill;
    struct text text, scratch;
};

static void say(struct page *p, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void
say(struct page *p, const char *format, ...)
{
    char text[1024];
    va_list args;
    va_start(args, format);
    int n = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    text_add(&p->text, span_of(text, n < (int)sizeof text ? (size_t)n : sizeof text - 1));
}

/* Set t to a text, masked, of at most `most` bytes: leave out the middle of a longer one. */
static void
cut(struct text *t, struct span s, size_t most)
{
    if (s.len <= most) {
        text_set(t, s);
    } else {
        size_t head = (most - strlen("...")) / 2, tail = s.len - (most - strlen("...") - head);
        while (head > 0 && ((unsigned char)s.ptr[head] & 0xC0) == 0x80)
            head--;
        while (tail < s.len && ((unsigned char)s.ptr[tail] & 0xC0) == 0x80)
            tail++;
        TEXT_SET(t, span_head(s, head), SPAN("..."), span_from(s, tail));
    }
    utf8_mask(t->ptr, t->len);
    text_replace(t, '\t', '?');
}

/* Append a text, cut to `most` bytes, as code of Markdown. In code only the backtick is special,
 * which ends it; in a table also the bar, which ends the cell unless it follows a backslash. */
static void
say_code(struct page *p, struct span s, size_t most, bool in_table)
{
    text_add(&p->text, SPAN("`"));
    cut(&p->scratch, s, most);
    text_replace(&p->scratch, '`', '\'');
    for (struct span rest = text_span(&p->scratch); rest.len > 0;) {
        struct span part = in_table ? span_before(rest, '|') : rest;
        text_add(&p->text, part);
        rest = span_from(rest, part.len);
        if (rest.len > 0) {
            text_add(&p->text, SPAN("\\|"));
            rest = span_from(rest, 1);
        }
    }
    text_add(&p->text, SPAN("`"));
}

static void
say_count(struct page *p, struct decimal count)
{
    char text[DECIMAL_COMMAS];
    text_add(&p->text, decimal_commas(text, count));
}

/* Append a count in percent of the total, rounded as in stackreport's table. */
static void
say_percent(struct page *p, const struct counter *c, struct decimal count)
{
    char text[NUMBER_TEXT];
    double all = decimal_double(c->all);
    text_add(&p->text, number_fixed(text, all > 0 ? 100 * decimal_double(count) / all : 0, 2));
}

/* Return true if each count is a sample, as far as the input shows: then a margin of error can be
 * computed. */
static bool
has_margin(const struct digest *d)
{
    return !d->weighed && decimal_double(d->reader->counter->all) > 0;
}

/* Append the margin of error of a share, in percentage points: in 95 of 100 recordings of the same
 * program, the share would be within it. Samples vary more than independent ones would: see
 * stats.h. */
static void
say_margin(struct page *p, struct decimal count)
{
    char text[NUMBER_TEXT];
    static const double outside = 0.05;
    if (!has_margin(p->digest)) {
        text_add(&p->text, SPAN("-"));
        return;
    }
    double all = decimal_double(p->digest->reader->counter->all);
    double factor =
        stats_quantile(outside / 2, stats_freedom(2, stats_dispersion, stats_dispersion));
    double variance = stats_share_variance(decimal_double(count), all, stats_dispersion);
    text_add(&p->text, number_fixed(text, 100 * factor * stats_root(variance), 2));
}

/* Return the value of a comment; empty if there is none with that key. */
static struct span
comment_value(const struct digest *d, struct span key)
{
    for (size_t i = 0; i < d->ncomments; i++) {
        struct span value = text_span(&d->comments[i]);
        if (span_eq(span_trim(span_take(&value, ':')), key))
            return span_trim(value);
    }
    return SPAN("");
}

/* Return the most frequent command of the samples; empty if it is not known. */
static struct span
main_command(const struct digest *d)
{
    struct arena arena = {0};
    const struct tally *t = &d->check.comms;
    struct span comm = SPAN("");
    if (t->names.count > 0)
        comm = intern_text(&t->names, tally_order(t, &arena)[0]);
    arena_free(&arena);
    return comm;
}

/* Append "# Profile of node server.js". */
static void
say_title(struct page *p)
{
    const struct digest *d = p->digest;
    struct span process = comment_value(d, SPAN("process")), command;
    command = comment_value(d, SPAN("command"));
    if (process.len > 0) /* "4242 : node server.js" */
        span_take(&process, ':');
    process = span_trim(process);
    command = command.len > 0 ? command : process.len > 0 ? process : main_command(d);
    say(p, "# Profile");
    if (command.len > 0) {
        say(p, " of ");
        say_code(p, command, p->fill->name, false);
    }
    say(p, "\n\n");
}

static void
say_recorded(struct page *p)
{
    static const struct span keys[] = {SPAN("hostname"), SPAN("captured on"), SPAN("process")};
    const struct digest *d = p->digest;
    const struct check *c = &d->check;
    const char *before = "- recorded: ";
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        struct span value = comment_value(d, keys[i]);
        if (value.len == 0)
            continue;
        say(p, "%s%s", before, i == 0 ? "on " : i == 2 ? "process " : "");
        say_code(p, i == 2 ? span_trim(span_before(value, ':')) : value, 64, false);
        before = ", ";
    }
    if (c->samples > c->no_time && c->last > c->first) {
        say(p, "%s%.1f s from the first sample to the last", before,
            (double)(c->last - c->first) / (double)CLOCK_SECOND);
        before = ", ";
    }
    say(p, "%s", before[0] == ',' ? "\n" : "");
}

static uint64_t
left_out(const struct digest *d)
{
    uint64_t n = 0;
    const struct tally *t = &d->reader->events.left_out;
    for (size_t i = 0; i < t->names.count; i++)
        n += t->rows[i].count;
    return n;
}

static void
say_samples(struct page *p)
{
    const struct digest *d = p->digest;
    const struct check *c = &d->check;
    char text[TALLY_TEXT];
    if (d->reader->lines > 0) {
        say(p, "- folded stacks: ");
        say_count(p, d->reader->counter->all);
        say(p, " on %s lines; lines skipped: %s\n", NUM_TEXT(d->reader->lines),
            NUM_TEXT(d->reader->input.skipped));
        return;
    }
    tally_describe(&c->events, text);
    say(p, "- samples: %s of ", NUM_TEXT(c->samples));
    say_code(p, span_cstr(text), 100, false);
    if (c->samples > c->no_time && c->last > c->first)
        say(p, ", %.0f a second",
            (double)(c->samples - c->no_time) / ((double)(c->last - c->first) / 1e9));
    if (d->weighed) {
        say(p, "; their periods count, in all ");
        say_count(p, d->reader->counter->all);
    }
    say(p, "; lost: %s", NUM_TEXT(c->lost));
    if (left_out(d) > 0)
        say(p, "; of other events and left out: %s", NUM_TEXT(left_out(d)));
    say(p, "; lines skipped: %s\n", NUM_TEXT(d->reader->input.skipped));
}

/* Append "37 (3.1 %)". */
static void
say_share(struct page *p, uint64_t n, uint64_t of)
{
    say(p, "%s (%.1f %%)", NUM_TEXT(n), of > 0 ? 100 * (double)n / (double)of : 0);
}

/* Append how complete the stacks are, as perf-script --check counts it. */
static void
say_stacks(struct page *p)
{
    const struct check *c = &p->digest->check;
    if (c->samples == 0)
        return;
    say(p, "- stacks: %s with callers; do not reach a root: ", NUM_TEXT(c->chains));
    say_share(p, c->unreached, c->chains);
    say(p, ", cut at 127 frames: ");
    say_share(p, c->cut, c->chains);
    say(p, "; frames without a name: ");
    say_share(p, c->nameless, c->frames);
    say(p, "\n");
}

static void
say_functions(struct page *p, const char *title, enum row_order sort)
{
    const struct counter *c = p->digest->reader->counter;
    struct row_item *items = NULL;
    size_t n = 0;
    if (c->nnodes > 0)
        items = rows_siblings(c, c->first_root, sort, &n);
    say(p,
        "\n## %s\n\n| self | %% | ± | total | %% | ± | kind | function "
        "|\n|-:|-:|-:|-:|-:|-:|-|-|\n",
        title);
    for (size_t i = 0; i < n && i < p->fill->rows; i++) {
        say(p, "|");
        const struct decimal counts[] = {items[i].node->self, items[i].node->total};
        for (size_t k = 0; k < 2; k++) {
            say_count(p, counts[k]);
            say(p, "|");
            say_percent(p, c, counts[k]);
            say(p, "|");
            say_margin(p, counts[k]);
            say(p, "|");
        }
        say(p, "%s|", items[i].kind < KIND_COUNT ? frame_kind_name(items[i].kind) : "-");
        say_code(p, items[i].name, p->fill->name, true);
        say(p, "|\n");
    }
    free(items);
}

/* Return the node with the greatest total among `first` and its siblings. */
static const struct count_node *
greatest(const struct counter *c, uint32_t first)
{
    size_t n;
    struct row_item *items = rows_siblings(c, first, SORT_TOTAL, &n);
    const struct count_node *node = n > 0 ? items[0].node : NULL;
    free(items);
    return node;
}

/* Append the hottest path: from the root, at each step the callee with the most time, while that is
 * at least half of its caller's. */
static void
say_path(struct page *p)
{
    const struct counter *c = &p->digest->counters[DIGEST_TREE];
    VEC(const struct count_node *) path = {0};
    const struct count_node *node = c->nnodes > 0 ? greatest(c, c->first_root) : NULL;
    while (node != NULL) {
        VEC_ADD(path, node);
        const struct count_node *next = greatest(c, node->first);
        node = next != NULL && 2 * decimal_double(next->total) >= decimal_double(node->total)
                   ? next
                   : NULL;
    }
    if (path.n > 0)
        say(p, "\n## Hottest path\n\n");
    size_t skipped = path.n > p->fill->steps ? path.n - p->fill->steps : 0;
    if (skipped > 0)
        say(p, "- below %s callers:\n", NUM_TEXT(skipped));
    for (size_t i = skipped; i < path.n; i++) {
        say(p, "- ");
        say_percent(p, c, path.at[i]->total);
        say(p, " %% ");
        say_code(p, group_text(&c->groups, path.at[i]->group), p->fill->name, false);
        say(p, "\n");
    }
    free(path.at);
}

/* Append the rows with the most self of kinds of code, or of packages whose names do not begin with
 * "(". */
static void
say_groups(struct page *p, const char *title, const struct counter *c, size_t most)
{
    size_t n = 0, shown = 0;
    struct row_item *items = c->nnodes > 0 ? rows_siblings(c, c->first_root, SORT_SELF, &n) : NULL;
    for (size_t i = 0; i < n; i++) {
        if (span_starts(items[i].name, SPAN("(")) || shown++ >= most)
            continue;
        say(p, shown == 1 ? "\n## %s\n\n| self %% | total %% | name |\n|-:|-:|-|\n|" : "|", title);
        say_percent(p, c, items[i].node->self);
        say(p, "|");
        say_percent(p, c, items[i].node->total);
        say(p, "|");
        say_code(p, items[i].name, p->fill->name, true);
        say(p, "|\n");
    }
    if (shown > most)
        say(p, "\n%s more\n", NUM_TEXT(shown - most));
    free(items);
}

static void
say_stalls(struct page *p)
{
    const struct stalls *s = &p->digest->stalls;
    if (s->count == 0)
        return;
    say(p, "\n## Stalls\n\n%s of %.15g ms and longer, %s ms in all; the longest:\n\n",
        NUM_TEXT(s->count), (double)s->options->least / 1000,
        NUM_TEXT(s->us / 1000 + (s->us % 1000 >= 500)));
    for (size_t i = 0; i < s->list.n && i < p->fill->stalls; i++) {
        struct text line = {0};
        stalltable_describe(s, &s->list.at[i], &line);
        say(p, "- at %.3f s, ", stalltable_start(s, &s->list.at[i]));
        say_code(p, text_span(&line), p->fill->line, false);
        say(p, "\n");
        free(line.ptr);
    }
}

static void
say_advice(struct page *p)
{
    char text[CHECKADVICE_TEXT];
    size_t n = 0;
    for (size_t at = 0;
         p->digest->check.samples > 0 && checkadvice_next(&p->digest->check, &at, text); n++) {
        if (n == 0)
            say(p, "\n## Warnings\n\n");
        if (n >= p->fill->advice)
            continue;
        say(p, "- ");
        say_code(p, span_cstr(text), p->fill->line, false);
        say(p, "\n");
    }
    if (n > p->fill->advice)
        say(p, "- %s more: see perf-script --check\n", NUM_TEXT(n - p->fill->advice));
}

static void
make(struct page *p)
{
    const struct digest *d = p->digest;
    p->text.len = 0;
    say_title(p);
    say_recorded(p);
    say_samples(p);
    say_stacks(p);
    say(p,
        has_margin(d) ? "- ±: margin of error in percentage points, 95 %%%s\n"
                      : "- no margins of error: counts are no samples%s\n",
        has_margin(d) && d->reader->lines > 0 ? ", if each count is a sample" : "");
    say_stalls(p);
    say_functions(p, "Most self", SORT_SELF);
    say_functions(p, "Most total", SORT_TOTAL);
    say_path(p);
    say_groups(p, "Kinds", &d->counters[DIGEST_KINDS], p->fill->kinds);
    say_groups(p, "Packages", &d->counters[DIGEST_PACKAGES], p->fill->packages);
    say_advice(p);
}

static void
watch_sample(void *ctx, const struct sample *s, const struct decimal *count)
{
    struct digest *d = ctx;
    if (stalls_wants(&s->header))
        stalls_add(&d->stalls, s);
    if (count == NULL)
        return;
    d->weighed |= count->whole != 1 || count->fraction != 0;
    check_header(&d->check, &s->header);
    check_stack(&d->check, &d->reader->perf.frames, s,
                intern_find(&d->check.comms.names, s->header.field[PERF_COMM]), 1);
}

/* Keep a comment about the recording: "# process : 4242 : node server.js". */
static void
watch_comment(void *ctx, struct span comment)
{
    static const struct span keys[] = {SPAN("hostname"), SPAN("captured on"), SPAN("process"),
                                       SPAN("command")};
    struct digest *d = ctx;
    stalls_comment(&d->stalls, comment);
    if (!span_starts(comment, SPAN("# ")) || d->ncomments == DIGEST_COMMENTS)
        return;
    comment = span_from(comment, 2);
    if (span_eq_any(span_trim(span_before(comment, ':')), keys, sizeof keys / sizeof *keys))
        text_set(&d->comments[d->ncomments++], comment);
}

static void
watch_record(void *ctx, uint64_t lost)
{
    check_record(&((struct digest *)ctx)->check, lost);
}

void
digest_start(struct digest *d, struct countfiles *reader, uint64_t least)
{
    static const enum by by[] = {BY_FUNCTION, BY_KIND, BY_PACKAGE};
    *d = (struct digest){
        .reader = reader,
        .stalls_options = {.least = least, .top = 3},
        .weighed = reader->options->weight == WEIGHT_PERIOD,
        .watch = {.ctx = d,
                  .wants = stalls_is_turn,
                  .sample = watch_sample,
                  .comment = watch_comment,
                  .record = watch_record},
    };
    for (size_t i = 0; i < DIGEST_COUNTERS; i++)
        d->counters[i] = (struct counter){
            .shape = i == DIGEST_TREE ? SHAPE_CALLEES : SHAPE_TABLE,
            .groups = {.by = by[i], .names = reader->counter->groups.names},
        };
    stalls_init(&d->stalls, &d->stalls_options, NULL, &reader->perf.frames);
    reader->others = d->counters;
    reader->nothers = DIGEST_COUNTERS;
    reader->watch = &d->watch;
    reader->perf.source.numbers = PERF_NUMBERS;
}

void
digest_write(struct digest *d, struct out *o)
{
    struct page page = {.digest = d};
    stalls_finish(&d->stalls);
    check_finish(&d->check, &d->reader->perf.frames);
    counter_sum(&d->counters[DIGEST_TREE]);
    for (size_t i = 0; i < sizeof fills / sizeof *fills; i++) {
        page.fill = &fills[i];
        make(&page);
        if (page.text.len <= DIGEST_MAX)
            break;
    }
    out_span(o, text_span(&page.text));
    free(page.text.ptr);
    free(page.scratch.ptr);
}

void
digest_free(struct digest *d)
{
    for (size_t i = 0; i < DIGEST_COUNTERS; i++)
        counter_free(&d->counters[i]);
    for (size_t i = 0; i < d->ncomments; i++)
        free(d->comments[i].ptr);
    stalls_free(&d->stalls);
}
