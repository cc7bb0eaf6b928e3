/* The name forms that V8 has written since Node 0.11. */
#include "test.h"

#include "common/stack/frames/v8name.h"

struct name_row {
    const char *sym;
    char tier;
    const char *function, *file, *position;
};

static void
check_names(const struct name_row *rows, size_t n, bool (*parse)(struct span, struct v8name *))
{
    for (size_t i = 0; i < n; i++) {
        struct v8name name;
        CHECK(parse(span_cstr(rows[i].sym), &name));
        CHECK(name.tier == rows[i].tier);
        CHECK_TEXT(name.function, rows[i].function);
        CHECK_TEXT(name.file, rows[i].file);
        CHECK_TEXT(name.position, rows[i].position);
    }
}

#define CHECK_NAMES(rows) check_names(rows, sizeof(rows) / sizeof *(rows), v8name_parse)

TEST("names of Node 0.11 to 6 have a line and no column, with and without a sigil")
{
    static const struct name_row rows[] = {
        {"LazyCompile:*name /path/x.js:39", '*', "name", "/path/x.js", "39"},
        {"LazyCompile:~name file.js:1", '~', "name", "file.js", "1"},
        {"LazyCompile:name node.js:387", 0, "name", "node.js", "387"},
        {"Function:~name timers.js:12", '~', "name", "timers.js", "12"},
        {"Script:~ /path/x.js:1", '~', "", "/path/x.js", "1"},
        {"Script:~/path/x.js", '~', "", "/path/x.js", ""},
        {"Eval:~ evalmachine.<anonymous>:1", '~', "", "evalmachine.<anonymous>", "1"},
        {"LazyCompile:*indexOf native array.js:1020", '*', "indexOf", "native array.js", "1020"},
    };
    CHECK_NAMES(rows);
}

TEST("names of Node 10 to 14 hold spaces, anonymous functions and evaluated code")
{
    static const struct name_row rows[] = {
        {"InterpretedFunction:parse /p/J.js:76", '~', "parse", "/p/J.js", "76"},
        {"LazyCompile:*get bar /p/foo.js:1", '*', "get bar", "/p/foo.js", "1"},
        {"LazyCompile: /p/A.js:213", 0, "", "/p/A.js", "213"},
        {"LazyCompile:* /p/A.js:213", '*', "", "/p/A.js", "213"},
        {"LazyCompile:*a [eval]:1", '*', "a", "[eval]", "1"},
        {"LazyCompile:~emit internal/events.js:9", '~', "emit", "internal/events.js", "9"},
    };
    CHECK_NAMES(rows);
}

TEST("names of Node 16 to 18 have the baseline compiler's sigil")
{
    static const struct name_row rows[] = {
        {"Function:^emit node:events:340", '^', "emit", "node:events", "340"},
        {"LazyCompile:-emit node:events:340", '-', "emit", "node:events", "340"},
        {"Function:^f", '^', "f", "", ""},
    };
    CHECK_NAMES(rows);
}

TEST("names of Node 19 on have a column and four tiers")
{
    static const struct name_row rows[] = {
        {"JS:~name node:internal/path:52:36", '~', "name", "node:internal/path", "52:36"},
        {"JS:^emit node:events:340:12", '^', "emit", "node:events", "340:12"},
        {"JS:+hot /p/a.js:1:2", '+', "hot", "/p/a.js", "1:2"},
        {"JS:*hot /p/a.mjs:1:2", '*', "hot", "/p/a.mjs", "1:2"},
        {"JS:~ node:internal/main/run_main_module:1:1", '~', "",
         "node:internal/main/run_main_module", "1:1"},
        {"JS:*handler file:///srv/a.mjs:3:4", '*', "handler", "file:///srv/a.mjs", "3:4"},
        {"Eval:~ :1:1", '~', "", "", "1:1"},
        {"JS:~", '~', "", "", ""},
    };
    CHECK_NAMES(rows);
}

TEST("newer V8 marks context-specialised code and on-stack replacement")
{
    static const struct name_row rows[] = {
        {"JS:*'f /p/a.js:1:2", '*', "f", "/p/a.js", "1:2"},
        {"JS:+'f /p/a.js:1:2", '+', "f", "/p/a.js", "1:2"},
        {"JS:o*f /p/a.js:1:2", '*', "f", "/p/a.js", "1:2"},
        {"JS:o+f /p/a.js:1:2", '+', "f", "/p/a.js", "1:2"},
        {"JS:open /p/a.js:1:2", 0, "open", "/p/a.js", "1:2"},
    };
    CHECK_NAMES(rows);
}

TEST("a function and a path may both hold spaces")
{
    static const struct name_row rows[] = {
        {"JS:~get email /srv/my app/user.js:7:3", '~', "get email", "/srv/my app/user.js", "7:3"},
        {"JS:~ /srv/my app/user.js:7:3", '~', "", "/srv/my app/user.js", "7:3"},
        {"JS:*GET /users /srv/my app/user.js:7:3", '*', "GET /users", "/srv/my app/user.js", "7:3"},
        {"JS:*GET /users file:///a.mjs:7:3", '*', "GET /users", "file:///a.mjs", "7:3"},
        {"JS:*f /srv/my internal/a.js:7:3", '*', "f", "/srv/my internal/a.js", "7:3"},
    };
    CHECK_NAMES(rows);
}

TEST("names of WebAssembly functions end in their compiler")
{
    static const struct name_row rows[] = {
        {"JS:wasm-function[5206]-5206-liftoff", '^', "wasm-function[5206]", "", ""},
        {"JS:wasm-function[5206]-5206-turbofan", '*', "wasm-function[5206]", "", ""},
        {"JS:*wasm-function[7]-7-turbofan", '*', "wasm-function[7]", "", ""},
        {"JS:add-12-turbofan", '*', "add", "wasm", "12"},
        {"JS:add wasm:34", 0, "add", "wasm", "34"}, /* from a CPU profile */
        {"Function:<wasm-unknown>", 0, "<wasm-unknown>", "", ""},
        {"Function:<wasm-unknown>-5-liftoff", '^', "<wasm-unknown>", "", ""},
    };
    CHECK_NAMES(rows);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct v8name n;
        CHECK(v8name_parse(span_cstr(rows[i].sym), &n) && n.wasm);
    }
}

TEST("what stackcollapse --all appends to a name is not part of it")
{
    struct v8name n;
    CHECK(v8name_parse(SPAN("JS:*f /p/a.js:1:2_[j]"), &n));
    CHECK_TEXT(n.position, "1:2");
    CHECK_TEXT(n.mark, "_[j]");
}

TEST("what is not a JavaScript function has no name to take apart")
{
    static const char *const others[] = {
        "",
        ":",
        "main",
        "JS::Value::get()",
        "Function::call",
        "Script::run(int)",
        "JSON:x",
        "LazyCompile",
        "LazyCompile:",
        "LazyCompile:~",
        "Builtin:A builtin from the snapshot",
        "RegExp:[&<>\\\"\\']",
        "Stub:CEntryStub",
        "LoadIC:",
        "Builtins_JSEntry",
        "f /p/a.js:1:2",
    };
    struct v8name n;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        CHECK(!v8name_parse(span_cstr(others[i]), &n));
}

TEST("of Node 24's names of regular expressions the source is known, also of one that is cut")
{
    static const char *const rows[][2] = {
        {"RegExp.< src: '(a+)+b' flags: ''", "(a+)+b"},
        {"RegExp.> src: 'it's' flags: 'i' x' flags: 'giu'_[j]", "it's' flags: 'i' x"},
        {"RegExp.> src: 'a", "a"},
        {"RegExp.> src: 'a' fl", "a' fl"},
        {"RegExp.< src: '' flags: ''", ""},
    };
    static const char *const others[] = {"RegExp:a", "RegExp.", "RegExp.<", "RegExp.= src: 'a'",
                                         "RegExp.< src: "};
    struct span source;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        CHECK(v8name_regexp(span_cstr(rows[i][0]), &source));
        CHECK_TEXT(source, rows[i][1]);
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        CHECK(!v8name_regexp(span_cstr(others[i]), &source));
}

TEST("a name cut anywhere is still handled")
{
    const struct span whole = SPAN("JS:o*'get bar /p q/foo.js:12:34_[j]");
    struct v8name n;
    for (size_t len = 0; len <= whole.len; len++) {
        char *cut = malloc(len + 1); /* so that a byte read too far is found by a sanitizer */
        memcpy(cut, whole.ptr, len);
        struct span sym = span_of(cut, len);
        CHECK(v8name_parse(sym, &n) == (len >= 3));
        v8name_parse_clean(sym, &n);
        v8name_form(sym);
        free(cut);
    }
}

TEST("names that have been cleaned are known by their file and line")
{
    static const struct name_row rows[] = {
        {"emit node:events:340:12", 0, "emit", "node:events", "340:12"},
        {"get bar /p/foo.js:1", 0, "get bar", "/p/foo.js", "1"},
        {"(anonymous) /p/foo.js:1:2 [~]", '~', "(anonymous)", "/p/foo.js", "1:2"},
        {"(anonymous) /p/foo.mjs", 0, "(anonymous)", "/p/foo.mjs", ""},
        {"add wasm:12", 0, "add", "wasm", "12"},
        {"wasm-function[5206] [^]", '^', "wasm-function[5206]", "", ""},
    };
    check_names(rows, sizeof rows / sizeof *rows, v8name_parse_clean);
    struct v8name n;
    CHECK(!v8name_parse_clean(SPAN("main"), &n));
    CHECK(!v8name_parse_clean(SPAN("f /p/foo.mjs"), &n));
    CHECK(!v8name_parse_clean(SPAN("(anonymous) foo"), &n));
    CHECK(!v8name_parse_clean(SPAN("worker 12:30"), &n));
    CHECK(!v8name_parse_clean(SPAN("f(int) x.c:12"), &n));
}

TEST("the package of a script is the folder below the last node_modules, two with a scope")
{
    static const struct {
        struct span file, package;
    } rows[] = {
        {SPAN("/a/node_modules/express/lib/router.js"), SPAN("express")},
        {SPAN("/a/node_modules/x/node_modules/@s/y/i.js"), SPAN("@s/y")},
        {SPAN("/a/node_modules/.pnpm/x@1.2.3/node_modules/x/i.js"), SPAN("x")},
        {SPAN("/a/node_modules/i.js"), SPAN("i.js")},
        {SPAN("/a/node_modules/@s/i.js"), SPAN("@s/i.js")},
        {SPAN("/a/node_modules/"), SPAN("")},
        {SPAN("/a/my_node_modules/x/i.js"), SPAN("")},
        {SPAN("node:fs"), SPAN("")},
        {SPAN(""), SPAN("")},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        CHECK(span_eq(v8name_package(rows[i].file), rows[i].package));
}

TEST("names of JavaScriptCore have a compiler, a function and a hash of its source")
{
    static const struct name_row rows[] = {
        {"JSC-Baseline: fibonacci#DFhvgn", '^', "fibonacci", "#DFhvgn", ""},
        {"JSC-DFG: get size#AI6vw6", '+', "get size", "#AI6vw6", ""},
        {"JSC-FTL: #AllwkL", '*', "", "#AllwkL", ""},
        {"JSC-FTL: /srv/my app/a.ts#ECIJ9S", '*', "", "/srv/my app/a.ts", ""},
        {"JSC-DFG: f#g", '+', "f#g", "", ""},
    };
    static const struct name_row clean[] = {
        {"fibonacci #DFhvgn", 0, "fibonacci", "#DFhvgn", ""},
        {"(anonymous) #AllwkL [*]", '*', "(anonymous)", "#AllwkL", ""},
        {"(anonymous) /srv/my app/a.ts", 0, "(anonymous)", "/srv/my app/a.ts", ""},
    };
    struct v8name n;
    struct span source;
    CHECK_NAMES(rows);
    check_names(clean, sizeof clean / sizeof *clean, v8name_parse_clean);
    CHECK(!v8name_parse_clean(SPAN("Foo #render"), &n));
    CHECK(!v8name_parse_clean(SPAN("Foo #Frende"), &n));
    CHECK(v8name_parse(SPAN("JSC-WasmBBQ: .wasm-function[work]#CP8NFs"), &n) && n.wasm);
    CHECK_TEXT(n.function, "wasm-function[work]");
    CHECK(n.tier == '^' && n.file.len == 0);
    CHECK(v8name_form(SPAN("JSC-InlineCache: GetById Load handler")) == V8FORM_BUILTIN);
    CHECK(v8name_form(SPAN("JSC-FTLThunk: unspecified")) == V8FORM_BUILTIN);
    CHECK(v8name_form(SPAN("JSC-")) == V8FORM_BUILTIN);
    CHECK(v8name_regexp(SPAN("JSC-YarrJIT: /(\\d+)-(\\w+)/_[j]"), &source));
    CHECK_TEXT(source, "(\\d+)-(\\w+)");
}

TEST("names of Deno's own functions have a file in ext:")
{
    static const struct name_row rows[] = {
        {"JS:~print ext:core/01_core.js:1109:12", '~', "print", "ext:core/01_core.js", "1109:12"},
        {"Eval:~ ext:deno_node/path/_util.ts:1:1", '~', "", "ext:deno_node/path/_util.ts", "1:1"},
        {"JS:*'Tree file:///srv/a.ts:5:14", '*', "Tree", "file:///srv/a.ts", "5:14"},
    };
    CHECK_NAMES(rows);
}
