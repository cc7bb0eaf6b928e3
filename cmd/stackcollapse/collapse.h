/* Types that the files of stackcollapse share: options, dialect, state, input format. */
#ifndef STACKCOLLAPSE_COLLAPSE_H
#define STACKCOLLAPSE_COLLAPSE_H

#include "common/stack/model/eventlist.h"
#include "common/stack/model/fold.h"
#include "common/stack/model/measure.h"
#include "common/stack/text/input.h"

/* Which threads' stacks are added below the stack of a waiting thread (perf-sched). */
enum wakers {
    WAKERS_NONE,
    WAKERS_ONE, /* of the thread that woke it */
    WAKERS_ALL, /* and of the one that woke that thread, and so on */
};

struct options {
    size_t from;       /* the format's place in formats.h, or FORMAT_COUNT: any */
    bool verbose;      /* print each file's format */
    bool guess;        /* print it on standard output, and fold nothing */
    bool offsets;      /* keep those in the functions' names (dtrace) */
    bool shorten_pkgs; /* shorten the names of Java packages */
    bool no_pkgs;      /* leave them out, shortened or not */
    bool size;         /* count bytes, not allocations or time */
    bool no_modules;   /* leave out the names of libraries (sample) */
    enum wakers wakers;
    struct fold_options fold;
    bool inlined;               /* show inlined calls */
    const char *debug_dir;      /* where debug symbols are */
    bool debuginfod;            /* debug files may be fetched from servers */
    struct debuginfod *servers; /* from which; NULL: none */
    bool context;               /* with their source lines */
    bool weight_given;          /* by --weight */
    bool strict;
    bool latency; /* each sample counts its time divided by the number of threads that ran in it */
    enum weight weight;
    const char *event;            /* --event-filter; NULL: no such option */
    struct eventlist *event_list; /* --event; NULL: no such option */
    const struct dialect *dialect;
};

struct perf_rules;

/* Whose rules hold where ours and those of the Perl scripts differ: in perf's text as named here
 * and in foldname.h, in other formats where they ask for the dialect. The man page's section
 * DIFFERENCES lists the differences with examples. */
struct dialect {
    const struct foldname_dialect *names;
    enum tidy tidy;                 /* unless --tidy says otherwise */
    enum weight weight;             /* unless --weight says otherwise */
    const struct perf_rules *rules; /* lines, headers and where samples end */
    bool raw_inlined;               /* --inline shows the names of all calls unchanged */
    bool lenient_filter;            /* a sample without an event passes any --event-filter */
    bool one_kind_of_core; /* the first event is that of one kind of core; "turn" is one, too */
    bool silent_strays;    /* frames outside of samples are not reported */
    bool reports_oddities; /* broken stacks, and a last line that was perhaps cut */
};

/* The rules of stackcollapse under its own name, and those of stackcollapse-perf.pl. */
extern const struct dialect dialect_native, dialect_perl;

struct collapse {
    const struct options *options;
    struct diag *diag;
    struct input input; /* a file is open */
    struct profile profile;
    struct out *out;   /* where a script prints without sorting */
    int script_status; /* what a script exits with */
    uint64_t samples;  /* read, both folded and left out: as the format counts them, or 1 a stack */
    uint64_t stacks;   /* lines read from folded text */
    bool has_text;     /* some file has more than blank lines and comments */
    uint64_t without_frames; /* samples without frames, such as those that had only the command */
};

/* The value of `buffers`, `interns` and `trees`: MEMBERS(struct state, name, list), at most 9. */
#define MEMBERS(type, ...)                                                                         \
    ((const size_t[]){OFFSETS(__VA_ARGS__, 9, 8, 7, 6, 5, 4, 3, 2, 1, )(type, __VA_ARGS__), 0})
#define OFFSETS(a, b, c, d, e, f, g, h, i, n, ...) OFFSETS_##n
#define OFFSETS_1(type, member)                    offsetof(type, member)
#define OFFSETS_2(type, member, ...)               offsetof(type, member), OFFSETS_1(type, __VA_ARGS__)
#define OFFSETS_3(type, member, ...)               offsetof(type, member), OFFSETS_2(type, __VA_ARGS__)
#define OFFSETS_4(type, member, ...)               offsetof(type, member), OFFSETS_3(type, __VA_ARGS__)
#define OFFSETS_5(type, member, ...)               offsetof(type, member), OFFSETS_4(type, __VA_ARGS__)
#define OFFSETS_6(type, member, ...)               offsetof(type, member), OFFSETS_5(type, __VA_ARGS__)
#define OFFSETS_7(type, member, ...)               offsetof(type, member), OFFSETS_6(type, __VA_ARGS__)
#define OFFSETS_8(type, member, ...)               offsetof(type, member), OFFSETS_7(type, __VA_ARGS__)
#define OFFSETS_9(type, member, ...)               offsetof(type, member), OFFSETS_8(type, __VA_ARGS__)

struct jsonfield;
struct perf_header;
struct stacker;
struct sample;

/* An input format: a struct in a file of format/, and a row in formats.h. One of `is`, `is_json`
 * and `is_binary` says which files are of the format, and one of `take`, `sample`, `members` and
 * `fold` reads them. What a format does not need is NULL. */
struct format {
    /* True for the first line of a file that can only be of this format. Blank lines and comments
     * before it are skipped. The byte after the line is its newline, and may be read. */
    bool (*is)(struct span line);
    bool hash_is_text; /* lines that begin with "#" are no comments */
    /* For JSON: true if the file that begins so is of the format. Asked for its first 64 bytes,
     * then for more and more of it; see jsonfile_has. */
    bool (*is_json)(struct span head);
    /* The same for binary data. It must decide by the first 4 KB. */
    bool (*is_binary)(struct span head);

    /* The state's size; it begins with a struct stacker, and the rest is zero at first. 0: it is
     * only a struct stacker. */
    size_t state_size;
    /* The state is of one file, and freed after finish(); else one state reads all files. */
    bool per_file;
    /* Prepare a new state. */
    void (*begin)(struct stacker *f);
    /* Take a line of the file, without its newline; also empty ones. */
    void (*take)(struct stacker *f, struct span line);
    /* For perf's text, where the state begins with a struct perfreader: take a sample. */
    void (*sample)(struct stacker *f, const struct sample *s);
    /* True if a sample with this header is wanted; NULL: all are. */
    bool (*accept)(void *state, const struct perf_header *h);
    /* For JSON: what to read of the outermost object. The state is of one file. */
    const struct jsonfield *members;
    /* Read the file that is open in f->c->input by itself. */
    void (*fold)(struct stacker *f);
    /* End the stack in which the text ended. Called after each file, unless f->ended is set; for a
     * script, which reads all its files as one text, after the last file only. */
    void (*finish)(struct stacker *f);
    /* Report what was odd about the input, once the output is written, and free what is in the state
     * after its struct stacker, but for what these lists have. */
    void (*end)(struct stacker *f);
    /* Where the state has growable arrays and texts, interns and stacktrees, which are freed. */
    const size_t *buffers, *interns, *trees;
    /* What f->left_out counts, for a note at the end: "samples are of threads that wait". */
    const char *left_out;
};

#endif
