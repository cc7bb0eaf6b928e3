/* The scripts of FlameGraph that stackcollapse replaces: called by the name of one, it reads that
 * script's format only, takes its options and gives its answer to the byte. */
#ifndef STACKCOLLAPSE_SCRIPTS_H
#define STACKCOLLAPSE_SCRIPTS_H

#include "cmd/stackcollapse/collapse.h"

struct script;

/* Return the script that the program was called as, or NULL: it was called by another name. */
const struct script *script_called(int argc, char **argv);

/* Do what main does, as the script. Return the exit status, which is the script's, even where that
 * is 0 after a file that cannot be read. */
int script_run(const struct script *s, int argc, char **argv);

#endif
