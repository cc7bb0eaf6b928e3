/* The kinds of frames: whose code it is, from a Node user's view. */
#ifndef STACK_FRAMEKIND_H
#define STACK_FRAMEKIND_H

#include "common/base/span.h"

enum frame_kind {
    KIND_APP,  /* JavaScript outside node_modules and node's own library */
    KIND_DEP,  /* JavaScript below node_modules */
    KIND_CORE, /* node's own library */
    KIND_REGEXP,
    KIND_WASM,
    KIND_BUILTIN,  /* V8's generated code: builtins, stubs, handlers, inline caches */
    KIND_V8,       /* V8's C++ */
    KIND_GC,       /* "(garbage collector)", to which stackfilter --v8-work reduces V8's frames */
    KIND_COMPILER, /* "(compiler)", likewise */
    KIND_CPP,      /* Node's C++, libuv */
    KIND_NATIVE,   /* other user code: libraries, OpenSSL in the node binary, Java's methods */
    KIND_KERNEL,
    KIND_NAMELESS, /* JIT-compiled code without a name: "(JavaScript without names)" */
    KIND_MARK,     /* not a function, but the reason why a stack lacks callers: [cut], [lost] */
    KIND_WAIT,     /* not a function, but what a thread waits for: [wait: futex], (idle) */
    KIND_COUNT
};

/* Return the kind of a frame, by the symbol as far as possible. `dso` is empty if the input has
 * none (folded stacks); kernel frames are then those whose symbol ends with "_[k]", as written by
 * stackcollapse --kernel. Names that stackfilter --node has cleaned ("emit node:events:340:12") are
 * recognized too, if `dso` is empty or that of JIT-compiled code. */
enum frame_kind frame_kind(struct span sym, struct span dso);

/* Return the name of a kind, a static string: "app", "dep", ... */
const char *frame_kind_name(enum frame_kind kind);

/* The outermost frame of a stack whose callers are missing. [cut]: too little of the stack was
 * recorded. [lost]: unwinding failed, since the code is unknown or its return address is wrong. */
#define MARK_CUT  SPAN("[cut]")
#define MARK_LOST SPAN("[lost]")

/* Return true if the symbol is [cut] or [lost]. */
static inline bool
frame_is_mark(struct span sym)
{
    return span_eq(sym, MARK_CUT) || span_eq(sym, MARK_LOST);
}

/* Return true for the leaf that stackrecord --syscalls adds to a stack: "[syscall: read]". */
static inline bool
frame_is_syscall(struct span sym)
{
    return span_starts(sym, SPAN("[syscall: "));
}

/* Return true if a frame with this symbol and DSO is JIT-compiled code without a name: "[unknown]"
 * in "/tmp/perf-42.map"; or in folded stacks, which have no DSO, "[perf-42.map]". */
bool frame_is_nameless_code(struct span sym, struct span dso);

/* Return the kind with this name ("app"); KIND_COUNT if there is none. */
enum frame_kind frame_kind_find(struct span name);

enum { PACKAGE_TEXT = 32 };

/* Return the npm package of a frame with this name and kind: for a JavaScript function below
 * node_modules a part of `name`; for any other frame its kind in parentheses, "(app)", written to
 * `text`. */
struct span frame_package(struct span name, enum frame_kind kind, char text[static PACKAGE_TEXT]);

#endif
