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
#include "cmd/stackcollapse/shared/rowtree.h"

struct ghcprof {
    struct rowtree tree; /* columns are numbers of words, counted from the line's end */
    bool headed;         /* the columns of the tree were read */
    bool open;           /* the line belongs to the tree, or to blank lines before it */
};

/* Remove the last word from the text, and the white space after it. Return an empty text if there
 * is none. */
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

/* Return the position of the first column with this name, counted in words from the end of the
 * line; 0: there is none. */
static size_t
column(struct span line, struct span name)
{
    size_t found = 0;
    for (size_t n = 1; span_trim(line).len > 0; n++)
        if (span_eq(last_word(&line), name))
            found = n;
    return found;
}

static bool
is_header(struct span line)
{
    struct span start = SPAN("COST CENTRE");
    return span_starts(line, start) && column(line, SPAN("MODULE")) > 0;
}

/* Take a row: " work Main Main.hs:12:1 312 1 93.4 98.8 100.0 100.0". */
static void
take_row(struct rowtree *t, struct span line)
{
    struct text *name = &t->base.name;
    size_t level = span_run(line, 0, is_blank);
    struct span centre = span_take_word(&line), module = span_take_word(&line), word = SPAN("");
    struct decimal count;
    for (size_t n = 0; n < t->weight; n++)
        word = last_word(&line);
    TEXT_SET(name, module, SPAN("."), centre);
    if (!decimal_parse(word, &count))
        rowtree_skip(t, level, "not a line of the tree of cost centres");
    else if (rowtree_enter(t, level, text_span(name)))
        rowtree_count(t, count);
}

static void
take(struct stacker *f, struct span line)
{
    struct ghcprof *g = (struct ghcprof *)f;
    bool size = f->c->options->size;
    size_t count = 0; /* the exact time; with --size the allocation; else the percentage */
    if (is_header(line) && column(line, SPAN("entries")) > 0) {
        count = column(line, size ? SPAN("bytes") : SPAN("ticks"));
        count = count > 0 ? count : column(line, size ? SPAN("%alloc") : SPAN("%time"));
    }
    if (count > 0) {
        rowtree_finish(f);
        g->tree.weight = count;
        g->headed = g->open = true;
    } else if (g->open) {
        bool blank = span_trim(line).len == 0;
        if (!blank)
            take_row(&g->tree, line);
        g->open = !blank || !g->tree.rooted; /* a blank line after the tree ends it */
    }
}

static void
finish(struct stacker *f)
{
    if (!((struct ghcprof *)f)->headed && f->c->input.lines.number > 0)
        stacker_skip(f, "there is no tree of cost centres, with a column \"entries\"");
    rowtree_finish(f);
}

static bool
is_ghcprof(struct span line)
{
    return is_header(line) || span_holds(line, SPAN("Time and Allocation Profiling Report"));
}

const struct format format_ghcprof = {ROWTREE_FORMAT(struct ghcprof), .is = is_ghcprof,
                                      .per_file = true, .take = take, .finish = finish};
