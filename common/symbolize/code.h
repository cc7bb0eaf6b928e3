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
    uint64_t nameless;            /* different addresses without a name */
};

struct symbolizer;

/* The name as it is printed; demangled, it is good until the next call. */
struct span code_printed_name(void *symbolizer, struct span name);

/* Finds the files of a DSO that is one, and sets c->file. */
void code_open_file(struct symbolizer *s, struct code *c);

/* As elfsyms_find, in the names of a file, which are read when the first one is looked up. */
bool code_find(struct symbolizer *s, const struct code_file *file, uint64_t addr, struct span *name,
               uint64_t *start);

#endif
