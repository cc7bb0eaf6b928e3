/* The kinds of frame: whose code it is, as a Node user sees it. */
#ifndef STACK_FRAMEKIND_H
#define STACK_FRAMEKIND_H

#include "common/base/span.h"

enum frame_kind {
    KIND_APP,  /* JavaScript outside node_modules and node's own library */
    KIND_DEP,  /* JavaScript below node_modules */
    KIND_CORE, /* node's own library */
    KIND_REGEXP,
    KIND_WASM,
    KIND_BUILTIN, /* V8's generated code: builtins, stubs, handlers, inline caches */
    KIND_V8,      /* V8's C++ */
    KIND_GC, /* "(garbage collector)", and below: what stackfilter --v8-work makes of V8's frames */
    KIND_COMPILER, /* "(compiler)" */
    KIND_CPP,      /* Node's C++, libuv */
    KIND_NATIVE,   /* other user code: libraries, OpenSSL in the node binary, Java's methods */
    KIND_KERNEL,
    KIND_NAMELESS, /* JIT-compiled code without a name: "(JavaScript without names)" */
    KIND_MARK,     /* no function, but what is known of a stack: [cut], [lost] */
    KIND_WAIT,     /* no function, but what a thread waits for: [wait: futex], (idle) */
    KIND_COUNT
};

/* Return the kind of a frame, decided by its symbol as far as possible. `dso` is empty if the input
 * does not have it (folded stacks); then the kernel is known by "_[k]" at the symbol's end, which
 * stackcollapse --kernel writes. Names that stackfilter --node has cleaned ("emit
 * node:events:340:12") are known too, except in a DSO that is not JIT-compiled code's. */
enum frame_kind frame_kind(struct span sym, struct span dso);

/* "app", "dep", ... */
const char *frame_kind_name(enum frame_kind kind);

/* The outermost frame of a stack whose callers are missing: too little of it was recorded, or
 * nothing is known of the code. */
#define MARK_CUT  SPAN("[cut]")
#define MARK_LOST SPAN("[lost]")

/* Return true if the symbol is one of those. */
static inline bool
frame_is_mark(struct span sym)
{
    return span_eq(sym, MARK_CUT) || span_eq(sym, MARK_LOST);
}

/* Return true for JIT-compiled code without a name, which frames of this symbol and DSO are:
 * "[unknown]" in "/tmp/perf-42.map". In folded stacks, which have no DSO, it is
 * "[perf-42.map]". */
bool frame_is_nameless_code(struct span sym, struct span dso);

/* Return the kind of that name, or KIND_COUNT. */
enum frame_kind frame_kind_find(struct span name);

enum { PACKAGE_TEXT = 32 };

/* Return the npm package of a JavaScript function below node_modules, borrowed from the name; of
 * all else the kind in parentheses, "(app)", written to `text`. `kind` is the frame's. */
struct span frame_package(struct span name, enum frame_kind kind, char text[static PACKAGE_TEXT]);

#endif
