/* The time that threads were off CPU, added up by thread and stack. A thread can block many
 * thousand times a second, mostly at the same few places. */
#ifndef STACKRECORD_BLOCKS_H
#define STACKRECORD_BLOCKS_H

#include "common/base/intern.h"
#include "common/base/text.h"
#include "common/event/load.h"

/* Where and how a thread was switched out. */
struct block {
    uint32_t pid, tid;
    uint16_t misc;      /* of the sample at the switch */
    char state;         /* as ps(1) shows it: S, D, R and so on; 0: not known */
    uint32_t cpu;       /* it was switched out on */
    uint64_t ip;        /* the sample's address */
    struct words chain; /* its callchain, with markers */
};

/* {0} is empty. */
struct blocks {
    struct intern keys; /* pid, tid, misc, state and callchain */
    struct blocks_sum {
        uint64_t time;    /* nanoseconds off CPU */
        uint64_t resumed; /* when the thread last ran again, in nanoseconds */
        uint64_t ip;
        uint32_t cpu;
    } * sums; /* by number of the key */
    size_t cap;
    size_t bytes;    /* of memory that the sums take, about */
    struct text key; /* buffer */
};

/* Adds a time off CPU, which ended at `resumed`. Copies the callchain. */
void blocks_add(struct blocks *b, const struct block *block, uint64_t time, uint64_t resumed);

/* Whether any time of that process was added. */
bool blocks_has(const struct blocks *b, uint32_t pid);

/* Gives each sum, in the order of `resumed`, and empties the table. The callchain is borrowed until
 * `give` returns. */
void blocks_flush(struct blocks *b,
                  void (*give)(void *ctx, const struct block *block, const struct blocks_sum *sum),
                  void *ctx);

void blocks_free(struct blocks *b);

#endif
