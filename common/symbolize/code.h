/* What the symbolizer knows of a DSO's code; private to symbolizer.c and explain.c. */
#ifndef SYMBOLIZE_CODE_H
#define SYMBOLIZE_CODE_H

#include "common/sym/dsofile.h"
#include "common/sym/elfsyms.h"
#include "common/sym/procmaps.h"
#include "common/symbolize/jitcode.h"

/* The names of one DSO's code. */
struct code {
    struct dso dso;
    const struct jitcode_piece *piece; /* of JIT-compiled code, in place of a file; NULL: none */
    struct code_file {
        struct dsofile dso;
        struct elfsyms names;
        bool read;     /* `names` is */
    } * file;          /* NULL: the DSO is no file */
    uint64_t nameless; /* different addresses without a name */
};

#endif
