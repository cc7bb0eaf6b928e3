/* Uprobes: tracepoints that we define at functions of ELF files, through tracefs. See
 * Documentation/trace/uprobetracer.rst in the Linux source. They outlive the process that created
 * them. So a child of ours, the guard, waits for our end, whatever kind of end it is, and then
 * removes them; if the guard was killed too, the next recorder removes them. */
#ifndef STACKRECORD_UPROBE_H
#define STACKRECORD_UPROBE_H

#include <stdint.h>
#include <sys/types.h>

#include "common/base/text.h"

/* {0} has no uprobe. */
struct uprobes {
    size_t count;

    /* private */
    struct uprobe *list;
    size_t cap;
    struct span group;
    pid_t guard; /* 0 before it is started, and after it has ended */
    int socket;  /* to the guard */
    struct arena arena;
};

/* Add a uprobe at offsets of a file, without creating it, and return the name of its tracepoint,
 * "stackrecord_PID_TIME:FUNCTION": all in it but letters, digits and underscores is replaced. The
 * file's path is borrowed. */
struct span uprobes_add(struct uprobes *u, struct span function, const char *file,
                        const uint64_t *offsets, size_t count);

/* Create the uprobes through tracefs, which is mounted at the path. To be called before the
 * counters are opened: the guard must not hold their descriptors. Return NULL, or what is wrong.
 * Messages, here and below, are good until uprobes_free(). */
const char *uprobes_create(struct uprobes *u, const char *tracefs);

/* Remove the uprobes, and wait until that is done. The counters must be closed and their ring
 * buffers unmapped, since the kernel keeps uprobes that are in use. Return NULL, or which could not
 * be removed, and why. */
const char *uprobes_remove(struct uprobes *u);

/* Remove the uprobes of recorders that were killed and whose guard was killed, where we may. */
void uprobes_remove_leftovers(const char *tracefs);

void uprobes_free(struct uprobes *u);

#endif
