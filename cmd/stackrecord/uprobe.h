/* Uprobes: tracepoints that we define at functions of ELF files, through tracefs. See
 * Documentation/trace/uprobetracer.rst in the Linux source. They outlive the process that created
 * them, hence the care to remove them: a process of our own waits for our end, whatever kind it is,
 * and removes them; if it was killed too, the next recorder does so. */
#ifndef STACKRECORD_UPROBE_H
#define STACKRECORD_UPROBE_H

#include <stdint.h>

#include "common/base/text.h"

/* {0} has no uprobe. */
struct uprobes {
    struct uprobe {
        const char *file;  /* an absolute path without symbolic links */
        uint64_t offset;   /* of the function's first instruction in the file */
        struct span name;  /* of the tracepoint: letters, digits and underscores */
        struct span event; /* "stackrecord_PID_TIME:NAME" */
    } * list;
    size_t count;

    /* private */
    size_t cap;
    struct span group;
    const char *tracefs;
    int guard; /* a socket to the process that removes the uprobes, once there is one */
    struct arena arena;
};

/* Adds a uprobe, without creating it. Borrows the file's name. Returns its index. */
size_t uprobes_add(struct uprobes *u, const char *file, uint64_t offset, struct span function);

/* Creates the uprobes, after removing those of recorders that were killed. Borrows the path of
 * tracefs. NULL, or what is wrong. */
const char *uprobes_create(struct uprobes *u, const char *tracefs);

/* Removes the uprobes; the counters must be closed. NULL, or which could not be removed and why. */
const char *uprobes_remove(struct uprobes *u);

void uprobes_free(struct uprobes *u);

#endif
