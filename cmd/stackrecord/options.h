/* What stackrecord was asked for. */
#ifndef STACKRECORD_OPTIONS_H
#define STACKRECORD_OPTIONS_H

#include "cmd/stackrecord/capture/attach.h"
#include "cmd/stackrecord/capture/events.h"
#include "cmd/stackrecord/capture/target.h"

struct options {
    struct target target;
    struct events events; /* none: cycles */
    struct attach_options attach;
    double duration;    /* seconds; 0: until the target ends, or a signal comes */
    size_t memory;      /* bytes that all may take: see shares_of */
    bool list;          /* print the events that can be recorded, and end */
    bool wall;          /* what runs and what waits, and how long */
    bool off_cpu;       /* time that threads do not run, not samples of what runs */
    uint64_t min_block; /* with both: the shortest wait, in microseconds */
    bool no_marks;      /* of stacks whose callers are missing */
    bool inlined;       /* print the calls that the compiler inlined */
    bool debuginfod;    /* debug files may be fetched from servers */
    const char *debug;  /* where debug symbols are */
    bool folded;        /* print folded stacks at the end */
    const char *data;   /* the perf.data file to write; NULL: text is written */
    const char *text;   /* the file for that; NULL: standard output */
    struct map_option {
        int32_t pid;
        const char *path;
    } * maps; /* --perf-map */
    size_t nmaps, maps_cap;
    int32_t parent; /* 0: not given */
    bool quiet;
};

enum { OPTIONS_MEMORY_LEAST_MB = 16, OPTIONS_MEMORY_MB = 128, OPTIONS_MEMORY_MOST_MB = 1 << 20 };

/* Read the command line, whose texts are borrowed; wrong usage ends the program. */
void options_read(struct options *o, int argc, char **argv);

#endif
