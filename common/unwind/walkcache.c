#include "common/unwind/walkcache.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/hash.h"
#include "common/base/load.h"
#include "common/base/mem.h"

enum { SLOTS = 64, FRAMES = 48 /* most stacks have fewer; larger ones are not cached */ };

struct walkcache {
    struct slot {
        uint64_t version; /* of the process; 0: empty */
        uint64_t regs[ARCH_REGISTERS];
        uint64_t known;
        size_t needs; /* bytes of the stack up to the last word that was read */
        struct walkcache_look look;
        size_t count;
        uint64_t addrs[FRAMES];
        uint64_t fps[FRAMES];
        bool exact[FRAMES];
    } slots[SLOTS];
};

static size_t
place_of(const struct arch *arch, const struct walk_thread *t)
{
    return hash_mix(t->regs[arch->ip], t->regs[arch->sp]) & (SLOTS - 1);
}

static bool
has_registers(const struct slot *s, const struct walk_thread *t)
{
    if (s->known != t->known)
        return false;
    for (unsigned i = 0; i < ARCH_REGISTERS; i++)
        if ((s->look.used >> i & 1) != 0 && s->regs[i] != t->regs[i])
            return false;
    return true;
}

static bool
has_words(const struct slot *s, const struct walk_thread *t)
{
    if (s->needs > t->stack.len)
        return false;
    for (size_t i = 0; i < s->look.reads; i++)
        if (load_u64(t->stack.ptr + s->look.read[i].at) != s->look.read[i].word)
            return false;
    return true;
}

bool
walkcache_find(const struct walkcache *c, const struct arch *arch, uint64_t version,
               const struct walk_thread *thread, struct walk_result *result)
{
    if (c == NULL)
        return false;
    const struct slot *s = &c->slots[place_of(arch, thread)];
    if (s->version != version || !has_registers(s, thread) || !has_words(s, thread))
        return false;
    *result = (struct walk_result){.addrs = s->addrs,
                                   .exact = s->exact,
                                   .fps = s->fps,
                                   .count = s->count,
                                   .sp = thread->regs[arch->sp],
                                   .end = WALK_ROOT};
    return true;
}

size_t
walkcache_needs(const struct walkcache *c, const struct arch *arch,
                const struct walk_thread *thread)
{
    const struct slot *s = c != NULL ? &c->slots[place_of(arch, thread)] : NULL;
    bool known = s != NULL && s->version != 0 && has_registers(s, thread) && has_words(s, thread);
    return known && s->needs > 0 ? s->needs : thread->stack.len;
}

void
walkcache_keep(struct walkcache **c, const struct arch *arch, uint64_t version,
               const struct walk_thread *thread, const struct walkcache_look *look,
               const struct walk_result *result)
{
    if (look->reads > WALKCACHE_READS || result->count > FRAMES || result->end != WALK_ROOT)
        return;
    if (*c == NULL) {
        *c = mem_alloc(sizeof **c);
        memset(*c, 0, sizeof **c);
    }
    struct slot *s = &(*c)->slots[place_of(arch, thread)];
    s->version = version;
    memcpy(s->regs, thread->regs, sizeof s->regs);
    s->known = thread->known;
    s->needs = 0;
    for (size_t i = 0; i < look->reads; i++)
        s->needs = s->needs > look->read[i].at + 8 ? s->needs : look->read[i].at + 8;
    s->look.used = look->used;
    s->look.reads = look->reads;
    memcpy(s->look.read, look->read, look->reads * sizeof *look->read);
    s->count = result->count;
    memcpy(s->addrs, result->addrs, result->count * sizeof *result->addrs);
    memcpy(s->fps, result->fps, result->count * sizeof *result->fps);
    memcpy(s->exact, result->exact, result->count * sizeof *result->exact);
}

void
walkcache_drop(struct walkcache *c, const struct arch *arch, const struct walk_thread *thread)
{
    if (c != NULL)
        c->slots[place_of(arch, thread)].version = 0;
}

void
walkcache_forget(struct walkcache *c)
{
    for (size_t i = 0; c != NULL && i < SLOTS; i++)
        c->slots[i].version = 0;
}

void
walkcache_free(struct walkcache **c)
{
    free(*c);
    *c = NULL;
}
