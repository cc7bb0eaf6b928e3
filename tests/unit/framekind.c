/* The kinds of frames, by their names and DSOs. */
#include "test.h"

#include "common/stack/frames/framekind.h"

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

TEST("JavaScript is the application's, a dependency's or node's own")
{
    static const struct kind_row rows[] = {
        {"JS:~f /srv/a.js:1:2", "/tmp/perf-7.map", KIND_APP},
        {"JS:*f [eval]:1:2", "", KIND_APP},
        {"Function:^f", "", KIND_APP},
        {"LazyCompile:*f app.js:2", "", KIND_APP},
        {"f ./src/my dir/a.ts:1:2", "", KIND_APP},
        {"f ../shared/a.ts:1:2", "", KIND_APP},
        {"f ./node_modules/y/a.js:1:2", "", KIND_DEP},
        {"f webpack/external commonjs \"fs\":1:2", "", KIND_APP},
        {"JS:~f /srv/node_modules/@x/y/a.js:1:2", "", KIND_DEP},
        {"f /srv/node_modules/y/a.js:1:2_[j]", "", KIND_DEP},
        {"JS:~emit node:events:1:2", "", KIND_CORE},
        {"JS:~get ext:core/01_core.js:882:10", "/tmp/perf-7.map", KIND_CORE},
        {"get ext:core/01_core.js:882:10", "", KIND_CORE},
        {"JSC-FTL: fibonacci#DFhvgn", "/tmp/perf-7.map", KIND_APP},
        {"JSC-DFG: /srv/node_modules/y/a.js#ECIJ9S", "", KIND_DEP},
        {"fibonacci #DFhvgn", "", KIND_APP},
        {"LazyCompile:~emit events.js:12", "", KIND_CORE},
        {"LazyCompile:startup bootstrap_node.js:12", "", KIND_CORE},
        {"LazyCompile:~f internal/util.js:3", "", KIND_CORE},
        {"LazyCompile:*indexOf native array.js:1020", "", KIND_CORE},
        {"emit node:events:340:12 [*]", "", KIND_CORE},
        {"emit node:events:340:12", "/tmp/perf-7.map", KIND_CORE},
        {"emit node:events:340:12", "/usr/bin/ruby", KIND_NATIVE},
        {"f evalmachine.<anonymous>:1:2", "", KIND_APP},
        {"f [worker eval]:1:2", "", KIND_APP},
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

TEST("a name in a perf map that V8 does not write is native, on folded stacks too")
{
    static const char *const names[] = {
        "int java.lang.String.hashCode()",
        "void Foo::bar(int, java.lang.String)",
        "Ljava/io/PrintStream;::print",
        "Interpreter",
        "StubRoutines (1)",
        "vtable stub",
        "I2C/C2I adapters",
        "int32 [App] App.Program::Fib(int32)[Tier1]",
        "py::f:/p/x.py",
        "f",
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char marked[80];
        snprintf(marked, sizeof marked, "%s_[j]", names[i]);
        CHECK(frame_kind(span_cstr(names[i]), SPAN("/tmp/perf-7.map")) == KIND_NATIVE);
        CHECK(frame_kind(span_cstr(names[i]), SPAN("")) == KIND_NATIVE);
        CHECK(frame_kind(span_cstr(marked), SPAN("")) == KIND_NATIVE);
    }
}

TEST("the kind of C++ follows from the function's own name, not by its type or arguments")
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

TEST("what stackfilter --v8-work and V8's own profiles write has its kinds")
{
    static const struct kind_row rows[] = {
        {"(garbage collector)", "", KIND_GC},    {"(compiler)", "", KIND_COMPILER},
        {"(runtime)", "/usr/bin/node", KIND_V8}, {"(inline caches)", "", KIND_BUILTIN},
        {"(regexp)", "", KIND_REGEXP},           {"(idle)", "", KIND_WAIT},
        {"(program)", "", KIND_NATIVE},
    };
    CHECK_KINDS(rows);
}

TEST("JIT-compiled code without a name is of its own kind, as is the frame that stands for it")
{
    static const struct kind_row rows[] = {
        {"[unknown]", "/tmp/perf-7.map", KIND_NAMELESS},
        {"", "/tmp/perf-7.map", KIND_NAMELESS},
        {"[unknown]", "/tmp/jitted-7-1.so", KIND_NAMELESS},
        {"[unknown]", "[JIT] tid 7", KIND_NAMELESS},
        {"[unknown]", "[anon:v8]", KIND_NAMELESS},
        {"[unknown]", "/memfd:doublemapper (deleted)", KIND_NAMELESS},
        {"[perf-7.map]", "", KIND_NAMELESS},
        {"[perf-7.map]_[j]", "", KIND_NAMELESS},
        {"[[JIT] tid 7]", "", KIND_NAMELESS},
        {"[unknown]", "[JIT app cache]", KIND_NAMELESS},
        {"[[JIT zygote cache]]", "", KIND_NAMELESS},
        {"[memfd:doublemapper (deleted)]", "", KIND_NAMELESS},
        {"(JavaScript without names)", "", KIND_NAMELESS},
        {"(JavaScript without names)_[j]", "", KIND_NAMELESS},
        {"(JIT-compiled code without names)", "/tmp/perf-7.map", KIND_NAMELESS},
        /* Nothing, or a number that was taken for an address. */
        {"[unknown]", "[unknown]", KIND_NATIVE},
        {"[unknown]", "//anon", KIND_NATIVE},
        {"[anon]", "", KIND_NATIVE},
        {"[unknown]", "[heap]", KIND_NATIVE},
        {"[", "", KIND_NATIVE},
        {"[]", "", KIND_NATIVE},
        {"[libc.so.6]", "", KIND_NATIVE},
        {"(Perl without names)", "", KIND_NATIVE},
        {"(without names)", "", KIND_NATIVE},
    };
    CHECK_KINDS(rows);
}

TEST("the rest is the kernel's or some library's")
{
    static const struct kind_row rows[] = {
        {"do_syscall_64", "[kernel.kallsyms]", KIND_KERNEL},
        {"do_syscall_64_[k]", "", KIND_KERNEL},
        {"ext4_read", "/lib/modules/6.1/ext4.ko.xz", KIND_KERNEL},
        {"malloc", "/usr/lib/libc.so.6", KIND_NATIVE},
        {"int a.b.C.d()", "[JIT app cache]", KIND_NATIVE},
        {"f", "[some cache]", KIND_NATIVE},
        {"main", "", KIND_NATIVE},
        {"", "", KIND_NATIVE},
    };
    CHECK_KINDS(rows);
}

TEST("kinds have names, and names find their kinds")
{
    for (enum frame_kind kind = KIND_APP; kind < KIND_COUNT; kind++)
        CHECK(frame_kind_find(span_cstr(frame_kind_name(kind))) == kind);
    CHECK(frame_kind_find(SPAN("nope")) == KIND_COUNT);
    CHECK(frame_kind_find(SPAN("")) == KIND_COUNT);
}

TEST("code of JavaScriptCore is of the kinds that V8's has")
{
    static const struct kind_row rows[] = {
        {"JSC-YarrJIT: /(a+)+b/", "/tmp/perf-7.map", KIND_REGEXP},
        {"JSC-WasmOMG: .wasm-function[work]#CP8NFs", "", KIND_WASM},
        {"wasm-function[work]", "", KIND_WASM},
        {"JSC-InlineCache: GetById Load handler", "", KIND_BUILTIN},
        {"JSC-Thunk: CallTrampoline_[j]", "", KIND_BUILTIN},
        {"JSC-FTLOSRExit: unspecified", "", KIND_BUILTIN},
    };
    CHECK_KINDS(rows);
}
