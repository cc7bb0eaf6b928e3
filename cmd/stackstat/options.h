/* The options on stackstat's command line. */
#ifndef STACKSTAT_OPTIONS_H
#define STACKSTAT_OPTIONS_H

#include "cmd/stackstat/versus.h"

struct options {
    struct target target; /* TARGET_COMMAND only if nothing besides the command is named */
    bool on_cpus;         /* count only on the target's CPUs */
    struct events events;
    int detail;               /* number of perf's sets of cache events to add: 1 for -d, up to 3 */
    bool per_cpu, per_thread; /* print one count for each CPU, or each thread */
    char **after;             /* command after --vs; NULL: none */
    struct limit *limits;     /* limits of the growth from the first command to `after` */
    size_t nlimits, limits_cap;
    size_t runs;     /* number of runs of each command */
    size_t interval; /* milliseconds; 0: print counts at the end only */
    double duration; /* seconds; 0: until the command or the processes end, or a signal comes */
    const char *separator; /* between columns; NULL: print a table */
    bool json;
    bool list;          /* print the events that can be counted, and exit */
    const char *output; /* file; NULL: standard error */
    bool quiet;
};

/* Read the command line, and borrow its texts. Wrong usage ends the program. */
void options_read(struct options *o, int argc, char **argv);

#endif
