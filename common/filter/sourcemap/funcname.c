/* V8 places a function where its parameters begin; a class without a constructor, and what sets its
 * fields, at "class"; async arrow functions at "async"; a script at its beginning:
 *
 *     function t(e){}        t=e=>e         e.zip=function(t){}     #r(e){}     get size(){}
 *               ^              ^                          ^           ^                 ^
 *     class e{constructor(r){}}      var a=class{}       a=async r=>r       d=__name(e=>e,"d")
 *                        ^                 ^               ^                         ^
 *
 * Its name for the function stands before that, and a segment of the map that begins at the name
 * has the original one. esbuild and terser put it there; terser puts that of a method at the
 * parenthesis. */
#include "common/filter/sourcemap/funcname.h"

/* How far before a function its name is searched where nothing better is known; a class's name may
 * be far from the constructor. */
enum { NEAR = 256, CLASS_NEAR = 16 * 1024 };

struct finder {
    struct sourcemap *map;
    const struct jstext *script;
    struct span text; /* of the script before the function: the last CLASS_NEAR bytes */
    struct span name; /* V8's, without "get " */
    struct text *to;
};

/* Return the offset in the script of a part of f->text. */
static size_t
offset_of(const struct finder *f, const char *at)
{
    return (size_t)(at - f->script->text.ptr);
}

static bool
is_identifier(char c)
{
    return is_word(c) || c == '$' || c == '#' || (unsigned char)c >= 0x80;
}

/* Return the identifier at the start of the text; empty for a keyword. */
static struct span
first_identifier(struct span text)
{
    static const struct span keywords[] = {
        SPAN("async"),  SPAN("await"),    SPAN("class"), SPAN("const"),  SPAN("constructor"),
        SPAN("export"), SPAN("default"),  SPAN("get"),   SPAN("import"), SPAN("let"),
        SPAN("new"),    SPAN("function"), SPAN("set"),   SPAN("static"), SPAN("return"),
        SPAN("this"),   SPAN("throw"),    SPAN("var"),   SPAN("void"),   SPAN("yield"),
    };
    enum { MOST = 256 };
    text.len = text.len > MOST ? MOST : text.len;
    struct span name = span_head(text, span_run(text, 0, is_identifier));
    bool is_name = name.len > 0 && name.len < MOST && !is_digit(name.ptr[0]);
    bool is_keyword = span_eq_any(name, keywords, sizeof keywords / sizeof *keywords);
    return is_name && !is_keyword ? name : SPAN("");
}

/* Return the segment that begins at an offset of the script; NULL if none does. */
static const struct segment *
segment_at(const struct finder *f, size_t offset)
{
    uint32_t line, column;
    jstext_position(f->script, offset, &line, &column);
    const struct segment *s = sourcemap_find(f->map, line, column);
    return s != NULL && s->column == column ? s : NULL;
}

/* Return the name that the map has for the text at an offset; empty: none. */
static struct span
name_at(const struct finder *f, size_t offset)
{
    const struct segment *s = segment_at(f, offset);
    return s != NULL && s->name != SOURCEMAP_NONE ? f->map->names.list[s->name] : SPAN("");
}

/* The same, and if it has none, the identifier that is in the source for the one at the offset. */
static struct span
source_name(const struct finder *f, size_t offset)
{
    const struct segment *s = segment_at(f, offset);
    if (s == NULL || s->name != SOURCEMAP_NONE)
        return s != NULL ? f->map->names.list[s->name] : SPAN("");
    return first_identifier(sourcemap_original(f->map, s));
}

/* Return the beginning of a text that may be megabytes of blanks or of one word. */
static struct span
first_bytes(struct span text)
{
    return span_head(text, text.len < CLASS_NEAR / 4 ? text.len : CLASS_NEAR / 4);
}

static void
trim_end(struct span *text)
{
    text->len = span_run_before(*text, text->len, is_space);
}

/* Take the identifier off the end of *text, after white space; empty if there is none. */
static struct span
take_identifier(struct span *text)
{
    trim_end(text);
    size_t start = span_run_before(*text, text->len, is_identifier);
    struct span identifier = span_from(*text, start);
    text->len = start;
    return identifier;
}

/* Take a text off the end of *text, after white space; a word must be a whole one. */
static bool
take_end(struct span *text, struct span end)
{
    struct span before = *text;
    trim_end(&before);
    if (!span_ends(before, end))
        return false;
    before.len -= end.len;
    if (is_identifier(end.ptr[0]) && before.len > 0 && is_identifier(before.ptr[before.len - 1]))
        return false;
    *text = before;
    return true;
}

/* Append what the map has for an identifier, else the identifier. */
static void
add_component(const struct finder *f, struct span identifier)
{
    struct span name = source_name(f, offset_of(f, identifier.ptr));
    text_add(f->to, name.len > 0 ? name : identifier);
}

/* Return the last component of "exports.t". */
static struct span
last_component(struct span name)
{
    size_t dot = span_rfind(name, '.');
    return dot != SPAN_NONE ? span_from(name, dot + 1) : name;
}

/* Append V8's name, "e.bar", with its components as the source has them where they are in the
 * chain: `identifier` is the last of them, and `before` what comes before it, as "e.prototype." is.
 */
static void
add_chain(const struct finder *f, struct span before, struct span identifier)
{
    enum { MOST = 8 };
    struct span chain[MOST], rest = f->name;
    size_t n = 0;
    while (n < MOST && take_end(&before, SPAN("."))) {
        struct span part = take_identifier(&before);
        if (part.len == 0)
            break;
        chain[n++] = part;
    }
    while (span_has(rest, '.')) {
        struct span part = span_take(&rest, '.');
        while (n > 0 && !span_eq(chain[n - 1], part))
            n--;
        if (n > 0)
            add_component(f, chain[n - 1]);
        else
            text_add(f->to, part);
        text_add(f->to, SPAN("."));
    }
    add_component(f, identifier);
}

/* Append the name if the identifier at the end of *before is V8's. */
static bool
add_if_same(const struct finder *f, struct span before)
{
    struct span identifier = take_identifier(&before);
    if (identifier.len == 0 || !span_eq(identifier, last_component(f->name)))
        return false;
    add_chain(f, before, identifier);
    return true;
}

/* "t(e){}" and "*t(e){}": append the name of what is declared so. */
static bool
is_declared(const struct finder *f)
{
    struct span before = f->text, identifier = take_identifier(&before);
    size_t offset = offset_of(f, f->text.ptr + f->text.len);
    if (identifier.len == 0 || !span_eq(identifier, f->name))
        return false;
    struct span name = name_at(f, offset_of(f, identifier.ptr));
    if (name.len == 0 && f->script->text.ptr[offset] == '(')
        name = name_at(f, offset);
    if (name.len == 0)
        name = source_name(f, offset_of(f, identifier.ptr));
    text_add(f->to, name.len > 0 ? name : identifier);
    return true;
}

/* "Engine=class _Engine{": return what the map calls the class, but "Engine" for "_Engine", as
 * esbuild calls a class that names itself. */
static struct span
class_name(const struct finder *f, struct span identifier, struct span before)
{
    struct span name = name_at(f, offset_of(f, identifier.ptr));
    name = name.len > 0 ? name : identifier;
    if (!span_starts(name, SPAN("_")) || !take_end(&before, SPAN("=")))
        return name;
    struct span variable = take_identifier(&before);
    struct span outer = name_at(f, offset_of(f, variable.ptr));
    outer = outer.len > 0 ? outer : variable;
    return span_eq(outer, span_from(name, 1)) ? outer : name;
}

/* "a=class{", "class a{": append the name of the class that begins after this text. */
static bool
is_class(const struct finder *f, struct span before)
{
    size_t offset = offset_of(f, before.ptr + before.len);
    struct span after = first_bytes(span_from(f->script->text, offset));
    if (f->name.len == 0 || !span_skip(&after, SPAN("class")) ||
        (before.len > 0 && is_identifier(before.ptr[before.len - 1])))
        return false;
    size_t blanks = span_run(after, 0, is_space);
    size_t length = blanks > 0 ? span_run(after, blanks, is_identifier) : 0;
    struct span identifier = span_of(after.ptr + blanks, length);
    if (span_eq(identifier, f->name)) {
        text_add(f->to, class_name(f, identifier, before));
        return true;
    }
    return (take_end(&before, SPAN("=")) || take_end(&before, SPAN(":"))) && add_if_same(f, before);
}

/* Append the name of the class that a constructor belongs to: of the last one before it that has
 * V8's name. */
static bool
is_constructor(const struct finder *f)
{
    struct span before = f->text;
    if (!take_end(&before, SPAN("constructor")))
        return false;
    for (size_t at; (at = span_rsearch(before, SPAN("class"))) != SPAN_NONE;) {
        before.len = at;
        if (is_class(f, before))
            return true;
    }
    return false;
}

/* Return true for esbuild's function __name, whatever it is called now. */
static bool
is_keep_names(const struct finder *f, struct span identifier)
{
    const struct span name = SPAN("__name");
    return identifier.len > 0 &&
           (span_eq(identifier, name) || span_eq(name_at(f, offset_of(f, identifier.ptr)), name));
}

/* "a=e=>e", "a:function(e){}": append the name of what the function is assigned to. With
 * esbuild's --keep-names, "a=__name(e=>e,"a")", V8 knows no name. */
static bool
is_assigned(const struct finder *f)
{
    struct span before = f->text, wrapped;
    take_end(&before, SPAN("*"));
    take_end(&before, SPAN("function"));
    take_end(&before, SPAN("async"));
    wrapped = before;
    bool is_named = f->name.len == 0 && take_end(&wrapped, SPAN("(")) &&
                    is_keep_names(f, take_identifier(&wrapped));
    before = is_named ? wrapped : before;
    if (!take_end(&before, SPAN("=")) && !take_end(&before, SPAN(":")))
        return false;
    if (!is_named)
        return add_if_same(f, before);
    struct span identifier = take_identifier(&before);
    if (identifier.len > 0)
        add_component(f, identifier);
    return identifier.len > 0;
}

/* "a=b||function(e){}": append the name of the last thing of V8's name that something is assigned
 * to. */
static bool
is_assigned_near(const struct finder *f)
{
    struct span name = last_component(f->name);
    size_t least = f->text.len > NEAR ? f->text.len - NEAR : 0;
    struct span before = f->text;
    while (name.len > 0 && before.len > least) {
        size_t at = span_rsearch(span_from(before, least), name);
        if (at == SPAN_NONE)
            return false;
        before.len = least + at + name.len;
        struct span after = span_from(f->text, before.len);
        span_take_run(&after, is_space);
        bool assigned = span_starts(after, SPAN(":")) ||
                        (span_starts(after, SPAN("=")) && !span_starts(after, SPAN("==")) &&
                         !span_starts(after, SPAN("=>")));
        if (assigned && add_if_same(f, before))
            return true;
        before.len = least + at;
    }
    return false;
}

/* "f(function(e){})": append the name that the function has in the source, and a minifier dropped.
 */
static bool
is_named_in_source(const struct finder *f)
{
    struct span before = f->text, original = SPAN("");
    take_end(&before, SPAN("*"));
    if (f->name.len > 0 || !take_end(&before, SPAN("function")))
        return false;
    struct span after = span_from(f->text, before.len);
    const struct segment *s = segment_at(f, offset_of(f, span_trim(after).ptr));
    if (s == NULL && take_end(&before, SPAN("async")))
        s = segment_at(f, offset_of(f, span_trim(span_from(f->text, before.len)).ptr));
    if (s != NULL)
        original = first_bytes(sourcemap_original(f->map, s));
    if (span_skip(&original, SPAN("async")))
        span_take_run(&original, is_space);
    if (!span_skip(&original, SPAN("function")))
        return false;
    span_take_run(&original, is_space);
    if (span_skip(&original, SPAN("*")))
        span_take_run(&original, is_space);
    struct span name = first_identifier(original);
    text_add(f->to, name);
    return name.len > 0;
}

/* Return true if a function may begin with this character: with its parameters, "class", "async",
 * or as a class's static fields with any word or bracket. */
static bool
may_begin(char c)
{
    return c == '(' || c == '{' || c == '[' || is_identifier(c);
}

enum funcname
funcname_find(struct sourcemap *m, const struct jstext *t, uint32_t line, uint32_t column,
              struct span name, struct text *to)
{
    size_t offset;
    if (!jstext_offset(t, line, column, &offset) ||
        (!may_begin(t->text.ptr[offset]) && line + column > 0))
        return FUNCNAME_IMPOSSIBLE;
    size_t near = offset < CLASS_NEAR ? offset : CLASS_NEAR;
    struct finder f = {m, t, span_of(t->text.ptr + offset - near, near), name, to};
    size_t accessor = span_starts(name, SPAN("get ")) || span_starts(name, SPAN("set ")) ? 4 : 0;
    f.name = span_from(name, accessor);
    text_add(to, span_head(name, accessor));
    if (!span_starts(name, SPAN("<")) && /* V8's, for what no text of the script names */
        (is_declared(&f) || is_assigned(&f) || is_class(&f, f.text) || is_constructor(&f) ||
         is_assigned_near(&f) || is_named_in_source(&f)))
        return FUNCNAME_FOUND;
    text_add(to, f.name);
    return FUNCNAME_KEPT;
}
