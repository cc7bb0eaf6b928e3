/* Unwinds a stack: computes the chain of return addresses from a thread's registers, a copy of the
 * top of its stack, and the call frame information of the process's objects. Code without such
 * information (JIT-compiled, assembly) is assumed to use a frame pointer. */
#ifndef UNWIND_WALK_H
#define UNWIND_WALK_H

#include "common/unwind/arch.h"
#include "common/unwind/cfitable.h"
#include "common/unwind/walkdata.h"

/* The mapping at an address of a process. */
struct walk_place {
    bool executable;
    const struct cfitable *table; /* NULL: unknown */
    uint64_t bias;                /* address in memory minus address in the object */
    uint64_t entry; /* entry point of the program, in memory; 0 if not in this mapping */
};

/* The process of a walk. What its functions return is cached. */
struct walk_process {
    uint64_t version; /* never 0; processes with equal versions have equal mappings */
    /* Find the mapping at an address. Return false if there is none. */
    bool (*find)(void *ctx, uint64_t addr, struct walk_place *place);
    /* Copy up to n bytes of code from the address on. Return the number of bytes copied; 0 if the
     * code is unknown. */
    size_t (*code)(void *ctx, uint64_t addr, unsigned char *to, size_t n);
    void *ctx;
};

/* Zero all but arch at first. */
struct walker {
    const struct arch *arch;

    /* private */
    struct walk_slot *slots;
    struct walkcache *cache; /* of whole walks */
    uint64_t *addrs, *fps;
    bool *exact;
    size_t cap, fps_cap, exact_cap;
};

/* Unwind the stack of a thread. */
void walk(struct walker *w, const struct walk_process *process, const struct walk_thread *thread,
          struct walk_result *result);

/* Return how many bytes of the thread's stack a walk will read: fewer than all of them only if an
 * equal walk is cached. */
size_t walk_needs(const struct walker *w, const struct walk_thread *thread);

/* Drop all cached data. Call when tables are freed. */
void walk_forget(struct walker *w);

void walk_free(struct walker *w);

#endif
