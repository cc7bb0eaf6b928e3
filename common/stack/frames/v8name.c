#include "common/stack/frames/v8name.h"

#include "common/stack/text/foldedtext.h"

/* The prefixes of names: letters and the byte after them. They are V8's log tags (LogEventListener
 * in src/logging/code-events.h; src/logging/log.h before V8 11). */
static const struct {
    struct span label;
    enum v8form form;
    enum { WHOLE, ENDING, NAMED } match; /* ENDING: letters may precede; NAMED: a name follows */
} forms[] = {
    {SPAN("JS:"), V8FORM_JS, WHOLE},                  /* since Node 19 */
    {SPAN("LazyCompile:"), V8FORM_JS, NAMED},         /* up to Node 18 */
    {SPAN("Function:"), V8FORM_JS, WHOLE},            /* up to Node 18, Sparkplug in 16 and 18 */
    {SPAN("InterpretedFunction:"), V8FORM_JS, WHOLE}, /* --interpreted-frames-native-stack */
    {SPAN("Script:"), V8FORM_JS, WHOLE},
    {SPAN("Eval:"), V8FORM_JS, WHOLE},
    {SPAN("RegExp:"), V8FORM_REGEXP, WHOLE},
    {SPAN("RegExp."), V8FORM_REGEXP, WHOLE},      /* since Node 24: see v8name_regexp */
    {SPAN("LazyCompile"), V8FORM_BUILTIN, WHOLE}, /* without a function; "LazyCompile:~", too */
    {SPAN("Builtin:"), V8FORM_BUILTIN, WHOLE},
    {SPAN("Builtins_"), V8FORM_BUILTIN, WHOLE}, /* ELF symbols of the node binary, since Node 10 */
    {SPAN("Stub:"), V8FORM_BUILTIN, WHOLE},
    {SPAN("BytecodeHandler:"), V8FORM_BUILTIN, WHOLE},
    {SPAN("Handler:"), V8FORM_BUILTIN, WHOLE},
    {SPAN("IC:"), V8FORM_BUILTIN, ENDING}, /* LoadIC: KeyedLoadIC: LoadPolymorphicIC: ... */
};

/* Prefixes of scripts' names that are not a bare word. */
static const struct span paths[] = {
    SPAN("/"),     SPAN("node:"), SPAN("file:"),   SPAN("http:"),         SPAN("https:"),
    SPAN("data:"), SPAN("[eval"), SPAN("webpack"), SPAN("[worker eval]"), SPAN("evalmachine."),
    SPAN("./"),    SPAN("../"), /* from source maps */
    SPAN("ext:"),               /* Deno's own */
};

static const struct span extensions[] = {
    SPAN(".js"), SPAN(".mjs"), SPAN(".cjs"), SPAN(".jsx"),
    SPAN(".ts"), SPAN(".mts"), SPAN(".cts"), SPAN(".tsx"),
};

/* Suffixes of the names of WebAssembly code, and the tier of each. */
static const struct {
    struct span text;
    char tier;
} wasm_tiers[] = {
    {SPAN("-liftoff"), '^'},
    {SPAN("-turbofan"), '*'},
    {SPAN("-interpreter"), '~'},
};

/* JavaScriptCore's compilers, by the names of the profiles of LinkBuffer. All others are for code
 * that it generates for its own use: InlineCache, Thunk, FTLOSRExit ... */
static const struct {
    struct span label;
    enum v8form form;
    char tier;
} jsc_forms[] = {
    {SPAN("Baseline"), V8FORM_JS, '^'},  {SPAN("DFG"), V8FORM_JS, '+'},
    {SPAN("FTL"), V8FORM_JS, '*'},       {SPAN("WasmIPInt"), V8FORM_JS, '~'},
    {SPAN("WasmBBQ"), V8FORM_JS, '^'},   {SPAN("WasmOMG"), V8FORM_JS, '*'},
    {SPAN("YarrJIT"), V8FORM_REGEXP, 0},
};

static bool
ends_with_any(struct span s, const struct span *of, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (span_ends(s, of[i]))
            return true;
    return false;
}

/* Remove the mark that stackcollapse --all appends to a name. */
static struct span
take_mark(struct span *sym)
{
    struct span name = folded_unmarked(*sym), mark = span_from(*sym, name.len);
    *sym = name;
    return mark;
}

static bool
is_jsc(struct span sym)
{
    return span_starts(sym, SPAN("JSC-"));
}

static bool
is_tier(char c)
{
    return c == '~' || c == '^' || c == '+' || c == '-' || c == '*';
}

/* Remove the tier from the front, and return it: "*", "o*" (on-stack replacement), "*'"
 * (specialized for a context). */
static char
take_tier(struct span *text)
{
    size_t osr = span_starts(*text, SPAN("o*")) || span_starts(*text, SPAN("o+")) ? 1 : 0;
    if (osr == text->len || !is_tier(text->ptr[osr]))
        return 0;
    char tier = text->ptr[osr];
    *text = span_from(*text, osr + 1);
    if (span_starts(*text, SPAN("'")))
        *text = span_from(*text, 1);
    return tier;
}

/* Do the same for JavaScriptCore: "JSC-FTL: fibonacci#DFhvgn". */
static enum v8form
parse_jsc_form(struct span sym, struct span *text, char *tier)
{
    *tier = 0;
    struct span label = span_from(sym, strlen("JSC-"));
    size_t end = span_search(label, SPAN(": "));
    if (end == SPAN_NONE)
        return V8FORM_BUILTIN;
    *text = span_from(label, end + 2);
    label.len = end;
    for (size_t i = 0; i < sizeof jsc_forms / sizeof *jsc_forms; i++)
        if (span_eq(label, jsc_forms[i].label)) {
            *tier = jsc_forms[i].tier;
            return jsc_forms[i].form;
        }
    return V8FORM_BUILTIN;
}

/* Return the form of a name. If it is JavaScript, set *text to the text after the label and the
 * tier. "JS::Value" is C++. */
static enum v8form
parse_form(struct span sym, struct span *text, char *tier)
{
    size_t letters = span_run(sym, 0, is_alpha);
    if (is_jsc(sym))
        return parse_jsc_form(sym, text, tier);
    if (letters == 0 || span_starts(span_from(sym, letters), SPAN("::")))
        return V8FORM_NONE;
    struct span label = span_head(sym, letters < sym.len ? letters + 1 : letters);
    size_t i = 0;
    while (i < sizeof forms / sizeof *forms && !span_eq(label, forms[i].label) &&
           !(forms[i].match == ENDING && span_ends(label, forms[i].label)))
        i++;
    if (i == sizeof forms / sizeof *forms)
        return V8FORM_NONE;
    *text = span_from(sym, label.len);
    *tier = take_tier(text);
    if (*tier == 0 && span_eq(label, SPAN("InterpretedFunction:")))
        *tier = '~';
    return forms[i].match == NAMED && text->len == 0 ? V8FORM_BUILTIN : forms[i].form;
}

/* Return the offset of ":digits" at the end of s, or s.len if there are none. */
static size_t
number_start(struct span s)
{
    size_t at = span_run_before(s, s.len, is_digit);
    return at > 0 && at < s.len && s.ptr[at - 1] == ':' ? at - 1 : s.len;
}

/* Remove ":line" or ":line:column" from the end, and return it without the first colon. */
static struct span
take_position(struct span *text)
{
    size_t at = number_start(span_head(*text, number_start(*text)));
    if (at == text->len)
        return SPAN("");
    struct span position = span_from(*text, at + 1);
    *text = span_head(*text, at);
    return position;
}

/* Return the offset of the script's name in "get bar /my dir/foo.js": the last word that looks like
 * the start of one, else the last word ("a events.js"; "a native array.js" of Node 0.10 to 6). */
static size_t
file_start(struct span text)
{
    for (size_t at = text.len; at-- > 0;)
        if ((at == 0 || text.ptr[at - 1] == ' ') &&
            span_starts_any(span_from(text, at), paths, sizeof paths / sizeof *paths))
            return at;
    size_t blank = span_rfind(text, ' ');
    if (blank == SPAN_NONE)
        return 0;
    struct span native = SPAN("native ");
    if (span_ends(span_head(text, blank + 1), native))
        return blank + 1 - native.len;
    return blank + 1;
}

/* Return true for "#DFhvgn", a hash of the function's source: 32 bits as six digits to the base 62,
 * of which the first is below 5. */
static bool
is_jsc_hash(struct span s)
{
    bool is = s.len == 7 && s.ptr[0] == '#' && s.ptr[1] >= 'A' && s.ptr[1] <= 'E';
    for (size_t i = 2; is && i < s.len; i++)
        is = is_alpha(s.ptr[i]) || is_digit(s.ptr[i]);
    return is;
}

static bool
is_file(struct span s)
{
    return span_starts_any(s, paths, sizeof paths / sizeof *paths) ||
           span_starts(s, SPAN("internal/")) || is_jsc_hash(s) ||
           ends_with_any(s, extensions, sizeof extensions / sizeof *extensions);
}

/* Parse names such as "get bar /p/foo.js:1:2", " /p/foo.js:1", "bar", "/p/foo.js". */
static void
parse_function(struct span text, struct v8name *n)
{
    n->position = take_position(&text);
    size_t start = file_start(text);
    if (n->position.len == 0 && !is_file(span_from(text, start)))
        start = text.len;
    n->function = span_trim(span_head(text, start));
    n->file = span_from(text, start);
}

/* Return true for a WebAssembly function without a name, in any form that V8 and DevTools use. */
static bool
is_unnamed_wasm(struct span s)
{
    return span_starts(s, SPAN("wasm-function[")) || span_starts(s, SPAN("<wasm-unknown>"));
}

/* Parse "add-12-turbofan", "wasm-function[5206]-5206-liftoff", "<wasm-unknown>": V8's names for
 * WebAssembly (name, index, compiler). */
static bool
parse_wasm(struct span text, struct v8name *n)
{
    size_t i = 0;
    while (i < sizeof wasm_tiers / sizeof *wasm_tiers && !span_ends(text, wasm_tiers[i].text))
        i++;
    struct span name = i < sizeof wasm_tiers / sizeof *wasm_tiers
                           ? span_head(text, text.len - wasm_tiers[i].text.len)
                           : SPAN("");
    size_t dash = span_rfind(name, '-');
    if (dash == SPAN_NONE || dash + 1 == name.len ||
        span_run(name, dash + 1, is_digit) != name.len - dash - 1) {
        n->function = text;
        n->wasm = is_unnamed_wasm(text);
        return n->wasm;
    }
    n->wasm = true;
    n->tier = wasm_tiers[i].tier;
    n->function = span_head(name, dash);
    if (!is_unnamed_wasm(name)) {
        n->file = SPAN("wasm");
        n->position = span_from(name, dash + 1);
    }
    return true;
}

/* Parse "fibonacci#DFhvgn"; "#AllwkL"; "/srv/app.ts#ECIJ9S", a module's own code;
 * ".wasm-function[work]#CP8NFs". Only the hash distinguishes functions of the same name. */
static void
parse_jsc_function(struct span text, struct v8name *n)
{
    size_t hash = span_rfind(text, '#'), wasm = span_search(text, SPAN("wasm-function["));
    if (hash == SPAN_NONE || !is_jsc_hash(span_from(text, hash)))
        hash = text.len;
    n->function = span_head(text, hash);
    n->wasm = wasm != SPAN_NONE && wasm < hash;
    if (n->wasm) {
        n->function = span_from(n->function, wasm);
    } else if (is_file(n->function)) {
        n->file = n->function;
        n->function = SPAN("");
    } else {
        n->file = span_from(text, hash);
    }
}

static const struct v8name no_name = {0, false, {"", 0}, {"", 0}, {"", 0}, {"", 0}};

bool
v8name_parse(struct span sym, struct v8name *n)
{
    struct span text;
    *n = no_name;
    n->mark = take_mark(&sym);
    if (parse_form(sym, &text, &n->tier) != V8FORM_JS)
        return false;
    if (is_jsc(sym)) {
        parse_jsc_function(text, n);
    } else if (!parse_wasm(text, n)) {
        parse_function(text, n);
        n->wasm = span_eq(n->file, SPAN("wasm"));
    }
    return true;
}

enum v8form
v8name_form(struct span sym)
{
    struct span text;
    char tier;
    take_mark(&sym);
    return parse_form(sym, &text, &tier);
}

bool
v8name_regexp(struct span sym, struct span *source)
{
    static const struct span starts[] = {SPAN("RegExp.< src: '"), SPAN("RegExp.> src: '")};
    const struct span yarr = SPAN("JSC-YarrJIT: /");
    take_mark(&sym);
    if (span_starts(sym, yarr)) {
        *source = span_from(sym, yarr.len);
        size_t end = span_rfind(*source, '/'); /* flags follow the slash */
        source->len = end != SPAN_NONE ? end : source->len;
        return true;
    }
    if (!span_starts_any(sym, starts, sizeof starts / sizeof *starts))
        return false;
    *source = span_from(sym, starts[0].len);
    size_t end = span_rsearch(*source, SPAN("' flags: '"));
    if (end != SPAN_NONE)
        source->len = end;
    return true;
}

/* Return true for "validate :3:33": a function that was made from text, as by `new Function`. */
static bool
is_nameless_script(struct span sym, const struct v8name *n)
{
    size_t before = (size_t)(n->position.ptr - sym.ptr) - 1; /* the colon */
    return n->file.len == 0 && before > 0 && sym.ptr[before - 1] == ' ';
}

bool
v8name_parse_clean(struct span sym, struct v8name *n)
{
    *n = no_name;
    n->mark = take_mark(&sym);
    if (sym.len > 4 && memcmp(sym.ptr + sym.len - 4, " [", 2) == 0 &&
        is_tier(sym.ptr[sym.len - 2]) && span_ends(sym, SPAN("]"))) {
        n->tier = sym.ptr[sym.len - 2];
        sym.len -= 4;
    }
    if (is_unnamed_wasm(sym)) {
        n->wasm = true;
        n->function = sym;
        return true;
    }
    parse_function(sym, n);
    n->wasm = span_eq(n->file, SPAN("wasm"));
    if (n->position.len == 0 && is_jsc_hash(n->file))
        return n->function.len > 0;
    if (n->position.len == 0) /* V8's profiler does not know the position of a module's own code */
        return span_eq(n->function, SPAN("(anonymous)")) && is_file(n->file);
    return n->function.len > 0 && (n->wasm || is_nameless_script(sym, n) || is_file(n->file));
}

struct span
v8name_package(struct span file)
{
    const struct span modules = SPAN("/node_modules/");
    struct span rest = SPAN("");
    for (size_t at; (at = span_search(file, modules)) != SPAN_NONE;)
        rest = file = span_from(file, at + modules.len);
    size_t end = span_find(rest, '/');
    if (end != SPAN_NONE && span_starts(rest, SPAN("@"))) {
        size_t second = span_find(span_from(rest, end + 1), '/');
        end = second != SPAN_NONE ? end + 1 + second : SPAN_NONE;
    }
    return end != SPAN_NONE ? span_head(rest, end) : rest;
}
