/* The records of a perf.data input, decoded and in the order of their times. */
#ifndef EVENT_RECORDING_H
#define EVENT_RECORDING_H

#include "common/event/order.h"
#include "common/event/perfdata.h"

struct recording {
    struct perfdata data;        /* what describes the recording, and the fault that ended it */
    struct perfdata_fault fault; /* of a record that was skipped */

    /* private from here */
    struct order order;
    bool ended;
};

enum recording_item {
    RECORDING_END,     /* see data.fault */
    RECORDING_RECORD,  /* *r is the next one */
    RECORDING_SKIPPED, /* a record that could not be decoded: see fault */
};

/* Begins to read: as perfdata_open. */
const char *recording_open(struct recording *g, struct lines *lines);

/* Gives the next record; its spans are good until the next call. */
enum recording_item recording_next(struct recording *g, struct record *r);

void recording_free(struct recording *g);

#endif
