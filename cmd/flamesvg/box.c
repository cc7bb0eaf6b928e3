#include "cmd/flamesvg/box.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cmd/flamesvg/contrast.h"
#include "common/base/num.h"
#include "common/base/number.h"
#include "common/base/utf8.h"
#include "common/stack/text/foldedtext.h"

/* Sizes as in flamegraph.pl, so that both draw a frame's text at the same place. */
enum {
    TEXT_PAD = 3,  /* between a frame's edge and its text */
    MIN_CHARS = 3, /* one letter and two dots: narrower frames have no text */
};

static bool
is_root(const struct merged_frame *f)
{
    return f->depth == 0;
}

/* Write "<g class="x">", or "<a xlink:href=...>" for a frame with a link. */
static void
open_group(const struct canvas *c, const struct attrs *attrs)
{
    bool link = attrs != NULL && attrs->link;
    out_cstr(c->xml.out, link ? "<a" : "<g");
    for (size_t i = 0; attrs != NULL && i < attrs->count; i++) {
        const struct attr *a = &attrs->list[i];
        out_char(c->xml.out, ' ');
        out_span(c->xml.out, a->name);
        out_text(c->xml.out, "=\"");
        xmltext_put(&c->xml, a->value);
        out_char(c->xml.out, '"');
    }
    out_char(c->xml.out, '>');
}

enum { SHOWN = sizeof "<U+202E>" - 1, SHORTEST = 2 /* bytes that such a character takes */ };

/* Return s with each Unicode control of text direction, which could show a name reversed, replaced
 * as in "x<U+202E>gpj.exe". Return s itself if it has none, else a text in the arena. */
static struct span
show_directions(struct arena *a, struct span s)
{
    /* In UTF-8 these characters begin with one of two bytes. */
    if (!span_holds(s, SPAN("\xe2")) && !span_holds(s, SPAN("\xd8")))
        return s;
    char *text = arena_text(a, s.len * SHOWN / SHORTEST + 1); /* + 1 for the NUL of snprintf */
    size_t n = 0;
    for (size_t len; s.len > 0; s = span_from(s, len)) {
        uint32_t c = utf8_decode(s, &len);
        if (utf8_is_direction(c)) {
            snprintf(text + n, SHOWN + 1, "<U+%04X>", (unsigned)(c & 0xffff));
            n += SHOWN;
        } else {
            memcpy(text + n, s.ptr, len);
            n += len;
        }
    }
    return span_of(text, n);
}

struct span
box_visible(const struct canvas *c, struct span text)
{
    return c->o->perl ? text : show_directions(c->arena, text);
}

struct span
box_name(const struct canvas *c, struct span name)
{
    struct span shown = folded_unmarked(name);
    bool digit = shown.len < name.len && is_digit(name.ptr[name.len - 2]);
    return box_visible(c, c->o->perl && digit ? name : shown);
}

static void
put_percent(const struct canvas *c, double counts)
{
    char digits[NUMBER_TEXT];
    double all = (c->svg->total - c->svg->gone) * c->o->factor;
    out_span(c->xml.out, number_fixed(digits, 100 * counts / all, 2));
    out_char(c->xml.out, '%');
}

/* Write a number as withCommas in describe.js does: like number_commas, but below 100 with up to
 * two digits after the point. */
static struct span
short_number(char text[static NUMBER_TEXT], double value)
{
    double size = value < 0 ? -value : value;
    if (size >= 100 || num_is_whole(value))
        return number_commas(text, value);
    double hundredths = num_floor(size * 100 + 0.5);
    return number_plain(text, (value < 0 ? -hundredths : hundredths) / 100);
}

/* Write "1,234 samples", or "2.14 s" if the counts have a unit. */
static void
put_count(const struct canvas *c, double count)
{
    char digits[NUMBER_TEXT];
    struct span name = c->o->countname;
    out_span(c->xml.out, c->o->unit != NULL ? units_text(digits, c->o->unit, count, &name)
                         : c->o->perl       ? number_commas(digits, count)
                                            : short_number(digits, count));
    out_char(c->xml.out, ' ');
    xmltext_put(&c->xml, name);
}

/* Write "malloc (1,234 samples, 5.67%)", or in a comparison "malloc (1,234 samples, 5.67%;
 * +0.12%)". */
static void
put_title(const struct canvas *c, const struct merged_frame *f, double counts)
{
    struct out *out = c->xml.out;
    double scaled = 0 + counts * c->o->factor; /* 0 + makes -0 a 0 */
    xmltext_put(&c->xml, is_root(f) ? SPAN("all") : box_name(c, frames_name(c->svg->frames, f)));
    out_text(out, " (");
    put_count(c, scaled);
    out_text(out, ", ");
    if (is_root(f)) {
        out_text(out, "100%)");
        return;
    }
    /* flamegraph.pl computes the percentage from the rounded count that it prints. */
    put_percent(c, c->o->perl && c->o->unit == NULL ? number_whole(scaled) : scaled);
    double delta = frames_delta(c->svg->frames, f);
    if (!isnan(delta)) {
        delta = c->o->negate ? 0 - delta : delta;
        out_cstr(out, delta > 0 ? "; +" : "; ");
        put_percent(c, delta);
    }
    out_char(out, ')');
}

/* Write the name, cut to `chars` characters, which are MIN_CHARS or more. */
static void
put_name(const struct canvas *c, struct span name, double chars)
{
    struct out *out = c->xml.out;
    /* A character takes at least one byte, so name.len is the limit for larger numbers, which may
     * not fit size_t. */
    size_t room = chars < (double)name.len ? (size_t)chars : name.len;
    if (utf8_offset(name, room) == name.len) {
        xmltext_put(&c->xml, name);
    } else if (c->o->truncate == TRUNCATE_RIGHT) {
        xmltext_put(&c->xml, span_head(name, utf8_offset(name, room - 2)));
        out_text(out, "..");
    } else {
        out_text(out, "..");
        xmltext_put(&c->xml, span_from(name, utf8_offset(name, utf8_count(name) - (room - 2))));
    }
}

static void
put_fixed(struct out *out, double value, int places)
{
    char digits[NUMBER_TEXT];
    out_span(out, number_fixed(digits, value, places));
}

static void
put_plain(struct out *out, double value)
{
    char digits[NUMBER_TEXT];
    out_span(out, number_plain(digits, value));
}

/* Write the text of a frame with this fill, from x1 to x2. A narrow frame has none; but in
 * flamegraph.pl's pictures the element is there, since their script needs it. */
static void
put_label(const struct canvas *c, const struct merged_frame *f, struct span fill, double x1,
          double x2, double y)
{
    struct out *out = c->xml.out;
    struct span name = box_name(c, frames_name(c->svg->frames, f));
    /* The number of characters that fit, as flamegraph.pl estimates it. */
    double chars = (x2 - x1) / (c->o->fontsize * c->o->fontwidth);
    bool room = chars >= MIN_CHARS;
    if (!c->o->perl && (!room || name.len == 0))
        return;
    out_text(out, "<text x=\"");
    put_fixed(out, x1 + TEXT_PAD, 2);
    out_text(out, "\" y=\"");
    put_plain(out, y);
    out_cstr(out, contrast_is_white(fill) ? "\" fill=\"#fff\">" : "\">");
    if (room)
        put_name(c, name, chars);
    out_text(out, "</text>");
}

struct box
box_of(const struct canvas *c, const struct merged_frame *f)
{
    double end = is_root(f) ? c->svg->total : f->end;
    double row = (double)f->depth * c->o->height;
    return (struct box){
        .x1 = OPTIONS_XPAD + f->start * c->svg->per_count,
        .x2 = OPTIONS_XPAD + end * c->svg->per_count,
        .y =
            c->o->inverted ? c->top + row : c->height - c->bottom - row - c->o->height + CANVAS_GAP,
        .height = c->o->height - CANVAS_GAP,
    };
}

void
box_draw(const struct canvas *c, const struct merged_frame *f, const struct attrs *attrs,
         struct span fill)
{
    struct out *out = c->xml.out;
    const struct box b = box_of(c, f);

    open_group(c, attrs);
    out_text(out, "<title>");
    if (attrs != NULL && attrs->title.len > 0)
        xmltext_put(&c->xml, box_visible(c, attrs->title));
    else
        put_title(c, f, (is_root(f) ? c->svg->total - c->svg->gone : f->end) - f->start);
    out_text(out, "</title><rect x=\"");
    put_fixed(out, number_tenths(b.x1), 1);
    out_text(out, "\" y=\"");
    put_plain(out, b.y);
    out_text(out, "\" width=\"");
    /* Subtract rounded edges, so that neighbouring frames leave no gap. */
    put_fixed(out, number_tenths(b.x2) - number_tenths(b.x1), 1);
    out_text(out, "\" height=\"");
    put_fixed(out, b.height, 1);
    out_text(out, "\" fill=\"");
    xmltext_put(&c->xml, fill);
    out_text(out, "\" rx=\"2\" ry=\"2\"/>");
    put_label(c, f, fill, b.x1, b.x2, b.y + b.height / 2 + TEXT_PAD);
    out_cstr(out, attrs != NULL && attrs->link ? "</a>\n" : "</g>\n");
}
