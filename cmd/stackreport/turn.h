/* A turn of a thread's event loop, with its stacks, and the path that explains how long it took:
 *
 *     onRequest /srv/app.js:12 > parse /srv/app.js:30 ... v8::internal::JsonParser::Parse
 *
 * The path begins at the callback that began the turn: the outermost function of the application.
 * It leads down to the deepest frame that has at least half of the turn's time. It names each
 * function of the application on the way, the function of node's library or the regular expression
 * that the last one called, and that deepest frame; what is between these is left out. Where no
 * function of the application has half of the time, JavaScript of node's library takes its place;
 * where that has not either, the outermost function of the garbage collector does; and else, as in
 * other programs, all functions, of which the middle is left out if they are many. */
#ifndef STACKREPORT_TURN_H
#define STACKREPORT_TURN_H

#include "common/base/vec.h"
#include "common/stack/model/fold.h"
#include "common/stack/model/profile.h"

/* What the state of a sample of the event "wall" is. */
enum turn_state { TURN_RUNNING, TURN_WAITING, TURN_READY, TURN_STATES };

/* How much a function says about what a program does. */
enum turn_layer {
    LAYER_NONE,   /* where threads start, and what is no function */
    LAYER_ANY,    /* C and C++, the kernel, what a thread waits for */
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
