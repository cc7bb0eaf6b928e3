/* The report that a Haskell program writes with +RTS -p or -P ("Time and allocation profiling" in
 * GHC's user's guide). After a table of the costliest cost centres comes the tree of all, in which
 * a level is indented by a blank; ticks and bytes are there with -P only:
 *
 *                                                individual      inherited
 *     COST CENTRE MODULE SRC          no. entries  %time %alloc   %time %alloc  ticks     bytes
 *
 *     MAIN        MAIN   <built-in>   156       0    0.0    0.0   100.0  100.0      0       816
 *      CAF:main1  Main   <no location info> 309  0   0.0    0.0   100.0  100.0      0         0
 *       main      Main   Main.hs:12:1 312       1   93.4   98.8   100.0  100.0    128 248867432 */
#include "cmd/stackcollapse/build/calltree.h"

struct state {
    struct calltree tree;
    bool found;   /* the tree's columns were read */
    bool inside;  /* the line is of the tree, or before it a blank one */
    bool any;     /* a line of the tree was read */
    size_t count; /* the column that counts, as how many words it is from the line's end */
};

/* Takes the last word off the text, and the white space after it; empty if there is none. */
static struct span
last_word(struct span *text)
{
    struct span rest = *text;
    while (rest.len > 0 && is_space(rest.ptr[rest.len - 1]))
        rest.len--;
    size_t start = rest.len;
    while (start > 0 && !is_space(rest.ptr[start - 1]))
        start--;
    *text = span_head(rest, start);
    return span_from(rest, start);
}

/* How many words from the end of the line the first column of this name is; 0: there is none. */
static size_t
column(struct span line, struct span name)
{
    size_t found = 0;
    for (size_t n = 1; span_trim(line).len > 0; n++)
        if (span_eq(last_word(&line), name))
            found = n;
    return found;
}

/* The column of time, or with --size of allocation: the exact one, or else the percentage. */
static size_t
count_column(const struct options *o, struct span line)
{
    size_t exact = column(line, o->size ? SPAN("bytes") : SPAN("ticks"));
    return exact > 0 ? exact : column(line, o->size ? SPAN("%alloc") : SPAN("%time"));
}

static bool
is_header(struct span line)
{
    struct span start = SPAN("COST CENTRE");
    return span_starts(line, start) && column(line, SPAN("MODULE")) > 0;
}

/* Takes the next word off the text, after white space; empty at the end. */
static struct span
first_word(struct span *text)
{
    struct span rest = span_from(*text, span_run(*text, 0, is_space));
    size_t len = 0;
    while (len < rest.len && !is_space(rest.ptr[len]))
        len++;
    *text = span_from(rest, len);
    return span_head(rest, len);
}

/* "   work   Main   Main.hs:12:1 312   1   93.4   98.8   100.0  100.0" */
static void
take_row(struct state *st, struct span line)
{
    struct calltree *t = &st->tree;
    struct text *name = &t->base.name;
    size_t level = span_run(line, 0, is_blank);
    struct span centre = first_word(&line), module = first_word(&line), word = SPAN("");
    struct decimal count;
    for (size_t n = 0; n < st->count; n++)
        word = last_word(&line);
    name->len = 0;
    text_add(name, module);
    text_add(name, SPAN("."));
    text_add(name, centre);
    if (!decimal_parse(word, &count))
        calltree_skip(t, level, "not a line of the tree of cost centres");
    else if (calltree_enter(t, level, text_span(name)))
        calltree_count(t, count);
}

static void
take(void *state, struct span line)
{
    struct state *st = state;
    size_t count = 0;
    if (is_header(line) && column(line, SPAN("entries")) > 0)
        count = count_column(st->tree.base.c->options, line);
    if (count > 0) {
        calltree_finish(&st->tree, 0);
        st->count = count;
        st->found = st->inside = true;
        st->any = false;
    } else if (st->inside) {
        bool blank = span_trim(line).len == 0;
        if (!blank)
            take_row(st, line);
        st->inside = !blank || !st->any;
        st->any |= !blank;
    }
}

static void
finish(void *state)
{
    struct state *st = state;
    struct input *in = &st->tree.base.c->input;
    if (!st->found && in->lines.number > 0)
        input_skip(in, "there is no tree of cost centres, with a column \"entries\"");
    calltree_finish(&st->tree, 0);
    st->found = st->inside = false;
}

static void
end(void *state)
{
    struct state *st = state;
    calltree_free(&st->tree);
}

static bool
is_ghcprof(struct span line)
{
    return is_header(line) || span_holds(line, SPAN("Time and Allocation Profiling Report"));
}

const struct format format_ghcprof = {
    .is = is_ghcprof,
    .take = take,
    .state_size = sizeof(struct state),
    .finish = finish,
    .end = end,
};
