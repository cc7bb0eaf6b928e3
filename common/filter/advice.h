/* Advises the user if filtered output misleads because of how node was started or how the stacks
 * were folded. */
#ifndef FILTER_ADVICE_H
#define FILTER_ADVICE_H

#include "common/filter/decisions.h"
#include "common/base/diag.h"
#include "common/stack/frames/runtime.h"

/* Give no advice with fewer samples: shares would say little. */
enum { ADVICE_LEAST = 50 };

struct advice {
    uint64_t all;              /* perf samples, or lines of folded stacks */
    uint64_t hidden[RUNTIMES]; /* samples with that interpreter but no function of the script */
    uint64_t samples;          /* samples of node processes */
    uint64_t interpreted; /* those of `samples` in V8's interpreter without a function's name */
    unsigned traits;      /* union over the current file's frames; the caller may reset it */
};

/* Count a sample of n frames, before any is dropped, `times` times. `comm` is its command name.
 * Return the union of the frames' traits. */
unsigned advice_add(struct advice *a, const struct decisions *d, const uint32_t *stack, size_t n,
                    struct span comm, uint64_t times);

/* For --node, at the end: note that interpreted functions have no names, and how to get names, for
 * instance by which option of node. `has_interpreted`: some interpreted functions have a name. */
void advice_report(const struct advice *a, bool has_interpreted, struct diag *diag);

#endif
