#include "common/stack/frames/roots.h"

#include <stdlib.h>

#include "common/base/num.h"
#include "common/stack/frames/dso.h"
#include "common/stack/frames/framekind.h"
#include "common/stack/frames/frameplace.h"
#include "common/stack/frames/waitkind.h"

/* The role of a frame at a stack's end. UNSEEN: not examined yet. LIBC_NAMELESS: in a stripped
 * libc; this is start_thread, if it has called something. OTHER_ROOT: the stack is complete without
 * frame pointers, since the frame is the kernel's, or a process has just lost its stack there; or
 * the frame is a mark that says that the stack is not complete. INNER: no runtime's stacks can
 * begin with this code. */
enum { UNSEEN, NAMELESS, LIBC_NAMELESS, OTHER_ROOT, ROOT, FUNCTION, INNER };

/* Functions that have no caller, or that end a chain of callers in some libc or in
 * Boost.Context. */
static const struct span known[] = {
    SPAN("_start"),         SPAN("_start_c"),        SPAN("main"),          SPAN("start_thread"),
    SPAN("start"),          SPAN("__pthread_start"), SPAN("clone"),         SPAN("clone3"),
    SPAN("__start_thread"), SPAN("thread_start"),    SPAN("make_fcontext"),
};

/* Prefixes of such functions: of glibc, musl and Go; and node's, above which stackfilter --node has
 * dropped the callers. */
static const struct span known_starts[] = {
    SPAN("__libc_start_"),     SPAN("libc_start_main"),     SPAN("_dl_start"),
    SPAN("__clone"),           SPAN("__GI___clone"),        SPAN("__start_context"),
    SPAN("runtime.goexit"),    SPAN("runtime.mstart"),      SPAN("runtime.rt0_go"),
    SPAN("runtime.mcall"),     SPAN("runtime.systemstack"), SPAN("_rt0_"),
    SPAN("runtime.morestack"), SPAN("runtime.asmcgocall"),  SPAN("runtime.cgocallback"),
    SPAN("node::Start"),
};

enum { KNOWN = sizeof known / sizeof *known };
enum { KNOWN_STARTS = sizeof known_starts / sizeof *known_starts };

/* The key by which `unsure` stacks are counted. */
struct root_key {
    uint32_t command;
    uint32_t symbol, dso;
    uint32_t certain; /* 1: they are broken, whatever the ends of the command's other stacks */
};

bool
roots_is_known(struct span sym)
{
    return span_eq_any(sym, known, KNOWN) || span_starts_any(sym, known_starts, KNOWN_STARTS);
}

/* Return true for libc and the dynamic linker, whose roots are all known. */
static bool
is_libc(struct span dso)
{
    static const struct span names[] = {SPAN("libc.so"), SPAN("libc-"), SPAN("ld-"),
                                        SPAN("libpthread"), SPAN("libm.so")};
    return span_starts_any(dso_base(dso), names, sizeof names / sizeof *names);
}

/* Return false for an address outside of all mappings. It is not code: an unwinder took other bytes
 * for an address. */
static bool
is_mapped(const struct frame *f)
{
    return !span_eq(f->dso, SPAN("[unknown]"));
}

static unsigned char
kind_of(const struct frame *f)
{
    bool jit = frame_is_anonymous(f) && is_mapped(f);
    if (frame_is_nameless(f))
        return jit ? INNER : is_libc(f->dso) ? LIBC_NAMELESS : NAMELESS;
    if (frame_is_kernel(f) || span_ends(f->sym, SPAN("execve")) || frame_is_mark(f->sym) ||
        waitkind_is(f->sym))
        return OTHER_ROOT;
    if (roots_is_known(f->sym))
        return ROOT;
    return is_libc(f->dso) || frame_is_anonymous(f) ? INNER : FUNCTION;
}

static inline const struct roots_frame *
look_at(struct roots *r, const struct frametab *frames, uint32_t frame)
{
    r->frames = mem_grow(r->frames, &r->frames_cap, (size_t)frame + 1, sizeof *r->frames);
    while (r->nframes <= frame)
        r->frames[r->nframes++] = (struct roots_frame){.command = INTERN_NONE};
    struct roots_frame *f = &r->frames[frame];
    if (f->kind == UNSEEN) {
        const struct frame *parts = frametab_frame(frames, frame);
        f->kind = kind_of(parts);
        f->user = !frame_is_kernel(parts) && (is_mapped(parts) || !frame_is_nameless(parts));
    }
    return f;
}

static struct roots_command *
command_of(struct roots *r, uint32_t number)
{
    r->commands = mem_grow(r->commands, &r->commands_cap, (size_t)number + 1, sizeof *r->commands);
    while (r->ncommands <= number)
        r->commands[r->ncommands++] = (struct roots_command){0};
    return &r->commands[number];
}

/* Count a stack of the command that ends at the frame. If the last stack that ended there was of
 * the same command, as is most often the case, no lookup is needed: this saves 4.6 % of
 * stackcollapse's instructions for a long system-wide recording. */
static void
add_unsure(struct roots *r, uint32_t command, uint32_t frame, const struct frame *end, bool certain,
           size_t n, uint64_t times)
{
    struct roots_frame *f = &r->frames[frame];
    if (f->command != command || f->certain != certain) {
        struct span symbol = frame_is_nameless(end) ? SPAN("") : end->sym;
        struct root_key key = {command, intern_add(&r->texts, symbol),
                               intern_add(&r->texts, end->dso), certain};
        f->row = tally_add(&r->unsure, SPAN_BYTES(key), 0, 0);
        f->command = command;
        f->certain = certain;
    }
    tally_count(&r->unsure, f->row, times, n * times);
}

/* Return how many of the n frames are user code, but at most 2. Addresses outside of all mappings
 * do not count: an unwinder gives them if it took a wrong turn. */
static size_t
count_user(struct roots *r, const struct frametab *frames, const struct sample *s, size_t n)
{
    size_t count = 0;
    while (n-- > 0 && count < 2)
        count += look_at(r, frames, s->frames[n])->user;
    return count;
}

/* Count a stack that ends at its nth frame, which is neither a known root nor in the kernel. */
static void
add_rootless(struct roots *r, const struct frametab *frames, const struct sample *s,
             uint32_t command, size_t n, bool inner, uint64_t times)
{
    uint32_t number = s->frames[n - 1];
    const struct frame *end = frametab_frame(frames, number);
    bool certain = inner || count_user(r, frames, s, n) < 2;
    r->at_deepest += s->nframes == r->deepest ? times : 0;
    r->unfiltered |= frame_is_nameless(end) || n < s->nframes;
    command_of(r, command)->stacks += times;
    add_unsure(r, command, number, end, certain, n, times);
}

void
roots_add(struct roots *r, const struct frametab *frames, const struct sample *s, uint32_t command,
          uint64_t times)
{
    size_t n = s->nframes;
    unsigned char at_end = NAMELESS;
    if (n <= s->frame_in_header)
        return;
    if (n > r->deepest) {
        r->deepest = n;
        r->at_deepest = 0;
    }
    /* Skip nameless frames: unwinders continue beyond the root and print what they take for
     * addresses, and _start has no name in a stripped program. */
    while (n > 0 && (at_end = look_at(r, frames, s->frames[n - 1])->kind) == NAMELESS)
        n--;
    bool whole = at_end == ROOT || at_end == OTHER_ROOT ||
                 (at_end == LIBC_NAMELESS && count_user(r, frames, s, n) > 1);
    if (!whole && s->nframes >= ROOTS_MAX_STACK)
        return;
    if (whole) {
        struct roots_command *c = command_of(r, command);
        c->stacks += times;
        c->whole += at_end == ROOT ? times : 0;
        r->unfiltered |= at_end == ROOT;
    } else if (n > 0) {
        add_rootless(r, frames, s, command, n, at_end == INNER, times);
    } else if (!frame_is_kernel(frametab_frame(frames, s->frames[0])) &&
               count_user(r, frames, s, s->nframes) < 2) {
        add_rootless(r, frames, s, command, 1, true, times); /* only a leaf without a name */
    }
}

/* Return true if the function can plausibly be the root of another runtime's stacks. */
static bool
may_be_root(const struct roots_command *c, const struct tally_row *root)
{
    return root->count >= c->stacks / 10 && root->sum / 4 >= root->count;
}

static struct root_key
key_at(const struct roots *r, uint32_t i)
{
    struct root_key key;
    memcpy(&key, intern_text(&r->unsure.names, i).ptr, sizeof key);
    return key;
}

static bool
is_broken(const struct roots_command *c, const struct tally_row *root, const struct root_key *key)
{
    return key->certain || (c->whole > 0 && c->whole >= c->stacks / 10 && !may_be_root(c, root));
}

/* Return true if the recording was limited to the depth of the deepest stack: without a limit,
 * hardly any other stack is as deep. Without frame pointers, however, all stacks may have just a
 * few frames. */
static bool
is_limited(const struct roots *r, uint64_t stacks)
{
    enum { FEW = 8 };
    return (r->deepest == 1 || r->deepest >= FEW) && r->at_deepest > stacks / 10;
}

/* Return the command with the most broken stacks. */
static uint32_t
worst_command(const struct roots *r)
{
    uint32_t worst = 0;
    for (uint32_t i = 1; i < r->ncommands; i++)
        if (r->commands[i].broken > r->commands[worst].broken)
            worst = i;
    return worst;
}

struct roots_result
roots_judge(struct roots *r)
{
    struct roots_result result = {0};
    uint64_t most = 0;
    for (uint32_t i = 0; i < r->ncommands; i++)
        result.stacks += r->commands[i].stacks;
    if (!r->unfiltered || is_limited(r, result.stacks))
        return result;
    for (uint32_t i = 0; i < r->unsure.names.count; i++) {
        struct root_key key = key_at(r, i);
        struct roots_command *c = &r->commands[key.command];
        uint64_t n = is_broken(c, &r->unsure.rows[i], &key) ? r->unsure.rows[i].count : 0;
        c->broken += n;
        result.broken += n;
    }
    result.command = worst_command(r);
    for (uint32_t i = 0; i < r->unsure.names.count; i++) {
        struct root_key key = key_at(r, i);
        const struct tally_row *root = &r->unsure.rows[i];
        if (key.command != result.command || root->count <= most ||
            !is_broken(&r->commands[key.command], root, &key))
            continue;
        most = root->count;
        result.symbol = intern_text(&r->texts, key.symbol);
        result.dso = intern_text(&r->texts, key.dso);
    }
    return result;
}

void
roots_report(struct roots *r, const struct intern *comms, struct diag *diag)
{
    enum { FEW = 20 }; /* below a twentieth, they are not worth a message */
    struct roots_result found = roots_judge(r);
    struct span at = found.symbol.len > 0 ? found.symbol : found.dso;
    if (found.broken > 0 && found.broken >= found.stacks / FEW)
        diag_note(diag,
                  "%s of %s stacks do not reach a root, most often those of %.*s that end in "
                  "%.*s (see perf-script --check)",
                  NUM_TEXT(found.broken), NUM_TEXT(found.stacks),
                  SPAN_ARG(intern_text(comms, found.command)), SPAN_ARG(at));
}

void
roots_free(struct roots *r)
{
    intern_free(&r->texts);
    tally_free(&r->unsure);
    free(r->commands);
    free(r->frames);
    *r = (struct roots){0};
}
