/* A turn of a thread's event loop, with its stacks, and the path that explains its duration:
 *
 *     onRequest /srv/app.js:12 > parse /srv/app.js:30 ... v8::internal::JsonParser::Parse
 *
 * The path leads from the callback that began the turn, the outermost function of the application,
 * to the deepest frame with at least half of the turn's time. It names the functions of the
 * application on the way, the function of node's library or the regular expression that the last of
 * them called, and that deepest frame; the functions between these are left out. If no function of
 * the application has half of the time, JavaScript of node's library is used in its place; then the
 * outermost function of the garbage collector; and otherwise, as in other programs, all functions,
 * with the middle left out if there are many. */
#ifndef STACKREPORT_TURN_H
#define STACKREPORT_TURN_H

#include "common/base/vec.h"
#include "common/stack/model/fold.h"
#include "common/stack/model/profile.h"

/* The state of a sample of the event "wall". */
enum turn_state { TURN_RUNNING, TURN_WAITING, TURN_READY, TURN_STATES };

/* Layers of functions, from the least to the most informative. */
enum turn_layer {
    LAYER_NONE,   /* starts of threads, and frames that are not functions */
    LAYER_ANY,    /* C and C++, the kernel, and frames for what a thread waits for */
    LAYER_GC,     /* V8's garbage collector */
    LAYER_SCRIPT, /* JavaScript of node's library, regular expressions */
    LAYER_APP,    /* the application and its packages */
};

/* A function, by the number of its name in a folded stack. */
struct turn_name {
    uint32_t shown; /* the number of its text; INTERN_NONE: not looked at yet */
    enum turn_layer layer;
    bool wait; /* not a function, but what a thread waits for */
};

/* The functions of all turns. */
struct turn_names {
    struct profile profile; /* their names; it has no stacks */
    struct intern texts;    /* how they are shown: code that V8 compiled twice is one function */

    /* private from here */
    struct fold_options options;
    struct fold fold;
    VEC(struct turn_name) of; /* by number of the name */
    VEC(uint64_t) sums;       /* by number of the text; all 0 between calls */
};

/* Start; the frametab, in which the frames of samples are, is borrowed. The struct must not
 * move. */
void turn_names_init(struct turn_names *t, const struct frametab *frames);

void turn_names_free(struct turn_names *t);

struct turn_stack {
    size_t start, n; /* its frames, root first: names in the turn's `frames` */
    uint64_t us;     /* microseconds */
    bool bare;       /* no frame but what the thread waits for */
};

/* {0} is one without stacks. */
struct turn {
    uint64_t state[TURN_STATES]; /* microseconds of its samples, */
    uint64_t gc;                 /* and of those with a frame of the garbage collector */

    /* private from here */
    VEC(uint32_t) frames;
    VEC(struct turn_stack) stacks;
};

/* Add a sample of the event "wall" to its turn: its frames are in the frametab. */
void turn_add(struct turn *t, struct turn_names *names, const struct sample *s,
              enum turn_state state);

/* Make it one without stacks, and keep its memory. */
void turn_empty(struct turn *t);

void turn_free(struct turn *t);

struct turn_step {
    uint32_t text; /* of the function: a number of turn_names.texts */
    bool gap;      /* functions between this one and the one before are left out */
};

/* {0} is an empty path. Its owner frees `steps.at`. */
struct turn_path {
    VEC(struct turn_step) steps;
    size_t last; /* which of them is the innermost function of the application */
    /* Half of the time and more is waits without a stack: the path is that of the rest. */
    bool no_waiting;
};

/* Return the path that explains the turn, with no step if it has no stack. */
struct turn_path turn_explain(const struct turn *t, struct turn_names *names);

#endif
