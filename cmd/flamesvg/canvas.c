#include "cmd/flamesvg/canvas.h"

/* Heights are flamegraph.pl's. It draws the frames of an icicle graph over the subtitle; under its
 * name this program does so, too. */
struct canvas
canvas_lay_out(const struct svg *s, struct out *out, double legend, struct arena *arena)
{
    const struct options *o = s->options;
    double titles = o->fontsize * 3, bottom = o->fontsize * 2 + 10;
    double subtitle = o->subtitle.len > 0 ? o->fontsize * 2 : 0;
    double rows = (double)(s->frames->deepest + 1) * o->height;
    double top = titles + (o->perl ? 0 : subtitle + legend);
    return (struct canvas){
        .svg = s,
        .arena = arena,
        .o = o,
        .xml = {out, o->ascii},
        .width = o->width,
        .height = rows + titles + bottom + subtitle + legend,
        .top = top,
        .first = o->inverted ? top : titles + subtitle + legend + CANVAS_GAP,
        .bottom = bottom,
    };
}

void
canvas_put_data(const struct canvas *c, const char *picture)
{
    const struct xmltext *x = &c->xml;
    xmltext_number(x, "data-xpad", OPTIONS_XPAD);
    xmltext_number(x, "data-fontsize", c->o->fontsize);
    xmltext_number(x, "data-fontwidth", c->o->fontwidth);
    xmltext_number(x, "data-inverted", c->o->inverted);
    xmltext_attribute(x, "data-nametype", c->o->nametype);
    xmltext_attribute(x, "data-countname", c->o->countname);
    if (c->o->unit != NULL)
        xmltext_attribute(x, "data-units", units_names(c->o->unit));
    xmltext_number(x, "data-total", c->svg->total);
    if (c->svg->gone > 0)
        xmltext_number(x, "data-gone", c->svg->gone);
    xmltext_attribute(x, "data-truncate",
                      c->o->truncate == TRUNCATE_LEFT ? SPAN("left") : SPAN("right"));
    if (c->o->dark)
        xmltext_number(x, "data-dark", 1);
    if (c->o->follow)
        xmltext_number(x, "data-follow", 1);
    if (c->o->reverse)
        xmltext_number(x, "data-reverse", 1);
    if (c->o->flamechart)
        xmltext_number(x, "data-flamechart", 1);
    if (c->o->sort == SORT_SIZE)
        xmltext_attribute(x, "data-sort", SPAN("size"));
    if (c->o->clock.len > 0 && c->svg->slices != NULL)
        xmltext_attribute(x, "data-clock", c->o->clock);
    if (c->svg->frames->compared && !c->o->perl)
        xmltext_number(x, "data-compared", 1);
    if (c->o->palette->kinds)
        xmltext_number(x, "data-kinds", 1);
    xmltext_number(x, "data-width", c->width);
    xmltext_number(x, "data-height", c->height);
    xmltext_number(x, "data-rowheight", c->o->height);
    xmltext_number(x, "data-top", c->first);
    xmltext_number(x, "data-bottom", c->bottom);
    xmltext_number(x, "data-factor", c->o->factor);
    xmltext_attribute(x, "data-background", span_cstr(c->o->background[0]));
    xmltext_attribute(x, "data-background2", span_cstr(c->o->background[1]));
    xmltext_attribute(x, "data-picture", span_cstr(picture));
}
