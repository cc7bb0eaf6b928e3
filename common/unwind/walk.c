#include "common/unwind/walk.h"

#include <stdlib.h>

#include "common/base/cursor.h"
#include "common/unwind/cfiexpr.h"
#include "common/unwind/walkcache.h"

/* The number of slots of the cache of addresses, a power of two. In samples of node 97.7 % of
 * lookups hit; a hit takes 1.7 ns, a search in the table 27 ns. */
enum { SLOTS = 4096 };

/* More frames than a copy of a stack can hold: it has 64 KB at most. */
enum { FRAMES_MAX = 8192 };

/* Limits of the search for a return address on the stack, where a rule is wrong or missing: bytes
 * of the stack, and distance of the frame's code from the call's target. OpenSSL's functions jump
 * to their variants for a processor. */
enum { SCAN_BYTES = 4096, SCAN_CODE = 32 << 10, LEAF_CODE = 4096 };

/* Limit of operations for all expressions of a walk. The PLT's expression has nine; a signal frame
 * has two for each register. Malicious ones with 1,024, for 33 registers in thousands of frames,
 * would take seconds. */
enum { STEPS_MAX = 1 << 14 };

/* How far before a leaf to search for the start of its V8 builtin, in bytes: 99 % of the builtins
 * of node 18 to 26 are shorter. */
enum { BUILTIN_CODE = 10 << 10 };

/* How far after a leaf to search for code that pops the return address and sets up the caller's
 * frame (makes_callers_frame), in bytes. */
enum { PROLOGUE_CODE = 64 };

enum { ENTRY_CODE = 64 }; /* bytes of a program's first function, which calls main */

enum slot_flags {
    EXECUTABLE = 1,
    AFTER_CALL = 2, /* or its code is not known */
    ENTRY = 4,
    SIGRETURN = 8, /* recognised by its code, or by Go's table */
    /* Where no call returns to: the start of a function, as makecontext(3) puts it there, and
     * what ends the program after a coroutine. */
    START = 16,
    /* The start of a builtin of V8, in which a function goes on that it deoptimized, or of a
     * function of Go that stands for a change of stacks. */
    RESUMES = 32,
};

/* How many functions call that which calls main: __libc_start_main and _start call
 * __libc_start_call_main. */
enum { CALLERS = 2 };

/* What is known of an address. */
struct walk_slot {
    uint64_t version, key; /* version 0: empty */
    const struct cfitable_rule *rule;
    const struct cfitable *table;
    uint64_t bias;
    uint64_t target; /* of the call before it; 0: not known */
    unsigned flags;
    unsigned leaf_cfa; /* of a leaf there, by its code: see arch_frame; 0: not known */
    unsigned ncallers;
    uint64_t callers[CALLERS]; /* up to the root, where a walk has come by */
};

enum step { STEP_ON, STEP_ROOT, STEP_CUT, STEP_LOST };

struct registers {
    uint64_t value[ARCH_REGISTERS];
    uint64_t known;
    uint64_t beyond; /* not known, since they were saved after the end of the copy */
};

struct state {
    struct walker *w;
    const struct arch *arch;
    const struct walk_process *process;
    const struct walk_thread *thread;
    struct registers *frame, *caller;
    struct walk_slot at; /* of the frame's address */
    bool leaf;
    bool framed;      /* the frame pointer is the frame's own, where it has no rule */
    bool passes;      /* it is the caller's, though the caller is found by the stack pointer */
    bool frames;      /* the leaf makes its caller's frame, which has none yet */
    bool interrupted; /* by a signal: the caller's stack may be another one */
    bool elsewhere;   /* the frame may be on another stack than the one that was copied */
    bool cut;         /* what was read last lies after the copy, or on that other stack */
    size_t count;
    size_t steps; /* that expressions may still take */
    struct walkcache_look look;
    /* The kernel's chain has the return address of the frame whose frame pointer is chain_fp next.
     */
    size_t chain_next;
    uint64_t chain_fp;
};

enum { WORD = sizeof(uint64_t) };

static uint64_t
bit(unsigned reg)
{
    return (uint64_t)1 << reg;
}

static bool
is_known(const struct registers *r, unsigned reg)
{
    return reg < ARCH_REGISTERS && (r->known & bit(reg)) != 0;
}

static void
set(struct registers *r, unsigned reg, uint64_t value)
{
    r->value[reg] = value;
    r->known |= bit(reg);
}

/* Memory */

/* Read a number of 1, 2, 4 or 8 bytes from the stack. */
static bool
load(struct state *s, uint64_t addr, size_t size, uint64_t *value)
{
    uint64_t start = s->thread->regs[s->arch->sp], at = addr - start;
    struct span stack = s->thread->stack;
    if (addr < start) {
        if (s->elsewhere)
            s->cut = true;
        return false;
    }
    if (at > stack.len || stack.len - at < size) {
        s->cut = true;
        s->look.reads = WALKCACHE_READS + 1; /* a longer copy may lead elsewhere */
        return false;
    }
    struct cursor r = cursor_of(span_of(stack.ptr + at, size));
    *value = size == 1 ? cursor_u8(&r) : cursor_fixed(&r, size);
    if (size == WORD)
        walkcache_note(&s->look, (size_t)at, *value);
    else
        s->look.reads = WALKCACHE_READS + 1; /* few expressions read less: they are not kept */
    return true;
}

/* Note that the walk depends on what the register was when it was sampled. */
static void
use(struct state *s, unsigned reg)
{
    s->look.used |= reg < ARCH_REGISTERS ? bit(reg) : 0;
}

static bool
load_word(struct state *s, uint64_t addr, uint64_t *value)
{
    return load(s, addr, WORD, value);
}

static bool
expression_register(void *ctx, uint64_t number, uint64_t *value)
{
    struct state *s = ctx;
    use(s, number < ARCH_REGISTERS ? (unsigned)number : ARCH_REGISTERS);
    if (number >= ARCH_REGISTERS || !is_known(s->frame, (unsigned)number)) {
        s->cut |= number < ARCH_REGISTERS && (s->frame->beyond & bit((unsigned)number)) != 0;
        return false;
    }
    *value = s->frame->value[number];
    return true;
}

static bool
expression_load(void *ctx, uint64_t addr, size_t size, uint64_t *value)
{
    return load(ctx, addr, size, value);
}

static bool
evaluate(struct state *s, const struct cfi_rule *rule, const uint64_t *first, uint64_t *value)
{
    const struct cfiexpr_machine m = {.reg = expression_register,
                                      .load = expression_load,
                                      .ctx = s,
                                      .bias = s->at.bias,
                                      .is64 = true,
                                      .steps = &s->steps};
    return cfiexpr_run(cfitable_expression(s->at.table, s->at.rule, rule), &m, first, value);
}

/* Addresses */

static uint64_t
strip(const struct state *s, uint64_t addr)
{
    return addr & s->arch->address;
}

/* Return true if the code without a rule may be a builtin of V8 and begin there. V8 aligns its
 * builtins and puts a byte 0xCC or more after each (EmbeddedData in src/snapshot/embedded). */
static bool
is_builtin(uint64_t addr, unsigned char before)
{
    enum { ALIGNMENT = 32, PADDING = 0xcc };
    return addr % ALIGNMENT == 0 && before == PADDING;
}

/* Look at the code before a return address, and at what it returns to. */
static void
look_at_code(const struct state *s, uint64_t addr, struct walk_slot *slot)
{
    unsigned char code[ARCH_CODE];
    size_t n = 0;
    const struct walk_process *p = s->process;
    for (size_t want = ARCH_CODE; want >= 4 && n == 0; want /= 2)
        if (addr >= want && p->code(p->ctx, addr - want, code, want) == want)
            n = want;
    if (n == 0 || s->arch->is_call(code + n, n))
        slot->flags |= AFTER_CALL;
    else if (slot->rule == NULL && slot->table != NULL &&
             cfitable_find(slot->table, addr - slot->bias) != NULL)
        slot->flags |= START;
    else if (slot->rule == NULL && is_builtin(addr, code[n - 1]))
        slot->flags |= RESUMES;
    if (n > 0 && !s->arch->call_target(code + n, n, addr, &slot->target))
        slot->target = 0;
    if (slot->rule != NULL)
        return;
    n = p->code(p->ctx, addr, code, sizeof code);
    if (s->arch->is_sigreturn(code, n))
        slot->flags |= SIGRETURN;
    if ((slot->flags & AFTER_CALL) == 0 && s->arch->ends_program != NULL &&
        s->arch->ends_program(code, n))
        slot->flags |= START;
}

/* Look at the code of a leaf without a rule: it may be in its first or last instructions. */
static void
look_at_leaf(const struct state *s, uint64_t addr, struct walk_slot *slot)
{
    enum { BEFORE = 1 };
    unsigned char code[ARCH_CODE];
    struct arch_frame frame;
    const struct walk_process *p = s->process;
    size_t n = p->code(p->ctx, addr - BEFORE, code, sizeof code);
    if (n > BEFORE && s->arch->find_frame(code, n, BEFORE, &frame))
        slot->leaf_cfa = frame.cfa;
}

/* Take the rule for the address, or that of the byte before it: of a return address, which the
 * call is before, and of a leaf in the kernel that came from the last instruction of what signal
 * handlers return to. But these return to the first. */
static void
choose_rule(struct walk_slot *slot, const struct cfitable_rule *there,
            const struct cfitable_rule *before, bool exact)
{
    unsigned target = there != NULL ? there->cfa.target : 0;
    bool first = there != NULL && (there->signal || (target & (CFI_RESUMED | CFI_SIGRETURN)) != 0);
    bool behind = there == NULL && before != NULL && before->signal;
    slot->rule = first || (exact && !behind) ? there : before;
    slot->flags |= (target & CFI_RESUMED) != 0 ? RESUMES : 0;
    slot->flags |= (target & CFI_SIGRETURN) != 0 ? SIGRETURN : 0;
}

/* Find out what is at the address. */
static void
fill(const struct state *s, uint64_t addr, bool exact, struct walk_slot *slot)
{
    struct walk_place place = {.executable = false};
    uint64_t looked = exact ? addr : addr - 1;
    if (addr == 0 || !s->process->find(s->process->ctx, looked, &place) || !place.executable)
        return;
    slot->flags = EXECUTABLE;
    slot->table = place.table;
    slot->bias = place.bias;
    if (place.table != NULL) {
        const struct cfitable_rule *there = cfitable_find(place.table, addr - place.bias),
                                   *before = cfitable_find(place.table, addr - 1 - place.bias);
        choose_rule(slot, there, before, exact);
    }
    if (place.entry != 0 && addr - place.entry < ENTRY_CODE)
        slot->flags |= ENTRY;
    if (!exact)
        look_at_code(s, addr, slot);
    else if (slot->rule == NULL)
        look_at_leaf(s, addr, slot);
}

/* Return what is known of a return address; valid until the next call. */
static struct walk_slot *
slot_of(const struct state *s, uint64_t addr)
{
    uint64_t version = s->process->version;
    struct walk_slot *slot = &s->w->slots[hash_mix(version, addr) & (SLOTS - 1)];
    if (slot->version != version || slot->key != addr) {
        *slot = (struct walk_slot){.version = version, .key = addr};
        fill(s, addr, false, slot);
    }
    return slot;
}

static const struct cfi_rule *
rule_of_register(const struct cfitable_rule *rule, unsigned reg)
{
    for (size_t i = 0; i < rule->count; i++)
        if (rule->regs[i].target == reg)
            return &rule->regs[i];
    return NULL;
}

static bool
has_no_caller(const struct cfitable_rule *rule)
{
    const struct cfi_rule *ra = rule_of_register(rule, rule->ra);
    return ra != NULL && ra->how == CFI_UNDEFINED;
}

/* Return true if a stack may begin with what the function calls. */
static bool
is_of_system(const struct cfitable_rule *rule)
{
    return (rule->cfa.target & CFI_SYSTEM) != 0;
}

/* Return true if a function can return to the address. */
static bool
is_plausible(const struct walk_slot *slot)
{
    if ((slot->flags & EXECUTABLE) == 0)
        return false;
    return (slot->flags & (AFTER_CALL | SIGRETURN | START | RESUMES)) != 0 ||
           (slot->rule != NULL && (slot->rule->signal || has_no_caller(slot->rule)));
}

/* Return true if the address lies behind a call into code that begins at most `most` bytes before
 * the frame's, or at most `after` bytes after it. */
static bool
is_after_call_here(const struct state *s, uint64_t addr, uint64_t most, uint64_t after)
{
    const struct walk_slot *slot = slot_of(s, addr);
    uint64_t ip = s->frame->value[s->arch->ip];
    return slot->target != 0 && ip + after - slot->target < most + after;
}

/* Frames */

/* Return true if the address, at the top of a leaf's stack, is that of its caller: behind a call to
 * it, or in another object, which calls through its PLT. */
static bool
is_called_from(const struct state *s, uint64_t addr)
{
    const struct walk_slot *slot = slot_of(s, addr);
    bool calls = (slot->flags & AFTER_CALL) != 0 && slot->table != NULL;
    return is_after_call_here(s, addr, LEAF_CODE, 0) ||
           (calls && s->at.table != NULL && slot->table != s->at.table);
}

/* Begin the caller's registers with those that the frame's function leaves as they were. */
static void
begin_caller(struct state *s, uint64_t preserved)
{
    memcpy(s->caller->value, s->frame->value, s->arch->registers * sizeof *s->caller->value);
    s->caller->known = s->frame->known & preserved;
    s->caller->beyond = s->frame->beyond & preserved;
}

/* Set what a register was in the caller. */
static void
recover(struct state *s, const struct cfi_rule *rule, uint64_t cfa)
{
    uint64_t addr = cfa + (uint64_t)(int64_t)rule->n, value = 0;
    bool found = false;
    if (rule->target >= ARCH_REGISTERS)
        return;
    s->cut = false;
    switch (rule->how) {
    case CFI_OFFSET:
        /* In a function's last instructions it was popped already, whatever the rule says. */
        if (addr < s->frame->value[s->arch->sp] && rule->target != s->at.rule->ra)
            return;
        found = load_word(s, addr, &value);
        break;
    case CFI_VALUE:
        found = true;
        value = addr;
        break;
    case CFI_REGISTER:
        use(s, rule->reg);
        found = is_known(s->frame, rule->reg);
        value = found ? s->frame->value[rule->reg] : 0;
        break;
    case CFI_EXPRESSION:
        found = evaluate(s, rule, &cfa, &addr) && load_word(s, addr, &value);
        break;
    case CFI_VALUE_EXPRESSION:
        found = evaluate(s, rule, &cfa, &value);
        break;
    case CFI_SAME:
        found = is_known(s->frame, rule->target);
        value = s->frame->value[rule->target];
        break;
    default:
        break;
    }
    s->caller->known &= ~bit(rule->target);
    s->caller->beyond &= ~bit(rule->target);
    if (found)
        set(s->caller, rule->target, value);
    else if (s->cut)
        s->caller->beyond |= bit(rule->target);
}

/* Return what it means that the register is not known. */
static enum step
without(const struct registers *r, unsigned reg)
{
    return reg < ARCH_REGISTERS && (r->beyond & bit(reg)) != 0 ? STEP_CUT : STEP_LOST;
}

static enum step
find_cfa(struct state *s, uint64_t *cfa)
{
    const struct cfi_rule *rule = &s->at.rule->cfa;
    s->cut = false;
    if (rule->how == CFI_VALUE_EXPRESSION)
        return evaluate(s, rule, NULL, cfa) ? STEP_ON : s->cut ? STEP_CUT : STEP_LOST;
    use(s, rule->reg);
    if (rule->how != CFI_VALUE || !is_known(s->frame, rule->reg))
        return without(s->frame, rule->reg);
    *cfa = s->frame->value[rule->reg] + (uint64_t)(int64_t)rule->n;
    return STEP_ON;
}

/* Return true if the caller's stack pointer may be there: the stack grows towards lower addresses,
 * and each frame has something on it, but for a leaf whose return address is in a register: any of
 * arm64, and vfork of glibc. */
static bool
rises(const struct state *s, uint64_t cfa)
{
    uint64_t sp = s->frame->value[s->arch->sp];
    return cfa % WORD == 0 && (cfa > sp || (cfa == sp && s->leaf));
}

/* Take the return address from the register that stands for it. */
static enum step
take_return(struct state *s, unsigned reg)
{
    uint64_t preserved = s->arch->preserved;
    use(s, reg);
    if (!is_known(s->caller, reg))
        return without(s->caller, reg);
    uint64_t ra = strip(s, s->caller->value[reg]);
    if (!s->interrupted)
        s->caller->known &= preserved;
    set(s->caller, s->arch->ip, ra);
    return STEP_ON;
}

/* Find the caller by the rule for the frame's address, when the CFA is known. */
static enum step
step_to(struct state *s, uint64_t cfa)
{
    const struct cfitable_rule *rule = s->at.rule;
    /* A leaf of arm64 has its return address in a register still. */
    uint64_t leaf = s->leaf && !s->arch->pushes_return ? bit(rule->ra) : 0;
    begin_caller(s, rule->signal ? UINT64_MAX : s->arch->preserved | leaf);
    set(s->caller, s->arch->sp, cfa);
    for (size_t i = 0; i < rule->count; i++)
        recover(s, &rule->regs[i], cfa);
    return take_return(s, rule->ra);
}

static enum step
step_by_rule(struct state *s)
{
    uint64_t cfa;
    if (has_no_caller(s->at.rule))
        return STEP_ROOT;
    if (s->steps == 0)
        return STEP_LOST;
    enum step step = find_cfa(s, &cfa);
    if (step != STEP_ON)
        return step;
    if ((s->at.rule->cfa.target & CFI_SWITCHES) != 0) {
        /* The function has changed stacks, and left the frame pointer as it was. */
        s->elsewhere = true;
        return s->frame->value[s->arch->fp] == 0 ? STEP_ROOT : step_to(s, cfa);
    }
    s->interrupted = s->at.rule->signal;
    if (!s->interrupted && !rises(s, cfa))
        return STEP_LOST;
    return step_to(s, cfa);
}

/* Find the caller by a return address at the offset of the stack pointer. */
static enum step
step_by_stack(struct state *s, uint64_t cfa)
{
    uint64_t ra;
    s->cut = false;
    begin_caller(s, s->arch->preserved);
    if (!load_word(s, cfa - WORD, &ra))
        return s->cut ? STEP_CUT : STEP_LOST;
    set(s->caller, s->arch->sp, cfa);
    set(s->caller, s->arch->ip, strip(s, ra));
    return STEP_ON;
}

/* Find the caller by the frame pointer, which points to the caller's and the return address. */
static enum step
step_by_pointer(struct state *s)
{
    unsigned fp = s->arch->fp;
    uint64_t at = s->frame->value[fp], next, ra;
    if (!is_known(s->frame, fp))
        return without(s->frame, fp);
    if (at == 0)
        return s->leaf ? STEP_LOST : STEP_ROOT;
    if (at < s->frame->value[s->arch->sp] || at % WORD != 0)
        return STEP_LOST;
    s->cut = false;
    if (!load_word(s, at, &next) || !load_word(s, at + WORD, &ra))
        return s->cut ? STEP_CUT : STEP_LOST;
    if (ra == 0)
        return STEP_ROOT;
    begin_caller(s, 0);
    set(s->caller, fp, next);
    set(s->caller, s->arch->sp, at + 2 * WORD);
    set(s->caller, s->arch->ip, strip(s, ra));
    return STEP_ON;
}

static bool
leads_on(const struct state *s, enum step step)
{
    return step == STEP_ON && is_plausible(slot_of(s, s->caller->value[s->arch->ip]));
}

/* Return true if the leaf is in a builtin of V8, and no frame was set up between its start and
 * there: the frame pointer is its caller's. So are all handlers of bytecode, but for their slow
 * paths. Builtins start at multiples of 64, each behind 0xCC for padding, of which there are four
 * bytes or more in node 18 to 26. */
static bool
is_frameless_builtin(const struct state *s)
{
    enum { ALIGNMENT = 64, BEFORE = 4, BLOCK = 512, OVERLAP = 3 /* of instructions */ };
    static const unsigned char padding[BEFORE] = {0xcc, 0xcc, 0xcc, 0xcc};
    unsigned char code[BEFORE + BLOCK + OVERLAP];
    const struct walk_process *p = s->process;
    uint64_t ip = s->frame->value[s->arch->ip], base;
    if (s->arch->makes_frame == NULL || s->at.table == NULL)
        return false;
    for (uint64_t end = ip + 1; ip - end + 1 < BUILTIN_CODE && end > BLOCK; end = base) {
        base = (end - 1) & ~(uint64_t)(BLOCK - 1);
        size_t n = (size_t)((end + OVERLAP < ip ? end + OVERLAP : ip) - base);
        if (p->code(p->ctx, base - BEFORE, code, BEFORE + n) != BEFORE + n)
            return false;
        for (size_t i = (size_t)(end - base); i-- > 0;) {
            if (i < n && s->arch->makes_frame(code + BEFORE + i, n - i))
                return false;
            if (i % ALIGNMENT == 0 && memcmp(code + i, padding, BEFORE) == 0)
                return true;
        }
    }
    return false;
}

/* Return true if the code from the leaf on makes the frame of its caller, as V8's does to which
 * functions that are compiled by its baseline compiler leave their first instructions. */
static bool
makes_callers_frame(const struct state *s)
{
    unsigned char code[PROLOGUE_CODE];
    const struct walk_process *p = s->process;
    size_t n = p->code(p->ctx, s->frame->value[s->arch->ip], code, sizeof code);
    for (size_t i = 0; i < n; i++)
        if (s->arch->makes_callers_frame(code + i, n - i))
            return true;
    return false;
}

/* Find the caller of a frame without a rule by a return address at the offset of the stack pointer:
 * the frame pointer is the caller's still. */
static enum step
step_past_pointer(struct state *s, uint64_t cfa)
{
    s->passes = true;
    return step_by_stack(s, cfa);
}

/* Find the caller of a leaf without a rule: it may have no frame yet, or none at all, as assembly
 * has. */
static enum step
step_from_leaf(struct state *s)
{
    uint64_t sp = s->frame->value[s->arch->sp], ra;
    if (s->at.leaf_cfa != 0 && leads_on(s, step_past_pointer(s, sp + s->at.leaf_cfa)))
        return STEP_ON;
    if (s->arch->pushes_return && load_word(s, sp, &ra) && is_called_from(s, ra))
        return step_past_pointer(s, sp + WORD);
    if (is_frameless_builtin(s) && load_word(s, sp, &ra) &&
        (slot_of(s, ra)->flags & AFTER_CALL) != 0) {
        s->frames = makes_callers_frame(s);
        return step_past_pointer(s, sp + WORD);
    }
    s->passes = false;
    return step_by_pointer(s);
}

/* Recover the registers that a signal interrupted, which the kernel wrote to the stack. */
static enum step
step_by_signal(struct state *s)
{
    uint64_t at = s->frame->value[s->arch->sp] + s->arch->signal_registers, value;
    s->interrupted = true;
    begin_caller(s, 0);
    for (size_t i = 0; i < s->arch->signal_count; i++, at += WORD) {
        s->cut = false;
        if (!load_word(s, at, &value))
            return s->cut ? STEP_CUT : STEP_LOST;
        set(s->caller, s->arch->signal_order[i], value);
    }
    return STEP_ON;
}

/* Search the stack for the return address of a leaf whose rule is wrong: OpenSSL's SHA-512 for AVX2
 * says that the CFA is kept in memory which it has left by then. */
static enum step
search_with_rule(struct state *s)
{
    uint64_t sp = s->frame->value[s->arch->sp], ra;
    for (uint64_t at = sp; at - sp < SCAN_BYTES && load_word(s, at, &ra); at += WORD)
        if (is_after_call_here(s, ra, SCAN_CODE, 0))
            return step_to(s, at + WORD);
    return STEP_LOST;
}

/* Return true if the frame is of code of no object that keeps nothing on the stack but padding for
 * its alignment. So is Python's trampoline, which it copies for each function:
 * sub $8, %rsp; call *%rcx; add $8, %rsp; ret. It is called through a pointer. */
static bool
is_trampoline(struct state *s)
{
    uint64_t ra;
    if (s->leaf || s->at.table != NULL || !load_word(s, s->frame->value[s->arch->sp] + WORD, &ra))
        return false;
    const struct walk_slot *slot = slot_of(s, ra);
    return (slot->flags & AFTER_CALL) != 0 && slot->rule != NULL && slot->target == 0;
}

/* Search the stack for the return address of code without a rule and without a frame pointer, as
 * in musl. The first that is found has to lie behind a call to this code, or in the program's first
 * function: else one that an earlier call has left there would lead past callers. */
static enum step
search_without_rule(struct state *s)
{
    uint64_t sp = s->frame->value[s->arch->sp], ra;
    for (uint64_t at = sp; at - sp < SCAN_BYTES && load_word(s, at, &ra); at += WORD) {
        const struct walk_slot *slot = slot_of(s, ra);
        if ((slot->flags & AFTER_CALL) == 0)
            continue;
        if ((slot->flags & ENTRY) == 0 && !is_after_call_here(s, ra, LEAF_CODE, LEAF_CODE))
            break;
        enum step step = step_by_stack(s, at + WORD);
        s->caller->known &= bit(s->arch->ip) | bit(s->arch->sp);
        return step;
    }
    return STEP_LOST;
}

/* Search for the caller where nothing else has led to it. */
static enum step
search(struct state *s)
{
    const struct cfitable_rule *rule = s->at.rule;
    if (!s->arch->pushes_return)
        return STEP_LOST;
    if (rule == NULL && is_trampoline(s))
        return step_by_stack(s, s->frame->value[s->arch->sp] + 2 * WORD);
    if (rule == NULL)
        return search_without_rule(s);
    return s->leaf && rule->cfa.how == CFI_VALUE_EXPRESSION ? search_with_rule(s) : STEP_LOST;
}

/* Return true if a signal can have interrupted the code at the address. What is no code may be any
 * number, also one that marks the kernel's part of a callchain. */
static bool
is_code(const struct state *s, uint64_t addr)
{
    struct walk_slot at = {.version = 0};
    fill(s, addr, true, &at);
    return (at.flags & EXECUTABLE) != 0;
}

/* Find the frame's caller: its registers. */
static enum step
step(struct state *s)
{
    enum step step;
    s->interrupted = s->passes = s->frames = false;
    if ((s->at.flags & EXECUTABLE) == 0)
        return STEP_LOST;
    if ((s->at.flags & ENTRY) != 0 && (s->at.rule == NULL || !s->leaf))
        return STEP_ROOT;
    if ((s->at.flags & START) != 0)
        return STEP_ROOT;
    if ((s->at.flags & SIGRETURN) != 0)
        step = step_by_signal(s);
    else if (s->at.rule == NULL)
        step = s->leaf     ? step_from_leaf(s)
               : s->framed ? step_by_pointer(s)
                           : step_past_pointer(s, s->frame->value[s->arch->sp] + WORD);
    else
        step = step_by_rule(s);
    if (s->interrupted)
        return step == STEP_ON && !is_code(s, s->caller->value[s->arch->ip]) ? STEP_LOST : step;
    if (step == STEP_ON && s->caller->value[s->arch->ip] == 0)
        return STEP_ROOT;
    if (leads_on(s, step))
        return step;
    if (step != STEP_ROOT && leads_on(s, search(s)))
        return STEP_ON;
    return step == STEP_ON ? STEP_LOST : step;
}

/* The chain */

static void
append(struct state *s, uint64_t addr, bool exact, uint64_t fp)
{
    struct walker *w = s->w;
    w->addrs = mem_grow(w->addrs, &w->cap, s->count + 1, sizeof *w->addrs);
    w->fps = mem_grow(w->fps, &w->fps_cap, s->count + 1, sizeof *w->fps);
    w->exact = mem_grow(w->exact, &w->exact_cap, s->count + 1, sizeof *w->exact);
    w->addrs[s->count] = addr;
    w->fps[s->count] = fp;
    w->exact[s->count++] = exact;
}

static bool
uses_pointer(const struct state *s, const struct cfitable_rule *rule)
{
    return rule->cfa.how == CFI_VALUE &&
           (rule->cfa.reg == s->arch->fp || (rule->cfa.target & CFI_FRAMED) != 0);
}

/* Return where the caller's frame pointer would be if the frame kept it just below its return
 * address; else 0. */
static uint64_t
below_return(const struct state *s, const struct registers *r, const struct cfitable_rule *rule)
{
    bool by_stack = rule != NULL && rule->cfa.how == CFI_VALUE && rule->cfa.reg == s->arch->sp;
    return by_stack ? r->value[s->arch->sp] + (uint64_t)(int64_t)rule->cfa.n - 2 * WORD : 0;
}

/* Return true if the kernel's chain has the frame's return address next: the frame is found by the
 * frame pointer, which is the one that the kernel has come to; or that points below the return
 * address, wherever the rule finds that. */
static bool
is_on_chain(const struct state *s)
{
    unsigned fp = s->arch->fp;
    const struct cfitable_rule *rule = s->at.rule;
    if ((s->at.flags & SIGRETURN) != 0 || s->chain_next >= s->thread->nchain)
        return false;
    if (s->arch->pushes_return && below_return(s, s->frame, rule) == s->chain_fp)
        return true;
    bool by_pointer = rule == NULL || (rule->cfa.how == CFI_VALUE && rule->cfa.reg == fp);
    return by_pointer && is_known(s->frame, fp) && s->frame->value[fp] == s->chain_fp;
}

/* Follow the kernel's chain past a frame that is on it. Where Go's functions call others, the frame
 * pointer points below their return address. */
static void
follow_chain(struct state *s)
{
    unsigned fp = s->arch->fp;
    uint64_t ip = s->caller->value[s->arch->ip];
    const struct cfitable_rule *rule = s->interrupted ? NULL : slot_of(s, ip)->rule;
    bool framed = rule != NULL && (rule->cfa.target & CFI_FRAMED) != 0;
    if (strip(s, s->thread->chain[s->chain_next]) != ip || !(framed || is_known(s->caller, fp))) {
        s->chain_next = s->thread->nchain; /* it went another way */
        return;
    }
    s->chain_next++;
    s->chain_fp = framed ? below_return(s, s->caller, rule) : s->caller->value[fp];
}

/* Return true if the function there is the last one of the kernel's chain since there are none
 * after it, or two at most, that lead to main or to a thread's first function. */
static bool
is_outermost(const struct state *s, uint64_t addr)
{
    unsigned char code[ARCH_CODE];
    uint64_t jump;
    const struct walk_process *p = s->process;
    const struct walk_slot *slot = slot_of(s, addr);
    if ((slot->flags & (ENTRY | START)) != 0 ||
        (slot->rule != NULL && (has_no_caller(slot->rule) || is_of_system(slot->rule))))
        return true;
    if (s->arch->is_outermost(code, p->code(p->ctx, addr, code, sizeof code), &jump))
        return true;
    return jump != 0 &&
           s->arch->is_outermost(code, p->code(p->ctx, addr + jump, code, sizeof code), &jump);
}

/* Keep the last callers of a whole stack for others, of which the kernel does not find them. */
static void
keep_callers(const struct state *s)
{
    bool is_context = s->w->exact[s->count - 1];
    for (size_t n = 1; n <= CALLERS && n + 1 < s->count && !is_context; n++) {
        const uint64_t *callers = s->w->addrs + s->count - n;
        struct walk_slot *slot = slot_of(s, callers[-1]);
        if (slot->rule != NULL && is_of_system(slot->rule))
            return;
        memcpy(slot->callers, callers, n * sizeof *callers);
        slot->ncallers = (unsigned)n;
    }
}

/* Append the rest of the kernel's chain, up to what is no return address, and up to the first
 * function without a frame pointer: its caller is not there. (On arm64 all functions that call
 * others keep what the kernel follows, also those whose rules use the stack pointer.) Where that
 * is what calls main, append its callers, which are always the same. */
static void
join(struct state *s, struct walk_result *result)
{
    const struct walk_thread *t = s->thread;
    size_t start = s->count;
    for (bool on = true; on && s->chain_next < t->nchain;) {
        uint64_t addr = strip(s, t->chain[s->chain_next++]);
        const struct walk_slot *slot = slot_of(s, addr);
        if (!is_plausible(slot))
            break;
        on = !s->arch->pushes_return || slot->rule == NULL || uses_pointer(s, slot->rule);
        append(s, addr, (slot->flags & (RESUMES | SIGRETURN)) != 0, 0);
    }
    if (s->count == start || !is_outermost(s, s->w->addrs[s->count - 1]))
        return;
    result->end = WALK_ROOT;
    const struct walk_slot last = *slot_of(s, s->w->addrs[s->count - 1]);
    for (size_t i = 0; i < last.ncallers; i++)
        append(s, last.callers[i], false, 0);
}

void
walk(struct walker *w, const struct walk_process *process, const struct walk_thread *thread,
     struct walk_result *result)
{
    struct state s;
    struct registers registers[2], *swap;
    enum step next = STEP_ON;
    bool exact = true, on_chain = false;
    if (w->slots == NULL) {
        w->slots = mem_alloc(SLOTS * sizeof *w->slots);
        walk_forget(w);
    }
    if (walkcache_find(w->cache, w->arch, process->version, thread, result))
        return;
    s.w = w;
    s.arch = w->arch;
    s.process = process;
    s.thread = thread;
    memcpy(registers[0].value, thread->regs, sizeof registers[0].value);
    registers[0].known = thread->known;
    registers[0].beyond = 0;
    s.frame = &registers[0];
    s.caller = &registers[1];
    s.count = 0;
    s.steps = STEPS_MAX;
    s.look.used = bit(w->arch->ip) | bit(w->arch->sp) | bit(w->arch->fp);
    s.look.reads = 0;
    s.leaf = s.framed = true;
    s.elsewhere = false;
    s.chain_next = thread->nchain > 1 ? 1 : SIZE_MAX;
    s.chain_fp = thread->regs[w->arch->fp];
    *result = (struct walk_result){.end = WALK_LOST};
    while (next == STEP_ON && s.count < FRAMES_MAX) {
        uint64_t ip = s.frame->value[w->arch->ip];
        s.at = (struct walk_slot){.version = 0};
        if (exact)
            fill(&s, ip, true, &s.at);
        else
            s.at = *slot_of(&s, ip);
        append(&s, ip, exact || (s.at.flags & (START | RESUMES | SIGRETURN)) != 0,
               s.framed && is_known(s.frame, w->arch->fp) ? s.frame->value[w->arch->fp] : 0);
        on_chain = is_on_chain(&s);
        next = step(&s);
        on_chain &= !s.passes;
        if (next != STEP_ON)
            break;
        if (on_chain)
            follow_chain(&s);
        exact = s.leaf = s.interrupted;
        s.framed = !s.frames;
        s.elsewhere |= s.interrupted;
        swap = s.frame;
        s.frame = s.caller;
        s.caller = swap;
    }
    /* The stack of a task that runs execve(2) is gone with its program, at last its code, too:
     * there are no callers. Of one that touches a page of its stack for the first time the
     * kernel mostly finds some. */
    bool gone = next == STEP_CUT || (s.count == 1 && (s.at.flags & EXECUTABLE) == 0);
    if (gone && thread->stack.len == 0 && thread->nchain <= 1)
        next = STEP_ROOT;
    result->end = next == STEP_ROOT ? WALK_ROOT : next == STEP_CUT ? WALK_CUT : WALK_LOST;
    result->where = s.frame->value[w->arch->ip];
    size_t found = s.count;
    bool joins = next == STEP_CUT && on_chain;
    if (joins)
        join(&s, result);
    else if (next == STEP_ROOT)
        keep_callers(&s);
    /* Such a stack is whole without the one that was left for it. */
    if (s.count == found && s.at.rule != NULL && is_of_system(s.at.rule))
        result->end = WALK_ROOT;
    result->addrs = w->addrs;
    result->exact = w->exact;
    result->fps = w->fps;
    result->sp = thread->regs[w->arch->sp];
    result->count = s.count;
    if (next == STEP_CUT)
        walkcache_drop(w->cache, w->arch, thread);
    else
        walkcache_keep(&w->cache, w->arch, process->version, thread, &s.look, result);
}

size_t
walk_needs(const struct walker *w, const struct walk_thread *thread)
{
    return walkcache_needs(w->cache, w->arch, thread);
}

void
walk_forget(struct walker *w)
{
    for (size_t i = 0; w->slots != NULL && i < SLOTS; i++)
        w->slots[i].version = 0;
    walkcache_forget(w->cache);
}

void
walk_free(struct walker *w)
{
    free(w->slots);
    free(w->addrs);
    free(w->fps);
    free(w->exact);
    walkcache_free(&w->cache);
    *w = (struct walker){.arch = w->arch};
}
