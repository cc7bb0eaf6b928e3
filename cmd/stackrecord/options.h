/* What stackrecord was asked for. */
#ifndef STACKRECORD_OPTIONS_H
#define STACKRECORD_OPTIONS_H

#include "cmd/stackrecord/archive.h"
#include "cmd/stackrecord/capture/attach.h"
#include "common/base/opt.h"
#include "common/machine/events.h"
#include "common/machine/target.h"
#include "common/stage/derived.h"

struct options {
    struct target target;
    struct events events; /* none: cycles */
    struct attach_options attach;
    double duration;                /* seconds; 0: until the target ends, or a signal comes */
    size_t memory;                  /* bytes that all may take: see options_shares() */
    bool list;                      /* print the events that can be recorded, and end */
    struct derive_options derive;   /* not samples of what runs, but times of threads */
    bool no_marks;                  /* of stacks whose callers are missing */
    bool no_js_names;               /* of functions of node that are read from its memory */
    bool inlined;                   /* print the calls that the compiler inlined */
    bool debuginfod;                /* debug files may be fetched from servers */
    const char *debug;              /* where debug symbols are */
    bool folded;                    /* print folded stacks at the end */
    bool header;                    /* print what is recorded before the samples */
    struct archive_options archive; /* its folder NULL: none is written */
    const char *data;               /* the perf.data file to write; NULL: none is written */
    const char *text;        /* the file for text; NULL: standard output, or none beside `data` */
    bool keep_stacks;        /* the copies of stacks are written too */
    struct map_option *maps; /* --perf-map */
    size_t nmaps, maps_cap;
    int32_t parent; /* 0: not given */
    bool quiet;
};

enum { OPTIONS_MEMORY_LEAST_MB = 16, OPTIONS_MEMORY_MB = 128, OPTIONS_MEMORY_MOST_MB = 1 << 20 };

/* Bytes of --memory for each kind of data that grows with what is recorded. The rest, an eighth, is
 * for the program itself and for the symbols of the kernel and of binaries, which are not limited
 * here. */
struct shares {
    size_t rings;    /* the kernel's ring buffers: one or two for each CPU, each at least a page */
    size_t waiting;  /* records that wait to be sorted by time */
    size_t mappings; /* which file lies where in each process */
    size_t code_names; /* from the memory of processes, of all together */
    size_t
        js_memory; /* what is known of the memory of one node, without names; all may take twice that */
    size_t perf_maps; /* of all processes together; one process may take half */
    size_t frames;    /* as they are printed */
    size_t stacks;    /* --folded */
    size_t debug;     /* information, for --inline: half of the shares of the three above */
    size_t tables;    /* for unwinding; few programs need more than some megabytes, of the rest */
};

struct shares options_shares(const struct options *o);

/* Return true if frames get their names: they are printed, or written to an archive. */
bool options_names(const struct options *o);

/* Return true if text or folded stacks are printed. */
bool options_prints(const struct options *o);

/* Read the command line, whose texts are borrowed; wrong usage ends the program. */
void options_read(struct options *o, int argc, char **argv);

#endif
