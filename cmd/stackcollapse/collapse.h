/* Types that the files of stackcollapse share: options, state, input format. */
#ifndef STACKCOLLAPSE_COLLAPSE_H
#define STACKCOLLAPSE_COLLAPSE_H

#include "common/base/input.h"
#include "common/stack/eventlist.h"
#include "common/stack/fold.h"
#include "common/stack/measure.h"

struct options {
    bool script;       /* called by a script's name: give its answer to the byte */
    size_t from;       /* the format's place in formats.h, or FORMAT_COUNT: any */
    bool verbose;      /* print each file's format */
    bool offsets;      /* keep those in the functions' names (dtrace) */
    bool shorten_pkgs; /* shorten the names of Java packages */
    bool no_pkgs;      /* leave them out, shortened or not */
    struct fold_options fold;
    bool inlined;      /* ask addr2line for inlined calls */
    bool context;      /* with their source lines */
    bool weight_given; /* by --weight */
    bool strict;
    enum weight weight;
    const char *event;            /* --event-filter; NULL: no such option */
    struct eventlist *event_list; /* --event; NULL: no such option */
    const struct dialect *dialect;
};

struct collapse {
    const struct options *options;
    struct diag *diag;
    struct input input; /* a file is open */
    struct profile profile;
    struct out *out;         /* where a script prints without sorting */
    int script_status;       /* what a script exits with */
    uint64_t samples;        /* read: folded, or left out and reported */
    uint64_t stacks;         /* lines read from folded text */
    uint64_t without_frames; /* samples of which nothing remains with --no-comm */
};

/* An input format: one file and one row in formats.h. */
struct format {
    /* The offset of the first line in the head of a file that can only be of this format, or
     * SPAN_NONE. The format with the smallest offset gets the file. Of a JSON format: 0 or SPAN_NONE,
     * and the head may end in the middle of a line. */
    size_t (*claims)(struct span head);
    /* Folds the file that is open in c->input. *state is kept for the format from file to file;
     * it is NULL at first. */
    void (*fold)(struct collapse *c, void **state);
    /* Ends the stack that the text ended in: called after each file, or for a script after the
     * last. May be NULL. */
    void (*finish)(struct collapse *c, void *state);
    /* Reports what was odd about the input, once all is read and written, and frees the state. */
    void (*end)(void *state);
};

#endif
