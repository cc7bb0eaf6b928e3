/* Where a function begins in an ELF file, for uprobes. */
#ifndef STACKRECORD_FUNCTION_H
#define STACKRECORD_FUNCTION_H

#include <stdint.h>

#include "common/base/text.h"

/* How many functions of one name can be watched. The kernel compares each new uprobe with all that it
 * has: a thousand are there after half a second, four thousand after two and a half. */
enum { FUNCTION_MOST = 1000 };

struct function {
    const char *file;  /* an absolute path */
    uint64_t *offsets; /* of the first instruction of each function of that name, in the file;
                        * ascending, all are different */
    size_t count;

    /* private */
    size_t cap;
};

/* Find all functions of the file with that name, mangled as the compiler wrote it ("_ZN1A3runEi"),
 * or as in the source, without parameters ("A::run"). A file without a '/' is looked for in $PATH
 * and in the folders of the system's libraries. Return NULL, or what is wrong (also that they are
 * more than FUNCTION_MOST), in the arena, as the file's path. Call function_free() in both cases. */
const char *function_find(struct function *f, struct span file, struct span name, struct arena *a);

void function_free(struct function *f);

/* Find the file as function_find() does. Return NULL if there is none. */
const char *function_file(struct span file, struct arena *a);

#endif
