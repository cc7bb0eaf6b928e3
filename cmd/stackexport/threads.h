/* The threads whose stacks are exported, numbered from 0 in the order of their first stacks. */
#ifndef STACKEXPORT_THREADS_H
#define STACKEXPORT_THREADS_H

#include "common/base/vec.h"
#include "common/stack/model/profile.h"

struct thread {
    uint32_t name;    /* "node-4242/4243": number of the name; folded stacks may lack the ids */
    int64_t pid, tid; /* -1: not known */
};

/* {0} is empty. */
struct threads {
    VEC(struct thread) list;
    VEC(uint32_t) by_name; /* for each number of a name: its thread's number + 1; 0: none */
};

/* Add the thread with this name if it is new. Return its number. Its ids are read from the name. */
uint32_t threads_add(struct threads *t, const struct profile *names, uint32_t name);

#endif
