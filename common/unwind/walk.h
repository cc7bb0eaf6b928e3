/* Unwinds a stack: from the registers of a thread and a copy of the top of its stack to the chain
 * of return addresses, by the call frame information of the objects in the process. Code without
 * any (JIT-compiled, assembly) is taken to have a frame pointer. */
#ifndef UNWIND_WALK_H
#define UNWIND_WALK_H

#include "common/unwind/arch.h"
#include "common/unwind/cfitable.h"
#include "common/unwind/walkdata.h"

/* What lies at an address of a process. */
struct walk_place {
    bool executable;
    const struct cfitable *table; /* NULL: none is known */
    uint64_t bias;                /* the address in memory less that in the object */
    uint64_t entry;               /* where the program begins, in memory; 0: not here */
};

/* A process as the walk sees it. Its answers are cached. */
struct walk_process {
    uint64_t version; /* equal versions give equal answers, also of other processes; never 0 */
    /* Find what lies at the address. False: nothing does. */
    bool (*find)(void *ctx, uint64_t addr, struct walk_place *place);
    /* Copy up to n bytes of code from the address on, and return how many there are; 0: they are
     * not known. */
    size_t (*code)(void *ctx, uint64_t addr, unsigned char *to, size_t n);
    void *ctx;
};

/* {0}, but for arch. */
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

/* Return how many bytes of the thread's stack a walk will look at, if it was made before; else all
 * that there are. */
size_t walk_needs(const struct walker *w, const struct walk_thread *thread);

/* Forget what was cached: tables are freed. */
void walk_forget(struct walker *w);

void walk_free(struct walker *w);

#endif
