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
 * Since Instruments 13 the column is called Weight, may be cycles, and is "-" for none; since 16 no
 * empty column is before the name, a call tree begins with any indent, and U+2007 pads the share:
 *
 *     Weight\tSelf Weight\tSymbol Names
 *     96.08 Gc  100.0%\t-\t   start
 *     404.75 Mc  \u20070.4%\t404.75 Mc\t    main
 */
#include <float.h>
#include <stdio.h>
#include <stdlib.h>

#include "cmd/stackcollapse/build/calltree.h"
#include "cmd/stackcollapse/script/scriptnum.h"
#include "common/base/bytes.h"
#include "common/base/digits.h"

/* A function that the next line's may be called by. */
struct level {
    size_t indent;
    uint32_t stack; /* in the tree, with its callers */
};

struct state {
    struct calltree calls; /* with the levels of a script only */
    struct level *levels;  /* of the last line's function, itself the last */
    size_t depth, levels_cap;
    struct intern columns; /* lines up to the name that were read before: most times are short */
    struct decimal *selfs; /* by their number: the function's own milliseconds or cycles */
    size_t selfs_cap;
    bool has_header; /* of a script: the first line of all was read */
    bool died;       /* of a script */
};

enum { MINUTES, SECONDS };

static const struct unit {
    const char *name;
    int places; /* the unit is times * 10^places milliseconds or cycles */
    unsigned times;
} units[] = {
    [MINUTES] = {"min", 4, 6},
    [SECONDS] = {"s", 3, 1},
    {"ms", 0, 1},
    {"\xc2\xb5s", -3, 1},
    {"us", -3, 1},
    {"ns", -6, 1},
    {"Gc", 9, 1},
    {"Mc", 6, 1},
    {"Kc", 3, 1},
    {"cycles", 0, 1},
};

struct row {
    struct span self;        /* the number */
    const struct unit *unit; /* its unit; NULL: there is none */
    size_t indent;
    struct span name;
    uint32_t columns; /* before the name: their number, or INTERN_NONE; not of a script */
};

enum { UNITS = sizeof units / sizeof *units, SCRIPT_UNITS = 3 };

enum { NUMBER_MAX = DBL_MAX_10_EXP + 8 }; /* characters of any double without its fraction */

enum { COLUMNS_KEPT = 64 * 1024 }; /* so that memory does not grow with the input */

/* The functions that are called _end return the byte after what they read at p, or NULL if
 * something else is there. They stop at the newline after the line. */

static inline const char *
skip_blanks(const char *p)
{
    p = *p == ' ' ? bytes_skip_blanks(p + 1) : p;
    while (is_space(*p) && *p != '\n')
        p++;
    return p;
}

static inline const char *
blanks_end(const char *p)
{
    const char *end = skip_blanks(p);
    return end > p ? end : NULL;
}

/* "12.50"; with `whole` also "12". */
static inline const char *
number_end(const char *p, bool whole)
{
    const char *end = digits_end(p);
    if (end > p && *end == '.' && is_digit(end[1]))
        return digits_end(end + 1);
    return end > p && whole ? end : NULL;
}

static inline const char *
unit_end(const char *p, size_t n, const struct unit **unit)
{
    for (*unit = units; *unit < units + n; ++*unit) {
        size_t len = 0;
        while ((*unit)->name[len] != '\0' && (*unit)->name[len] == p[len])
            len++;
        if ((*unit)->name[len] == '\0')
            return p + len;
    }
    *unit = NULL;
    return NULL;
}

/* How many bytes the no-break or figure space at p has; 0: there is none. */
static inline size_t
wide_blank(const char *p)
{
    return strncmp(p, "\xc2\xa0", 2) == 0 ? 2 : strncmp(p, "\xe2\x80\x87", 3) == 0 ? 3 : 0;
}

/* The columns before the name. The script wants each blank and each unit, and fractions in the
 * first two numbers. */
static inline const char *
times_end(const char *p, bool script, struct row *row)
{
    size_t n = script ? SCRIPT_UNITS : UNITS;
    if ((p = number_end(p, !script)) == NULL || (*p != ' ' && script) ||
        (p = unit_end(p + (*p == ' '), n, &row->unit)) == NULL || (p = blanks_end(p)) == NULL)
        return NULL;
    while (!script && wide_blank(p) > 0)
        p = skip_blanks(p + wide_blank(p));
    if ((p = number_end(p, !script)) == NULL || *p != '%' || (p = blanks_end(p + 1)) == NULL)
        return NULL;
    const char *self = p;
    if (!script && p[0] == '-' && p[1] == '\t') {
        row->self = SPAN("0");
        row->unit = NULL;
        return p + 1;
    }
    if ((p = number_end(p, true)) == NULL)
        return NULL;
    row->self = span_of(self, (size_t)(p - self));
    bool blank = *p == ' ';
    const char *end = unit_end(p += blank, n, &row->unit);
    if (script && (end == NULL || !blank))
        return NULL;
    return end != NULL ? end : p;
}

/* The blanks before the name, of which it keeps one if it is nothing else. */
static inline bool
take_name(const char *p, const char *end, struct row *row)
{
    const char *name = skip_blanks(p);
    if (p >= end)
        return false;
    name -= name >= end;
    row->indent = (size_t)(name - p);
    row->name = span_of(name, (size_t)(end - name));
    return true;
}

/* The same without the blanks after the name. */
static inline bool
take_trimmed_name(const char *p, const char *end, struct row *row)
{
    while (end > p && is_space(end[-1]))
        end--;
    return take_name(p, end, row);
}

static bool
parse_row(struct span line, struct row *row)
{
    const char *p = times_end(skip_blanks(line.ptr), false, row);
    if (p == NULL || *p++ != '\t')
        return false;
    const char *column = p + (*p == ' ');
    p = *column == '\t' ? column + 1 : p;
    return take_trimmed_name(p, line.ptr + line.len, row);
}

/* The script's pattern, which may begin anywhere in the line. */
static bool
script_row(struct span line, struct row *row)
{
    for (size_t i = 0; i < line.len; i++) {
        const char *p = line.ptr + i;
        if (!is_digit(*p) || (i > 0 && is_digit(p[-1])))
            continue;
        p = times_end(p, true, row);
        if (p != NULL && p[0] == '\t' && p[1] == ' ' && p[2] == '\t' &&
            take_name(p + 3, line.ptr + line.len, row))
            return true;
    }
    return false;
}

/* Prints the function's own milliseconds, which the script computes in double precision. */
static void
script_print(struct state *st, const struct row *row)
{
    char text[NUMBER_MAX];
    double ms = scriptnum(row->self);
    if (row->unit == &units[MINUTES])
        ms *= 60 * 1000;
    else if (row->unit == &units[SECONDS])
        ms *= 1000;
    int len = snprintf(text, sizeof text, "%.0f", ms);
    calltree_set(&st->calls, row->indent, row->name);
    calltree_print(&st->calls, row->indent + 1, span_of(text, (size_t)len));
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
        diag_error(st->calls.base.c->diag, input_place(&st->calls.base.c->input),
                   "not a line of Instruments' call tree");
        st->calls.base.c->script_status = 255;
        st->died = true;
    }
}

static struct decimal
self_of(const struct row *row)
{
    struct decimal self = {0, 0}, sum = {0, 0};
    if (span_eq(row->self, SPAN("0"))) /* most are */
        return self;
    decimal_parse(row->self, &self);
    if (row->unit == NULL || decimal_is_zero(self))
        return self;
    self = decimal_shift(self, row->unit->places);
    for (unsigned i = 0; i < row->unit->times; i++)
        sum = decimal_add(sum, self);
    return sum;
}

/* The line up to its third tab, which is before the name; empty if there are fewer. */
static inline struct span
columns_of(struct span line)
{
    const char *p = line.ptr;
    for (int tabs = 0; tabs < 3; tabs++) {
        p = bytes_skip_text(p);
        if (*p++ != '\t')
            return span_head(line, 0);
    }
    return span_of(line.ptr, (size_t)(p - line.ptr));
}

/* Returns the columns' number, or INTERN_NONE if they are not kept. */
static uint32_t
keep_columns(struct state *st, struct span columns, struct decimal self)
{
    if (st->columns.count == COLUMNS_KEPT)
        return INTERN_NONE;
    uint32_t id = intern_add(&st->columns, columns);
    st->selfs = mem_grow(st->selfs, &st->selfs_cap, (size_t)id + 1, sizeof *st->selfs);
    st->selfs[id] = self;
    return id;
}

/* The number of the line's columns, or INTERN_NONE if they are not kept. Those that are guessed are
 * tried first, which costs no search for their end. */
static inline uint32_t
find_columns(const struct state *st, struct span line)
{
    uint32_t guess = stacktree_guess(&st->calls.stacks, INTERN_NONE);
    if (guess != INTERN_NONE && span_starts(line, intern_text(&st->columns, guess)))
        return guess;
    return intern_find(&st->columns, columns_of(line));
}

/* Sets the row, and the function's own milliseconds or cycles. Columns that were read before are
 * not parsed again. */
static bool
read_row(struct state *st, struct span line, struct row *row, struct decimal *self)
{
    const char *end = line.ptr + line.len;
    row->columns = find_columns(st, line);
    if (row->columns != INTERN_NONE) {
        *self = st->selfs[row->columns];
        return take_trimmed_name(line.ptr + intern_text(&st->columns, row->columns).len, end, row);
    }
    if (!parse_row(line, row))
        return false;
    *self = self_of(row);
    struct span columns = columns_of(line);
    if (row->name.ptr - row->indent == columns.ptr + columns.len)
        row->columns = keep_columns(st, columns, *self);
    return true;
}

static void
take_row(struct state *st, const struct row *row, struct decimal self)
{
    size_t n = st->depth;
    while (n > 0 && st->levels[n - 1].indent >= row->indent)
        n--;
    uint32_t caller = n > 0 ? st->levels[n - 1].stack : STACKTREE_ROOT;
    uint32_t stack = stackbuild_child(&st->calls.base.stack, &st->calls.stacks, caller, row->name);
    stacktree_set_note(&st->calls.stacks, stack, row->columns);
    st->levels = mem_grow(st->levels, &st->levels_cap, n + 1, sizeof *st->levels);
    st->levels[n] = (struct level){row->indent, stack};
    st->depth = n + 1;
    if (!decimal_is_zero(self))
        stacktree_count(&st->calls.stacks, stack, self);
    st->calls.base.c->samples++;
}

static bool
is_header(struct span line)
{
    struct span text = span_trim(line);
    return span_ends(text, SPAN("\tSymbol Name")) || span_ends(text, SPAN("\tSymbol Names"));
}

static void
take(void *state, struct span line)
{
    struct state *st = state;
    struct row row;
    struct decimal self;
    if (st->calls.base.script)
        script_take(st, line);
    else if (read_row(st, line, &row, &self))
        take_row(st, &row, self);
    else if (!is_header(line) && span_trim(line).len > 0)
        input_skip(&st->calls.base.c->input, "not a line of Instruments' call tree");
}

/* The next file's functions have no callers in this one. */
static void
finish(void *state)
{
    struct state *st = state;
    profile_add_tree(&st->calls.base.c->profile, &st->calls.stacks);
    st->depth = 0;
}

static void
end(void *state)
{
    struct state *st = state;
    calltree_free(&st->calls);
    free(st->levels);
    free(st->selfs);
    intern_free(&st->columns);
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
