/* A cache of walks. A thread that is switched many times a second mostly waits at the same few
 * places. Its callers are the same if the registers and stack words that the walk read are the
 * same. This saves a seventh of the recorder's CPU time at 40,000 switches a second. */
#ifndef UNWIND_WALKCACHE_H
#define UNWIND_WALKCACHE_H

#include "common/unwind/walkdata.h"

enum { WALKCACHE_READS = 64 };

/* The inputs that a walk has read. */
struct walkcache_look {
    uint64_t used; /* bit i: the sampled value of register i was used */
    size_t reads;  /* above WALKCACHE_READS: too many, or past the end of the copy; not cached */
    struct walkcache_read {
        size_t at; /* bytes from the stack pointer */
        uint64_t word;
    } read[WALKCACHE_READS];
};

struct walkcache; /* NULL: empty */

/* Find a cached walk whose inputs equal this thread's, and set *result to it. `version` is that of
 * the process (struct walk_process). Return false if there is none. The result is valid until a
 * walk is cached, or all are dropped. */
bool walkcache_find(const struct walkcache *c, const struct arch *arch, uint64_t version,
                    const struct walk_thread *thread, struct walk_result *result);

/* Return how many bytes of the stack the cached walk with the same registers and words has read.
 * Its process may have other mappings. If there is none, return the size of the whole copy. */
size_t walkcache_needs(const struct walkcache *c, const struct arch *arch,
                       const struct walk_thread *thread);

/* Cache a walk that has reached the root, unless its inputs or frames exceed the size of a slot. */
void walkcache_keep(struct walkcache **c, const struct arch *arch, uint64_t version,
                    const struct walk_thread *thread, const struct walkcache_look *look,
                    const struct walk_result *result);

/* Remove the cached walk for a thread with these registers. Call this if the thread's copy of the
 * stack was too short: it may have been shortened to what that walk needs. */
void walkcache_drop(struct walkcache *c, const struct arch *arch, const struct walk_thread *thread);

void walkcache_forget(struct walkcache *c);
void walkcache_free(struct walkcache **c);

/* Record that a walk has read a word of the stack. */
static inline void
walkcache_note(struct walkcache_look *l, size_t at, uint64_t word)
{
    if (l->reads < WALKCACHE_READS)
        l->read[l->reads] = (struct walkcache_read){at, word};
    l->reads++;
}

#endif
