/* Reads perf script text or folded stacks, and writes them filtered in the same format. */
#ifndef STACKFILTER_FILTER_H
#define STACKFILTER_FILTER_H

#include "cmd/stackfilter/advice.h"
#include "common/stack/guess.h"
#include "cmd/stackfilter/stack.h"
#include "common/base/decimal.h"
#include "common/base/input.h"
#include "common/base/out.h"
#include "common/stack/perftext.h"
#include "common/stack/perfwrite.h"

/* How many samples; of folded stacks the count, and perhaps a second count. */
struct count {
    struct decimal of[2];
};

struct filter {
    const struct rules *rules;
    bool no_comm; /* folded stacks do not begin with a command name */
    struct diag *diag;
    struct input input;
    struct out out;

    struct perftext perftext;
    struct perfwrite writer;
    struct decisions perf_frames;
    size_t decided;             /* frames of the frametab that have a decision: numbers below it */
    struct intern folded_names; /* by frame number, as in folded_frames */
    struct intern folded_shown; /* by decision.shown */
    struct decisions folded_frames;
    uint32_t *stack; /* of the current sample, leaf first */
    size_t stack_cap;
    struct text masked;

    struct count samples, by_verdict[VERDICTS];
    struct count cut;      /* by --max-depth */
    bool perf, folded;     /* some file was of that format */
    size_t usable, passed; /* of the current file: samples and records; lines not understood */
    struct advice advice;
};

/* The rules and the diag are borrowed; the caller starts the input and the output. */
void filter_init(struct filter *f, const struct rules *rules, struct diag *diag);

/* Reads the open file to its end and writes it filtered. A file without a usable line is reported
 * as an error. */
void filter_file(struct filter *f, enum input_format format);

/* The same for one format, without the error. */
void filter_perf(struct filter *f);
void filter_folded(struct filter *f);

/* Filters f->stack, which has *n frames, of a sample with this count. False if it is dropped. */
bool filter_stack(struct filter *f, const struct decisions *decisions, size_t *n,
                  struct count count);

/* Writes a line unchanged. If `why` is not NULL it says what is wrong with the line, which is then
 * reported and counted as skipped. */
void filter_pass(struct filter *f, struct span line, const char *why);

/* Prints the counts of what was dropped and cut, and advice. */
void filter_report(const struct filter *f);

#endif
