/* Decides once for each frame number what to do with the frame: drop it, rename it, and so on. */
#ifndef FILTER_DECISIONS_H
#define FILTER_DECISIONS_H

#include "common/filter/rules.h"
#include "common/filter/sourcemap/sourcemaps.h"
#include "common/filter/v8work.h"
#include "common/base/intern.h"
#include "common/stack/frames/runtime.h"

/* What a frame shows about its process or file: used for advice (advice.h), and to name frames
 * without a name (filter.c). */
enum trait {
    TRAIT_NODE = 1,        /* a frame of node */
    TRAIT_INTERPRETER = 2, /* V8's interpreter, which hides the name of the function it runs */
    TRAIT_MARKED = 4,      /* a folded frame with _[k] or _[j] (stackcollapse --all) */
    /* With --node: */
    TRAIT_NAMELESS_JIT = 8, /* JIT-compiled code without a name */
    TRAIT_NAMELESS = 16,    /* the frame printed in its place: "(JavaScript without names)" */
    TRAIT_JS = 32,          /* JavaScript with a name */
    /* For runtimes other than V8: */
    TRAIT_LOOP = 64,   /* the interpreter of the frame's runtime: runtime_of_interpreter() */
    TRAIT_NAMED = 128, /* a function with a frame of its own, thanks to a perf map */
};

enum dropped {
    NOT_DROPPED,
    DROPPED,
    DROPPED_CALLER, /* dropped unless it is the leaf: then it is all that is known */
    DROPPED_REPEAT, /* dropped unless the last kept frame has another name */
};

struct decision {
    uint32_t shown; /* for perf script text: number of the frame to write */
    uint32_t name;  /* equal for equal symbols; for unknown symbols, equal for equal DSOs */
    enum dropped dropped;
    unsigned char matched;   /* 1u << list, for each list with a pattern that matches */
    unsigned char work;      /* enum v8work to show for V8's own frames, else WORK_NONE */
    bool apart;              /* code that V8's own work never calls: JavaScript, node's C++ */
    unsigned char traits;    /* set of enum trait */
    unsigned char runtime;   /* enum runtime of its file or its function */
    unsigned char named_for; /* 1 + the runtime that `named` is for; 0: none */
    uint32_t named;          /* number of the frame to print in place of this nameless one */
    bool made;               /* the decision has been made */
    bool masked; /* for folded stacks: some bytes of the name are masked in the output */
};

struct decisions {
    const struct rules *rules;
    struct sourcemaps *maps; /* NULL: do not look names up in source maps */
    struct decision *list;   /* indexed by frame number */
    size_t cap;
    bool distinct; /* no two frames have the same symbol: `symbols` and `by_symbol` are unused */
    struct intern symbols;
    struct symbol_decision *by_symbol; /* indexed by number in `symbols` */
    size_t symbols_cap;
    struct intern names;
    bool has_js;          /* some symbol is a JavaScript function */
    bool has_interpreted; /* some symbol is a function that V8's interpreter runs */
    struct arena arena;
    struct text scratch;
    struct arena mangled; /* scratch memory of the demangler */
};

/* Start without decisions. Borrow the rules, and the maps, which may be NULL. */
void decisions_init(struct decisions *d, const struct rules *rules, struct sourcemaps *maps);

/* Decide on a frame whose symbol and DSO are *sym and *dso, which are borrowed for as long as the
 * decisions are used; *dso is empty if unknown. Set both to the texts to write. `matched` is the
 * set of lists that apply to the frame even if none of their patterns match its name. Return the
 * decision, valid until the next call. */
struct decision *decisions_make(struct decisions *d, uint32_t frame, unsigned matched,
                                struct span *sym, struct span *dso);

#endif
