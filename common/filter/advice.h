/* Tells the user what a recording lacks because of how node was started or the stacks were folded,
 * so that the filtered output misleads. */
#ifndef FILTER_ADVICE_H
#define FILTER_ADVICE_H

#include "common/filter/decisions.h"
#include "common/base/diag.h"
#include "common/stack/frames/runtime.h"

/* With fewer samples a share says little. */
enum { ADVICE_LEAST = 50 };

struct advice {
    uint64_t all;              /* perf samples, or lines of folded stacks */
    uint64_t hidden[RUNTIMES]; /* those with that interpreter, and no function of the script */
    uint64_t samples;          /* those of node processes */
    uint64_t interpreted;      /* of these, in V8's interpreter, which hides the function's name */
    unsigned traits;           /* of all frames in the current file; the caller may reset it */
};

/* Count the n frames of a sample, before any is dropped. `comm` is its command name. Returns the
 * traits of all of them. */
unsigned advice_add(struct advice *a, const struct decisions *d, const uint32_t *stack, size_t n,
                    struct span comm, uint64_t times);

/* For --node, at the end: note that interpreted functions have no names, and how to get them, for
 * instance with which option node writes them. `has_interpreted`: some interpreted functions of
 * node have a name. */
void advice_report(const struct advice *a, bool has_interpreted, struct diag *diag);

#endif
