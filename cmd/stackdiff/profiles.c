#include "cmd/stackdiff/profiles.h"

#include <stdlib.h>

#include "common/base/sort.h"
#include "common/base/utf8.h"
#include "common/stack/text/foldedtext.h"
#include "common/stack/frames/gone.h"
#include "common/stack/text/lookslike.h"
#include "common/stack/model/slice.h"

static bool
is_hex_digit(char c)
{
    return is_hex(c) || (c >= 'A' && c <= 'F');
}

static struct span
strip_hex(struct profiles *p, struct span stack)
{
    /* The shortest number, "0x1", grows from 3 bytes to 5. */
    p->text = mem_grow(p->text, &p->text_cap, stack.len * 2, 1);
    size_t len = 0;
    for (size_t i = 0, digits; i < stack.len;) {
        if (span_starts(span_from(stack, i), SPAN("0x")) &&
            (digits = span_run(stack, i + 2, is_hex_digit)) > 0) {
            memcpy(p->text + len, "0x...", 5);
            len += 5;
            i += 2 + digits;
        } else {
            p->text[len++] = stack.ptr[i++];
        }
    }
    return span_of(p->text, len);
}

void
profiles_add(struct profiles *p, struct span stack, union number count, size_t run)
{
    const struct arithmetic *arithmetic = p->dialect->arithmetic;
    uint32_t id;
    bool is_new = intern_put(&p->stacks, stack, &id);
    p->counts = mem_grow(p->counts, &p->counts_cap, p->stacks.count * p->nruns, sizeof *p->counts);
    union number *counts = &p->counts[id * p->nruns];
    for (size_t i = 0; is_new && i < p->nruns; i++)
        counts[i] = (union number){0};
    counts[run] = arithmetic->add(counts[run], count);
}

static void
add(struct profiles *p, struct span stack, union number count, size_t run)
{
    profiles_add(p, p->strip_hex ? strip_hex(p, stack) : stack, count, run);
    p->runs[run].total = p->dialect->arithmetic->add(p->runs[run].total, count);
}

static void
read_lines(struct profiles *p, struct input *in, size_t run)
{
    const struct diff_dialect *d = p->dialect;
    struct span line;
    while (lines_next(&in->lines, &line)) {
        struct folded f;
        bool bare = d->crlf || !span_ends(line, SPAN("\r"));
        if (d->check_sides && folded_is_property(line))
            continue;
        if (bare && folded_parse(line, 1, &f)) {
            add(p, d->check_sides ? slice_off(f.stack) : f.stack, d->arithmetic->parse(f.count),
                run);
            p->runs[run].lines++;
            continue;
        }
        if (d->bad_as_empty) /* "0.", not "0": Perl's undefined value is no integer */
            add(p, SPAN(""), d->arithmetic->parse(SPAN("0.")), run);
        bool comment = d->check_sides && span_starts(line, SPAN("#"));
        if (span_trim(line).len > 0 && !comment)
            input_skip(in, "not a folded stack: it does not end in a blank and a count");
    }
}

/* Report why a file has no samples. `looks` is the result of looks_like() for the file. */
static void
report_no_samples(const struct profiles *p, struct input *in, size_t run, struct span looks)
{
    const char *why = "no folded stacks: a line is frames joined by ';', a blank and a count";
    struct span guess = SPAN("");
    if (p->runs[run].lines > 0) {
        why = "no samples: every count is 0";
    } else if (in->lines.number == 0) {
        why = "no folded stacks: the input is empty";
    } else if (looks.len > 0) {
        why = "no folded stacks; this looks like ";
        guess = looks;
    }
    struct place file = {in->name, 0};
    if (p->dialect->check_sides)
        diag_error(in->diag, file, "%s%.*s", why, SPAN_ARG(guess));
    else
        diag_warn(in->diag, NULL, file, "%s%.*s", why, SPAN_ARG(guess));
}

void
profiles_read(struct profiles *p, struct input *in, size_t run)
{
    p->runs[run].file = in->name;
    if (p->dialect->check_sides && foldedtext_columns(&in->lines) == 2) {
        diag_error(in->diag, (struct place){in->name, 0},
                   "each line has two counts, so this is a comparison already: give the two "
                   "profiles that it was made from");
        return;
    }
    struct span looks = looks_like(looks_head(&in->lines));
    read_lines(p, in, run);
    if (in->lines.error == 0 && p->dialect->arithmetic->real(p->runs[run].total) <= 0)
        report_no_samples(p, in, run, looks);
    else
        looks_report_skipped(in, looks, p->runs[run].lines, true);
}

/* Return the sum of a stack's counts in the runs of a side. */
static union number
side_count(const struct profiles *p, size_t stack, enum side side)
{
    union number sum = {0};
    for (size_t i = 0; i < p->nruns; i++)
        if (p->runs[i].side == side)
            sum = p->dialect->arithmetic->add(sum, profiles_count(p, stack, i));
    return sum;
}

union number
profiles_side_total(const struct profiles *p, enum side side)
{
    union number sum = {0};
    for (size_t i = 0; i < p->nruns; i++)
        if (p->runs[i].side == side)
            sum = p->dialect->arithmetic->add(sum, p->runs[i].total);
    return sum;
}

double
profiles_total(const struct profiles *p, enum side side)
{
    return p->dialect->arithmetic->real(profiles_side_total(p, side));
}

double
profiles_growth(const struct profiles *p, size_t stack)
{
    double share[SIDES];
    for (enum side side = BEFORE; side < SIDES; side++)
        share[side] = 100 * p->dialect->arithmetic->real(side_count(p, stack, side)) /
                      profiles_total(p, side);
    return share[AFTER] - share[BEFORE];
}

size_t
profiles_runs(const struct profiles *p, enum side side)
{
    size_t n = 0;
    for (size_t i = 0; i < p->nruns; i++)
        n += p->runs[i].side == side;
    return n;
}

const char *
profiles_name(const struct profiles *p, enum side side)
{
    size_t i = 0;
    if (profiles_runs(p, side) != 1)
        return side == BEFORE ? "--before" : "--after";
    while (p->runs[i].side != side)
        i++;
    return p->runs[i].file;
}

size_t
profiles_lines(const struct profiles *p)
{
    size_t n = 0;
    for (size_t i = 0; i < p->nruns; i++)
        n += p->runs[i].lines;
    return n;
}

bool
profiles_differ(const struct profiles *p)
{
    double (*real)(union number) = p->dialect->arithmetic->real;
    bool found = profiles_total(p, BEFORE) <= 0 || profiles_total(p, AFTER) <= 0;
    for (size_t i = 0; i < p->stacks.count && !found; i++)
        found = real(side_count(p, i, BEFORE)) > 0 && real(side_count(p, i, AFTER)) > 0;
    return !found;
}

/* Set count[] to the counts to write for a stack. Return false if the stack is not to be
 * written. */
static bool
changed_counts(const struct profiles *p, const struct changes *c, size_t stack,
               union number count[SIDES])
{
    const struct arithmetic *arithmetic = p->dialect->arithmetic;
    for (enum side side = BEFORE; side < SIDES; side++)
        count[side] = side_count(p, stack, side);
    if (c->normalize)
        count[BEFORE] = arithmetic->scale(count[BEFORE], profiles_side_total(p, BEFORE),
                                          profiles_side_total(p, AFTER));
    if (c->min_change > 0) {
        double growth = profiles_growth(p, stack), most = c->min_change - points_error;
        if (growth < most && -growth < most)
            count[BEFORE] = count[AFTER];
        if (arithmetic->real(count[BEFORE]) <= 0 && arithmetic->real(count[AFTER]) <= 0)
            return false;
    }
    return true;
}

/* Write the stack, if it is gone or not, as `gone` says. */
static void
write_stack(const struct profiles *p, const struct changes *c, uint32_t id, bool gone,
            struct text *masked, struct out *o)
{
    union number count[SIDES];
    char text[NUMBER_TEXT];
    struct span stack = intern_text(&p->stacks, id);
    if (!changed_counts(p, c, id, count))
        return;
    if (gone != (c->missing && p->dialect->arithmetic->real(count[AFTER]) <= 0))
        return;
    if (gone)
        out_text(o, GONE_FRAME ";");
    out_span(o, p->dialect->raw ? stack : utf8_masked(masked, stack));
    for (enum side side = BEFORE; side < SIDES; side++) {
        out_char(o, ' ');
        out_span(o, p->dialect->arithmetic->text(text, count[side]));
    }
    out_char(o, '\n');
}

void
profiles_write(const struct profiles *p, const struct changes *changes, struct out *o)
{
    struct text masked = {0};
    size_t n = p->stacks.count;
    uint32_t *order = mem_alloc(n * sizeof *order);
    sort_order(p->stacks.texts, n, order);
    for (size_t i = 0; changes->missing && i < n; i++)
        write_stack(p, changes, order[i], true, &masked, o);
    for (size_t i = 0; i < n; i++)
        write_stack(p, changes, order[i], false, &masked, o);
    free(order);
    free(masked.ptr);
}
