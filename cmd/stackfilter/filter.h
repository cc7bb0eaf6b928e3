/* Reads perf script text or folded stacks, and writes them filtered in the same format. */
#ifndef STACKFILTER_FILTER_H
#define STACKFILTER_FILTER_H

#include "cmd/stackfilter/advice.h"
#include "cmd/stackfilter/idlewaits.h"
#include "common/base/decimal.h"
#include "common/base/out.h"
#include "common/stack/text/input.h"
#include "common/stack/text/lookslike.h"
#include "common/stack/text/perftext.h"
#include "common/stack/text/perfwrite.h"

/* Whether a sample is written, and if not, which option drops it. */
enum verdict { VERDICT_KEPT, VERDICT_FOCUS, VERDICT_EXCLUDE, VERDICT_ROOT, VERDICTS };

/* A number of samples; of folded stacks the sum of their counts, and of their second counts. */
struct count {
    struct decimal of[2];
};

struct filter {
    const struct rules *rules;
    /* The caller may set these. */
    bool no_comm;           /* folded stacks do not begin with a command name */
    struct idlewaits *idle; /* whose waits for work are left out; borrowed; NULL: none are */

    struct input input; /* the caller starts it, and the output */
    struct out out;

    /* private from here */
    struct diag *diag;
    struct perftext perftext;
    struct perfwrite writer;
    struct decisions perf_frames;
    size_t decided;             /* frames of the frametab that have a decision: numbers below it */
    struct intern folded_names; /* by frame number, as in folded_frames */
    struct decisions folded_frames;
    uint32_t *stack; /* of the current sample, leaf first */
    size_t stack_cap;
    struct text masked, key;

    struct count samples, by_verdict[VERDICTS];
    struct count cut;                /* by --max-depth */
    struct count nameless[RUNTIMES]; /* with JIT-compiled code without names; with --node */
    bool perf, folded;               /* some file was of that format */
    size_t usable, passed; /* of the current file: samples and records; lines not understood */
    struct advice advice;
};

/* Set up a filter, which is large: do not copy it. Borrows all; without `maps`, NULL, names are not
 * looked up in source maps. */
void filter_init(struct filter *f, const struct rules *rules, struct sourcemaps *maps,
                 struct diag *diag);

/* Read the open file to its end and write it filtered. Report a file without a usable line as an
 * error. */
void filter_file(struct filter *f, enum input_format format);

/* Print the counts of what was dropped and cut, and advice. */
void filter_report(const struct filter *f);

#endif
