/* The records of perf.data, decoded, in the order of their times. */
#ifndef EVENT_RECORDING_H
#define EVENT_RECORDING_H

#include "common/event/deferred.h"
#include "common/event/order.h"
#include "common/event/perfdata.h"

struct recording {
    struct perfdata data; /* what describes the recording, and the fault that ends it */
    /* Of RECORDING_RECORD where it stood; of RECORDING_SKIPPED also what is wrong with it. */
    struct perfdata_fault at;

    /* private from here */
    struct order order;
    struct deferred deferred;
    bool ended;
    struct record sample; /* with several counters: recording_next returns it for each of them */
    size_t counter;       /* index of the counter that recording_next returns next */
    size_t ncounters;
    struct intern counted; /* ids of counters, with the thread if each has values of its own */
    uint64_t *values;      /* that each of `counted` had last */
    size_t values_cap;
};

enum recording_item {
    RECORDING_END,     /* if data.fault is set, before the input's end */
    RECORDING_RECORD,  /* of the kernel */
    RECORDING_SKIPPED, /* a record that cannot be decoded: `at` */
};

/* Begin to read, as perfdata_open does: data.fault says what is wrong if it returns false. */
bool recording_open(struct recording *g, struct lines *lines);

/* Give the next record. A sample with counters (PERF_SAMPLE_READ), as `perf record -e '{a,b}:S'`
 * takes them of a group's first event, comes once for the event of each counter that has grown
 * since it was read last, with the growth as its period, as in perf. The record's spans are good
 * until the next call. Records without a time come as soon as they are read.
 * A sample whose user callchain is in a later record comes with that, once this is read. */
enum recording_item recording_next(struct recording *g, struct record *r);

void recording_free(struct recording *g);

#endif
