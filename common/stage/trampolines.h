/* Keeps for each process the return addresses by which frames of functions that V8 interprets are
 * recognized. They come from OWN_TRAMPOLINE records (ownrecord.h). A forked process gets a copy of
 * its parent's addresses. A process that executes another program by execve(2) loses its
 * addresses. */
#ifndef STAGE_TRAMPOLINES_H
#define STAGE_TRAMPOLINES_H

#include "common/event/record.h"
#include "common/stage/threadtable.h"

/* Number of addresses kept for a process, the most recent ones. Node has one; two if V8 copies its
 * builtins into its own code (Isolate::MaybeRemapEmbeddedBuiltinsIntoCodeRange). */
enum { TRAMPOLINES_MAX = 4 };

struct trampoline {
    uint32_t pid;
    unsigned count; /* added so far; beyond TRAMPOLINES_MAX each replaces the oldest one */
    bool ended;     /* the process has ended, or executed another program */
    uint64_t returns[TRAMPOLINES_MAX];
};

/* {.processes.size = sizeof(struct trampoline)} has no addresses. */
struct trampolines {
    struct threadtable processes; /* by pid */
};

/* Process a record of any type. OWN_TRAMPOLINE records and fork, exec and exit records have an
 * effect. */
void trampolines_see(struct trampolines *t, const struct record *r);

/* Return the addresses of the process, or NULL if it has none; valid until the next record. */
const struct trampoline *trampolines_of(const struct trampolines *t, uint32_t pid);

/* Return true if addr is one of the process's addresses. */
bool trampoline_is(const struct trampoline *t, uint64_t addr);

/* Return the address that was added last. */
static inline uint64_t
trampoline_last(const struct trampoline *t)
{
    return t->returns[(t->count - 1) % TRAMPOLINES_MAX];
}

void trampolines_free(struct trampolines *t);

#endif
