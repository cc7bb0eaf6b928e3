/* Types that the files of stackcollapse share: options, state, input format. */
#ifndef STACKCOLLAPSE_COLLAPSE_H
#define STACKCOLLAPSE_COLLAPSE_H

#include "common/base/input.h"
#include "common/stack/eventlist.h"
#include "common/stack/fold.h"
#include "common/stack/measure.h"

/* Whose stacks a wait shows below the one where the thread waits (perf-sched). */
enum wakers {
    WAKERS_NONE,
    WAKERS_ONE, /* of the thread that woke it */
    WAKERS_ALL, /* and of the one that woke that thread, and so on */
};

struct options {
    size_t from;       /* the format's place in formats.h, or FORMAT_COUNT: any */
    bool verbose;      /* print each file's format */
    bool offsets;      /* keep those in the functions' names (dtrace) */
    bool shorten_pkgs; /* shorten the names of Java packages */
    bool no_pkgs;      /* leave them out, shortened or not */
    bool size;         /* count bytes, not allocations or time */
    bool no_modules;   /* leave out the names of libraries (sample) */
    enum wakers wakers;
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
    bool has_text;           /* some file has more than blank lines and comments */
    uint64_t without_frames; /* samples of which nothing remains with --no-comm */
};

/* An input format: one file and one row in formats.h. What a format does not need is NULL. */
struct format {
    /* True for the first line of a file that can only be of this format; blank lines and comments
     * are passed over. The byte after it is a newline. */
    bool (*is)(struct span line);
    bool hash_is_text; /* lines that begin with "#" are no comments */
    /* In place of `is`, for JSON: true if the file with this head is of the format. */
    bool (*is_json)(struct span head);
    /* The same for binary data; 4 KB of it are enough. */
    bool (*is_binary)(struct span head);

    /* Takes a line of the file. The state, of state_size bytes, begins with a struct lineformat;
     * the rest is zero at first. 0: it is no more than that. */
    void (*take)(void *state, struct span line);
    size_t state_size;
    /* In place of these two: as format_fold(). */
    void (*fold)(struct collapse *c, void **state);

    /* As format_finish(). */
    void (*finish)(void *state);
    /* As format_end(); but a struct lineformat is freed by the caller. */
    void (*end)(void *state);
};

#endif
