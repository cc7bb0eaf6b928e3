/* The script shows only what is in this table; the frames that are drawn, too, are for viewers
 * without scripts. Each name and fill is listed once; numbers refer to them. A column is a string
 * of numbers, written by base32_put, which a script decodes fast. With line breaks added:
 *
 *     {"names":["","main","parse"],
 *     "fills":["rgb(255,230,55)","rgb(205,0,23)"],"nameFills":"010",
 *     "kindNames":["native",""],"kindFills":["rgb(210,195,175)","rgb(225,225,225)"],"kinds":"100",
 *     "packages":["","(native)"],"namePackages":"011",
 *     "frames":"00X7000X7100U2","scale":1}
 *
 * "nameFills", "kinds" and "namePackages" have a number for each name. "frames" has four for each
 * frame, in preorder: the number of levels closed since the frame before it; the gap to the end of
 * the last frame with the same caller, or to the caller's start; its count; and its name. "scale"
 * is the factor by which gaps and counts were multiplied to make them whole. */
#include "cmd/flamesvg/table.h"

#include <math.h>
#include <stdlib.h>

#include "cmd/flamesvg/base32.h"
#include "cmd/flamesvg/pagelines.h"
#include "cmd/flamesvg/timetable.h"
#include "common/base/jsontext.h"
#include "common/base/num.h"
#include "common/base/number.h"
#include "common/stack/frames/framekind.h"

/* Write the key of a member, after the comma that ends the member before. */
static void
put_key(const struct canvas *c, const char *key)
{
    out_text(c->xml.out, ",\n\"");
    out_cstr(c->xml.out, key);
    out_text(c->xml.out, "\":");
}

/* Write a text as a JSON string. */
static void
put_string(const struct canvas *c, struct span s)
{
    jsontext_embedded(c->xml.out, s, c->xml.ascii);
}

/* Write a member that is an array of texts. */
static void
put_strings(const struct canvas *c, const char *key, const struct intern *texts)
{
    put_key(c, key);
    out_char(c->xml.out, '[');
    for (uint32_t i = 0; i < texts->count; i++) {
        out_cstr(c->xml.out, i > 0 ? "," : "");
        put_string(c, intern_text(texts, i));
    }
    out_char(c->xml.out, ']');
}

/* Write a member that is a string of numbers. */
static void
put_numbers(const struct canvas *c, const char *key, const uint32_t *numbers, size_t count)
{
    put_key(c, key);
    out_char(c->xml.out, '"');
    for (size_t i = 0; i < count; i++)
        base32_put(c->xml.out, numbers[i]);
    out_char(c->xml.out, '"');
}

static void
put_names(const struct canvas *c, const struct names *n)
{
    out_text(c->xml.out, "{\"names\":[\"\"");
    for (uint32_t i = 1; i < n->texts.count; i++) {
        out_char(c->xml.out, ',');
        put_string(c, box_name(c, intern_text(&n->texts, i)));
    }
    out_char(c->xml.out, ']');
}

static void
put_fills(const struct canvas *c, const struct names *n)
{
    put_strings(c, "fills", &n->fills);
    if (!n->random) {
        put_numbers(c, "nameFills", n->fill_of, n->texts.count);
        return;
    }
    uint32_t *of_name = mem_alloc(n->texts.count * sizeof *of_name);
    for (size_t i = c->svg->frames->count; i-- > 0;) /* so that of its first frame remains */
        of_name[names_of_frame(n, &c->svg->frames->list[i])] = n->fill_of[i];
    put_numbers(c, "nameFills", of_name, n->texts.count);
    put_numbers(c, "frameFills", n->fill_of, c->svg->frames->count);
    free(of_name);
}

/* Write the used kinds in the order of the legend, and the kind of each name. */
static void
put_kinds(const struct canvas *c, const enum frame_kind *kinds, size_t count)
{
    uint32_t *numbers = mem_alloc(count * sizeof *numbers), place[KIND_COUNT + 1], used = 0;
    bool occurs[KIND_COUNT + 1] = {false};
    struct intern labels = {0}, fills = {0};
    char colour[COLOUR_TEXT];
    for (size_t i = 0; i < count; i++)
        occurs[kinds[i]] = true;
    for (int kind = 0; kind <= KIND_COUNT; kind++) {
        if (!occurs[kind])
            continue;
        place[kind] = used++;
        intern_append(&labels, span_cstr(palette_kind_label((enum frame_kind)kind)));
        intern_append(&fills, palette_text(colour, palette_kind_colour((enum frame_kind)kind)));
    }
    for (size_t i = 0; i < count; i++)
        numbers[i] = place[kinds[i]];
    put_strings(c, "kindNames", &labels);
    put_strings(c, "kindFills", &fills);
    put_numbers(c, "kinds", numbers, count);
    intern_free(&labels);
    intern_free(&fills);
    free(numbers);
}

/* Write the packages, "" first, and the package of each name, which is "" for names that are not
 * code. */
static void
put_packages(const struct canvas *c, const struct intern *names, const enum frame_kind *kinds)
{
    uint32_t *packages = mem_alloc(names->count * sizeof *packages);
    struct intern texts = {0};
    char text[PACKAGE_TEXT];
    for (uint32_t i = 0; i < names->count; i++)
        packages[i] = intern_add(
            &texts, kinds[i] == KIND_COUNT ? SPAN("")
                                           : frame_package(intern_text(names, i), kinds[i], text));
    put_strings(c, "packages", &texts);
    put_numbers(c, "namePackages", packages, names->count);
    intern_free(&texts);
    free(packages);
}

static void
put_groups(const struct canvas *c, const struct intern *names)
{
    enum frame_kind *kinds = mem_alloc(names->count * sizeof *kinds);
    for (uint32_t i = 0; i < names->count; i++)
        kinds[i] = palette_kind(intern_text(names, i));
    put_kinds(c, kinds, names->count);
    put_packages(c, names, kinds);
    free(kinds);
}

static uint64_t
scaled(const struct canvas *c, double value)
{
    value *= c->svg->scale;
    if (value < 0x1p53 &&
        value == (double)(int64_t)value) /* most are: that saves a tenth of the table's time */
        return (uint64_t)value;
    return (uint64_t)number_whole(value);
}

static void
put_frames(const struct canvas *c, const struct names *n)
{
    const struct frames *f = c->svg->frames;
    struct out *out = c->xml.out;
    uint64_t *at = NULL; /* for each depth: end of the last frame, or start of its caller */
    size_t cap = 0, depth = 0;
    put_key(c, "frames");
    out_char(out, '"');
    for (size_t i = 0; i < f->count; i++) {
        const struct merged_frame *frame = &f->list[i];
        at = mem_grow(at, &cap, frame->depth + 2, sizeof *at);
        if (i == 0)
            at[0] = 0;
        uint64_t end = scaled(c, i == 0 ? c->svg->total : frame->end);
        uint64_t start = scaled(c, frame->start), before = at[frame->depth];
        start = start > before ? start : before; /* rounding may make frames overlap */
        end = end > start ? end : start;
        char *to = out_room(out, 4 * BASE32_MAX), *first = to;
        to = base32_write(to, i == 0 ? 0 : depth - frame->depth);
        to = base32_write(to, start - before);
        to = base32_write(to, end - start);
        to = base32_write(to, names_of_frame(n, frame));
        out->len += (size_t)(to - first);
        at[frame->depth] = end;
        at[frame->depth + 1] = start;
        depth = frame->depth + 1;
    }
    out_char(out, '"');
    free(at);
}

/* Write ,"key":[255,0,0]. */
static void
put_colour(const struct canvas *c, const char *key, struct colour colour)
{
    put_key(c, key);
    out_format(c->xml.out, "[%d,%d,%d]", colour.r, colour.g, colour.b);
}

static void
put_deltas(const struct canvas *c)
{
    const struct frames *f = c->svg->frames;
    double max = c->svg->max_delta;
    char digits[NUMBER_TEXT];
    put_key(c, "deltas");
    out_char(c->xml.out, '"');
    for (size_t i = 0; i < f->count; i++) {
        double delta = isnan(f->deltas[i]) ? 0 : f->deltas[i];
        delta = c->o->negate ? 0 - delta : delta;
        uint64_t size = scaled(c, fabs(delta));
        base32_put(c->xml.out, 2 * size - (delta < 0 && size > 0));
    }
    out_char(c->xml.out, '"');
    if (c->o->negate) {
        put_key(c, "negated");
        out_char(c->xml.out, '1');
    }
    put_key(c, "maxDelta");
    out_span(c->xml.out, number_plain(digits, max * c->svg->scale));
}

/* Write the attributes of a name, from --nameattr, as an object. */
static void
put_attributes(const struct canvas *c, const struct attrs *attrs)
{
    struct out *out = c->xml.out;
    const char *comma = "";
    out_char(out, '{');
    if (attrs->title.len > 0) {
        out_text(out, "\"title\":");
        put_string(c, box_visible(c, attrs->title));
        comma = ",";
    }
    for (size_t i = 0; i < attrs->count; i++) {
        struct span name = attrs->list[i].name;
        out_cstr(out, comma);
        put_string(c, span_eq(name, SPAN("xlink:href")) ? SPAN("href") : name);
        out_char(out, ':');
        put_string(c, attrs->list[i].value);
        comma = ",";
    }
    out_char(out, '}');
}

static void
put_nameattr(const struct canvas *c, const struct names *n)
{
    const char *comma = "";
    put_key(c, "attrs");
    out_char(c->xml.out, '{');
    for (uint32_t i = 0; i < n->texts.count; i++) {
        const struct attrs *attrs = nameattr_find(c->svg->attrs, intern_text(&n->texts, i));
        if (attrs == NULL)
            continue;
        out_format(c->xml.out, "%s\"%u\":", comma, (unsigned)i);
        put_attributes(c, attrs);
        comma = ",";
    }
    out_char(c->xml.out, '}');
}

void
table_put(const struct canvas *c, const struct names *n)
{
    put_names(c, n);
    put_fills(c, n);
    put_groups(c, &n->texts);
    put_frames(c, n);
    put_key(c, "scale");
    out_format(c->xml.out, "%g", c->svg->scale);
    if (c->svg->frames->least > 0) {
        put_key(c, "least");
        out_u64(c->xml.out, scaled(c, c->svg->frames->least));
    }
    if (c->svg->frames->compared)
        put_deltas(c);
    timetable_put(c, n);
    pagelines_put(c, n);
    if (c->svg->frames->compared || c->svg->slices != NULL) { /* slices can be compared, too */
        put_colour(c, "grown", palette_delta(c->o->palette, 1, 1));
        put_colour(c, "shrunk", palette_delta(c->o->palette, -1, 1));
    }
    if (c->o->nameattr != NULL)
        put_nameattr(c, n);
    out_text(c->xml.out, "}\n");
}
