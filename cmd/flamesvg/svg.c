#include "cmd/flamesvg/svg.h"

#include <stdio.h>
#include <stdlib.h>

#include "cmd/flamesvg/legend.h"
#include "cmd/flamesvg/names.h"
#include "cmd/flamesvg/table.h"
#include "common/base/num.h"
#include "common/base/number.h"
#include "gen/flame_css.h"
#include "gen/perl_js.h"
#include "gen/svg_js.h"
#include "gen/wait_js.h"

static void
open_svg(const struct xmltext *x, const struct options *o, double height)
{
    out_text(x->out, "<?xml version=\"1.0\"");
    xmltext_attribute(x, "encoding", span_cstr(o->encoding != NULL ? o->encoding : "UTF-8"));
    out_text(x->out, " standalone=\"no\"?>\n<svg version=\"1.1\"");
    xmltext_number(x, "width", o->width);
    xmltext_number(x, "height", height);
    out_text(x->out, " viewBox=\"0 0 ");
    char digits[NUMBER_TEXT];
    out_span(x->out, number_plain(digits, o->width));
    out_char(x->out, ' ');
    out_span(x->out, number_plain(digits, height));
    out_text(x->out, "\" xmlns=\"http://www.w3.org/2000/svg\""
                     " xmlns:xlink=\"http://www.w3.org/1999/xlink\"");
    out_text(x->out, " font-family=\"");
    xmltext_put(x, o->fonttype);
    out_text(x->out, ", sans-serif\""); /* if the browser lacks the font */
    xmltext_number(x, "font-size", o->fontsize);
}

/* Write a text element. */
static void
put_text(const struct canvas *c, const char *id, double x, double y, struct span text,
         const char *attributes)
{
    char digits[NUMBER_TEXT];
    out_text(c->xml.out, "<text");
    xmltext_attribute(&c->xml, "id", span_cstr(id));
    xmltext_attribute(&c->xml, "x", number_fixed(digits, x, 2));
    xmltext_number(&c->xml, "y", y);
    out_cstr(c->xml.out, attributes);
    out_char(c->xml.out, '>');
    xmltext_put(&c->xml, text);
    out_text(c->xml.out, "</text>\n");
}

static void
put_background(const struct canvas *c)
{
    struct out *out = c->xml.out;
    out_text(out, "<defs>\n<linearGradient id=\"background\" y1=\"0\" y2=\"1\" x1=\"0\" x2=\"0\">\n"
                  "<stop stop-color=\"");
    out_cstr(out, c->o->background[0]);
    out_text(out, "\" offset=\"5%\"/>\n<stop stop-color=\"");
    out_cstr(out, c->o->background[1]);
    out_text(out, "\" offset=\"95%\"/>\n</linearGradient>\n</defs>\n<style><![CDATA[\n");
    out_text(out, flame_css);
    out_text(out, "]]></style>\n<rect x=\"0\" y=\"0\"");
    xmltext_number(&c->xml, "width", c->width);
    xmltext_number(&c->xml, "height", c->height);
    out_text(out, " fill=\"url(#background)\"/>\n");
}

static void
put_texts(const struct canvas *c)
{
    double size = c->o->fontsize, line = size * 2, last = c->height - c->bottom / 2;
    double middle = num_floor(c->width / 2), right = c->width - OPTIONS_XPAD;
    char title[64 + NUMBER_TEXT], digits[NUMBER_TEXT];
    struct span larger = number_plain(digits, size + 5);
    snprintf(title, sizeof title, " text-anchor=\"middle\" font-size=\"%.*s\"", SPAN_ARG(larger));
    put_text(c, "title", middle, line, c->o->title, title);
    if (c->o->subtitle.len > 0)
        put_text(c, "subtitle", middle, size * 4, c->o->subtitle,
                 " text-anchor=\"middle\" fill=\"rgb(160,160,160)\"");
    if (!c->o->perl)
        return; /* the script creates its own controls */
    put_text(c, "details", OPTIONS_XPAD, last, SPAN(" "), "");
    /* Controls that the script shows: without it they would do nothing. */
    put_text(c, "unzoom", OPTIONS_XPAD, line, SPAN("Reset Zoom"), " display=\"none\"");
    put_text(c, "search", right - 100, line, SPAN("Search"), " display=\"none\"");
    put_text(c, "ignorecase", right - 16, line, SPAN("ic"), " display=\"none\"");
    put_text(c, "matched", right - 100, last, SPAN(" "), "");
}

/* A frame, or neighbouring frames with the same fill. */
struct tile {
    uint32_t fill;
    double y, x1, x2; /* x in half pixels */
    size_t next;      /* next tile with the same fill */
};

/* The frames narrower than a pixel, for viewers that do not run the script: one path for each
 * colour. Edges are rounded to half pixels, and neighbours of one colour become one rectangle:
 *
 *     <path fill="rgb(205,0,23)" d="M10.5 84h1v15h-1zM14 84h.5v15h-.5z"/>
 *
 * Browsers open a path of a thousand rectangles faster than a hundred elements. {0} is empty. */
struct mosaic {
    struct intern fills;
    struct path {
        size_t first, last; /* tiles of the path */
    } * paths;              /* indexed by number of the fill */
    struct tile *tiles;
    size_t *newest; /* for each depth: last tile of the row, or SPAN_NONE */
    size_t paths_cap, count, tiles_cap, rows, newest_cap;
};

/* Return the last tile of the row at this depth. */
static size_t *
newest_at(struct mosaic *m, size_t depth)
{
    m->newest = mem_grow(m->newest, &m->newest_cap, depth + 1, sizeof *m->newest);
    while (m->rows <= depth)
        m->newest[m->rows++] = SPAN_NONE;
    return &m->newest[depth];
}

/* Return the path of this fill, which may be new. */
static struct path *
path_of(struct mosaic *m, uint32_t fill)
{
    size_t known = m->paths_cap;
    m->paths = mem_grow(m->paths, &m->paths_cap, (size_t)fill + 1, sizeof *m->paths);
    for (; known < m->paths_cap; known++)
        m->paths[known].first = SPAN_NONE;
    return &m->paths[fill];
}

/* Add a frame. No earlier frame of its depth may be to the right of it. */
static void
mosaic_add(struct mosaic *m, const struct canvas *c, const struct merged_frame *f, struct span fill)
{
    const struct box b = box_of(c, f);
    double x1 = number_whole(2 * b.x1), x2 = number_whole(2 * b.x2);
    if (x1 == x2)
        return;
    uint32_t id = intern_add(&m->fills, fill);
    size_t *newest = newest_at(m, f->depth);
    struct tile *before = *newest != SPAN_NONE ? &m->tiles[*newest] : NULL;
    if (before != NULL && before->fill == id && before->x2 == x1) {
        before->x2 = x2;
        return;
    }
    struct path *path = path_of(m, id);
    if (path->first == SPAN_NONE)
        path->first = m->count;
    else
        m->tiles[path->last].next = m->count;
    path->last = *newest = m->count;
    MEM_ADD(m->tiles, m->count, m->tiles_cap, (struct tile){id, b.y, x1, x2, SPAN_NONE});
}

/* Write "12.5" or ".5". */
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

/* Write the paths, if there are any, and free the mosaic. */
static void
mosaic_draw(struct mosaic *m, const struct canvas *c)
{
    struct out *out = c->xml.out;
    out_cstr(out, m->count > 0 ? "<g id=\"mosaic\">\n" : "");
    for (uint32_t fill = 0; fill < m->fills.count; fill++) {
        out_text(out, "<path");
        xmltext_attribute(&c->xml, "fill", intern_text(&m->fills, fill));
        out_text(out, " d=\"");
        for (size_t i = m->paths[fill].first; i != SPAN_NONE; i = m->tiles[i].next)
            put_tile(out, &m->tiles[i], c->o->height - CANVAS_GAP);
        out_text(out, "\"/>\n");
    }
    out_cstr(out, m->count > 0 ? "</g>\n" : "");
    intern_free(&m->fills);
    free(m->paths);
    free(m->tiles);
    free(m->newest);
}

static const struct attrs *
attrs_of(const struct canvas *c, const struct merged_frame *f)
{
    return nameattr_find(c->svg->attrs, frames_name(c->svg->frames, f));
}

/* Write each frame as an element, with the same ids and markup as flamegraph.pl. */
static void
put_frames(const struct canvas *c)
{
    const struct frames *frames = c->svg->frames;
    char text[COLOUR_TEXT];
    out_text(c->xml.out, "<g id=\"frames\">\n");
    for (size_t i = 0; i < frames->count; i++) {
        const struct merged_frame *f = &frames->list[i];
        box_draw(c, f, attrs_of(c, f), names_fill_of_frame(c->svg, f, text));
    }
    out_text(c->xml.out, "</g>\n");
}

/* Write frames of at least a pixel as elements, and the others as a mosaic. */
static void
put_static(const struct canvas *c, const struct names *names)
{
    const struct frames *frames = c->svg->frames;
    struct mosaic mosaic = {0};
    char text[COLOUR_TEXT];
    out_text(c->xml.out, "<g id=\"frames\">\n");
    for (size_t i = 0; i < frames->count; i++) {
        const struct merged_frame *f = &frames->list[i];
        if (!frames_is_drawn(frames, f))
            continue;
        const struct attrs *attrs = attrs_of(c, f);
        struct span fill = names_fill(names, c->svg, i, text);
        if ((f->end - f->start) * c->svg->per_count >= 1 || attrs != NULL)
            box_draw(c, f, attrs, fill);
        else
            mosaic_add(&mosaic, c, f, fill);
    }
    out_text(c->xml.out, "</g>\n");
    mosaic_draw(&mosaic, c);
}

/* Write the frames for viewers without scripts, and the table of all frames for the script. */
static void
put_static_and_table(const struct canvas *c)
{
    struct names names;
    names_number(&names, c->svg);
    put_static(c, &names);
    out_text(c->xml.out, "<script type=\"application/json\"><![CDATA[");
    table_put(c, &names);
    out_text(c->xml.out, "]]></script>\n");
    names_free(&names);
}

void
svg_draw(const struct svg *s, struct out *out)
{
    struct arena arena = {0};
    struct legend legend;
    legend_place(&legend, s->frames, s->options);
    const struct canvas c = canvas_lay_out(s, out, legend_height(&legend, s->options), &arena);
    open_svg(&c.xml, c.o, c.height);
    out_text(out, " role=\"group\" aria-labelledby=\"title\"");
    canvas_put_data(&c, c.o->perl ? "perl" : "svg");
    out_text(out, ">\n");
    if (c.o->notes.len > 0)
        xmltext_comment(&c.xml, c.o->notes);
    put_background(&c);
    put_texts(&c);
    double size = c.o->fontsize;
    legend_draw(&legend, &c.xml, c.o,
                legend.below ? c.height - c.bottom + size * 1.2
                             : size * (c.o->subtitle.len > 0 ? 6 : 4));
    if (c.o->perl)
        put_frames(&c);
    else
        put_static_and_table(&c);
    out_text(out, "<script type=\"text/plain\"><![CDATA[\n");
    if (c.o->perl)
        out_text(out, perl_js);
    else
        out_text(out, svg_js);
    out_text(out, "]]></script>\n<script><![CDATA[\n");
    out_text(out, wait_js);
    out_text(out, "]]></script>\n</svg>\n");
    arena_free(&arena);
}

void
svg_draw_error(const struct options *o, struct out *out)
{
    struct xmltext x = {out, o->ascii};
    char digits[NUMBER_TEXT];
    open_svg(&x, o, o->fontsize * 5);
    out_text(out, ">\n<text");
    xmltext_attribute(&x, "x", number_fixed(digits, num_floor(o->width / 2), 2));
    xmltext_number(&x, "y", o->fontsize * 2);
    out_text(out, " text-anchor=\"middle\">ERROR: No valid input provided to ");
    xmltext_put(&x, span_cstr(o->program));
    out_text(out, ".</text>\n</svg>\n");
}
