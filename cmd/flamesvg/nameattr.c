/* A line is a frame's name, a tab, and fields with tabs between them:
 *
 *     main<TAB>title=the entry<TAB>href=https://example.org/<TAB>g_extra=stroke="green" rx="3"
 *
 * The fields are flamegraph.pl's, which copies values into the XML: "&amp;" means "&" here too. */
#include "cmd/flamesvg/nameattr.h"

#include <stdlib.h>
#include <strings.h>

#include "cmd/flamesvg/xmltext.h"
#include "common/stack/text/input.h"

enum attr_field { F_TITLE, F_HREF, F_TARGET, F_A_EXTRA, F_ID, F_CLASS, F_G_EXTRA, F_COUNT };

static const char *const field_names[F_COUNT] = {
    [F_TITLE] = "title", [F_HREF] = "href",   [F_TARGET] = "target",   [F_A_EXTRA] = "a_extra",
    [F_ID] = "id",       [F_CLASS] = "class", [F_G_EXTRA] = "g_extra",
};

/* The current line; `in` gives the place for messages. */
struct attr_line {
    struct nameattr *n;
    struct input *in;
    struct attr *list;
    size_t count, cap;
    struct intern given; /* names of attributes */
    size_t *last;        /* for each of them: number of the last line that had it, from 1 */
    size_t last_cap, line;
};

static void
refuse(struct attr_line *r, const char *what, struct span text)
{
    diag_warn(r->in->diag, "attributes left out", input_place(r->in), "%s: '%.*s'", what,
              SPAN_ARG(text));
}

static bool
is_name_byte(char c)
{
    return is_alpha(c) || is_digit(c) || c == '_' || c == '-' || c == '.' || c == ':';
}

static bool
begins(struct span s, const char *text)
{
    size_t len = strlen(text);
    return s.len >= len && strncasecmp(s.ptr, text, len) == 0;
}

/* Return true for a name that is valid in XML and no event handler. Prefixes other than these two
 * would need a declaration, which the picture does not have. */
static bool
is_safe_name(struct span name)
{
    struct span local = name;
    if (span_starts(name, SPAN("xlink:")))
        local = span_from(name, 6);
    else if (span_starts(name, SPAN("xml:")))
        local = span_from(name, 4);
    return local.len > 0 && (is_alpha(local.ptr[0]) || local.ptr[0] == '_') &&
           !span_has(local, ':') && !begins(local, "on") && !begins(local, "xmlns");
}

/* Return true for a letter of a scheme's name: RFC 3986, section 3.1. */
static bool
is_scheme_byte(char c)
{
    return is_alpha(c) || is_digit(c) || c == '+' || c == '-' || c == '.';
}

/* Return true for "#part", "page.html" and "HTTPS://example.org/"; false for "file:///x" and
 * "java\nscript:x()". Like browsers, ignore blanks and control bytes in a scheme. */
static bool
is_safe_link(struct span url)
{
    static const struct span schemes[] = {SPAN("http"), SPAN("https"), SPAN("mailto")};
    char text[16]; /* start of the scheme, longer than any of these */
    size_t n = 0, i = 0;
    for (; i < url.len && ((unsigned char)url.ptr[i] <= ' ' || is_scheme_byte(url.ptr[i])); i++)
        if (n < sizeof text && (unsigned char)url.ptr[i] > ' ')
            text[n++] = url.ptr[i];
    if (i == url.len || url.ptr[i] != ':')
        return true; /* a relative URL */
    bool known = false;
    for (size_t k = 0; k < sizeof schemes / sizeof *schemes; k++)
        known |= n == schemes[k].len && strncasecmp(text, schemes[k].ptr, n) == 0;
    return known;
}

/* Return true if an attribute could make a browser fetch something: by one of these functions of
 * CSS, in "style", "fill" and the like. A backslash or a comment could hide a function's name. */
static bool
may_fetch(struct span value)
{
    static const char *const texts[] = {"url(", "image(", "image-set(", "src(", "\\", "/*"};
    for (; value.len > 0; value = span_from(value, 1))
        for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
            if (begins(value, texts[i]))
                return true;
    return false;
}

/* Remember that the line has the attribute. Return false if it had it before. */
static bool
is_first(struct attr_line *r, struct span name)
{
    uint32_t id;
    bool is_new = intern_put(&r->given, name, &id);
    r->last = mem_grow(r->last, &r->last_cap, r->given.count, sizeof *r->last);
    bool first = is_new || r->last[id] != r->line;
    r->last[id] = r->line;
    return first;
}

static void
add(struct attr_line *r, struct span name, struct span raw, bool link)
{
    struct span value = xmltext_decode(&r->n->arena, raw);
    if (!is_safe_name(name)) {
        refuse(r, "attribute not allowed", name);
        return;
    }
    bool is_link = span_ends(name, SPAN("href"));
    if (is_link && !is_safe_link(value)) {
        refuse(r, "link not allowed, only http:, https:, mailto: and relative ones", value);
        return;
    }
    if (!is_link && may_fetch(value)) {
        refuse(r, "value not allowed, it could fetch something", value);
        return;
    }
    if (!is_first(r, name)) {
        refuse(r, "attribute given twice", name);
        return;
    }
    MEM_ADD(r->list, r->count, r->cap, (struct attr){name, value, link});
}

/* Add attributes written as in XML: stroke-width="1" stroke='green'. */
static void
add_extra(struct attr_line *r, struct span text, bool link)
{
    for (text = span_trim(text); text.len > 0; text = span_trim(text)) {
        size_t len = span_run(text, 0, is_name_byte);
        struct span rest = span_trim(span_from(text, len));
        if (len == 0 || rest.len == 0 || rest.ptr[0] != '=')
            break;
        rest = span_trim(span_from(rest, 1));
        size_t end = rest.len > 0 && (rest.ptr[0] == '"' || rest.ptr[0] == '\'')
                         ? span_find(span_from(rest, 1), rest.ptr[0])
                         : SPAN_NONE;
        if (end == SPAN_NONE)
            break;
        add(r, span_head(text, len), span_head(span_from(rest, 1), end), link);
        text = span_from(rest, end + 2);
    }
    if (text.len > 0)
        refuse(r, "not name=\"value\"", text);
}

/* Return the attributes from the fields of a line. If a frame's link is refused, draw the frame
 * without it. */
static struct attrs
build(struct attr_line *r, const struct span *fields)
{
    struct attrs set = {.title = fields[F_TITLE]};
    r->count = 0;
    r->line++;
    if (fields[F_HREF].len > 0)
        add(r, SPAN("xlink:href"), fields[F_HREF], true);
    set.link = r->count > 0;
    if (set.link) {
        /* The default, _self, would open the link inside an <object>. */
        add(r, SPAN("target"), fields[F_TARGET].len > 0 ? fields[F_TARGET] : SPAN("_top"), true);
        add_extra(r, fields[F_A_EXTRA], true);
    }
    if (fields[F_ID].ptr != NULL)
        add(r, SPAN("id"), fields[F_ID], false);
    if (fields[F_CLASS].ptr != NULL)
        add(r, SPAN("class"), fields[F_CLASS], false);
    add_extra(r, fields[F_G_EXTRA], false);
    set.title = xmltext_decode(&r->n->arena, set.title);
    set.count = r->count;
    if (r->count > 0) {
        size_t size = r->count * sizeof *r->list;
        set.list = memcpy(arena_alloc(&r->n->arena, size), r->list, size);
    }
    return set;
}

static void
read_line(struct attr_line *r, struct span line)
{
    struct span fields[F_COUNT] = {{NULL, 0}};
    if (line.len > 0 && line.ptr[line.len - 1] == '\r')
        line.len--;
    if (line.len == 0)
        return;
    if (!span_has(line, '\t')) {
        refuse(r, "no tab after the name", line);
        return;
    }
    line = arena_copy(&r->n->arena, line);
    uint32_t id = intern_add(&r->n->names, span_take(&line, '\t'));
    while (line.len > 0) {
        struct span field = span_take(&line, '\t');
        size_t equals = span_find(field, '=');
        for (size_t i = 0; i < F_COUNT && equals != SPAN_NONE; i++)
            if (span_eq(span_head(field, equals), span_cstr(field_names[i])))
                fields[i] = span_from(field, equals + 1);
    }
    r->n->sets = mem_grow(r->n->sets, &r->n->sets_cap, id + 1, sizeof *r->n->sets);
    r->n->sets[id] = build(r, fields);
}

bool
nameattr_read(struct nameattr *n, struct diag *diag, const char *file)
{
    char *name = (char *)file; /* input_start takes argv of main; not changed */
    struct input in;
    struct span line;
    *n = (struct nameattr){0};
    input_start(&in, diag, &name, 1);
    struct attr_line r = {.n = n, .in = &in};
    bool opened = input_next(&in);
    while (opened && lines_next(&in.lines, &line))
        read_line(&r, line);
    bool whole = opened && in.lines.error == 0;
    intern_free(&r.given);
    free(r.list);
    free(r.last);
    input_free(&in);
    return whole;
}

const struct attrs *
nameattr_find(const struct nameattr *n, struct span name)
{
    uint32_t id = intern_find(&n->names, name);
    return id != INTERN_NONE ? &n->sets[id] : NULL;
}
