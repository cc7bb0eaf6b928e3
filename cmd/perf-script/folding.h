/* --folded: folds the samples directly, without writing text. */
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
    int work;           /* enum v8_work; -1: not given */
    bool source_maps;
    const char *maps_folder; /* NULL: not given */
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

/* Set up, with the table of the samples' frames. Return false, after a message, if the folder of
 * the source maps cannot be opened. Borrow all. */
bool folding_init(struct folding *f, const struct folding_options *options, struct diag *diag,
                  struct frametab *frames);

/* Return true if samples with this header are folded, and set *weight to what one counts. */
bool folding_takes(struct folding *f, const struct perf_header *h, struct decimal *weight);

/* Add a stack that was seen `times` times, as `stackcollapse` does; with --node, after filtering it
 * as `stackfilter --node` does. */
void folding_add(struct folding *f, const struct sample *s, uint64_t times, struct decimal weight);

/* Write the stacks. */
void folding_write(struct folding *f, struct out *out);

/* Report which samples are left out. With `advise` also report what --check advises on. */
void folding_report(struct folding *f, struct diag *diag, bool advise);

#endif
