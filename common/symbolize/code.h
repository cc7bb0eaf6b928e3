/* What the symbolizer knows of a DSO's code; private to symbolizer.c and explain.c. */
#ifndef SYMBOLIZE_CODE_H
#define SYMBOLIZE_CODE_H

#include "common/sym/dsofile.h"
#include "common/sym/elfsyms.h"
#include "common/sym/procmaps.h"
#include "common/symbolize/jitcode.h"

/* The names in a file. */
struct code_names {
    const struct elffile *symbols, *runtime;
    struct elfsyms syms;
    bool read; /* `syms` is */
};

/* The names of one DSO's code. */
struct code {
    struct dso dso;
    const struct jitcode_piece *piece; /* of JIT-compiled code, in place of a file; NULL: none */
    struct code_file {
        struct dsofile dso;
        struct code_names *names; /* of the same files under all paths; NULL: there are none */
    } * file;                     /* NULL: the DSO is no file */
    uint64_t nameless; /* different addresses without a name */
};

#endif
