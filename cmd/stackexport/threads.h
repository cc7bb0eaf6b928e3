/* The threads whose stacks are exported, numbered from 0 in the order of their first stacks. */
#ifndef STACKEXPORT_THREADS_H
#define STACKEXPORT_THREADS_H

#include "common/base/vec.h"
#include "common/stack/model/profile.h"

struct thread {
    uint32_t name; /* "node-4242/4243", its number in the names; folded stacks may lack the ids */
    int64_t pid, tid; /* -1: not known */
};

/* {0} is an empty one. */
struct threads {
    VEC(struct thread) list;
    VEC(uint32_t) by_name; /* by the name's number: the thread's number + 1; 0: none */
};

/* Return the number of the thread with this name, whose text says what its ids are. */
uint32_t threads_add(struct threads *t, const struct profile *names, uint32_t name);

#endif
