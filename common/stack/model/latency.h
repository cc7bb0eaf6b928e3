/* What shortens a run: the weight of each sample on a CPU is divided by the number of threads that ran
 * at the same time. A sample at the time t says that its thread ran from t - p to t, where p is its
 * period in nanoseconds. If the event is no clock, p is estimated. All samples are kept, since the
 * number of running threads is known only at the end. */
#ifndef STACK_LATENCY_H
#define STACK_LATENCY_H

#include "common/base/diag.h"
#include "common/stack/model/frametab.h"
#include "common/stack/model/profile.h"
#include "common/stack/model/sample.h"

/* {0} has no samples. */
struct latency {
    /* private from here */
    struct latency_sample *samples;
    size_t n, cap;
    struct intern stacks; /* of the samples: name numbers as bytes */
    struct latency_stretch *stretches;
    size_t nstretches, stretches_cap;
    struct latency_edge *edges;
    size_t nedges, edges_cap;
    uint64_t waiting, no_time, no_thread; /* samples that count nothing */
};

/* Take a sample of a recording, whose frames are in the table. Its stack is n names, at least one,
 * root first, and it counts `weight` if no other thread runs. Takes some 100 bytes until the end, and
 * those of a new stack. */
void latency_add(struct latency *l, const struct sample *s, const struct frametab *frames,
                 const uint32_t *names, size_t n, uint64_t weight);

/* Takes a stack of n names, root first, and what its samples count. */
typedef void latency_take(void *ctx, const uint32_t *names, size_t n, struct decimal count);

/* End the recording: pass each stack that counts something on, and forget the samples. The counts
 * are whole numbers, and add up to the sum of what all samples count. They are rounded in the order
 * of the folded lines, so that also the stacks below one caller are in all less than 1 off. `names`
 * has the names of the stacks, and may get others from take(). */
void latency_finish(struct latency *l, const struct profile *names, latency_take *take, void *ctx);

/* Report the samples of all recordings that count nothing. */
void latency_report(const struct latency *l, struct diag *diag);

void latency_free(struct latency *l);

#endif
