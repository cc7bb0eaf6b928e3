/* The command line of stackcollapse, under its own name and under the names of the scripts that it
 * replaces. */
#ifndef STACKCOLLAPSE_OPTIONS_H
#define STACKCOLLAPSE_OPTIONS_H

#include "cmd/stackcollapse/collapse.h"
#include "common/base/opt.h"

/* For the option tables here and in scripts.c: what an option does, or where it is stored. */
#define AT(member) OPT_AT(struct options, member)
enum option {
    OPTION_FROM = 1,
    OPTION_ALL,
    OPTION_EVENT,
    OPTION_WEIGHT,
    OPTION_SKIP_AFTER,
    OPTION_COMM,
    OPTION_CALLS, /* -c and -t of stackcollapse-xdebug.php */
    OPTION_TIMES,
    OPTION_ASSIGN, /* a variable of an awk script */
};

/* Read the command line into *o, which has its dialect, and into the diag, and leave the operands
 * in *r. Wrong usage ends the program. */
void options_read(struct options *o, struct opt_reader *r, struct diag *diag,
                  const struct opt_program *program, int argc, char **argv);

/* Set a variable of an awk script that is an option, "recurse=1". False if there is none of this
 * name. */
bool options_assign(struct options *o, struct span text);

/* The options of stackcollapse, of which those that are not `own` are those of
 * stackcollapse-perf.pl. */
extern const struct opt options_table[];

#endif
