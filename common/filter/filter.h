/* Filters the frames of samples, which are from a frametab or from folded stacks. */
#ifndef FILTER_FILTER_H
#define FILTER_FILTER_H

#include "common/base/decimal.h"
#include "common/base/diag.h"
#include "common/base/out.h"
#include "common/filter/advice.h"
#include "common/stack/model/frametab.h"
#include "common/stack/model/sample.h"

/* A sample is kept, or dropped by this option. */
enum verdict { VERDICT_KEPT, VERDICT_FOCUS, VERDICT_EXCLUDE, VERDICT_ROOT, VERDICTS };

/* A number of samples; for folded stacks, the sums of their first and second counts. */
struct count {
    struct decimal of[2];
};

struct filter {
    const struct rules *rules;
    struct decisions perf_frames;
    struct decisions folded_frames;
    uint32_t *stack;                 /* of the last sample, leaf first */
    struct count samples;            /* all samples, dropped ones too */
    struct count nameless[RUNTIMES]; /* with JIT-compiled code without names; with --node */
    struct advice advice;

    /* private from here */
    struct frametab *frames;
    struct intern folded_names; /* by frame number, as in folded_frames */
    size_t stack_cap;
    struct text masked, key;
    struct count by_verdict[VERDICTS];
    struct count cut;  /* by --max-depth */
    bool perf, folded; /* some sample was perf script text, or folded */
};

/* Set up a filter, which is large: do not copy it. Borrow all. If `maps` is NULL, names are not
 * looked up in source maps. `frames` is the table of the samples' frames; renamed frames are added
 * to it, and it must not be emptied. */
void filter_init(struct filter *f, const struct rules *rules, struct sourcemaps *maps,
                 struct frametab *frames);

/* Filter the frames of a sample that was seen `times` times. Its frames are in f->stack afterwards.
 * Return false if the sample is dropped. */
bool filter_sample(struct filter *f, struct sample *s, uint64_t times);

/* Filter the frames of a folded stack. Set *n to the number of frames left in f->stack, numbers of
 * `folded_frames`. Return false if the stack is dropped. `comm` is its command, for advice. */
bool filter_folded(struct filter *f, struct span comm, struct span frames, struct count count,
                   size_t *n);

/* Return true if the output depends on the marks of kernel functions in folded stacks: a function
 * without a mark counts as native, and only one of the two kinds is hidden. */
bool filter_needs_marks(const struct filter *f);

/* Print how many samples were dropped and cut. */
void filter_report_dropped(const struct filter *f, struct diag *diag);

/* With --node: print how many samples are in code without names, and how to get names. */
void filter_report_names(const struct filter *f, struct diag *diag);

/* With --node: write only their number, as a part of a report. */
void filter_write_nameless(const struct filter *f, struct out *out);

#endif
