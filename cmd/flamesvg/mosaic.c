/* Edges are rounded to half pixels, and neighbours of one colour become one rectangle:
 *
 *     <path fill="rgb(205,0,23)" d="M10.5 84h1v15h-1zM14 84h.5v15h-.5z"/>
 *
 * Browsers open a path of a thousand rectangles faster than a hundred elements. */
#include "cmd/flamesvg/mosaic.h"

#include <stdlib.h>

#include "cmd/flamesvg/number.h"

/* A frame: its fill's number, its row and its edges in half pixels. */
struct tile {
    uint32_t fill;
    double y, x1, x2;
};

static int
compare(const void *va, const void *vb)
{
    const struct tile *a = va, *b = vb;
    if (a->fill != b->fill)
        return (a->fill > b->fill) - (a->fill < b->fill);
    if (a->y != b->y)
        return (a->y > b->y) - (a->y < b->y);
    return (a->x1 > b->x1) - (a->x1 < b->x1);
}

void
mosaic_add(struct mosaic *m, const struct canvas *c, const struct frame *f, struct span fill)
{
    const struct box b = box_of(c, f);
    double x1 = number_whole(2 * b.x1), x2 = number_whole(2 * b.x2);
    if (x1 == x2)
        return;
    m->tiles = mem_grow(m->tiles, &m->cap, m->count + 1, sizeof *m->tiles);
    m->tiles[m->count++] = (struct tile){intern_add(&m->fills, fill), b.y, x1, x2};
}

/* "12.5", ".5" */
static void
put(struct out *out, double value)
{
    char digits[NUMBER_TEXT];
    struct span s = number_plain(digits, value);
    out_span(out, span_starts(s, SPAN("0.")) ? span_from(s, 1) : s);
}

static void
put_tile(struct out *out, const struct tile *t, double height)
{
    double width = (t->x2 - t->x1) / 2;
    out_char(out, 'M');
    put(out, t->x1 / 2);
    out_char(out, ' ');
    put(out, t->y);
    out_char(out, 'h');
    put(out, width);
    out_char(out, 'v');
    put(out, height);
    out_text(out, "h-");
    put(out, width);
    out_char(out, 'z');
}

void
mosaic_draw(struct mosaic *m, const struct canvas *c)
{
    struct out *out = c->xml.out;
    if (m->count > 0) {
        qsort(m->tiles, m->count, sizeof *m->tiles, compare);
        out_text(out, "<g id=\"mosaic\">\n");
    }
    for (size_t i = 0, end; i < m->count;) {
        uint32_t fill = m->tiles[i].fill;
        out_text(out, "<path");
        xml_attribute(&c->xml, "fill", intern_text(&m->fills, fill));
        out_text(out, " d=\"");
        for (; i < m->count && m->tiles[i].fill == fill; i = end) {
            struct tile t = m->tiles[i];
            for (end = i + 1; end < m->count && m->tiles[end].fill == fill &&
                              m->tiles[end].y == t.y && m->tiles[end].x1 <= t.x2;
                 end++)
                t.x2 = m->tiles[end].x2;
            put_tile(out, &t, c->o->height - CANVAS_GAP);
        }
        out_text(out, "\"/>\n");
    }
    if (m->count > 0)
        out_text(out, "</g>\n");
    free(m->tiles);
    intern_free(&m->fills);
}
