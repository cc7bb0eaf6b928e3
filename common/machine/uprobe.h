/* Uprobes: tracepoints that this program defines at functions of ELF files, through tracefs; and
 * kprobes, the same at functions of the kernel. See Documentation/trace/uprobetracer.rst and
 * kprobetrace.rst in the Linux source. They outlive the process that created
 * them. So a child process, the guard, waits until this program has ended, for whatever reason, and
 * then removes them. If the guard was killed too, the next recorder removes them. */
#ifndef MACHINE_UPROBE_H
#define MACHINE_UPROBE_H

#include <stdint.h>
#include <sys/types.h>

#include "common/base/text.h"

/* A uprobe to be created. */
struct uprobe {
    struct span name; /* such as that of the function */
    const char *file; /* borrowed, like the texts of `fetch`; NULL: the kernel */
    /* In the file; or from the kernel's symbol `symbol` on, which is borrowed. */
    const uint64_t *offsets;
    const char *symbol;
    const char *const *fetch; /* fetch arguments of each offset, " len=%si:s32"; "": none */
    size_t count;             /* of offsets */
    bool returns;             /* when the function that begins there returns */
};

/* {0} is empty. */
struct uprobes {
    size_t count;

    /* private */
    struct uprobe *list;
    size_t cap;
    struct span group;
    pid_t guard; /* 0 before it is started, and after it has ended */
    int socket;  /* connected to the guard */
    struct arena arena;
};

/* Add a uprobe without creating it, and return the name of its tracepoint,
 * "stackrecord_PID_TIME:FUNCTION": characters other than letters, digits and underscores are
 * replaced. */
struct span uprobes_add(struct uprobes *u, const struct uprobe *p);

/* Create the uprobes through tracefs, which is mounted at the path. Call this before opening the
 * counters: the guard must not have their descriptors. Return NULL, or what is wrong. Messages,
 * here and below, are valid until uprobes_free(). */
const char *uprobes_create(struct uprobes *u, const char *tracefs);

/* Remove the uprobes, and wait until that is done. First close the counters and unmap their ring
 * buffers, since the kernel keeps uprobes that are in use. Return NULL, or which could not be
 * removed, and why. */
const char *uprobes_remove(struct uprobes *u);

/* Remove the uprobes of recorders that were killed together with their guard, if permitted. */
void uprobes_remove_leftovers(const char *tracefs);

void uprobes_free(struct uprobes *u);

#endif
