/* A table of the threads' states: an array of the caller's structs, looked up by tid. */
#ifndef STAGE_THREADTABLE_H
#define STAGE_THREADTABLE_H

#include "common/base/intern.h"

/* {.size = sizeof(struct ...)} is empty. */
struct threadtable {
    size_t size;        /* bytes of an element */
    size_t ended;       /* number of threads that have ended, counted by the caller */
    struct intern tids; /* private: as bytes, in the order of the elements */
    char *elements;     /* private */
    size_t cap;
};

static inline size_t
threadtable_count(const struct threadtable *t)
{
    return t->tids.count;
}

static inline void *
threadtable_at(const struct threadtable *t, size_t number)
{
    return t->elements + number * t->size;
}

/* Return the thread's element, or NULL. All pointers to elements are valid until the next one is
 * added or threadtable_sweep() is called. */
void *threadtable_find(const struct threadtable *t, uint32_t tid);

/* Return the thread's element; a new one is all zero. */
void *threadtable_add(struct threadtable *t, uint32_t tid);

/* If many threads have ended, set t->ended to 0 and remove the elements for which keeps() is
 * false. */
void threadtable_sweep(struct threadtable *t, bool (*keeps)(void *ctx, const void *element),
                       void *ctx);

/* Free the table, but not what the elements point to. */
void threadtable_free(struct threadtable *t);

#endif
