/* What stackstat was asked for. */
#ifndef STACKSTAT_OPTIONS_H
#define STACKSTAT_OPTIONS_H

#include "cmd/stackstat/versus.h"

struct options {
    struct target target; /* TARGET_COMMAND only if nothing else was named beside the command */
    bool on_cpus;         /* count on the target's CPUs alone */
    struct events events;
    int detail;               /* how many of perf's sets of cache events are added: -d, -dd, -ddd */
    bool per_cpu, per_thread; /* print a count for each */
    char **after;             /* the command after --vs; NULL: none */
    struct limit *limits;     /* of the growth from the one before it */
    size_t nlimits, limits_cap;
    size_t runs;     /* of each command */
    size_t interval; /* milliseconds; 0: counts are printed at the end alone */
    double duration; /* seconds; 0: until the command or the processes end, or a signal comes */
    const char *separator; /* NULL: a table */
    bool json;
    bool list;          /* print the events that can be counted, and end */
    const char *output; /* NULL: standard error */
    bool quiet;
};

/* Read the command line, whose texts are borrowed; wrong usage ends the program. */
void options_read(struct options *o, int argc, char **argv);

#endif
