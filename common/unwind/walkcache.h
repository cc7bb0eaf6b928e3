/* A cache of walks. A thread that is switched many times a second mostly waits at the same few
 * places: it has the same callers as long as the registers and the words of the stack that the walk
 * looked at are the same, whatever else has changed. That takes a seventh off the recorder's time
 * for 40,000 switches a second. */
#ifndef UNWIND_WALKCACHE_H
#define UNWIND_WALKCACHE_H

#include "common/unwind/walkdata.h"

enum { WALKCACHE_READS = 64 };

/* What a walk has looked at. */
struct walkcache_look {
    uint64_t used; /* bit i: register i, as it was sampled */
    size_t reads;  /* above WALKCACHE_READS: too many to keep, or some after the end of the copy */
    struct walkcache_read {
        size_t at; /* bytes, from the stack pointer on */
        uint64_t word;
    } read[WALKCACHE_READS];
};

struct walkcache; /* NULL: empty */

/* Set *result to that of a kept walk that would be the same, in a process whose mappings have that version (struct walk_process). Return
 * false if there is none. The result is valid until a walk is kept, or all are forgotten. */
bool walkcache_find(const struct walkcache *c, const struct arch *arch, uint64_t version,
                    const struct walk_thread *thread, struct walk_result *result);

/* If a kept walk had the same registers and words, return how many bytes of the stack it has read up to;
 * its process may have had other mappings. Else return all. */
size_t walkcache_needs(const struct walkcache *c, const struct arch *arch,
                       const struct walk_thread *thread);

/* Keep a walk that has reached the root, unless it has looked at or found more than the cache has
 * room for. */
void walkcache_keep(struct walkcache **c, const struct arch *arch, uint64_t version,
                    const struct walk_thread *thread, const struct walkcache_look *look,
                    const struct walk_result *result);

/* Remove the kept walk that a thread with these registers would get. To be called when this thread's
 * stack was cut: it may have been shortened to what that walk needs. */
void walkcache_drop(struct walkcache *c, const struct arch *arch, const struct walk_thread *thread);

void walkcache_forget(struct walkcache *c);
void walkcache_free(struct walkcache **c);

/* Note that a walk has read a word of the stack. */
static inline void
walkcache_note(struct walkcache_look *l, size_t at, uint64_t word)
{
    if (l->reads < WALKCACHE_READS)
        l->read[l->reads] = (struct walkcache_read){at, word};
    l->reads++;
}

#endif
