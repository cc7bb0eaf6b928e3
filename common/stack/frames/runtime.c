#include "common/stack/frames/runtime.h"

#include "common/stack/frames/dso.h"
#include "common/stack/text/foldedtext.h"

/* A name, or a prefix of one. */
struct sign {
    struct span name;
    bool whole;
    enum runtime runtime;
};

/* Deno and Bun are single programs. The program of Erlang and Elixir is beam.smp. The names of Ruby
 * and PHP contain a version: "ruby3.1", "php-fpm8.2". */
static const struct sign dsos[] = {
    {SPAN("node"), true, RUNTIME_NODE},
    {SPAN("nodejs"), true, RUNTIME_NODE},
    {SPAN("libnode.so"), false, RUNTIME_NODE},
    {SPAN("deno"), true, RUNTIME_DENO},
    {SPAN("bun"), true, RUNTIME_BUN},
    {SPAN("chrome"), true, RUNTIME_CHROMIUM},
    {SPAN("chromium"), false, RUNTIME_CHROMIUM},
    {SPAN("electron"), true, RUNTIME_CHROMIUM},
    {SPAN("libjvm.so"), false, RUNTIME_JAVA},
    {SPAN("libj9vm"), false, RUNTIME_JAVA},
    {SPAN("libcoreclr.so"), false, RUNTIME_DOTNET},
    {SPAN("libclrjit.so"), false, RUNTIME_DOTNET},
    {SPAN("dotnet"), true, RUNTIME_DOTNET},
    {SPAN("python"), true, RUNTIME_PYTHON},
    {SPAN("python2"), false, RUNTIME_PYTHON},
    {SPAN("python3"), false, RUNTIME_PYTHON},
    {SPAN("libpython"), false, RUNTIME_PYTHON},
    {SPAN("ruby"), true, RUNTIME_RUBY},
    {SPAN("ruby2"), false, RUNTIME_RUBY},
    {SPAN("ruby3"), false, RUNTIME_RUBY},
    {SPAN("libruby"), false, RUNTIME_RUBY},
    {SPAN("php"), true, RUNTIME_PHP},
    {SPAN("php7"), false, RUNTIME_PHP},
    {SPAN("php8"), false, RUNTIME_PHP},
    {SPAN("php-fpm"), false, RUNTIME_PHP},
    {SPAN("php-cgi"), false, RUNTIME_PHP},
    {SPAN("libphp"), false, RUNTIME_PHP},
    {SPAN("opcache.so"), true, RUNTIME_PHP},
    {SPAN("perl"), true, RUNTIME_PERL},
    {SPAN("perl5"), false, RUNTIME_PERL},
    {SPAN("libperl.so"), false, RUNTIME_PERL},
    {SPAN("beam.smp"), true, RUNTIME_ERLANG},
    {SPAN("luajit"), false, RUNTIME_LUAJIT},
    {SPAN("libluajit"), false, RUNTIME_LUAJIT},
};

/* Functions that show the runtime of compiled code below them: node's; V8's builtins between
 * JavaScript and WebAssembly (src/builtins/wasm-to-js.tq, js-to-wasm.tq; GenericJSToWasmWrapper in
 * older versions), the wrappers that it compiles instead, and the names that stackrecord gives to
 * WebAssembly (common/v8/wasm.h); those in which OpenJDK calls Java's methods
 * (src/hotspot/share/runtime); and those in which CPython runs code (Python/ceval.c,
 * Modules/main.c). */
static const struct sign symbols[] = {
    {SPAN("Builtins_GenericJSToWasm"), false, RUNTIME_WASM},
    {SPAN("Builtins_JSToWasm"), false, RUNTIME_WASM},
    {SPAN("Builtins_WasmToJs"), false, RUNTIME_NODE},
    {SPAN("Stub:js-to-wasm"), false, RUNTIME_WASM},
    {SPAN("Stub:wasm-to-js"), false, RUNTIME_NODE},
    {SPAN("(WebAssembly without names)"), true, RUNTIME_WASM},
    {SPAN("node::"), false, RUNTIME_NODE},
    {SPAN("JavaCalls::"), false, RUNTIME_JAVA},
    {SPAN("JavaThread::"), false, RUNTIME_JAVA},
    {SPAN("_PyEval_"), false, RUNTIME_PYTHON},
    {SPAN("PyEval_"), false, RUNTIME_PYTHON},
    {SPAN("Py_RunMain"), true, RUNTIME_PYTHON},
};

/* The functions in which an interpreter runs all functions of a script: of CPython (Python/ceval.c,
 * also of version 2), Ruby (vm.c, vm_exec.c), PHP (Zend/zend_vm_execute.h), Perl (run.c,
 * dump.c). */
static const struct sign interpreters[] = {
    {SPAN("_PyEval_EvalFrameDefault"), false, RUNTIME_PYTHON},
    {SPAN("PyEval_EvalFrameEx"), false, RUNTIME_PYTHON},
    {SPAN("rb_vm_exec"), true, RUNTIME_RUBY},
    {SPAN("vm_exec_core"), false, RUNTIME_RUBY},
    {SPAN("execute_ex"), true, RUNTIME_PHP},
    {SPAN("Perl_runops_standard"), true, RUNTIME_PERL},
    {SPAN("Perl_runops_debug"), true, RUNTIME_PERL},
};

static const struct sign comms[] = {
    {SPAN("node"), true, RUNTIME_NODE},          {SPAN("nodejs"), true, RUNTIME_NODE},
    {SPAN("deno"), true, RUNTIME_DENO},          {SPAN("bun"), true, RUNTIME_BUN},
    {SPAN("java"), true, RUNTIME_JAVA},          {SPAN("chrome"), true, RUNTIME_CHROMIUM},
    {SPAN("chromium"), false, RUNTIME_CHROMIUM}, {SPAN("electron"), true, RUNTIME_CHROMIUM},
    {SPAN("dotnet"), true, RUNTIME_DOTNET},      {SPAN("python3"), false, RUNTIME_PYTHON},
    {SPAN("ruby"), true, RUNTIME_RUBY},          {SPAN("php"), true, RUNTIME_PHP},
    {SPAN("php-fpm"), false, RUNTIME_PHP},       {SPAN("beam.smp"), true, RUNTIME_ERLANG},
    {SPAN("luajit"), true, RUNTIME_LUAJIT},
};

/* The names of each runtime, and advice on it. Each advice was tried, or is documented: Node and
 * Chromium, V8's --perf-basic-prof; Deno, its variable DENO_V8_FLAGS; Bun, JavaScriptCore's options
 * useJITDump and jitDumpDirectory; OpenJDK, jcmd; .NET, "Runtime configuration options for
 * debugging and profiling"; Python, "Python support for the Linux perf profiler"; Ruby,
 * doc/yjit/yjit.md; PHP, ext/opcache/jit/zend_jit.h (ZEND_JIT_DEBUG_PERF); Erlang, "BeamAsm, the
 * Erlang JIT"; LuaJIT, doc/ext_profiler.html. */
static const struct {
    struct span name;
    struct span nameless; /* the name of frames of compiled code; empty: that of RUNTIME_UNKNOWN */
    const char *advice;   /* how to let recorders find the names of its functions */
    const char *other;    /* the profiler that shows interpreted functions; NULL: all are compiled,
                             or may be */
} table[RUNTIMES] = {
    [RUNTIME_UNKNOWN] = {SPAN("an unknown runtime"), SPAN("(JIT-compiled code without names)"),
                         "let the program write a perf map, /tmp/perf-PID.map (node "
                         "--perf-basic-prof, java with jcmd PID Compiler.perfmap, ...)",
                         NULL},
    [RUNTIME_NODE] = {SPAN("Node"), SPAN("(JavaScript without names)"),
                      "start node with --perf-basic-prof, or profile it as it runs: flamepipe "
                      "--inspect",
                      NULL},
    [RUNTIME_WASM] = {SPAN("WebAssembly"), SPAN("(WebAssembly without names)"),
                      "V8 names functions of WebAssembly in a perf map alone: start node with "
                      "--perf-basic-prof",
                      NULL},
    [RUNTIME_DENO] = {SPAN("Deno"), SPAN("(Deno without names)"),
                      "start deno with DENO_V8_FLAGS=--perf-basic-prof,--interpreted-frames-native-"
                      "stack in its environment",
                      NULL},
    [RUNTIME_BUN] = {SPAN("Bun"), SPAN("(Bun without names)"),
                     "start bun with BUN_JSC_useJITDump=1 and BUN_JSC_jitDumpDirectory=DIR in its "
                     "environment",
                     NULL},
    [RUNTIME_CHROMIUM] = {SPAN("Chromium"), SPAN(""),
                          "start the browser with --js-flags=--perf-basic-prof --no-sandbox", NULL},
    [RUNTIME_JAVA] = {SPAN("Java"), SPAN("(Java without names)"),
                      "before java ends run jcmd PID Compiler.perfmap (JDK 17 or later) or "
                      "perf-map-agent",
                      NULL},
    [RUNTIME_DOTNET] = {SPAN(".NET"), SPAN("(.NET without names)"),
                        "start .NET with DOTNET_PerfMapEnabled=1 in its environment", NULL},
    [RUNTIME_PYTHON] = {SPAN("Python"), SPAN("(Python without names)"),
                        "python (3.12 or later) names its functions with -X perf",
                        "of an older one draw what py-spy records (py-spy record -f raw)"},
    [RUNTIME_RUBY] = {SPAN("Ruby"), SPAN("(Ruby without names)"),
                      "ruby (3.3 or later) names what YJIT compiles with --yjit-perf",
                      "for all functions draw what rbspy records (rbspy record --format "
                      "speedscope)"},
    [RUNTIME_PHP] = {SPAN("PHP"), SPAN("(PHP without names)"),
                     "php (8.0 or later) names what its JIT compiles with -d "
                     "opcache.jit_debug=0x10",
                     "for all functions draw a trace of xdebug (xdebug.mode=trace, "
                     "xdebug.trace_format=1)"},
    [RUNTIME_PERL] = {SPAN("Perl"), SPAN(""), "perl has no names for recorders",
                      "draw what Devel::NYTProf records (perl -d:NYTProf; nytprofcalls "
                      "nytprof.out)"},
    [RUNTIME_ERLANG] = {SPAN("Erlang"), SPAN("(Erlang without names)"),
                        "start Erlang (OTP 24 or later) with +JPperf true, or with that in "
                        "ERL_FLAGS",
                        NULL},
    [RUNTIME_LUAJIT] = {SPAN("LuaJIT"), SPAN("(LuaJIT without names)"),
                        "luajit names its code only if it was built with -DLUAJIT_USE_PERFTOOLS: "
                        "draw what its own profiler prints (luajit -jp=Gf)",
                        NULL},
};

static enum runtime
find(const struct sign *signs, size_t n, struct span name)
{
    for (size_t i = 0; i < n && name.len > 0; i++)
        if (name.ptr[0] == signs[i].name.ptr[0] && /* avoids most calls of memcmp() */
            (signs[i].whole ? span_eq(name, signs[i].name) : span_starts(name, signs[i].name)))
            return signs[i].runtime;
    return RUNTIME_UNKNOWN;
}

enum runtime
runtime_of_dso(struct span dso)
{
    struct span base = dso_base(dso);
    size_t blank = span_find(base, ' '); /* "node (deleted)" */
    return find(dsos, sizeof dsos / sizeof *dsos,
                blank != SPAN_NONE ? span_head(base, blank) : base);
}

enum runtime
runtime_of_symbol(struct span sym)
{
    return find(symbols, sizeof symbols / sizeof *symbols, sym);
}

enum runtime
runtime_of_comm(struct span comm)
{
    return find(comms, sizeof comms / sizeof *comms, comm);
}

enum runtime
runtime_of_interpreter(struct span sym)
{
    return find(interpreters, sizeof interpreters / sizeof *interpreters, sym);
}

bool
runtime_compiles(enum runtime runtime)
{
    return runtime != RUNTIME_UNKNOWN && table[runtime].other == NULL;
}

struct span
runtime_name(enum runtime runtime)
{
    return table[runtime].name;
}

const char *
runtime_advice(enum runtime runtime)
{
    return table[runtime].advice;
}

const char *
runtime_remedy(enum runtime runtime)
{
    return runtime == RUNTIME_NODE
               ? "stackrecord and flamepipe read the names from the memory of node, if they may; "
                 "for perf start node with --perf-basic-prof"
               : table[runtime].advice;
}

const char *
runtime_other_profiler(enum runtime runtime)
{
    return table[runtime].other != NULL ? table[runtime].other : "";
}

struct span
runtime_nameless(enum runtime runtime)
{
    return table[table[runtime].nameless.len > 0 ? runtime : RUNTIME_UNKNOWN].nameless;
}

bool
runtime_is_nameless(struct span sym, enum runtime *runtime)
{
    if (!span_starts(sym, SPAN("(")))
        return false;
    sym = folded_unmarked(sym);
    for (int i = 0; i < RUNTIMES; i++)
        if (span_eq(sym, table[i].nameless)) {
            *runtime = (enum runtime)i;
            return true;
        }
    return false;
}
