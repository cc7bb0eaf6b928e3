/* A queue of records at the end of the stages, for a consumer that pulls one record after another,
 * as from a file. */
#ifndef STAGE_QUEUE_H
#define STAGE_QUEUE_H

#include "common/base/vec.h"
#include "common/stage/sink.h"

struct queue {
    struct recordsink sink;

    /* private from here */
    VEC(struct record) records;
    size_t at;
    struct arena copies;
};

/* Set up an empty queue. It copies the callchain and the payload of each sample that is added, and
 * borrows everything else that the records point to. */
void queue_init(struct queue *q);

/* Remove the first record and set *r to it. Return false if the queue is empty. What *r points to
 * is valid until queue_next() has returned false and another record is added after that. */
bool queue_next(struct queue *q, struct record *r);

void queue_free(struct queue *q);

#endif
