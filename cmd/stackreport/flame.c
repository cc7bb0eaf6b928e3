/* The text looks like this:
 *
 *          |read    |
 *     |parse 66.67%    |
 *     |main 90.00%            |
 *     |all (150)                |
 *
 * Neighbouring frames share an edge, and the last column of a line is for edges only. With colours,
 * each frame has the colour of its kind; the characters are the same. */
#include "cmd/stackreport/flame.h"

#include <stdio.h>
#include <stdlib.h>

#include "common/base/columns.h"
#include "common/base/num.h"
#include "common/base/number.h"
#include "common/base/utf8.h"
#include "common/base/utf8width.h"
#include "common/base/vec.h"

/* Minimum width of a frame with a name, as in the picture of flamesvg. */
enum { NAME_LEAST = 3 };

#define ALL INTERN_NONE /* the node of the frame "all" */

struct box {
    uint32_t node;
    uint32_t left, right; /* columns; right is above left */
    double start;         /* in counts, from 0 at the left */
};

struct flame {
    struct out *out;
    const struct counter *counter;
    const struct flame_look *look;
    double per_count;      /* columns per count */
    double least;          /* minimum count of a frame */
    VEC(struct box) boxes; /* row by row, from the root */
    VEC(size_t) rows;      /* index of the first box of each row */
    struct text text;
};

/* Add boxes for the node `first` and its siblings, from the position `start`. Limit them to the
 * column `last`, in case of rounding errors. */
static void
add_row(struct flame *f, uint32_t first, double start, uint32_t last)
{
    size_t n;
    struct row_item *items = rows_siblings(f->counter, first, f->look->sort, &n);
    uint32_t left = (uint32_t)num_floor(start * f->per_count + 0.5);
    for (size_t i = 0; i < n; i++) {
        double count = decimal_double(items[i].node->total), end = start + count;
        uint32_t right = (uint32_t)num_floor(end * f->per_count + 0.5);
        right = right < last ? right : last;
        if (right > left && count >= f->least)
            VEC_ADD(f->boxes, (struct box){(uint32_t)(items[i].node - f->counter->nodes), left,
                                           right, start});
        left = right;
        start = end;
    }
    free(items);
}

static double
sum_of_roots(const struct counter *c)
{
    double sum = 0;
    for (uint32_t i = c->nnodes > 0 ? c->first_root : INTERN_NONE; i != INTERN_NONE;
         i = c->nodes[i].next)
        sum += decimal_double(c->nodes[i].total);
    return sum;
}

/* Make the boxes row by row: each row has the callees of the row before. */
static void
lay_out(struct flame *f)
{
    const struct counter *c = f->counter;
    double sum = sum_of_roots(c);
    uint32_t columns = (uint32_t)f->look->width - 1;
    if (sum <= 0)
        return;
    f->per_count = columns / sum;
    f->least = f->look->least / 100 * decimal_double(c->all);
    size_t rows = f->look->depth > 0 ? f->look->depth : SIZE_MAX, at = 0;
    if (c->function == NULL) {
        VEC_ADD(f->boxes, (struct box){ALL, 0, columns, 0});
        rows += rows < SIZE_MAX;
    } else {
        add_row(f, c->first_root, 0, columns);
    }
    while (at < f->boxes.n) {
        VEC_ADD(f->rows, at);
        size_t end = f->boxes.n;
        for (; at < end && f->rows.n < rows; at++) {
            struct box b = f->boxes.at[at];
            add_row(f, b.node == ALL ? c->first_root : c->nodes[b.node].first, b.start, b.right);
        }
        at = end;
    }
}

/* Append the characters of *name that fit in `room` columns to the text, and remove them from
 * *name. Return the number of columns that they take. */
static size_t
add_characters(struct flame *f, struct span *name, size_t room)
{
    size_t used = 0, len;
    for (; name->len > 0; *name = span_from(*name, len)) {
        uint32_t c = utf8_decode(*name, &len);
        bool shown = !utf8_is_masked(c) && c != '\t' && (f->look->utf8 || c < 0x80);
        size_t width = shown ? utf8_width(c) : 1;
        if (width > room - used)
            break;
        text_add(&f->text, shown ? span_head(*name, len) : SPAN("?"));
        used += width;
    }
    return used;
}

/* Set the text to the label of a frame of `room` columns: the name, followed by `after` if both
 * fit; else the beginning of the name. Return the number of columns that it takes. */
static size_t
set_label(struct flame *f, struct span name, struct span after, size_t room)
{
    struct span rest = name;
    f->text.len = 0;
    if (room < NAME_LEAST)
        return 0;
    size_t used = add_characters(f, &rest, room);
    if (rest.len > 0) {
        f->text.len = 0;
        used = add_characters(f, &name, room - strlen(".."));
        text_add(&f->text, SPAN(".."));
        return used + strlen("..");
    }
    if (after.len > room - used)
        return used;
    text_add(&f->text, after);
    return used + after.len;
}

/* Return the colour of frames of a kind, from the 256 of xterm: similar to that in the picture of
 * flamesvg. */
static unsigned
colour_of(enum frame_kind kind)
{
    static const unsigned char colours[] = {
        [KIND_APP] = 114,      [KIND_DEP] = 149,     [KIND_CORE] = 117,   [KIND_REGEXP] = 212,
        [KIND_WASM] = 147,     [KIND_BUILTIN] = 221, [KIND_V8] = 215,     [KIND_GC] = 172,
        [KIND_COMPILER] = 180, [KIND_CPP] = 209,     [KIND_NATIVE] = 187, [KIND_KERNEL] = 174,
        [KIND_NAMELESS] = 249, [KIND_MARK] = 252,    [KIND_WAIT] = 146,   [KIND_COUNT] = 254,
    };
    return colours[kind];
}

static void
put_edge(const struct flame *f)
{
    out_cstr(f->out, f->look->utf8 ? "\xe2\x94\x82" : "|"); /* U+2502 */
}

static void
put_box(struct flame *f, const struct box *b)
{
    const struct counter *c = f->counter;
    const struct count_node *node = b->node != ALL ? &c->nodes[b->node] : NULL;
    char number[NUMBER_TEXT], count[DECIMAL_COMMAS], after[NUMBER_TEXT + sizeof " %"];
    if (node != NULL) {
        double percent = 100 * decimal_double(node->total) / decimal_double(c->all);
        snprintf(after, sizeof after, " %.*s%%", SPAN_ARG(number_fixed(number, percent, 2)));
    } else {
        snprintf(after, sizeof after, " (%.*s)", SPAN_ARG(decimal_commas(count, c->all)));
    }
    size_t room = b->right - b->left - 1;
    size_t used = set_label(f, node != NULL ? group_text(&c->groups, node->group) : SPAN("all"),
                            span_cstr(after), room);
    if (f->look->colour) /* ECMA-48: black on that colour */
        out_format(f->out, "\033[38;5;16;48;5;%um",
                   colour_of(node != NULL ? group_kind(&c->groups, node->group) : KIND_COUNT));
    put_edge(f);
    out_span(f->out, text_span(&f->text));
    columns_blanks(f->out, room - used);
    if (f->look->colour)
        out_text(f->out, "\033[0m");
}

/* Write the boxes from `first` up to `end`, exclusive, as one line. */
static void
put_row(struct flame *f, size_t first, size_t end)
{
    size_t column = 0;
    for (size_t i = first; i < end; i++) {
        const struct box *b = &f->boxes.at[i];
        if (column > 0 && b->left > column) {
            put_edge(f);
            column++;
        }
        columns_blanks(f->out, b->left - column);
        put_box(f, b);
        column = b->right;
    }
    put_edge(f);
    out_char(f->out, '\n');
}

void
flame_write(struct out *o, const struct counter *c, const struct flame_look *look)
{
    struct flame f = {.out = o, .counter = c, .look = look};
    lay_out(&f);
    size_t end = f.boxes.n;
    for (size_t i = f.rows.n; i-- > 0; end = f.rows.at[i])
        put_row(&f, f.rows.at[i], end);
    free(f.boxes.at);
    free(f.rows.at);
    free(f.text.ptr);
}
