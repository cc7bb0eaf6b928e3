/* The call tree that Xcode's Instruments copies with "Edit > Deep Copy": the time in a function and
 * what it calls, its share, the time in the function itself, and its name, indented by one blank
 * more than its caller's (Instruments' help, "View the call tree"; tabs are shown as \t here):
 *
 *     Running Time\tSelf (ms)\t\tSymbol Name
 *     2.68 s  100.0%\t0 s\t \tapp (4242)
 *     2.60 s   97.0%\t12.00 ms\t \t main
 *     1.10 s   41.0%\t1.10 s\t \t  work(int)
 *
 * Older versions leave out the blank before a unit, and the unit of the second time, which is ms.
 */
#include <stdlib.h>

#include "cmd/stackcollapse/lineformat.h"
#include "cmd/stackcollapse/scriptnum.h"

struct state {
    struct lineformat base;
    size_t *indents; /* of the frames in the stack */
    size_t indents_cap;
    /* The script's. */
    struct text *names; /* the name read last, by its indentation */
    size_t nnames, names_cap;
    bool has_header; /* the first line of all was read */
    bool died;
};

enum { MINUTES, SECONDS };

static const struct unit {
    struct span name;
    int places;     /* it is 10 to this power milliseconds, */
    unsigned times; /* so many times */
} units[] = {
    [MINUTES] = {SPAN("min"), 4, 6}, [SECONDS] = {SPAN("s"), 3, 1}, {SPAN("ms"), 0, 1},
    {SPAN("\xc2\xb5s"), -3, 1},      {SPAN("us"), -3, 1},           {SPAN("ns"), -6, 1},
};

struct row {
    struct span self;        /* the number */
    const struct unit *unit; /* its unit; NULL: there is none */
    size_t indent;
    struct span name;
};

enum { UNITS = sizeof units / sizeof *units, SCRIPT_UNITS = 3 };

/* Takes the text off the front of *rest; false if it does not begin so. */
static bool
take_text(struct span *rest, struct span text)
{
    if (!span_starts(*rest, text))
        return false;
    *rest = span_from(*rest, text.len);
    return true;
}

static bool
take_blanks(struct span *rest)
{
    size_t n = span_run(*rest, 0, is_space);
    *rest = span_from(*rest, n);
    return n > 0;
}

/* Takes "12.50" off; with `whole` also "12". */
static bool
take_number(struct span *rest, bool whole, struct span *number)
{
    size_t end = span_run(*rest, 0, is_digit);
    if (end == 0)
        return false;
    size_t fraction =
        end < rest->len && rest->ptr[end] == '.' ? span_run(*rest, end + 1, is_digit) : 0;
    if (fraction == 0 && !whole)
        return false;
    end += fraction > 0 ? 1 + fraction : 0;
    *number = span_head(*rest, end);
    *rest = span_from(*rest, end);
    return true;
}

static bool
take_unit(struct span *rest, size_t n, const struct unit **unit)
{
    for (size_t i = 0; i < n && rest->len > 0; i++)
        if (units[i].name.ptr[0] == rest->ptr[0] && take_text(rest, units[i].name)) {
            *unit = &units[i];
            return true;
        }
    return false;
}

/* Takes the columns before the name off. The script wants each blank and each unit, and fractions
 * in the first two numbers. */
static bool
take_times(struct span *rest, bool script, struct row *row)
{
    struct span number;
    const struct unit *unit;
    size_t n = script ? SCRIPT_UNITS : UNITS;
    if (!take_number(rest, !script, &number) || (!take_text(rest, SPAN(" ")) && script) ||
        !take_unit(rest, n, &unit) || !take_blanks(rest) || !take_number(rest, !script, &number) ||
        !take_text(rest, SPAN("%")) || !take_blanks(rest) || !take_number(rest, true, &row->self))
        return false;
    bool blank = take_text(rest, SPAN(" "));
    row->unit = NULL;
    return (take_unit(rest, n, &row->unit) && blank) || !script;
}

/* The blanks before the name, of which it keeps one if it is nothing else. */
static bool
take_name(struct span rest, struct row *row)
{
    if (rest.len == 0)
        return false;
    row->indent = span_run(rest, 0, is_space);
    row->indent -= row->indent == rest.len;
    row->name = span_from(rest, row->indent);
    return true;
}

static bool
parse_row(struct span line, struct row *row)
{
    struct span rest = span_trim(line);
    return take_times(&rest, false, row) && take_text(&rest, SPAN("\t")) &&
           (take_text(&rest, SPAN(" \t")) || take_text(&rest, SPAN("\t"))) && take_name(rest, row);
}

/* The script's pattern, which may begin anywhere in the line. */
static bool
script_row(struct span line, struct row *row)
{
    for (size_t i = 0; i < line.len; i++) {
        struct span rest = span_from(line, i);
        bool begins = is_digit(line.ptr[i]) && (i == 0 || !is_digit(line.ptr[i - 1]));
        if (begins && take_times(&rest, true, row) && take_text(&rest, SPAN("\t \t")) &&
            take_name(rest, row))
            return true;
    }
    return false;
}

/* Prints the function's own milliseconds, which the script computes in double precision. */
static void
script_print(struct state *st, const struct row *row)
{
    struct out *out = st->base.c->out;
    double ms = scriptnum(row->self);
    size_t n = row->indent + 1;
    st->names = mem_grow(st->names, &st->names_cap, n, sizeof *st->names);
    while (st->nnames < n)
        st->names[st->nnames++] = (struct text){0};
    st->names[row->indent].len = 0;
    text_add(&st->names[row->indent], row->name);
    for (size_t i = 0; i < n; i++) {
        if (i > 0)
            out_char(out, ';');
        out_span(out, text_span(&st->names[i]));
    }
    if (row->unit == &units[MINUTES])
        ms *= 60 * 1000;
    else if (row->unit == &units[SECONDS])
        ms *= 1000;
    out_format(out, " %.0f\n", ms);
    st->base.c->samples++;
}

/* The script ends at a line that it does not know. */
static void
script_take(struct state *st, struct span line)
{
    struct row row;
    if (!st->has_header) {
        st->has_header = true;
    } else if (!st->died && script_row(line, &row)) {
        script_print(st, &row);
    } else if (!st->died) {
        diag_error(st->base.c->diag, input_place(&st->base.c->input),
                   "not a line of Instruments' call tree");
        st->base.c->script_status = 255;
        st->died = true;
    }
}

static struct decimal
milliseconds(const struct row *row)
{
    struct decimal self = {0, 0}, sum = {0, 0};
    decimal_parse(row->self, &self);
    if (row->unit == NULL || decimal_is_zero(self))
        return self;
    self = decimal_shift(self, row->unit->places);
    for (unsigned i = 0; i < row->unit->times; i++)
        sum = decimal_add(sum, self);
    return sum;
}

static void
take_row(struct state *st, const struct row *row)
{
    struct stackbuild *b = &st->base.stack;
    struct decimal self = milliseconds(row);
    while (b->n > 0 && st->indents[b->n - 1] >= row->indent)
        b->n--;
    st->indents = mem_grow(st->indents, &st->indents_cap, b->n + 1, sizeof *st->indents);
    st->indents[b->n] = row->indent;
    stackbuild_push(b, row->name);
    if (!decimal_is_zero(self))
        profile_add(b->profile, b->frames, b->n, self, NULL);
    st->base.c->samples++;
}

static bool
is_header(struct span line)
{
    return span_ends(span_trim(line), SPAN("\tSymbol Name"));
}

static void
take(void *state, struct span line)
{
    struct state *st = state;
    struct row row;
    if (st->base.script)
        script_take(st, line);
    else if (parse_row(line, &row))
        take_row(st, &row);
    else if (!is_header(line) && span_trim(line).len > 0)
        input_skip(&st->base.c->input, "not a line of Instruments' call tree");
}

/* The next file's functions have no callers in this one. */
static void
finish(void *state)
{
    struct state *st = state;
    stackbuild_clear(&st->base.stack);
}

static void
end(void *state)
{
    struct state *st = state;
    for (size_t i = 0; i < st->nnames; i++)
        free(st->names[i].ptr);
    free(st->names);
    free(st->indents);
}

static bool
is_instruments(struct span line)
{
    struct row row;
    return is_header(line) || parse_row(line, &row);
}

const struct format format_instruments = {
    .is = is_instruments,
    .state_size = sizeof(struct state),
    .take = take,
    .finish = finish,
    .end = end,
};
