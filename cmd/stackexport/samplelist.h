/* All stacks of an export, for formats that need them sorted by thread or by time. A sample takes
 * 40 bytes, and equal stacks are in memory once. */
#ifndef STACKEXPORT_SAMPLELIST_H
#define STACKEXPORT_SAMPLELIST_H

#include "cmd/stackexport/export.h"
#include "common/stack/model/stacktree.h"

struct listed {
    uint64_t time; /* nanoseconds of the recorder's clock; 0 if it is not known */
    struct decimal count;
    uint32_t thread;
    uint32_t node;   /* of the stack, in the tree */
    uint32_t number; /* in the order of the input */
};

/* {0} is an empty one. */
struct samplelist {
    struct stacktree tree; /* of numbers in the framelist */
    VEC(struct listed) list;
    bool untimed; /* some sample has no time */
    /* private from here: the last stack; most stacks differ from the one before in a few frames */
    VEC(uint32_t) frames;
    VEC(uint32_t) nodes;
};

/* Add a stack. Stacks without a time that follow each other and are equal become one. */
void samplelist_add(struct samplelist *l, const struct stack *s);

/* Sort the list by time, or by thread and then time; samples without times stay in the order in
 * which they came. */
void samplelist_sort(struct samplelist *l);
void samplelist_sort_by_thread(struct samplelist *l);

/* In a list sorted by thread, return the end of the samples of the thread of sample i. */
size_t samplelist_thread_end(const struct samplelist *l, size_t i);

void samplelist_free(struct samplelist *l);

#endif
