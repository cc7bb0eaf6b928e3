/* The decoded records of perf.data, sorted by time. */
#ifndef EVENT_RECORDING_H
#define EVENT_RECORDING_H

#include "common/event/deferred.h"
#include "common/event/order.h"
#include "common/event/perfdata.h"

struct recording {
    struct perfdata data; /* the description of the recording, and the fault that ended it */
    /* RECORDING_RECORD: where the record was; RECORDING_SKIPPED: also what is wrong with it. */
    struct perfdata_fault at;

    /* private from here */
    struct order order;
    struct deferred deferred;
    bool ended;
    struct record sample; /* has several counters: recording_next returns it once for each */
    size_t counter;       /* index of the counter that recording_next returns next */
    size_t ncounters;
    struct intern counted; /* ids of counters; with the thread if each has values of its own */
    uint64_t *values;      /* last value of each of `counted` */
    size_t values_cap;
};

enum recording_item {
    RECORDING_END,     /* the end; premature if data.fault is set */
    RECORDING_RECORD,  /* a record of the kernel */
    RECORDING_SKIPPED, /* a record that cannot be decoded: see `at` */
};

/* Begin to read, as perfdata_open. Return false, with data.fault set, if the input cannot be
 * read. */
bool recording_open(struct recording *g, struct lines *lines);

/* Read the next record. A sample with counters (PERF_SAMPLE_READ), as `perf record -e '{a,b}:S'`
 * takes them at a group's first event, is returned once for the event of each counter that has
 * grown since it was last read, with the growth as its period, as in perf. A sample whose user
 * callchain is in a later record is returned with the callchain, once that was read. Records
 * without a time are returned at once. The record's spans are valid until the next call. */
enum recording_item recording_next(struct recording *g, struct record *r);

void recording_free(struct recording *g);

#endif
