/* Walks over stacks that tests made, and their results as text. */
#ifndef UNIT_WALKED_H
#define UNIT_WALKED_H

#include "common/unwind/walk.h"
#include "tests/unit/test.h"

enum { STACK = 0x7fff0000 /* address of the stacks */ };

/* Return a walk as text, "1010 1020* | root": the addresses, with * after exact ones, and its
 * end. */
static inline struct span
walked_by(struct walker *w, const struct walk_process *process, const struct walk_thread *t)
{
    static char text[512];
    static const char *const ends[] = {"root", "cut", "lost"};
    struct walk_result result;
    size_t n = 0;
    walk(w, process, t, &result);
    for (size_t i = 0; i < result.count && n < 400; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, "%x%s ", (unsigned)result.addrs[i],
                              result.exact[i] ? "*" : "");
    n += (size_t)snprintf(text + n, sizeof text - n, "| %s", ends[result.end]);
    return span_of(text, n);
}

enum { RBP = 6, RSP = 7, RIP = 16 };

static inline struct walk_thread
x86_thread(uint64_t ip, uint64_t fp, const uint64_t *stack, size_t words)
{
    struct walk_thread t = {.known = 1 << RBP | 1 << RSP | 1 << RIP};
    t.regs[RIP] = ip;
    t.regs[RBP] = fp;
    t.regs[RSP] = STACK;
    t.stack = span_of((const char *)stack, words * sizeof *stack);
    return t;
}

#endif
