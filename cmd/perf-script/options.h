/* The options of perf-script. */
#ifndef PERF_SCRIPT_OPTIONS_H
#define PERF_SCRIPT_OPTIONS_H

#include "cmd/perf-script/fields.h"
#include "cmd/perf-script/folding.h"
#include "cmd/perf-script/operands.h"
#include "cmd/perf-script/select.h"
#include "cmd/perf-script/datasource.h"
#include "common/base/opt.h"

/* In the order of --stats' choices; STATS_NONE: write the samples. */
enum stats { STATS_TEXT, STATS_JSON, STATS_NONE };

struct options {
    struct selection selection;
    const char *map_dir;
    struct map_option *maps;
    size_t nmaps, maps_cap;
    enum stats stats;
    const char *report; /* file for the report of --check, or NULL */
    struct folding_options folding;
    size_t max_stack; /* frames of a stack; 0: all */
    bool trace;       /* write lines as perf trace does */
    bool debuginfod;  /* debug files may be fetched from servers */
    bool quiet, strict;
    struct recordsource_options data;
    struct derive_options derive;
    enum demangle_style text_demangle; /* of perf script text; DEMANGLE_NONE unless asked for */
    struct fields fields;              /* of perf.data */
    struct fields text_fields;
    struct operands operands;
    size_t operands_cap;
};

/* Read the command line, whose texts are borrowed; wrong usage ends the program. */
void options_read(struct options *o, int argc, char **argv);

#endif
