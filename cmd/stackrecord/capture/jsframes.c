#include "cmd/stackrecord/capture/jsframes.h"

#include "common/base/load.h"

enum { WORD = sizeof(uint64_t) };

/* The frames found so far. */
struct found {
    const struct jsstack *stack;
    void (*add)(void *ctx, const struct v8frame *f);
    void *ctx;
    size_t n;
    uint64_t pcs[512]; /* return addresses of the first frames */
};

static bool
has_word(const struct jsstack *s, uint64_t addr, uint64_t *word)
{
    uint64_t at = addr - s->sp;
    if (at % WORD != 0 || at >= s->stack.len || s->stack.len - at < WORD)
        return false;
    *word = load_u64(s->stack.ptr + at);
    return true;
}

/* Return the mapping at the address if it can hold code of JavaScript, or V8's own; else NULL. */
static const struct map *
code_at(const struct jsstack *s, uint64_t addr)
{
    const struct map *map = procmaps_find(s->space, addr);
    bool wanted =
        map != NULL && (map->dso == s->dso || procmaps_dso(s->maps, map->dso).kind == DSO_JIT);
    return wanted ? map : NULL;
}

/* Add a frame, if its code can be JavaScript's. fp 0: the frame is not in the copy of the stack. */
static void
add_frame(struct found *found, uint64_t pc, uint64_t fp, bool leaf, bool guessed)
{
    enum { CONTEXT = 8, FUNCTION = 16, BYTECODE = 32, OFFSET = 40 };
    const struct jsstack *s = found->stack;
    const struct map *map = code_at(s, leaf ? pc : pc - 1);
    if (found->n < sizeof found->pcs / sizeof *found->pcs)
        found->pcs[found->n++] = pc;
    if (map == NULL)
        return;
    struct v8frame f = {.time = s->time,
                        .tid = s->tid,
                        .pc = pc,
                        .leaf = leaf,
                        .guessed = guessed,
                        .in_file = map->dso == s->dso};
    f.has_context = fp != 0 && has_word(s, fp - CONTEXT, &f.context);
    f.has_words = f.has_context && has_word(s, fp - FUNCTION, &f.function) &&
                  has_word(s, fp - BYTECODE, &f.bytecode) && has_word(s, fp - OFFSET, &f.offset);
    found->add(found->ctx, &f);
}

/* Return true if the words `next` and `ra` at an address may be the saved frame pointer and the
 * return address of a frame of V8. */
static bool
is_link(const struct jsstack *s, uint64_t at, uint64_t next, uint64_t ra)
{
    return next > at && next % WORD == 0 && next - s->sp < s->stack.len &&
           code_at(s, ra - 1) != NULL;
}

/* Scan the copy of the stack. The frame pointer leads from frame to frame, if the running code
 * keeps it, as all of V8 does; a leaf in a library may use the register for other values. In that
 * case the chain begins at the first address above that looks like a frame. What looks like a frame
 * outside the chain is added as a guess. So is each return address near the stack pointer: it is
 * the caller of a leaf that has no frame, or has not built it yet. */
static void
add_copied(struct found *found)
{
    enum { NEAR = 512 }; /* bytes */
    const struct jsstack *s = found->stack;
    uint64_t linked = code_at(s, s->ip) != NULL ? s->fp : 0, next, ra;
    bool was_link = false;
    for (uint64_t at = s->sp; has_word(s, at, &next); at += WORD) {
        bool returns = was_link; /* this word is the return address of the link before it */
        was_link = has_word(s, at + WORD, &ra) && is_link(s, at, next, ra);
        if (at == linked || (was_link && linked < at)) {
            add_frame(found, has_word(s, at + WORD, &ra) ? ra : 0, next, false, false);
            linked = next > at ? next : 0;
        } else if (was_link) {
            add_frame(found, ra, next, false, true);
        } else if (!returns && at - s->sp < NEAR && code_at(s, next - 1) != NULL) {
            add_frame(found, next, s->fp, false, true);
        }
    }
}

static bool
was_found(const struct found *found, uint64_t pc)
{
    for (size_t i = 0; i < found->n; i++)
        if (found->pcs[i] == pc)
            return true;
    return false;
}

/* Add the frames that only the kernel has found: those beyond the copy, or all if there is none. */
static void
add_chain(struct found *found)
{
    const struct words chain = found->stack->chain;
    bool user = false, first = true;
    for (size_t i = 0; i < chain.count; i++) {
        uint64_t addr = words_at(chain, i);
        if (addr >= PERF_CONTEXT_MAX) {
            user = addr == PERF_CONTEXT_USER;
            continue;
        }
        if (user && !was_found(found, addr))
            add_frame(found, addr, 0, first, false);
        first &= !user;
    }
}

void
jsframes_take(struct jsstack *s, const struct record *r)
{
    /* Linux's register numbers for x86-64: enum perf_event_x86_regs in asm/perf_regs.h. */
    enum { BP = 6, SP = 7, IP = 8, ABI_64 = 2 };
    const struct record_regs *regs = &r->sample.regs_user;
    uint64_t mask = r->event->regs_user;
    if (regs->abi == ABI_64 && record_register(mask, regs, IP, &s->ip) &&
        record_register(mask, regs, SP, &s->sp) && record_register(mask, regs, BP, &s->fp))
        s->stack = r->sample.stack;
    s->chain = r->sample.callchain;
}

void
jsframes_each(const struct jsstack *s, void (*add)(void *ctx, const struct v8frame *f), void *ctx)
{
    struct found found = {.stack = s, .add = add, .ctx = ctx};
    if (s->stack.len > 0) {
        add_frame(&found, s->ip, s->fp, true, false);
        add_copied(&found);
    }
    add_chain(&found);
}
