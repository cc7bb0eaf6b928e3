/* The two formats, each read, filtered and written. */
#ifndef STACKFILTER_FILTER_H
#define STACKFILTER_FILTER_H

#include "cmd/stackfilter/stack.h"
#include "common/base/decimal.h"
#include "common/base/input.h"
#include "common/base/out.h"
#include "common/stack/perftext.h"
#include "common/stack/perfwrite.h"

/* A sum of samples; folded stacks may carry two counts. */
struct count {
    struct decimal of[2];
};

struct filter {
    const struct rules *rules;
    bool no_comm; /* a folded stack's first frame is a frame like the others */
    struct diag *diag;
    struct input input;
    struct out out;

    struct perftext perftext;
    struct perfwrite writer;
    struct decisions perf_frames;
    size_t decided; /* so many frames of the frametab were decided about */
    struct intern folded_names; /* by the number that they have in folded_frames */
    struct intern folded_shown; /* by decision.shown */
    struct decisions folded_frames;
    uint32_t *stack; /* of the sample at hand, leaf first */
    size_t stack_cap;

    struct count samples, by_verdict[VERDICTS];
    struct count cut; /* by --max-depth */
};

/* The rules and the diag are borrowed; the input is for the caller to start. */
void filter_init(struct filter *f, const struct rules *rules, struct diag *diag);

/* Reads the file that is open to its end and writes it filtered. */
void filter_perf(struct filter *f);
void filter_folded(struct filter *f);

/* Filters f->stack, *n frames, of a sample that counts so much; false where it is not to be
 * written. */
bool filter_stack(struct filter *f, const struct decisions *decisions, size_t *n, struct count count);

/* Writes a line through as it is, and says so. */
void filter_pass(struct filter *f, struct span line, const char *what);

/* Says what of the input is not in the output. */
void filter_report(const struct filter *f);

#endif
