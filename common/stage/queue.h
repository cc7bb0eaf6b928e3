/* Holds the records that a stage passes on until they are asked for: the end of a way of stages where
 * one record after the other is taken, as from a file. */
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

/* Set up an empty one. Samples' callchains and payloads are copied, what else records have is
 * borrowed. */
void queue_init(struct queue *q);

/* Give the next record, which is good until the next one comes after the last was given. Return false
 * if there is none. */
bool queue_next(struct queue *q, struct record *r);

void queue_free(struct queue *q);

#endif
