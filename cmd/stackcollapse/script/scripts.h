/* The scripts of FlameGraph that stackcollapse replaces. Run under the name of one, stackcollapse
 * reads only that script's format, accepts its options, and prints its output to the byte. */
#ifndef STACKCOLLAPSE_SCRIPTS_H
#define STACKCOLLAPSE_SCRIPTS_H

#include "cmd/stackcollapse/collapse.h"
#include "common/base/opt.h"

struct old_script;

/* Return the script under whose name the program was run, or NULL if it is no script's. */
const struct old_script *script_called(int argc, char **argv);

/* Read the script's command line, as options_read does. Return the format that reads
 * the input as the script does. */
const struct format *script_start(const struct old_script *s, struct options *o,
                                  struct opt_reader *r, struct diag *diag, int argc, char **argv);

#endif
