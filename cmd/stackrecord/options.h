/* The options of stackrecord. */
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
    size_t memory;                  /* limit on all memory in bytes: see options_shares() */
    bool list;                      /* print the events that can be recorded, and exit */
    const char *list_vars;          /* print the variables of this "FILE:FUNCTION", and exit */
    const char *list_lines;         /* print the lines of this "FILE:FUNCTION", and exit */
    struct derive_options derive;   /* --wall and --off-cpu */
    bool strings;                   /* with --syscalls: read texts at addresses */
    bool no_marks;                  /* do not mark stacks whose callers are missing */
    bool no_js_names;               /* do not read names of functions from node's memory */
    bool inlined;                   /* print inlined calls */
    bool lines;                     /* print source lines */
    bool debuginfod;                /* debug files may be fetched from servers */
    const char *debug;              /* folder of debug symbols */
    bool folded;                    /* print folded stacks at the end */
    bool header;                    /* print a description of the recording before the samples */
    struct archive_options archive; /* its folder is NULL: no archive */
    const char *data;               /* perf.data file to write, or NULL */
    const char *text;        /* file for text; NULL: standard output, or no text if `data` is set */
    bool keep_stacks;        /* write the copies of stacks too */
    struct map_option *maps; /* --perf-map */
    size_t nmaps, maps_cap;
    int32_t parent; /* 0: not given */
    bool quiet;
};

enum { OPTIONS_MEMORY_LEAST_MB = 16, OPTIONS_MEMORY_MB = 128, OPTIONS_MEMORY_MAX_MB = 1 << 20 };

/* The bytes of --memory for each kind of data that grows with the recording. The rest, an eighth,
 * is for the program itself and for the symbols of the kernel and of binaries, which have no limit
 * here. */
struct shares {
    size_t rings;    /* the kernel's ring buffers: one or two for each CPU, each at least a page */
    size_t waiting;  /* records that wait to be sorted by time */
    size_t mappings; /* the mappings of all processes */
    size_t code_names; /* names from the memory of all processes */
    size_t
        js_memory; /* other data about the memory of one node; all together may take twice that */
    size_t perf_maps; /* perf maps of all processes; one process may take half */
    size_t frames;    /* printed frames */
    size_t stacks;    /* stacks for --folded */
    size_t debug;  /* debug information for --inline and --lines: half of the three shares above */
    size_t tables; /* tables for unwinding: from the rest; few programs need more than some MB */
};

struct shares options_shares(const struct options *o);

/* Return true if frames need names, since they are printed or written to an archive. */
bool options_names(const struct options *o);

/* Return true if text or folded stacks are printed. */
bool options_prints(const struct options *o);

/* Read the command line, whose texts are borrowed; wrong usage ends the program. */
void options_read(struct options *o, int argc, char **argv);

#endif
