#include "cmd/flamesvg/html.h"

#include "cmd/flamesvg/packed.h"
#include "cmd/flamesvg/table.h"
#include "gen/csp.h"
#include "gen/flame_css.h"
#include "gen/html_js.h"
#include "gen/lines_css.h"
#include "gen/lines_js.h"

static void
put_element(const struct xmltext *x, const char *start, struct span text, const char *end)
{
    out_cstr(x->out, start);
    xmltext_put(x, text);
    out_cstr(x->out, end);
}

/* Write the content security policy: which script and styles are allowed, by their hashes. */
static void
put_policy(const struct canvas *c)
{
    struct out *out = c->xml.out;
    bool lines = c->svg->lines != NULL;
    out_text(out, "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                  "script-src '");
    out_cstr(out, lines ? CSP_LINES_SCRIPT : CSP_SCRIPT);
    out_text(out, "'; style-src '" CSP_STYLE);
    out_cstr(out, lines ? "' '" CSP_LINES_STYLE : "");
    out_text(out, "'; base-uri 'none'; form-action 'none'\">\n");
}

/* Write the styles. Between the tags there must be nothing but the text whose hash is in the
 * policy. */
static void
put_styles(const struct canvas *c)
{
    struct out *out = c->xml.out;
    out_text(out, "<style>");
    out_text(out, flame_css);
    if (c->svg->lines != NULL) {
        out_text(out, "</style>\n<style>");
        out_text(out, lines_css);
    }
    out_text(out, "</style>\n");
}

/* Write the script. The same holds for its tags. In a page with source lines, the last line of the
 * usual script is replaced by the rest of the script for these. */
static void
put_script(const struct canvas *c)
{
    static const char last[] = "})();\n";
    struct out *out = c->xml.out;
    out_text(out, "<script>");
    if (c->svg->lines != NULL) {
        out_span(out, span_of(html_js, sizeof html_js - sizeof last));
        out_text(out, lines_js);
    } else {
        out_text(out, html_js);
    }
    out_text(out, "</script>\n");
}

static void
put_head(const struct canvas *c)
{
    struct out *out = c->xml.out;
    out_text(out, "<!DOCTYPE html>\n<html lang=\"en\"");
    canvas_put_data(c, "html");
    xmltext_attribute(&c->xml, "data-fonttype", c->o->fonttype);
    out_text(out, ">\n");
    if (c->o->notes.len > 0)
        xmltext_comment(&c->xml, c->o->notes);
    out_text(out, "<head>\n<meta charset=\"utf-8\">\n");
    put_policy(c);
    out_text(out, "<meta name=\"viewport\" content=\"width=device-width\">\n");
    put_element(&c->xml, "<title>", c->o->title, "</title>\n");
    put_styles(c);
    out_text(out, "</head>\n");
}

/* Write the table in packed form: otherwise it would be five times as large. */
static void
put_table(const struct canvas *c, const struct names *names)
{
    struct packed packed;
    struct canvas unpacked = *c;
    unpacked.xml.out = &packed.text;
    packed_start(&packed, c->xml.out);
    table_put(&unpacked, names);
    packed_finish(&packed);
}

static void
put_body(const struct canvas *c, const struct names *names)
{
    struct out *out = c->xml.out;
    out_text(out, "<body>\n");
    put_element(&c->xml, "<h1 id=\"title\">", c->o->title, "</h1>\n");
    if (c->o->subtitle.len > 0)
        put_element(&c->xml, "<p id=\"subtitle\">", c->o->subtitle, "</p>\n");
    out_text(out, "<noscript><p>A script draws this page, and here scripts are off: allow them for "
                  "it, or draw an SVG, without flamesvg's option --html, which any viewer shows."
                  "</p></noscript>\n");
    put_script(c);
    out_text(out, "<script type=\"application/gzip\">");
    put_table(c, names);
    out_text(out, "</script>\n</body>\n</html>\n");
}

void
html_draw(const struct svg *s, struct out *out)
{
    struct arena arena = {0};
    struct names names;
    const struct canvas c = canvas_lay_out(s, out, 0, &arena);
    names_number(&names, s);
    put_head(&c);
    put_body(&c, &names);
    names_free(&names);
    arena_free(&arena);
}

void
html_draw_error(const struct options *o, struct out *out)
{
    const struct xmltext x = {out, false};
    out_text(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n"
                  "<title>No flame graph</title>\n");
    put_element(&x, "<p>ERROR: No valid input provided to ", span_cstr(o->program),
                ".</p>\n</html>\n");
}
