#include "cmd/flamesvg/svg.h"

#include <stdio.h>
#include <string.h>

#include "cmd/flamesvg/fill.h"
#include "cmd/flamesvg/legend.h"
#include "cmd/flamesvg/mosaic.h"
#include "cmd/flamesvg/number.h"
#include "cmd/flamesvg/table.h"
#include "common/base/num.h"
#include "gen/flame_css.h"
#include "gen/flame_js.h"

static struct xml
xml_of(const struct options *o, struct out *out)
{
    return (struct xml){out, o->encoding != NULL && strlen(o->encoding) != strlen("utf-8")};
}

static void
open_svg(const struct xml *x, const struct options *o, double height)
{
    out_text(x->out, "<?xml version=\"1.0\"");
    xml_attribute(x, "encoding", span_cstr(o->encoding != NULL ? o->encoding : "UTF-8"));
    out_text(x->out, " standalone=\"no\"?>\n<svg version=\"1.1\"");
    xml_number(x, "width", o->width);
    xml_number(x, "height", height);
    out_text(x->out, " viewBox=\"0 0 ");
    char digits[NUMBER_TEXT];
    out_span(x->out, number_plain(digits, o->width));
    out_char(x->out, ' ');
    out_span(x->out, number_plain(digits, height));
    out_text(x->out, "\" xmlns=\"http://www.w3.org/2000/svg\""
                     " xmlns:xlink=\"http://www.w3.org/1999/xlink\"");
    out_text(x->out, " font-family=\"");
    xml_text(x, o->fonttype);
    out_text(x->out, ", sans-serif\""); /* if the browser lacks that font */
    xml_number(x, "font-size", o->fontsize);
}

/* Writes the attributes of the root element that the script and the style read. */
static void
put_data(const struct canvas *c)
{
    const struct xml *x = &c->xml;
    xml_number(x, "data-xpad", OPTIONS_XPAD);
    xml_number(x, "data-fontsize", c->o->fontsize);
    xml_number(x, "data-fontwidth", c->o->fontwidth);
    xml_number(x, "data-inverted", c->o->inverted);
    xml_attribute(x, "data-nametype", c->o->nametype);
    xml_attribute(x, "data-countname", c->o->countname);
    if (c->o->unit != NULL)
        xml_attribute(x, "data-units", units_names(c->o->unit));
    xml_number(x, "data-total", c->svg->total);
    xml_attribute(x, "data-truncate",
                  c->o->truncate == TRUNCATE_LEFT ? SPAN("left") : SPAN("right"));
    if (c->o->dark)
        xml_number(x, "data-dark", 1);
    if (c->o->follow)
        xml_number(x, "data-follow", 1);
    if (c->o->flamechart)
        xml_number(x, "data-flamechart", 1);
    xml_number(x, "data-width", c->width);
    xml_number(x, "data-rowheight", c->o->height);
    xml_number(x, "data-top", c->first);
    xml_number(x, "data-bottom", c->bottom);
    xml_number(x, "data-factor", c->o->factor);
    xml_attribute(x, "data-picture", c->o->perl ? SPAN("perl") : SPAN("svg"));
}

/* Writes a text element. */
static void
put_text(const struct canvas *c, const char *id, double x, double y, struct span text,
         const char *attributes)
{
    char digits[NUMBER_TEXT];
    out_text(c->xml.out, "<text");
    xml_attribute(&c->xml, "id", span_cstr(id));
    xml_attribute(&c->xml, "x", number_fixed(digits, x, 2));
    xml_number(&c->xml, "y", y);
    out_cstr(c->xml.out, attributes);
    out_char(c->xml.out, '>');
    xml_text(&c->xml, text);
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
    xml_number(&c->xml, "width", c->width);
    xml_number(&c->xml, "height", c->height);
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
        return; /* the script makes its own controls */
    put_text(c, "details", OPTIONS_XPAD, last, SPAN(" "), "");
    /* The script shows these three: without it they would do nothing. */
    put_text(c, "unzoom", OPTIONS_XPAD, line, SPAN("Reset Zoom"), " display=\"none\"");
    put_text(c, "search", right - 100, line, SPAN("Search"), " display=\"none\"");
    put_text(c, "ignorecase", right - 16, line, SPAN("ic"), " display=\"none\"");
    put_text(c, "matched", right - 100, last, SPAN(" "), "");
}

static const struct attrs *
attrs_of(const struct canvas *c, const struct frame *f)
{
    return nameattr_find(c->svg->attrs, f->name);
}

/* Writes every frame as an element, with the ids and the markup that flamegraph.pl's have. */
static void
put_frames(const struct canvas *c)
{
    const struct frames *frames = c->svg->frames;
    char text[COLOUR_TEXT];
    out_text(c->xml.out, "<g id=\"frames\">\n");
    for (size_t i = 0; i < frames->count; i++) {
        const struct frame *f = &frames->list[i];
        box_draw(c, f, attrs_of(c, f), fill_of_frame(c->svg, f, text));
    }
    out_text(c->xml.out, "</g>\n");
}

/* Writes the frames of at least a pixel as elements, and the others as a mosaic. */
static void
put_static(const struct canvas *c, const struct names *names)
{
    const struct frames *frames = c->svg->frames;
    struct mosaic mosaic = {0};
    char text[COLOUR_TEXT];
    out_text(c->xml.out, "<g id=\"frames\">\n");
    for (size_t i = 0; i < frames->count; i++) {
        const struct frame *f = &frames->list[i];
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

/* The heights are flamegraph.pl's, which puts the subtitle of an icicle graph over its frames. With
 * a legend, which flamegraph.pl does not have, there is room for both. */
static struct canvas
lay_out(const struct svg *s, struct out *out, const struct legend *legend, struct arena *arena)
{
    const struct options *o = s->options;
    double titles = o->fontsize * 3, bottom = o->fontsize * 2 + 10;
    double subtitle = o->subtitle.len > 0 ? o->fontsize * 2 : 0;
    double extra = legend_height(legend, o);
    double rows = (double)(s->frames->deepest + 1) * o->height;
    double top = titles + (extra > 0 ? subtitle + extra : 0);
    return (struct canvas){
        .svg = s,
        .arena = arena,
        .o = o,
        .xml = xml_of(o, out),
        .width = o->width,
        .height = rows + titles + bottom + subtitle + extra,
        .top = top,
        .first = o->inverted ? top : titles + subtitle + extra + BOX_GAP,
        .bottom = bottom,
    };
}

void
svg_draw(const struct svg *s, struct out *out)
{
    struct arena arena = {0};
    struct legend legend;
    legend_place(&legend, s->frames, s->options);
    const struct canvas c = lay_out(s, out, &legend, &arena);
    open_svg(&c.xml, c.o, c.height);
    out_text(out, " role=\"group\" aria-labelledby=\"title\"");
    put_data(&c);
    out_text(out, ">\n");
    if (c.o->notes.len > 0)
        xml_comment(&c.xml, c.o->notes);
    put_background(&c);
    put_texts(&c);
    legend_draw(&legend, &c.xml, c.o, c.o->fontsize * (c.o->subtitle.len > 0 ? 6 : 4));
    if (c.o->perl)
        put_frames(&c);
    else
        put_static_and_table(&c);
    out_text(out, "<script><![CDATA[\n");
    out_text(out, flame_js);
    out_text(out, "]]></script>\n</svg>\n");
    arena_free(&arena);
}

void
svg_draw_error(const struct options *o, struct out *out)
{
    struct xml x = xml_of(o, out);
    char digits[NUMBER_TEXT];
    open_svg(&x, o, o->fontsize * 5);
    out_text(out, ">\n<text");
    xml_attribute(&x, "x", number_fixed(digits, num_floor(o->width / 2), 2));
    xml_number(&x, "y", o->fontsize * 2);
    out_text(out, " text-anchor=\"middle\">ERROR: No valid input provided to ");
    xml_text(&x, span_cstr(o->program));
    out_text(out, ".</text>\n</svg>\n");
}
