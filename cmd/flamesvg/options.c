#include "cmd/flamesvg/options.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "cmd/flamesvg/xmltext.h"
#include "common/base/decimal.h"
#include "common/base/opt.h"

enum id {
    TITLE = 1,
    SUBTITLE,
    WIDTH,
    HEIGHT,
    MINWIDTH,
    FONTTYPE,
    FONTSIZE,
    FONTWIDTH,
    COUNTNAME,
    NAMETYPE,
    COLORS,
    BGCOLORS,
    SEED,
    NOTES,
    ENCODING,
    FACTOR,
    CLOCK,
    BASE,
    OUTPUT,
};

#define AT(member) OPT_AT(struct options, member)

static const struct opt table[] = {
    OPT_HEADING("The picture"),
    {"output", 'o', OPT_TEXT, true, OUTPUT, "FILE",
     "write to this file, which is replaced when all is written; .html: a page"},
    {"html", 0, OPT_FLAG, false, AT(html), NULL,
     "write an HTML page with a table of functions, not an SVG"},
    {"title", 0, OPT_TEXT, false, TITLE, "TEXT",
     "heading (Flame Graph; of two profiles with Differential)"},
    {"colors", 0, OPT_CHOICE, false, COLORS, PALETTE_NAMES, "palette (hot)"},
    {"countname", 0, OPT_TEXT, false, COUNTNAME, "TEXT",
     "what is counted (samples); ns, us, ms and bytes are scaled"},
    {"inverted", 0, OPT_FLAG, false, AT(inverted), NULL, "root at the top: an icicle graph"},
    {"reverse", 0, OPT_FLAG, false, AT(reverse), NULL, "merge stacks from their leaves"},
    {"flamechart", 0, OPT_FLAG, false, AT(flamechart), NULL,
     "x is time: keep the order of the input"},
    {"width", 0, OPT_TEXT, false, WIDTH, "PIXELS|auto",
     "width of the picture; auto, the default, is the window's, or 1200"},
    {"minwidth", 0, OPT_TEXT, false, MINWIDTH, "PIXELS|PERCENT%",
     "leave out narrower frames (0.1); with % of the total"},
    OPT_HEADING("Texts"),
    {"subtitle", 0, OPT_TEXT, false, SUBTITLE, "TEXT", "second heading"},
    {"nametype", 0, OPT_TEXT, false, NAMETYPE, "TEXT", "text before a frame's details (Function:)"},
    {"notes", 0, OPT_TEXT, false, NOTES, "TEXT", "comment in the file; must not hold < or >"},
    {"encoding", 0, OPT_TEXT, false, ENCODING, "ENCODING", "encoding to declare (UTF-8)"},
    {"fonttype", 0, OPT_TEXT, false, FONTTYPE, "FONT", "font family (Verdana)"},
    {"fontsize", 0, OPT_NUM, false, FONTSIZE, "PIXELS", "font size (12)"},
    {"fontwidth", 0, OPT_NUM, false, FONTWIDTH, "RATIO",
     "width of a letter as part of its size (0.59)"},
    OPT_HEADING("Frames"),
    {"sort", 0, OPT_CHOICE, true, AT(sort), "name|size",
     "order of frames with the same caller (name)"},
    {"base", 0, OPT_TEXT, true, BASE, "RE", "begin each stack at its first frame that matches"},
    {"truncate", 0, OPT_CHOICE, true, AT(truncate), "left|right",
     "cut long names at this end (right)"},
    {"height", 0, OPT_INT, false, HEIGHT, "PIXELS", "height of a frame (16)"},
    {"nameattr", 0, OPT_TEXT, false, AT(nameattr), "FILE", "titles, links and attributes by name"},
    {"lines", 0, OPT_TEXT, true, AT(lines), "FILE",
     "of a page: show the source lines that stackreport --lines --format=tsv has listed"},
    {"total", 0, OPT_NUM, false, AT(total), "COUNT",
     "count of the full width, if more than the sum of the input"},
    {"factor", 0, OPT_NUM, false, FACTOR, "NUMBER", "multiply the counts shown by this (1)"},
    {"clock", 0, OPT_TEXT, true, CLOCK, "TIME",
     "the page shows times of day: \"1297.908076 at 2026-11-28T22:51:08.250125Z\""},
    OPT_HEADING("Colours"),
    {"hash", 0, OPT_FLAG, false, AT(hash), NULL,
     "colour by a hash of the name: similar names look alike"},
    {"random", 0, OPT_FLAG, false, AT(random), NULL, "colour at random, the same in each run"},
    {"seed", 0, OPT_INT, true, SEED, "N", "random seed (1); sets --random"},
    {"cp", 0, OPT_FLAG, false, AT(colormap), NULL,
     "keep the colour of each name in the file palette.map"},
    {"bgcolors", 0, OPT_TEXT, false, BGCOLORS, "COLOR",
     "background: yellow, blue, green, grey or #rrggbb"},
    {"negate", 0, OPT_FLAG, false, AT(negate), NULL, "swap the two colours of a comparison"},
    OPT_HEADING("Other"),
    OPT_STRICT_ROW,
    OPT_COMMON,
};

/* The gradients of flamegraph.pl, from top to bottom. */
static const struct background {
    const char *name, *colours[2];
} backgrounds[] = {
    {"yellow", {"#eeeeee", "#eeeeb0"}},
    {"blue", {"#eeeeee", "#e0e0ff"}},
    {"green", {"#eef2ee", "#e0ffe0"}},
    {"grey", {"#f8f8f8", "#e8e8e8"}},
};

/* Encodings that extend ASCII. A picture that declares one of them is written in pure ASCII. */
static const char *const ascii_encodings[] = {
    "us-ascii", "iso-8859-", "windows-125", "koi8-", "gb2312", "gbk", "gb18030", "big5", "euc-",
};

static void
set_background(struct options *o, const struct opt_program *p, const char *name)
{
    for (size_t i = 0; i < sizeof backgrounds / sizeof *backgrounds; i++)
        if (strcmp(name, backgrounds[i].name) == 0) {
            memcpy(o->background, backgrounds[i].colours, sizeof o->background);
            return;
        }
    if (strlen(name) != 7 || name[0] != '#' || strspn(name + 1, "0123456789abcdefABCDEF") != 6)
        opt_usage(p, "option --bgcolors: '%s' is not a colour", name);
    o->background[0] = o->background[1] = name;
}

/* Set the width: a number of pixels, or "auto", which flamegraph.pl lacks. */
static void
set_width(struct options *o, const struct opt_reader *r)
{
    char *end;
    o->follow = !o->perl && strcmp(r->value, "auto") == 0;
    if (o->follow)
        return;
    o->width = (double)strtol(r->value, &end, 10);
    if (end == r->value || *end != '\0')
        opt_usage(r->program, "option --width: '%s' is not a number", r->value);
    if (!(o->width > 2 * OPTIONS_XPAD))
        opt_usage(r->program, "option --width: '%s' is too small", r->value);
}

/* Return true for a date and time in UTC, "2026-11-28T22:51:08.250125Z". */
static bool
is_day_and_time(const char *text)
{
    static const char form[] = "0000-00-00T00:00:00.";
    size_t n = sizeof form - 1, digits;
    for (size_t i = 0; i < n; i++)
        if (form[i] == '0' ? !is_digit(text[i]) : text[i] != form[i])
            return false;
    digits = strspn(text + n, "0123456789");
    return digits > 0 && digits <= 9 && strcmp(text + n + digits, "Z") == 0;
}

/* Set the clock from what stackrecord --header prints after "# monotonic clock : ". */
static void
set_clock(struct options *o, const struct opt_reader *r)
{
    static const char between[] = " at ";
    const char *at = strstr(r->value, between);
    struct decimal seconds;
    if (at == NULL || !decimal_parse(span_of(r->value, (size_t)(at - r->value)), &seconds) ||
        !is_day_and_time(at + sizeof between - 1))
        opt_usage(r->program,
                  "option --clock: '%s' is not a time such as "
                  "'1297.908076 at 2026-11-28T22:51:08.250125Z'",
                  r->value);
    o->clock = span_cstr(r->value);
}

static void
set_minwidth(struct options *o, const struct opt_reader *r)
{
    char *end;
    o->minwidth = strtod(r->value, &end);
    o->minwidth_percent = *end == '%';
    if (end == r->value || strspn(r->value, "0123456789.") != (size_t)(end - r->value) ||
        strcmp(end, o->minwidth_percent ? "%" : "") != 0)
        opt_usage(r->program, "option --minwidth: '%s' is not a number or a percentage", r->value);
}

static void
set_encoding(struct options *o, const struct opt_reader *r)
{
    o->ascii = strcasecmp(r->value, "utf-8") != 0;
    bool known = !o->ascii;
    for (size_t i = 0; i < sizeof ascii_encodings / sizeof *ascii_encodings; i++)
        known |= strncasecmp(r->value, ascii_encodings[i], strlen(ascii_encodings[i])) == 0;
    /* EncName, section 4.3.3 of the XML recommendation */
    if (!known || strspn(r->value, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                   "0123456789._-") != strlen(r->value))
        opt_usage(r->program, "option --encoding: '%s' is not an encoding that extends ASCII",
                  r->value);
    o->encoding = r->value;
}

/* Options whose value is a text or a number above 0, and their offsets in struct options. */
static const struct text_field {
    int id;
    enum { TEXT, NUMBER } type;
    size_t offset;
} fields[] = {
    {TITLE, TEXT, offsetof(struct options, title)},
    {SUBTITLE, TEXT, offsetof(struct options, subtitle)},
    {COUNTNAME, TEXT, offsetof(struct options, countname)},
    {NAMETYPE, TEXT, offsetof(struct options, nametype)},
    {FONTTYPE, TEXT, offsetof(struct options, fonttype)},
    {HEIGHT, NUMBER, offsetof(struct options, height)},
    {FONTSIZE, NUMBER, offsetof(struct options, fontsize)},
    {FONTWIDTH, NUMBER, offsetof(struct options, fontwidth)},
};

/* If the option is one of the table's, store its value and return true. */
static bool
store(struct options *o, const struct opt_reader *r, int id)
{
    const struct text_field *f = fields, *end = fields + sizeof fields / sizeof *fields;
    while (f < end && f->id != id)
        f++;
    if (f == end)
        return false;
    char *at = (char *)o + f->offset;
    if (f->type == TEXT) {
        /* flamegraph.pl copies texts into the XML, so its users write "&amp;" for "&". */
        struct span text = xmltext_decode(&o->arena, span_cstr(r->value));
        memcpy(at, &text, sizeof text);
    } else {
        double number = id == HEIGHT ? (double)r->number : r->real;
        if (!(number > 0))
            opt_usage(r->program, "option --%s: '%s' is too small", r->name, r->value);
        memcpy(at, &number, sizeof number);
    }
    return true;
}

static void
take(struct options *o, const struct opt_reader *r, int id)
{
    switch (id) {
    case WIDTH:
        set_width(o, r);
        break;
    case MINWIDTH:
        set_minwidth(o, r);
        break;
    case ENCODING:
        set_encoding(o, r);
        break;
    case COLORS:
        o->palette = &palettes[r->number];
        break;
    case BGCOLORS:
        set_background(o, r->program, r->value);
        break;
    case NOTES:
        if (strpbrk(r->value, "<>") != NULL)
            opt_usage(r->program, "option --notes: must not hold < or >");
        o->notes = span_cstr(r->value);
        break;
    case FACTOR:
        if (r->real == 0)
            opt_usage(r->program, "option --factor: must not be 0");
        o->factor = r->real;
        break;
    case CLOCK:
        set_clock(o, r);
        break;
    case SEED:
        if (r->number < 0 || (uint64_t)r->number > UINT32_MAX)
            opt_usage(r->program, "option --seed: '%s' is not from 0 to %u", r->value, UINT32_MAX);
        o->random = true;
        o->seed = (uint32_t)r->number;
        break;
    case BASE:
        opt_pattern(r, &o->base);
        o->has_base = true;
        break;
    case OUTPUT:
        o->output = strcmp(r->value, "-") == 0 ? NULL : r->value;
        o->to_stdout = o->output == NULL;
        break;
    }
}

/* Return true for "x.html" and "X.HTM"; false if there is no name before the dot. */
static bool
is_html_name(const char *path)
{
    const char *point = strrchr(path, '.');
    return point != NULL && point > path && point[-1] != '/' &&
           (strcasecmp(point, ".html") == 0 || strcasecmp(point, ".htm") == 0);
}

static void
finish(struct options *o, const struct opt_program *p)
{
    shade_init(&o->shade, o->hash ? SHADE_HASH : o->random ? SHADE_RANDOM : SHADE_SUM, o->seed);
    o->default_title = o->title.len == 0;
    if (o->default_title)
        o->title = o->flamechart ? SPAN("Flame Chart")
                   : o->inverted ? SPAN("Icicle Graph")
                                 : SPAN("Flame Graph");
    o->html |= o->output != NULL && is_html_name(o->output);
    o->dark = o->background[0] == NULL;
    if (o->dark)
        set_background(o, p, o->palette->background);
    o->unit = o->perl ? NULL : units_find(o->countname);
    if (o->flamechart && o->sort == SORT_SIZE)
        opt_usage(p, "--flamechart keeps the order of the input: it cannot be sorted by size");
    if (o->html && o->perl)
        opt_usage(p, "option --html: flamegraph.pl has none; use flamesvg");
    if (o->lines != NULL && o->perl)
        opt_usage(p, "option --lines: flamegraph.pl has none; use flamesvg");
    if (o->lines != NULL && !o->html)
        opt_usage(p, "option --lines: only a page shows source lines: give --html");
    if (o->output != NULL && o->perl)
        opt_usage(p, "option --output: flamegraph.pl has none; use flamesvg");
    if (o->html && o->output != NULL && span_ends(span_cstr(o->output), SPAN(".svg")))
        opt_usage(p, "option --html writes a page, and %s is the name of a picture", o->output);
    if (o->html && o->ascii)
        opt_usage(p, "option --encoding: an HTML page is always in UTF-8");
    if (o->output == NULL && !o->perl && !o->to_stdout && isatty(STDOUT_FILENO))
        opt_usage(p, "standard output is a terminal: name a file for the picture, with -o FILE or "
                     "with > FILE");
}

void
options_set_compared(struct options *o)
{
    if (o->default_title)
        o->title = o->flamechart ? SPAN("Differential Flame Chart")
                   : o->inverted ? SPAN("Differential Icicle Graph")
                                 : SPAN("Differential Flame Graph");
}

void
options_read(struct options *o, int argc, char **argv)
{
    bool perl = opt_called("flamegraph.pl", argc, argv);
    *o = (struct options){
        .program = perl ? "flamegraph.pl" : "flamesvg",
        .perl = perl,
        .countname = SPAN("samples"),
        .nametype = SPAN("Function:"),
        .fonttype = SPAN("Verdana"),
        .width = 1200,
        .follow = !perl,
        .height = 16,
        .fontsize = 12,
        .fontwidth = 0.59,
        .minwidth = 0.1,
        .factor = 1,
        .palette = &palettes[0],
        .seed = 1,
        .truncate = TRUNCATE_RIGHT,
        .sort = SORT_NAME,
    };
    const struct opt_program program = {
        .name = o->program,
        .synopsis = "[option ...] [file ...] > out.svg",
        .about = "Draws folded stacks as one interactive flame graph.",
        .table = table,
        .usage_status = perl ? 255 : 2, /* as die() with errno 0 */
        .perl_help = perl,
    };
    struct opt_reader r;
    opt_start(&r, &program, o, argc, argv);
    for (int id; (id = opt_next(&r)) != OPT_DONE;)
        if (!store(o, &r, id))
            take(o, &r, id);
    o->quiet = r.quiet;
    o->strict = r.strict;
    o->files = r.argv;
    o->nfiles = (size_t)r.noperands;
    finish(o, &program);
}
