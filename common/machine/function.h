/* Finds the start of a function in an ELF file, for uprobes. */
#ifndef MACHINE_FUNCTION_H
#define MACHINE_FUNCTION_H

#include <stdint.h>

#include "common/base/text.h"

/* Maximum number of functions with one name that can be watched. The kernel compares each new
 * uprobe with all existing ones: creating a thousand takes half a second, four thousand two and a
 * half. */
enum { FUNCTION_MAX = 1000 };

struct function {
    const char *file; /* an absolute path */
    /* Offsets in the file of the first instruction of each function with that name; ascending, all
     * different. */
    uint64_t *offsets;
    size_t count;
    bool exact; /* the name is that of the symbol table */

    /* private */
    size_t cap;
};

/* Find all functions of the file with this name, mangled as the compiler wrote it ("_ZN1A3runEi"),
 * or as in the source, without parameters ("A::run"). A file without a '/' is searched in $PATH and
 * in the folders of the system's libraries. Return NULL, or what is wrong (also if there are more
 * than FUNCTION_MAX). The message and the file's path are in the arena. Call function_free() in
 * both cases. */
const char *function_find(struct function *f, struct span file, struct span name, struct arena *a);

void function_free(struct function *f);

/* Find the file as function_find() does. Return NULL if there is none. */
const char *function_file(struct span file, struct arena *a);

#endif
