/* The addresses to which calls of V8's interpreter return, by process, as OWN_TRAMPOLINE records
 * give them. A forked process has its parent's, and one that begins another program by execve(2)
 * has none. */
#ifndef STAGE_TRAMPOLINES_H
#define STAGE_TRAMPOLINES_H

#include "common/event/record.h"
#include "common/stage/threadtable.h"

/* Addresses of a process: node has one, and one more where V8 copies its builtins into its own code
 * (Isolate::MaybeRemapEmbeddedBuiltinsIntoCodeRange). Of more the last are kept. */
enum { TRAMPOLINES_MOST = 4 };

struct trampoline {
    uint32_t pid;
    unsigned count; /* of all records; above TRAMPOLINES_MOST the oldest are overwritten */
    bool ended;     /* the process */
    uint64_t returns[TRAMPOLINES_MOST];
};

/* {.processes.size = sizeof(struct trampoline)} has none. */
struct trampolines {
    struct threadtable processes; /* by pid */
};

/* Take in a record of any type: what it says of trampolines, or of the start or end of
 * processes. */
void trampolines_see(struct trampolines *t, const struct record *r);

/* Return the addresses of the process, or NULL if it has none; valid until the next record. */
const struct trampoline *trampolines_of(const struct trampolines *t, uint32_t pid);

/* Return true if it is one of the process's addresses. */
bool trampoline_is(const struct trampoline *t, uint64_t addr);

/* Return the one that came last. */
static inline uint64_t
trampoline_last(const struct trampoline *t)
{
    return t->returns[(t->count - 1) % TRAMPOLINES_MOST];
}

void trampolines_free(struct trampolines *t);

#endif
