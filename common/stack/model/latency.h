/* Weights samples by latency, that is by what would shorten a run: the weight of each sample on a
 * CPU is divided by the number of threads that ran at the same time. A sample at time t means that
 * its thread ran from t - p to t, where p is its period in nanoseconds. If the event is not a
 * clock, p is estimated. All samples are stored, since the number of running threads is known only
 * at the end. */
#ifndef STACK_LATENCY_H
#define STACK_LATENCY_H

#include "common/base/diag.h"
#include "common/stack/model/frametab.h"
#include "common/stack/model/profile.h"
#include "common/stack/model/sample.h"

/* {0} is empty. */
struct latency {
    /* private from here */
    struct latency_sample *samples;
    size_t n, cap;
    struct intern stacks; /* stacks of the samples: name numbers as bytes */
    struct latency_stretch *stretches;
    size_t nstretches, stretches_cap;
    struct latency_edge *edges;
    size_t nedges, edges_cap;
    uint64_t waiting, no_time, no_thread; /* numbers of samples that do not count */
};

/* Add a sample of a recording, with frames in the table. Its stack is n names, at least one, root
 * first; its weight is `weight` if no other thread runs. A sample takes about 100 bytes until the
 * end, and a new stack its size. */
void latency_add(struct latency *l, const struct sample *s, const struct frametab *frames,
                 const uint32_t *names, size_t n, uint64_t weight);

/* Called with a stack of n names, root first, and the count of its samples. */
typedef void latency_take(void *ctx, const uint32_t *names, size_t n, struct decimal count);

/* End the recording: call take() for each stack with a count, and forget the samples. The counts
 * are whole numbers, and add up to the sum of all samples. They are rounded in the order of the
 * folded lines, so that the sum of all stacks below one caller is also less than 1 off. `names` has
 * the names of the stacks, and take() may add others to it. */
void latency_finish(struct latency *l, const struct profile *names, latency_take *take, void *ctx);

/* Report the samples of all recordings that do not count. */
void latency_report(const struct latency *l, struct diag *diag);

void latency_free(struct latency *l);

#endif
