#include "common/stack/v8name.h"

#include "common/stack/dso.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const char *const kind_names[KIND_COUNT] = {
    [KIND_APP] = "app",       [KIND_DEP] = "dep",   [KIND_CORE] = "core",
    [KIND_REGEXP] = "regexp", [KIND_WASM] = "wasm", [KIND_BUILTIN] = "builtin",
    [KIND_V8] = "v8",         [KIND_CPP] = "cpp",   [KIND_NATIVE] = "native",
    [KIND_KERNEL] = "kernel",
};

/* Node's library where it had neither "node:" nor a directory: lib/ of Node 0.10 to 14. */
static const struct span old_core[] = {SPAN("_debug_agent"),
                                       SPAN("_debugger"),
                                       SPAN("_http_agent"),
                                       SPAN("_http_client"),
                                       SPAN("_http_common"),
                                       SPAN("_http_incoming"),
                                       SPAN("_http_outgoing"),
                                       SPAN("_http_server"),
                                       SPAN("_linklist"),
                                       SPAN("_stream_duplex"),
                                       SPAN("_stream_passthrough"),
                                       SPAN("_stream_readable"),
                                       SPAN("_stream_transform"),
                                       SPAN("_stream_wrap"),
                                       SPAN("_stream_writable"),
                                       SPAN("_tls_common"),
                                       SPAN("_tls_legacy"),
                                       SPAN("_tls_wrap"),
                                       SPAN("assert"),
                                       SPAN("async_hooks"),
                                       SPAN("bootstrap_node"),
                                       SPAN("buffer"),
                                       SPAN("child_process"),
                                       SPAN("cluster"),
                                       SPAN("console"),
                                       SPAN("constants"),
                                       SPAN("crypto"),
                                       SPAN("dgram"),
                                       SPAN("diagnostics_channel"),
                                       SPAN("dns"),
                                       SPAN("domain"),
                                       SPAN("events"),
                                       SPAN("freelist"),
                                       SPAN("fs"),
                                       SPAN("http"),
                                       SPAN("http2"),
                                       SPAN("https"),
                                       SPAN("inspector"),
                                       SPAN("module"),
                                       SPAN("net"),
                                       SPAN("node"),
                                       SPAN("os"),
                                       SPAN("path"),
                                       SPAN("perf_hooks"),
                                       SPAN("process"),
                                       SPAN("punycode"),
                                       SPAN("querystring"),
                                       SPAN("readline"),
                                       SPAN("repl"),
                                       SPAN("smalloc"),
                                       SPAN("stream"),
                                       SPAN("string_decoder"),
                                       SPAN("sys"),
                                       SPAN("timers"),
                                       SPAN("tls"),
                                       SPAN("trace_events"),
                                       SPAN("tty"),
                                       SPAN("url"),
                                       SPAN("util"),
                                       SPAN("v8"),
                                       SPAN("vm"),
                                       SPAN("wasi"),
                                       SPAN("worker_threads"),
                                       SPAN("zlib")};

static bool
is_core(struct span file)
{
    if (span_starts(file, SPAN("node:")) || span_starts(file, SPAN("internal/")) ||
        span_starts(file, SPAN("native ")))
        return true;
    if (!span_ends(file, SPAN(".js")))
        return false;
    file.len -= strlen(".js");
    for (size_t i = 0; i < COUNT(old_core); i++)
        if (span_eq(file, old_core[i]))
            return true;
    return false;
}

static enum frame_kind
js_kind(const struct v8name *n)
{
    if (n->wasm)
        return KIND_WASM;
    if (span_search(n->file, SPAN("/node_modules/")) != SPAN_NONE)
        return KIND_DEP;
    return is_core(n->file) ? KIND_CORE : KIND_APP;
}

static bool
is_word(char c)
{
    return is_alpha(c) || is_digit(c) || c == '_';
}

/* True where the word "operator" stands at `at`: what follows it may be any mix of brackets. */
static bool
at_operator(struct span sym, size_t at)
{
    struct span rest = span_from(sym, at), word = SPAN("operator");
    return span_starts(rest, word) && (at == 0 || !is_word(sym.ptr[at - 1])) &&
           (rest.len == word.len || !is_word(rest.ptr[word.len]));
}

struct span
v8name_cxx(struct span sym)
{
    static const struct span unnamed = {"(anonymous namespace)", 21};
    size_t start = 0, at = 0;
    int depth = 0;
    for (; at < sym.len; at++) {
        char c = sym.ptr[at];
        if (span_starts(span_from(sym, at), unnamed))
            at += unnamed.len - 1;
        else if (depth == 0 && (c == '(' || at_operator(sym, at)))
            break; /* the arguments, or the end of the name's scope */
        else if (c == '<' || c == '(' || c == '[' || c == '{')
            depth++;
        else if ((c == '>' || c == ')' || c == ']' || c == '}') && depth > 0)
            depth--;
        else if (c == ' ' && depth == 0 && at + 1 < sym.len && sym.ptr[at + 1] != '[')
            start = at + 1; /* what came before was the type, or "non-virtual thunk to" */
        else if (c == ' ' && depth == 0)
            break; /* " [clone .cold]" */
    }
    return span_of(sym.ptr + start, at - start);
}

/* The node binary, or node as a library. */
static bool
is_node(struct span dso)
{
    static const struct span programs[] = {SPAN("node"), SPAN("nodejs"), SPAN("iojs")};
    static const struct span libraries[] = {SPAN("libnode.so"), SPAN("libuv.so")};
    struct span base = dso_base(dso);
    if (span_ends(base, SPAN(" (deleted)")))
        base.len -= strlen(" (deleted)");
    for (size_t i = 0; i < COUNT(programs); i++)
        if (span_eq(base, programs[i]))
            return true;
    return span_starts_any(base, libraries, COUNT(libraries));
}

/* The kind of what is not JavaScript, RegExp or generated by V8. */
static enum frame_kind
native_kind(struct span sym, struct span dso)
{
    static const struct span v8[] = {SPAN("v8::"), SPAN("cppgc::"), SPAN("heap::base::")};
    struct span name = v8name_cxx(sym);
    if (span_starts_any(name, v8, COUNT(v8)))
        return KIND_V8;
    if (span_starts(name, SPAN("node::")) || span_starts(name, SPAN("uv_")) || is_node(dso))
        return KIND_CPP;
    return KIND_NATIVE;
}

enum frame_kind
frame_kind(struct span sym, struct span dso)
{
    struct v8name n;
    if (dso_is_kernel(dso) || span_ends(sym, SPAN("_[k]")))
        return KIND_KERNEL;
    enum v8form form = v8name_form(sym);
    if (form == V8FORM_REGEXP)
        return KIND_REGEXP;
    if (form == V8FORM_BUILTIN)
        return KIND_BUILTIN;
    if (form == V8FORM_JS && v8name_parse(sym, &n))
        return js_kind(&n);
    bool jit = dso_is_jit(dso) || span_ends(sym, SPAN("_[j]"));
    if ((dso.len == 0 || jit) && v8name_parse_clean(sym, &n))
        return js_kind(&n);
    if (jit && !span_starts(sym, SPAN("[")))
        return KIND_APP;
    return native_kind(sym, dso);
}

const char *
frame_kind_name(enum frame_kind kind)
{
    return kind_names[kind];
}

enum frame_kind
frame_kind_find(struct span name)
{
    enum frame_kind kind = KIND_APP;
    while (kind < KIND_COUNT && !span_eq(name, span_cstr(kind_names[kind])))
        kind++;
    return kind;
}
