/* The source lines of the table's functions. With line breaks added:
 *
 *     "sourceFiles":["/srv/parse.c"],
 *     "sourceLines":[
 *         [2,5000,7500,[
 *             [0,11,"{"],
 *             [0,12,"    while (*p)",5000,5000],
 *             [0,13,"        n += f(p);",0,2500,1]]]]
 *
 * For each function: the number of its name, its self and its total in hundredths of a percent of
 * all samples, and its lines. A line is the number of its file, its own number, its text, if it has
 * samples its self and total, and 1 if a call in it was inlined. */
#include "cmd/flamesvg/pagelines.h"

#include "cmd/flamesvg/sourcelines.h"
#include "common/base/jsontext.h"

static void
put_line(struct out *out, const struct source_line *line)
{
    out_format(out, "[%u,%u,", (unsigned)line->file, (unsigned)line->number);
    jsontext_embedded(out, line->text, false);
    if (line->shares.known)
        out_format(out, ",%u,%u", (unsigned)line->shares.self, (unsigned)line->shares.total);
    out_cstr(out, line->shares.known && line->inlined ? ",1" : "");
    out_char(out, ']');
}

static void
put_function(struct out *out, const struct sourcelines *s, const struct line_function *f,
             uint32_t name)
{
    const char *comma = "";
    out_format(out, "[%u,%u,%u,[", (unsigned)name, (unsigned)f->shares.self,
               (unsigned)f->shares.total);
    for (const struct source_line *line = NULL; (line = sourcelines_next(s, f, line)) != NULL;) {
        out_cstr(out, comma);
        put_line(out, line);
        comma = ",";
    }
    out_text(out, "]]");
}

void
pagelines_put(const struct canvas *c, const struct names *names)
{
    const struct sourcelines *s = c->svg->lines;
    struct out *out = c->xml.out;
    const char *comma = "";
    if (s == NULL)
        return;
    out_text(out, ",\n\"sourceFiles\":[");
    for (uint32_t i = 0; i < s->files.count; i++) {
        out_cstr(out, i > 0 ? "," : "");
        jsontext_embedded(out, intern_text(&s->files, i), false);
    }
    out_text(out, "],\n\"sourceLines\":[");
    for (uint32_t i = 1; i < names->texts.count; i++) { /* 0 is the root */
        const struct line_function *f = sourcelines_find(s, intern_text(&names->texts, i));
        if (f == NULL)
            continue;
        out_cstr(out, comma);
        put_function(out, s, f, i);
        comma = ",";
    }
    out_char(out, ']');
}
