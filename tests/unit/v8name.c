/* The name forms that V8 has written since Node 0.11, and the kinds of frames. */
#include "test.h"

#include "common/stack/v8name.h"

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

struct kind_row {
    const char *sym, *dso;
    enum frame_kind kind;
};

static void
check_kinds(const struct kind_row *rows, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        enum frame_kind got = frame_kind(span_cstr(rows[i].sym), span_cstr(rows[i].dso));
        if (got != rows[i].kind)
            printf("# '%s' (%s) is %s\n", rows[i].sym, rows[i].dso, frame_kind_name(got));
        CHECK(got == rows[i].kind);
    }
}

#define CHECK_KINDS(rows) check_kinds(rows, sizeof(rows) / sizeof *(rows))

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
        {"InterpretedFunction:parse /p/J.js:76", 0, "parse", "/p/J.js", "76"},
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

TEST("WebAssembly's functions tell their compiler at the end")
{
    static const struct name_row rows[] = {
        {"JS:wasm-function[5206]-5206-liftoff", '^', "wasm-function[5206]", "", ""},
        {"JS:wasm-function[5206]-5206-turbofan", '*', "wasm-function[5206]", "", ""},
        {"JS:*wasm-function[7]-7-turbofan", '*', "wasm-function[7]", "", ""},
        {"JS:add-12-turbofan", '*', "add", "wasm", "12"},
        {"Function:<wasm-unknown>", 0, "<wasm-unknown>", "", ""},
        {"Function:<wasm-unknown>-5-liftoff", '^', "<wasm-unknown>", "", ""},
    };
    CHECK_NAMES(rows);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct v8name n;
        CHECK(v8name_parse(span_cstr(rows[i].sym), &n) && n.wasm);
    }
}

TEST("what stackcollapse --all puts behind a name is no part of it")
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
        frame_kind(sym, SPAN(""));
        v8name_cxx(sym);
        free(cut);
    }
}

TEST("names that have been cleaned are known by their file and line")
{
    static const struct name_row rows[] = {
        {"emit node:events:340:12", 0, "emit", "node:events", "340:12"},
        {"get bar /p/foo.js:1", 0, "get bar", "/p/foo.js", "1"},
        {"(anonymous) /p/foo.js:1:2 [~]", '~', "(anonymous)", "/p/foo.js", "1:2"},
        {"add wasm:12", 0, "add", "wasm", "12"},
        {"wasm-function[5206] [^]", '^', "wasm-function[5206]", "", ""},
    };
    check_names(rows, sizeof rows / sizeof *rows, v8name_parse_clean);
    struct v8name n;
    CHECK(!v8name_parse_clean(SPAN("main"), &n));
    CHECK(!v8name_parse_clean(SPAN("worker 12:30"), &n));
    CHECK(!v8name_parse_clean(SPAN("f(int) x.c:12"), &n));
}

TEST("JavaScript is the application's, a dependency's or node's own")
{
    static const struct kind_row rows[] = {
        {"JS:~f /srv/a.js:1:2", "/tmp/perf-7.map", KIND_APP},
        {"JS:*f [eval]:1:2", "", KIND_APP},
        {"Function:^f", "", KIND_APP},
        {"LazyCompile:*f app.js:2", "", KIND_APP},
        {"JS:~f /srv/node_modules/@x/y/a.js:1:2", "", KIND_DEP},
        {"f /srv/node_modules/y/a.js:1:2_[j]", "", KIND_DEP},
        {"JS:~emit node:events:1:2", "", KIND_CORE},
        {"LazyCompile:~emit events.js:12", "", KIND_CORE},
        {"LazyCompile:startup bootstrap_node.js:12", "", KIND_CORE},
        {"LazyCompile:~f internal/util.js:3", "", KIND_CORE},
        {"LazyCompile:*indexOf native array.js:1020", "", KIND_CORE},
        {"emit node:events:340:12 [*]", "", KIND_CORE},
        {"emit node:events:340:12", "/tmp/perf-7.map", KIND_CORE},
        {"emit node:events:340:12", "/usr/bin/ruby", KIND_NATIVE},
    };
    CHECK_KINDS(rows);
}

TEST("regular expressions and WebAssembly have kinds of their own")
{
    static const struct kind_row rows[] = {
        {"RegExp:[&<>\\\"\\']", "", KIND_REGEXP},
        {"RegExp.> src: 'a", "", KIND_REGEXP},
        {"JS:wasm-function[5206]-5206-liftoff", "", KIND_WASM},
        {"wasm-function[5206]", "", KIND_WASM},
        {"JS:add-12-turbofan", "", KIND_WASM},
        {"add wasm:12", "", KIND_WASM},
        {"Function:<wasm-unknown>", "", KIND_WASM},
    };
    CHECK_KINDS(rows);
}

TEST("code that V8 generates is a builtin")
{
    static const struct kind_row rows[] = {
        {"Builtin:A builtin from the snapshot", "", KIND_BUILTIN},
        {"Builtin:InterpreterEntryTrampoline", "", KIND_BUILTIN},
        {"Builtins_InterpreterEntryTrampoline", "/usr/bin/node", KIND_BUILTIN},
        {"Stub:CEntryStub", "/tmp/perf-7.map", KIND_BUILTIN},
        {"Stub:BinaryOpICWithAllocationSiteStub(ADD:String*Generic->String)", "", KIND_BUILTIN},
        {"BytecodeHandler:CallProperty1", "", KIND_BUILTIN},
        {"BytecodeHandler:Wide", "", KIND_BUILTIN},
        {"Handler:x", "", KIND_BUILTIN},
        {"LoadIC:", "", KIND_BUILTIN},
        {"KeyedLoadIC:A load IC from the snapshot", "", KIND_BUILTIN},
        {"LoadPolymorphicIC:x", "", KIND_BUILTIN},
        {"LazyCompile", "", KIND_BUILTIN},
        {"LazyCompile:~", "", KIND_BUILTIN},
        {"Handler::run()", "", KIND_NATIVE},
        {"Stub::IC::get()", "", KIND_NATIVE},
    };
    CHECK_KINDS(rows);
}

TEST("C++ is told apart by the function's own name, not by its type or arguments")
{
    static const struct kind_row rows[] = {
        {"v8::internal::Heap::Scavenge()", "", KIND_V8},
        {"void v8::internal::Visit<int, (a)1>(v8::internal::Map)", "", KIND_V8},
        {"v8::Function::Call(v8::Local<v8::Context>)", "/usr/bin/node", KIND_V8},
        {"non-virtual thunk to v8::internal::X::f()", "", KIND_V8},
        {"v8::internal::(anonymous namespace)::f(int)", "", KIND_V8},
        {"v8::internal::X::operator()(int) const", "", KIND_V8},
        {"cppgc::internal::Sweeper::Start()", "", KIND_V8},
        {"foo(v8::internal::Isolate*)", "/opt/addon.node", KIND_NATIVE},
        {"std::vector<v8::internal::X>::push_back(v8::internal::X&&)", "", KIND_NATIVE},
        {"node::Start(int, char**)", "", KIND_CPP},
        {"v8::MaybeLocal<v8::Value> node::Run(node::Environment*)", "", KIND_CPP},
        {"uv__run_timers", "", KIND_CPP},
        {"uv_run", "/usr/lib/libuv.so.1", KIND_CPP},
    };
    CHECK_KINDS(rows);
}

TEST("the DSO changes no kind of native code: folded stacks, which have none, give the same")
{
    static const char *const names[] = {
        "EVP_DigestUpdate",
        "HMAC_Final",
        "sha512_block_data_order",
        "llhttp__internal_execute",
        "inflate",
        "icu_74::Locale::Locale()",
        "std::vector<int>::push_back(int&&)",
        "worker",
        "node::Start(int, char**)",
        "uv_run",
        "v8::internal::Heap::Scavenge()",
        "(runtime)",
    };
    static const char *const dsos[] = {
        "/usr/bin/node",           "/usr/bin/node (deleted)", "/usr/lib/libnode.so.115",
        "/usr/lib/libcrypto.so.3", "/opt/addon.node",
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        for (size_t k = 0; k < sizeof dsos / sizeof *dsos; k++)
            CHECK(frame_kind(span_cstr(names[i]), span_cstr(dsos[k])) ==
                  frame_kind(span_cstr(names[i]), SPAN("")));
    CHECK(frame_kind(SPAN("EVP_DigestUpdate"), SPAN("")) == KIND_NATIVE);
}

TEST("what stackfilter --v8-work=summarize writes is V8's")
{
    static const struct kind_row rows[] = {
        {"(garbage collector)", "", KIND_V8},    {"(compiler)", "", KIND_V8},
        {"(runtime)", "/usr/bin/node", KIND_V8}, {"(inline caches)", "", KIND_BUILTIN},
        {"(regexp)", "", KIND_REGEXP},           {"(idle)", "", KIND_NATIVE},
    };
    CHECK_KINDS(rows);
}

TEST("the rest is the kernel's, JIT code's or some library's")
{
    static const struct kind_row rows[] = {
        {"do_syscall_64", "[kernel.kallsyms]", KIND_KERNEL},
        {"do_syscall_64_[k]", "", KIND_KERNEL},
        {"ext4_read", "/lib/modules/6.1/ext4.ko.xz", KIND_KERNEL},
        {"malloc", "/usr/lib/libc.so.6", KIND_NATIVE},
        {"main", "", KIND_NATIVE},
        {"f", "/tmp/perf-7.map", KIND_APP},
        {"f_[j]", "", KIND_APP},
        {"[unknown]", "/tmp/perf-7.map", KIND_NATIVE},
        {"", "", KIND_NATIVE},
    };
    CHECK_KINDS(rows);
}

TEST("a C++ function's own name has no type, no arguments and nothing behind them")
{
    CHECK_TEXT(v8name_cxx(SPAN("int main(int)")), "main");
    CHECK_TEXT(v8name_cxx(SPAN("a::b<c d>::e(f) const [clone .isra.0]")), "a::b<c d>::e");
    CHECK_TEXT(v8name_cxx(SPAN("a::f [clone .cold]")), "a::f");
    CHECK_TEXT(v8name_cxx(SPAN("void a::operator<< <int>(b)")), "a::");
    CHECK_TEXT(v8name_cxx(SPAN("a::operators(b)")), "a::operators");
    CHECK_TEXT(v8name_cxx(SPAN("a::(anonymous namespace)::f()")), "a::(anonymous namespace)::f");
    CHECK_TEXT(v8name_cxx(SPAN("std::function<void (x y)")), "std::function<void (x y)");
    CHECK_TEXT(v8name_cxx(SPAN("")), "");
}

TEST("kinds have names, and names find their kinds")
{
    for (enum frame_kind kind = KIND_APP; kind < KIND_COUNT; kind++)
        CHECK(frame_kind_find(span_cstr(frame_kind_name(kind))) == kind);
    CHECK(frame_kind_find(SPAN("nope")) == KIND_COUNT);
    CHECK(frame_kind_find(SPAN("")) == KIND_COUNT);
}
