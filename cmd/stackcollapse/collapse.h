/* Types that the files of stackcollapse share: options, dialect, state, input format. */
#ifndef STACKCOLLAPSE_COLLAPSE_H
#define STACKCOLLAPSE_COLLAPSE_H

#include "common/stack/model/eventlist.h"
#include "common/stack/model/fold.h"
#include "common/stack/model/measure.h"
#include "common/stack/text/input.h"

/* The wakers' stacks to add below the stack of a waiting thread (perf-sched). */
enum wakers {
    WAKERS_NONE,
    WAKERS_ONE, /* the thread that woke it */
    WAKERS_ALL, /* that thread, the thread that woke that one, and so on */
};

struct options {
    size_t from;       /* index of the format in formats.h; FORMAT_COUNT: guess it */
    bool verbose;      /* print each file's format */
    bool guess;        /* only print each file's format, on standard output */
    bool offsets;      /* keep offsets in the functions' names (dtrace) */
    bool shorten_pkgs; /* shorten the names of Java packages */
    bool no_pkgs;      /* remove the names of Java packages */
    bool size;         /* count bytes, not allocations or time */
    bool no_modules;   /* leave out the names of libraries (sample) */
    enum wakers wakers;
    struct fold_options fold;
    bool inlined;               /* show inlined calls */
    const char *debug_dir;      /* folder of debug symbols */
    bool debuginfod;            /* debug files may be fetched from servers */
    struct debuginfod *servers; /* these servers; or NULL */
    bool context;               /* show inlined calls with their source lines */
    bool weight_given;          /* --weight was given */
    bool strict;
    bool latency; /* each sample counts its time divided by the number of threads that ran in it */
    enum weight weight;
    const char *event;            /* --event-filter; NULL: no such option */
    struct eventlist *event_list; /* --event; NULL: no such option */
    const struct dialect *dialect;
};

struct perf_rules;

/* A dialect: our rules or those of the Perl scripts, where these differ. The rules for perf's text
 * are members here and of foldname.h; other formats compare the dialect itself. The man page
 * stackcollapse-scripts(7) lists the differences with examples. */
struct dialect {
    const struct foldname_dialect *names;
    enum tidy tidy;                 /* unless --tidy says otherwise */
    enum weight weight;             /* unless --weight says otherwise */
    const struct perf_rules *rules; /* lines, headers and where samples end */
    bool raw_inlined;               /* --inline shows the names of all calls unchanged */
    bool lenient_filter;            /* a sample without an event passes any --event-filter */
    bool one_kind_of_core; /* default event: the first one, of a single kind of core; even "turn" */
    bool silent_strays;    /* do not report frames outside of samples */
    bool reports_oddities; /* report broken stacks, and a last line that may have been cut */
};

/* The rules of stackcollapse under its own name, and those of stackcollapse-perf.pl. */
extern const struct dialect dialect_native, dialect_perl;

struct collapse {
    const struct options *options;
    struct diag *diag;
    struct input input; /* a file is open */
    struct profile profile;
    struct out *out;   /* output of scripts that print without sorting */
    int script_status; /* exit status of a script */
    uint64_t samples;  /* samples read, folded or left out, by the format's count, or 1 a stack */
    uint64_t stacks;   /* lines read from folded text */
    bool has_text;     /* some file has more than blank lines and comments */
    uint64_t without_frames; /* samples without frames, or with only the command */
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
 * and `is_binary` recognizes its files, and one of `take`, `sample`, `members` and `fold` reads
 * them. Members that a format does not need are NULL. */
struct format {
    /* Return true if this first line of a file can only be of this format. Blank lines and comments
     * before it are skipped. The byte after the line is its newline, and may be read. */
    bool (*is)(struct span line);
    bool hash_is_text; /* lines that begin with "#" are not comments */
    /* For JSON: return true if a file with this head is of the format. Called with the first 64
     * bytes of the file, then with longer and longer heads; see jsonfile_has. */
    bool (*is_json)(struct span head);
    /* As is_json, for binary data. It must decide by the first 4 KB. */
    bool (*is_binary)(struct span head);

    /* Size of the state, which begins with a struct stacker, and is zero after that at first. 0: it
     * is only a struct stacker. */
    size_t state_size;
    /* Each file has its own state, which is freed after finish(); otherwise all files share one. */
    bool per_file;
    /* Prepare a new state. */
    void (*begin)(struct stacker *f);
    /* Process a line of the file, without its newline. Empty lines are passed too. */
    void (*take)(struct stacker *f, struct span line);
    /* For perf's text, where the state begins with a struct perfreader: process a sample. */
    void (*sample)(struct stacker *f, const struct sample *s);
    /* Return true if a sample with this header is wanted; NULL: all are. */
    bool (*accept)(void *state, const struct perf_header *h);
    /* For JSON: the members to read of the outermost object. Each file has its own state. */
    const struct jsonfield *members;
    /* Read the whole file that is open in f->c->input. */
    void (*fold)(struct stacker *f);
    /* End the last stack of the text. Called after each file, unless f->ended is set; for a script,
     * which reads all its files as one text, only after the last file. */
    void (*finish)(struct stacker *f);
    /* After the output is written, report oddities of the input, and free the members of the state
     * after its struct stacker that are not in the following lists. */
    void (*end)(struct stacker *f);
    /* Offsets in the state of growable arrays and texts, interns, and stacktrees, to free. */
    const size_t *buffers, *interns, *trees;
    /* What f->left_out counts, for a note at the end: "samples are of threads that wait". */
    const char *left_out;
};

#endif
