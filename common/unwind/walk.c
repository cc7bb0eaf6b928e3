#include "common/unwind/walk.h"

#include <stdlib.h>

#include "common/base/cursor.h"
#include "common/unwind/cfiexpr.h"
#include "common/unwind/walkcache.h"

/* The number of slots of the cache of addresses, a power of two. In samples of node, 97.7 % of
 * lookups hit; a hit takes 1.7 ns, a lookup in the table 27 ns. */
enum { SLOTS = 4096 };

/* More frames than fit into the copy of a stack, which has at most 64 KB. */
enum { FRAMES_MAX = 8192 };

/* Limits of the search for a return address on the stack if a rule is wrong or missing: bytes of
 * the stack, and distance between the frame's code and the call's target. OpenSSL's functions jump
 * to variants for the processor. */
enum { SCAN_BYTES = 4096, SCAN_CODE = 32 << 10, LEAF_CODE = 4096 };

/* Limit of operations for all expressions of a walk. The PLT's expression has nine; a signal frame
 * has two for each register. Without a limit, crafted ones of 1,024 operations, for 33 registers in
 * thousands of frames, would take seconds. */
enum { STEPS_MAX = 1 << 14 };

/* Bytes before a leaf to search for the start of its V8 builtin: 99 % of the builtins of node 18 to
 * 26 are shorter. */
enum { BUILTIN_CODE = 10 << 10 };

/* Bytes after a leaf to search for code that pops the return address and sets up the caller's frame
 * (makes_callers_frame). */
enum { PROLOGUE_CODE = 64 };

enum { ENTRY_CODE = 64 }; /* bytes of a program's first function, which calls main */

enum slot_flags {
    EXECUTABLE = 1,
    AFTER_CALL = 2, /* set, too, if the code is unknown */
    ENTRY = 4,
    SIGRETURN = 8, /* recognized by its code, or by Go's table */
    /* No call returns there: the start of a function, where makecontext(3) puts it, or code that
     * ends the program after a coroutine. */
    START = 16,
    /* The start of a builtin of V8 in which a deoptimized function continues, or of a function of
     * Go that stands for a change of stacks. */
    RESUMES = 32,
};

/* How many functions the caller of main has above it: __libc_start_main and _start call
 * __libc_start_call_main. */
enum { CALLERS = 2 };

/* A cached address. */
struct walk_slot {
    uint64_t version, key; /* version 0: empty */
    const struct cfitable_rule *rule;
    const struct cfitable *table;
    uint64_t bias;
    uint64_t target; /* target of the call before the address; 0: unknown */
    unsigned flags;
    unsigned leaf_cfa; /* size of a leaf's frame there, by its code: see arch_frame; 0: unknown */
    unsigned ncallers;
    uint64_t callers[CALLERS]; /* callers up to the root, if a walk has come by */
};

enum step { STEP_ON, STEP_ROOT, STEP_CUT, STEP_LOST };

struct registers {
    uint64_t value[ARCH_REGISTERS];
    uint64_t known;
    uint64_t beyond; /* unknown because saved beyond the end of the copy */
};

struct state {
    struct walker *w;
    const struct arch *arch;
    const struct walk_process *process;
    const struct walk_thread *thread;
    struct registers *frame, *caller;
    struct walk_slot at; /* the frame's address */
    bool leaf;
    bool framed;      /* if there is no rule: the frame pointer is the frame's own */
    bool passes;      /* it is the caller's, although the caller is found by the stack pointer */
    bool frames;      /* the leaf sets up its caller's frame, which does not exist yet */
    bool interrupted; /* by a signal: the caller's stack may be another one */
    bool elsewhere;   /* the frame may be on another stack than the one that was copied */
    bool cut;         /* the last read was beyond the copy, or on that other stack */
    size_t count;
    size_t steps; /* steps left for expressions */
    struct walkcache_look look;
    /* The next entry of the kernel's chain is the return address of the frame with frame pointer
     * chain_fp. */
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
        s->look.reads = WALKCACHE_READS + 1; /* a longer copy may lead to another result */
        return false;
    }
    struct cursor r = cursor_of(span_of(stack.ptr + at, size));
    *value = size == 1 ? cursor_u8(&r) : cursor_fixed(&r, size);
    if (size == WORD)
        walkcache_note(&s->look, (size_t)at, *value);
    else
        s->look.reads = WALKCACHE_READS + 1; /* not cached: few expressions read smaller numbers */
    return true;
}

/* Note that the walk depends on the sampled value of the register. */
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

/* Return true if code without a rule may be the start of a builtin of V8. Builtins are aligned, and
 * at least one byte 0xCC follows each (EmbeddedData in src/snapshot/embedded). */
static bool
is_builtin(uint64_t addr, unsigned char before)
{
    enum { ALIGNMENT = 32, PADDING = 0xcc };
    return addr % ALIGNMENT == 0 && before == PADDING;
}

/* Examine the code before a return address, and the code there. */
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

/* Examine the code of a leaf without a rule: it may be at the beginning or end of a function. */
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

/* Choose the rule for the address, or that of the byte before. The latter is right for a return
 * address, since the call is before it, and for a leaf in the kernel that was entered from the last
 * instruction of a signal trampoline. Signal handlers, however, return to the trampoline's first
 * instruction. */
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

/* Fill in what is known about an address. */
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

/* Return the cached entry of a return address. It is valid until the next call. */
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

/* Return true if a stack may begin with a callee of this function. */
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

/* Return true if the address follows a call into code that begins at most `most` bytes before the
 * frame's, or at most `after` bytes after it. */
static bool
is_after_call_here(const struct state *s, uint64_t addr, uint64_t most, uint64_t after)
{
    const struct walk_slot *slot = slot_of(s, addr);
    uint64_t ip = s->frame->value[s->arch->ip];
    return slot->target != 0 && ip + after - slot->target < most + after;
}

/* Frames */

/* Return true if the address, from the top of a leaf's stack, is in its caller: it follows a call
 * to the leaf, or a call in another object, which goes through its PLT. */
static bool
is_called_from(const struct state *s, uint64_t addr)
{
    const struct walk_slot *slot = slot_of(s, addr);
    bool calls = (slot->flags & AFTER_CALL) != 0 && slot->table != NULL;
    return is_after_call_here(s, addr, LEAF_CODE, 0) ||
           (calls && s->at.table != NULL && slot->table != s->at.table);
}

/* Initialize the caller's registers from those that the frame's function preserves. */
static void
begin_caller(struct state *s, uint64_t preserved)
{
    memcpy(s->caller->value, s->frame->value, s->arch->registers * sizeof *s->caller->value);
    s->caller->known = s->frame->known & preserved;
    s->caller->beyond = s->frame->beyond & preserved;
}

/* Recover a register of the caller. */
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
        /* In a function's last instructions, the register was already popped, whatever the rule
         * says. */
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

/* Return the outcome if this register is unknown. */
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

/* Return true if this can be the caller's stack pointer. The stack grows down, and each frame takes
 * some of it. Exceptions are leaves with the return address in a register: any on arm64, and vfork
 * of glibc. */
static bool
rises(const struct state *s, uint64_t cfa)
{
    uint64_t sp = s->frame->value[s->arch->sp];
    return cfa % WORD == 0 && (cfa > sp || (cfa == sp && s->leaf));
}

/* Take the return address from its register. */
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

/* Find the caller by the rule for the frame's address; the CFA is known. */
static enum step
step_to(struct state *s, uint64_t cfa)
{
    const struct cfitable_rule *rule = s->at.rule;
    /* On arm64, a leaf's return address is still in a register. */
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
        /* The function changed stacks and kept the frame pointer. */
        s->elsewhere = true;
        return s->frame->value[s->arch->fp] == 0 ? STEP_ROOT : step_to(s, cfa);
    }
    s->interrupted = s->at.rule->signal;
    if (!s->interrupted && !rises(s, cfa))
        return STEP_LOST;
    return step_to(s, cfa);
}

/* Find the caller by a return address just below this CFA. */
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

/* Find the caller by the frame pointer. It points to the caller's frame pointer, followed by the
 * return address. */
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

/* Return true if the leaf is in a builtin of V8 that has not set up a frame up to there: the frame
 * pointer is still the caller's. Handlers of bytecode are such builtins, except in their slow
 * paths. Builtins start at multiples of 64, after padding with 0xCC of at least four bytes in node
 * 18 to 26. */
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

/* Return true if the code after the leaf sets up the frame of its caller. V8 does so: functions
 * compiled by its baseline compiler leave their first instructions to a builtin. */
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

/* Find the caller of a frame without a rule by a return address just below this CFA: the frame
 * pointer is still the caller's. */
static enum step
step_past_pointer(struct state *s, uint64_t cfa)
{
    s->passes = true;
    return step_by_stack(s, cfa);
}

/* Find the caller of a leaf without a rule. It may have no frame yet, or never, as in assembly. */
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

/* Recover the registers at a signal, which the kernel wrote to the stack. */
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

/* Search the stack for the return address of a leaf with a wrong rule: according to OpenSSL's
 * SHA-512 for AVX2, the CFA is in memory that it no longer uses by then. */
static enum step
search_with_rule(struct state *s)
{
    uint64_t sp = s->frame->value[s->arch->sp], ra;
    for (uint64_t at = sp; at - sp < SCAN_BYTES && load_word(s, at, &ra); at += WORD)
        if (is_after_call_here(s, ra, SCAN_CODE, 0))
            return step_to(s, at + WORD);
    return STEP_LOST;
}

/* Return true if the frame's code is in no object and keeps nothing on the stack but padding for
 * its alignment. Python copies such a trampoline for each function: sub $8, %rsp; call *%rcx; add
 * $8, %rsp; ret. It is called through a pointer. */
static bool
is_trampoline(struct state *s)
{
    uint64_t ra;
    if (s->leaf || s->at.table != NULL || !load_word(s, s->frame->value[s->arch->sp] + WORD, &ra))
        return false;
    const struct walk_slot *slot = slot_of(s, ra);
    return (slot->flags & AFTER_CALL) != 0 && slot->rule != NULL && slot->target == 0;
}

/* Search the stack for the return address of code without a rule and without a frame pointer, as in
 * musl. The first address found must follow a call to this code, or be in the program's first
 * function. Otherwise it may be left from an earlier call, and using it would skip callers. */
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

/* Search for the caller if all else failed. */
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

/* Return true if the address is in code, so that a signal can have interrupted it. Other numbers
 * can be anything, such as the marker of the kernel's part of a callchain. */
static bool
is_code(const struct state *s, uint64_t addr)
{
    struct walk_slot at = {.version = 0};
    fill(s, addr, true, &at);
    return (at.flags & EXECUTABLE) != 0;
}

/* Find the caller of the frame, and its registers. */
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

/* Return the address of the caller's frame pointer if the frame keeps it just below the return
 * address. Return 0 if the CFA is not relative to the stack pointer. */
static uint64_t
below_return(const struct state *s, const struct registers *r, const struct cfitable_rule *rule)
{
    bool by_stack = rule != NULL && rule->cfa.how == CFI_VALUE && rule->cfa.reg == s->arch->sp;
    return by_stack ? r->value[s->arch->sp] + (uint64_t)(int64_t)rule->cfa.n - 2 * WORD : 0;
}

/* Return true if the next address of the kernel's chain is the frame's return address. This is so
 * if the frame is found by its frame pointer, and the kernel has come to the same one; or if the
 * kernel's points just below the return address, and the rule finds that by the stack pointer. */
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

/* Follow the kernel's chain past a frame that is on it. In functions of Go that call others, the
 * frame pointer points just below the return address. */
static void
follow_chain(struct state *s)
{
    unsigned fp = s->arch->fp;
    uint64_t ip = s->caller->value[s->arch->ip];
    const struct cfitable_rule *rule = s->interrupted ? NULL : slot_of(s, ip)->rule;
    bool framed = rule != NULL && (rule->cfa.target & CFI_FRAMED) != 0;
    if (strip(s, s->thread->chain[s->chain_next]) != ip || !(framed || is_known(s->caller, fp))) {
        s->chain_next = s->thread->nchain; /* it took another way */
        return;
    }
    s->chain_next++;
    s->chain_fp = framed ? below_return(s, s->caller, rule) : s->caller->value[fp];
}

/* Return true if the kernel's chain ends at this function because the stack does: the function has
 * no callers, or at most two that call main or a thread's first function. */
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

/* Cache the outermost callers of a complete stack, for stacks on which the kernel does not find
 * them. */
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

/* Append the rest of the kernel's chain. Stop before an address to which no function returns, and
 * after the first function without a frame pointer, since the kernel skips its caller. (On arm64,
 * all functions that call others keep what the kernel follows, even if their rules use the stack
 * pointer.) */
static void
join(struct state *s)
{
    const struct walk_thread *t = s->thread;
    for (bool on = true; on && s->chain_next < t->nchain;) {
        uint64_t addr = strip(s, t->chain[s->chain_next++]);
        const struct walk_slot *slot = slot_of(s, addr);
        if (!is_plausible(slot))
            break;
        on = !s->arch->pushes_return || slot->rule == NULL || uses_pointer(s, slot->rule);
        append(s, addr, (slot->flags & (RESUMES | SIGRETURN)) != 0, 0);
    }
}

/* If a stack is cut in the caller of main or of a thread's first function, or in a caller of that,
 * append the other callers, which are always the same, if another stack had them. Return true if
 * the stack is complete. */
static bool
complete(struct state *s)
{
    for (size_t beyond = 0; beyond < CALLERS && beyond < s->count; beyond++) {
        const uint64_t *addrs = s->w->addrs + s->count - beyond;
        if (s->w->exact[s->count - beyond - 1] || !is_outermost(s, addrs[-1]))
            continue;
        const struct walk_slot known = *slot_of(s, addrs[-1]);
        if (known.ncallers < beyond || memcmp(known.callers, addrs, beyond * sizeof *addrs) != 0)
            return false;
        for (size_t i = beyond; i < known.ncallers; i++)
            append(s, known.callers[i], false, 0);
        return true;
    }
    return false;
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
    /* If a task runs execve(2), its stack and finally its code are gone: there are no callers. If a
     * task touches a page of its stack for the first time, the kernel mostly finds some of them. */
    bool gone = next == STEP_CUT || (s.count == 1 && (s.at.flags & EXECUTABLE) == 0);
    if (gone && thread->stack.len == 0 && thread->nchain <= 1)
        next = STEP_ROOT;
    result->end = next == STEP_ROOT ? WALK_ROOT : next == STEP_CUT ? WALK_CUT : WALK_LOST;
    result->where = s.frame->value[w->arch->ip];
    size_t found = s.count;
    if (next == STEP_CUT && on_chain)
        join(&s);
    /* perf records no callchain beside a copy of the stack, and has such a stack without callers. */
    if (next == STEP_CUT && thread->nchain > 1 && complete(&s))
        result->end = WALK_ROOT;
    if (next == STEP_ROOT)
        keep_callers(&s);
    /* A stack that begins here is complete without the stack from which the thread switched. */
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
