/* The command line of stackcollapse, under its own name and under the names of the scripts that it
 * replaces. */
#ifndef STACKCOLLAPSE_OPTIONS_H
#define STACKCOLLAPSE_OPTIONS_H

#include "cmd/stackcollapse/collapse.h"
#include "common/base/opt.h"

/* What an option does, for the option tables here and in scripts.c. */
enum option {
    OPTION_FROM = 1,
    OPTION_PID,
    OPTION_TID,
    OPTION_INLINE,
    OPTION_ALL,
    OPTION_KERNEL,
    OPTION_JIT,
    OPTION_CONTEXT,
    OPTION_SRCLINE,
    OPTION_ADDRS,
    OPTION_EVENT_FILTER,
    OPTION_EVENT,
    OPTION_WEIGHT,
    OPTION_SKIP_AFTER,
    OPTION_NO_COMM,
    OPTION_COMM,
    OPTION_COMM_DIGITS,
    OPTION_TIDY,
    OPTION_SHORTEN_PKGS,
    OPTION_NO_PKGS,
    OPTION_INCLUDEOFFSET,
    OPTION_SIZE,
    OPTION_NO_MODULES,
    OPTION_WAKERS,
    OPTION_VERBOSE,
    OPTION_CALLS, /* -c and -t of stackcollapse-xdebug.php */
    OPTION_TIMES,
    OPTION_ASSIGN, /* a variable of an awk script */
};

/* Read the command line into *o, which has its dialect, and into the diag, and leave the operands
 * in *r. Wrong usage ends the program. */
void options_read(struct options *o, struct opt_reader *r, struct diag *diag,
                  const struct opt_program *program, int argc, char **argv);

/* The options of stackcollapse, of which those that are not `own` are those of
 * stackcollapse-perf.pl. */
extern const struct opt options_table[];

#endif
