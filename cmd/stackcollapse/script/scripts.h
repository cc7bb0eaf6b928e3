/* The scripts of FlameGraph that stackcollapse replaces: called by the name of one, it reads that
 * script's format only, takes its options and gives its answer to the byte. */
#ifndef STACKCOLLAPSE_SCRIPTS_H
#define STACKCOLLAPSE_SCRIPTS_H

#include "common/base/opt.h"

struct script {
    struct opt_program program;
    size_t format; /* its place in the table of formats.h */
};

/* The script that the program was called as, or NULL: it was called by another name. */
const struct script *script_called(int argc, char **argv);

#endif
