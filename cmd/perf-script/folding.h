/* --folded: folds the samples directly, without writing perf script text first. */
#ifndef PERF_SCRIPT_FOLDING_H
#define PERF_SCRIPT_FOLDING_H

#include "common/filter/filter.h"
#include "common/stack/frames/roots.h"
#include "common/stack/model/eventchoice.h"
#include "common/stack/model/fold.h"

struct folding_options {
    bool folded;
    bool mark_kernel;
    struct rules rules; /* of --node */
    int work;           /* an enum v8_work; -1: not given */
    bool source_maps;
    const char *maps_folder; /* folder of source maps; NULL: not given */
};

struct folding {
    const struct folding_options *options;
    struct fold_options how;
    struct profile profile;
    struct fold fold;
    struct eventchoice events;
    struct roots roots;
    struct filter filter; /* with --node */
    struct sourcemaps maps;
    uint64_t samples, no_period, without_frames;
};

/* Set up for samples whose frames are in the table `frames`. Borrow all arguments. Return false,
 * after a message, if the folder of source maps cannot be opened. */
bool folding_init(struct folding *f, const struct folding_options *options, struct diag *diag,
                  struct frametab *frames);

/* Return true if a sample with this header is folded, and set *weight to its count. */
bool folding_takes(struct folding *f, const struct perf_header *h, struct decimal *weight);

/* Add the stack of a sample that occurred `times` times, as `stackcollapse` does. With --node,
 * filter it first as `stackfilter --node` does. */
void folding_add(struct folding *f, const struct sample *s, uint64_t times, struct decimal weight);

/* Write the stacks. */
void folding_write(struct folding *f, struct out *out);

/* Report which samples were left out. With `advise`, also advise as --check does. */
void folding_report(struct folding *f, struct diag *diag, bool advise);

#endif
