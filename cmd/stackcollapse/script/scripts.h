/* The scripts of FlameGraph that stackcollapse replaces: called by the name of one, it reads that
 * script's format only, takes its options and gives its answer to the byte. */
#ifndef STACKCOLLAPSE_SCRIPTS_H
#define STACKCOLLAPSE_SCRIPTS_H

#include "cmd/stackcollapse/collapse.h"
#include "common/base/opt.h"

struct old_script;

/* Return the script that the program was called as, or NULL: it was called by another name. */
const struct old_script *script_called(int argc, char **argv);

/* Read the script's command line, as options_read does. Return the format that gives its answer. */
const struct format *script_start(const struct old_script *s, struct options *o,
                                  struct opt_reader *r, struct diag *diag, int argc, char **argv);

#endif
