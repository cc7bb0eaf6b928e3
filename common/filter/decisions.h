/* Decides once for each frame number what to do with the frame: drop it, rename it, and so on. */
#ifndef FILTER_DECISIONS_H
#define FILTER_DECISIONS_H

#include "common/filter/rules.h"
#include "common/filter/sourcemap/sourcemaps.h"
#include "common/filter/v8work.h"
#include "common/base/intern.h"
#include "common/stack/frames/runtime.h"

/* What a frame shows about its process or its file: for advice (advice.h), and for the names of what
 * has none (filter.c). */
enum trait {
    TRAIT_NODE = 1,        /* it is of node */
    TRAIT_INTERPRETER = 2, /* V8's interpreter, called for a function whose name it hides */
    TRAIT_MARKED = 4,      /* a folded frame with _[k] or _[j] (stackcollapse --all) */
    /* With --node: */
    TRAIT_NAMELESS_JIT = 8, /* JIT-compiled code without a name */
    TRAIT_NAMELESS = 16,    /* the frame printed in its place: "(JavaScript without names)" */
    TRAIT_JS = 32,          /* JavaScript with a name */
    /* Of other runtimes than V8: */
    TRAIT_LOOP = 64,   /* the interpreter of the frame's runtime: runtime_of_interpreter() */
    TRAIT_NAMED = 128, /* a function that has a frame of its own by a perf map */
};

enum dropped {
    NOT_DROPPED,
    DROPPED,
    DROPPED_CALLER, /* but kept where it is the leaf: the only thing known about the sample */
    DROPPED_REPEAT, /* but kept where the last frame that was kept has another name */
};

struct decision {
    uint32_t shown; /* of perf script text: the number of the frame that is written for it */
    uint32_t name;  /* equal for equal symbols, and of unknown ones for equal DSOs */
    enum dropped dropped;
    unsigned char matched;   /* 1u << list, for each list with a pattern that matches */
    unsigned char work;      /* enum v8work of what is shown of V8's own frames, else WORK_NONE */
    bool apart;              /* code that V8's own work never calls: JavaScript, node's C++ */
    unsigned char traits;    /* enum trait */
    unsigned char runtime;   /* enum runtime of its file or its function */
    unsigned char named_for; /* 1 + the runtime that `named` is for; 0: there is none */
    uint32_t named;          /* the frame that is printed in place of this one, which has no name */
    bool made;               /* there is a decision */
    bool masked; /* of folded stacks: some bytes of the name are not written as they are */
};

struct decisions {
    const struct rules *rules;
    struct sourcemaps *maps; /* NULL: names are not looked up in source maps */
    struct decision *list;   /* by frame number */
    size_t cap;
    bool distinct; /* no two frames have the same symbol, so the following is not needed: */
    struct intern symbols;
    struct symbol_decision *by_symbol; /* by number in `symbols` */
    size_t symbols_cap;
    struct intern names;
    bool has_js;          /* some symbol is a JavaScript function's */
    bool has_interpreted; /* also of one that V8's interpreter runs */
    struct arena arena;
    struct text scratch;
    struct arena mangled; /* scratch memory of the demangler */
};

/* Start without decisions. Borrows the rules and the maps, which may be NULL. */
void decisions_init(struct decisions *d, const struct rules *rules, struct sourcemaps *maps);

/* Decide on a frame, and set *sym and *dso to what is to be written for it. *dso is empty if it is
 * not known. Borrows both for as long as the decisions are used. `matched` is the set of lists
 * that apply to the frame even if none of their patterns match its name. Return the decision,
 * valid until the next call. */
struct decision *decisions_make(struct decisions *d, uint32_t frame, unsigned matched,
                                struct span *sym, struct span *dso);

#endif
