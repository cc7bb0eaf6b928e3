#include "common/stack/runtime.h"

#include "common/stack/dso.h"
#include "common/stack/foldedtext.h"

/* A name, or the beginning of one. */
struct sign {
    struct span name;
    bool whole;
    enum runtime runtime;
};

static const struct sign dsos[] = {
    {SPAN("node"), true, RUNTIME_NODE},
    {SPAN("nodejs"), true, RUNTIME_NODE},
    {SPAN("libnode.so"), false, RUNTIME_NODE},
    {SPAN("chrome"), true, RUNTIME_CHROMIUM},
    {SPAN("chromium"), false, RUNTIME_CHROMIUM},
    {SPAN("electron"), true, RUNTIME_CHROMIUM},
    {SPAN("libjvm.so"), false, RUNTIME_JAVA},
    {SPAN("libj9vm"), false, RUNTIME_JAVA},
    {SPAN("libcoreclr.so"), false, RUNTIME_DOTNET},
    {SPAN("libclrjit.so"), false, RUNTIME_DOTNET},
    {SPAN("dotnet"), true, RUNTIME_DOTNET},
    {SPAN("python3"), false, RUNTIME_PYTHON},
    {SPAN("libpython3"), false, RUNTIME_PYTHON},
};

/* Functions on the way to compiled code: node's, those in which OpenJDK calls Java's methods
 * (src/hotspot/share/runtime), and those in which CPython runs code (Python/ceval.c,
 * Modules/main.c). */
static const struct sign symbols[] = {
    {SPAN("node::"), false, RUNTIME_NODE},       {SPAN("JavaCalls::"), false, RUNTIME_JAVA},
    {SPAN("JavaThread::"), false, RUNTIME_JAVA}, {SPAN("_PyEval_"), false, RUNTIME_PYTHON},
    {SPAN("PyEval_"), false, RUNTIME_PYTHON},    {SPAN("Py_RunMain"), true, RUNTIME_PYTHON},
};

static const struct sign comms[] = {
    {SPAN("node"), true, RUNTIME_NODE},          {SPAN("nodejs"), true, RUNTIME_NODE},
    {SPAN("java"), true, RUNTIME_JAVA},          {SPAN("chrome"), true, RUNTIME_CHROMIUM},
    {SPAN("chromium"), false, RUNTIME_CHROMIUM}, {SPAN("electron"), true, RUNTIME_CHROMIUM},
    {SPAN("dotnet"), true, RUNTIME_DOTNET},      {SPAN("python3"), false, RUNTIME_PYTHON},
};

static enum runtime
find(const struct sign *signs, size_t n, struct span name)
{
    for (size_t i = 0; i < n; i++)
        if (signs[i].whole ? span_eq(name, signs[i].name) : span_starts(name, signs[i].name))
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

const char *
runtime_advice(enum runtime runtime)
{
    static const char *const advice[RUNTIMES] = {
        [RUNTIME_UNKNOWN] = "let the program write a perf map, /tmp/perf-PID.map (node "
                            "--perf-basic-prof, java with jcmd PID Compiler.perfmap, ...)",
        [RUNTIME_NODE] =
            "start node with --perf-basic-prof, or profile it as it runs: flamepipe --inspect",
        [RUNTIME_CHROMIUM] = "start the browser with --js-flags=--perf-basic-prof --no-sandbox",
        [RUNTIME_JAVA] = "before java ends run jcmd PID Compiler.perfmap (JDK 17 or later) or "
                         "perf-map-agent",
        [RUNTIME_DOTNET] = "start .NET with DOTNET_PerfMapEnabled=1 in its environment",
        [RUNTIME_PYTHON] = "python (3.12 or later) names its functions with -X perf",
    };
    return advice[runtime];
}

static const struct span nameless[RUNTIMES] = {
    [RUNTIME_UNKNOWN] = SPAN("(JIT-compiled code without names)"),
    [RUNTIME_NODE] = SPAN("(JavaScript without names)"),
    [RUNTIME_JAVA] = SPAN("(Java without names)"),
    [RUNTIME_DOTNET] = SPAN("(.NET without names)"),
    [RUNTIME_PYTHON] = SPAN("(Python without names)"),
};

struct span
runtime_nameless(enum runtime runtime)
{
    return nameless[nameless[runtime].len > 0 ? runtime : RUNTIME_UNKNOWN];
}

bool
runtime_is_nameless(struct span sym, enum runtime *runtime)
{
    if (!span_starts(sym, SPAN("(")))
        return false;
    sym = folded_unmarked(sym);
    for (int i = 0; i < RUNTIMES; i++)
        if (span_eq(sym, nameless[i])) {
            *runtime = (enum runtime)i;
            return true;
        }
    return false;
}
