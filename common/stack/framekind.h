/* The kinds of frame that a Node user tells apart. */
#ifndef STACK_FRAMEKIND_H
#define STACK_FRAMEKIND_H

#include "common/base/span.h"

enum frame_kind {
    KIND_APP,  /* JavaScript outside node_modules and node's own library; other JIT-compiled code */
    KIND_DEP,  /* JavaScript below node_modules */
    KIND_CORE, /* node's own library */
    KIND_REGEXP,
    KIND_WASM,
    KIND_BUILTIN, /* V8's generated code: builtins, stubs, handlers, inline caches */
    KIND_V8,      /* V8's C++ */
    KIND_CPP,     /* Node's C++, libuv */
    KIND_NATIVE,  /* other user code, such as OpenSSL inside of the node binary */
    KIND_KERNEL,
    KIND_COUNT
};

/* The kind of a frame. `dso` is empty where the input does not have it (folded stacks); then "_[k]"
 * and "_[j]" at the symbol's end count, as stackcollapse --all writes them. Names that stackfilter
 * --node has already cleaned ("emit node:events:340:12") are known too. */
enum frame_kind frame_kind(struct span sym, struct span dso);

/* "app", "dep", ... */
const char *frame_kind_name(enum frame_kind kind);

/* The kind of that name, or KIND_COUNT. */
enum frame_kind frame_kind_find(struct span name);

#endif
