/* The command line of stackcollapse, under its own name and under the names of the scripts that it
 * replaces. */
#ifndef STACKCOLLAPSE_OPTIONS_H
#define STACKCOLLAPSE_OPTIONS_H

#include "cmd/stackcollapse/collapse.h"
#include "common/base/opt.h"

/* For the option tables here and in scripts.c: the action of an option, or where it is stored. */
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

/* Read the command line into *o, whose dialect is set, and into the diag. Leave the operands in *r.
 * Wrong usage ends the program. */
void options_read(struct options *o, struct opt_reader *r, struct diag *diag,
                  const struct opt_program *program, int argc, char **argv);

/* Set an option that is a variable of an awk script, "recurse=1". Return false if there is no such
 * variable. */
bool options_assign(struct options *o, struct span text);

/* The options of stackcollapse. Those that are not `own` are also options of
 * stackcollapse-perf.pl. */
extern const struct opt options_table[];

#endif
