#include "common/stack/roots.h"

#include <stdlib.h>

#include "common/stack/dso.h"
#include "common/stack/frameplace.h"

/* What a frame can be at a stack's end; UNSEEN: not looked at yet. OTHER_ROOT: of the kernel, or
 * where a process has just lost its stack: such a stack is whole without any frame pointer. INNER:
 * a function with which no runtime's stacks can begin. */
enum { UNSEEN, NAMELESS, OTHER_ROOT, ROOT, FUNCTION, INNER };

/* Functions that nothing calls, or that end a chain of callers in some libc. */
static const struct span known[] = {
    SPAN("_start"),         SPAN("_start_c"),        SPAN("main"),  SPAN("start_thread"),
    SPAN("start"),          SPAN("__pthread_start"), SPAN("clone"), SPAN("clone3"),
    SPAN("__start_thread"), SPAN("thread_start"),
};

/* The same by their beginnings: of glibc, musl and Go. */
static const struct span known_starts[] = {
    SPAN("__libc_start_"),     SPAN("libc_start_main"),     SPAN("_dl_start"),
    SPAN("__clone"),           SPAN("__GI___clone"),        SPAN("__start_context"),
    SPAN("runtime.goexit"),    SPAN("runtime.mstart"),      SPAN("runtime.rt0_go"),
    SPAN("runtime.mcall"),     SPAN("runtime.systemstack"), SPAN("_rt0_"),
    SPAN("runtime.morestack"),
};

enum { KNOWN = sizeof known / sizeof *known };
enum { KNOWN_STARTS = sizeof known_starts / sizeof *known_starts };

/* What `unsure` stacks are counted by. */
struct root_key {
    uint32_t command;
    uint32_t symbol;
};

static bool
is_known(struct span sym)
{
    for (size_t i = 0; i < KNOWN; i++)
        if (span_eq(sym, known[i]))
            return true;
    return span_starts_any(sym, known_starts, KNOWN_STARTS);
}

/* libc's and the dynamic linker's roots are all known. */
static bool
is_libc(struct span dso)
{
    static const struct span names[] = {SPAN("libc.so"), SPAN("libc-"), SPAN("ld-"),
                                        SPAN("libpthread"), SPAN("libm.so")};
    return span_starts_any(dso_base(dso), names, sizeof names / sizeof *names);
}

static unsigned char
kind_of(const struct frame *f)
{
    if (frame_is_nameless(f))
        return NAMELESS;
    if (frame_is_kernel(f) || span_ends(f->sym, SPAN("execve")))
        return OTHER_ROOT;
    if (is_known(f->sym))
        return ROOT;
    return is_libc(f->dso) || frame_is_anonymous(f) ? INNER : FUNCTION;
}

static unsigned char
kind(struct roots *r, const struct frametab *frames, uint32_t frame)
{
    r->frames = mem_grow(r->frames, &r->frames_cap, (size_t)frame + 1, sizeof *r->frames);
    while (r->nframes <= frame)
        r->frames[r->nframes++] = (struct roots_frame){UNSEEN, INTERN_NONE, 0};
    struct roots_frame *f = &r->frames[frame];
    if (f->kind == UNSEEN)
        f->kind = kind_of(frametab_frame(frames, frame));
    return f->kind;
}

static struct roots_command *
command_of(struct roots *r, uint32_t number)
{
    r->commands = mem_grow(r->commands, &r->commands_cap, (size_t)number + 1, sizeof *r->commands);
    while (r->ncommands <= number)
        r->commands[r->ncommands++] = (struct roots_command){0};
    return &r->commands[number];
}

/* Counts a stack of the command that ends at the frame. Most are of the same command as the last
 * that ended there, and are counted without a lookup. */
static void
add_unsure(struct roots *r, uint32_t command, uint32_t frame, struct span symbol, uint64_t frames)
{
    struct roots_frame *f = &r->frames[frame];
    if (f->command != command) {
        struct root_key key = {command, intern_add(&r->symbols, symbol)};
        f->row = tally_add(&r->unsure, span_of((const char *)&key, sizeof key), 0, 0);
        f->command = command;
    }
    tally_count(&r->unsure, f->row, 1, frames);
}

/* Counts a stack without a single name: it is broken, unless the kernel's names are missing. */
static void
add_nameless(struct roots *r, const struct frametab *frames, const struct sample *s,
             uint32_t command)
{
    uint32_t leaf = s->frames[0];
    if (s->nframes >= ROOTS_MAX_STACK || frame_is_kernel(frametab_frame(frames, leaf)))
        return;
    command_of(r, command)->stacks++;
    add_unsure(r, command, leaf, SPAN(""), 0);
}

void
roots_add(struct roots *r, const struct frametab *frames, const struct sample *s, uint32_t command)
{
    size_t n = s->nframes;
    unsigned char at_end = NAMELESS;
    if (n <= s->frame_in_header)
        return;
    /* Unwinders go on past the root and print what they take for addresses; and _start has no name
     * in a stripped program. */
    while (n > 0 && (at_end = kind(r, frames, s->frames[n - 1])) == NAMELESS)
        n--;
    if (n == 0) {
        add_nameless(r, frames, s, command);
        return;
    }
    bool unsure = at_end == FUNCTION || at_end == INNER;
    if (unsure && s->nframes >= ROOTS_MAX_STACK)
        return;
    struct roots_command *c = command_of(r, command);
    c->stacks++;
    c->whole += at_end == ROOT;
    if (unsure)
        add_unsure(r, command, s->frames[n - 1], frametab_frame(frames, s->frames[n - 1])->sym,
                   at_end == FUNCTION ? n : 0);
}

/* True if the function may well be the root of another runtime's stacks. */
static bool
may_be_root(const struct roots_command *c, const struct tally_row *root)
{
    return root->count >= c->stacks / 10 && root->sum / 4 >= root->count;
}

struct roots_result
roots_judge(struct roots *r)
{
    struct roots_result result = {0, 0, SPAN("")};
    for (uint32_t i = 0; i < r->ncommands; i++)
        result.stacks += r->commands[i].stacks;
    for (uint32_t i = 0; i < r->unsure.names.count; i++) {
        const struct tally_row *root = &r->unsure.rows[i];
        struct root_key key;
        memcpy(&key, intern_text(&r->unsure.names, i).ptr, sizeof key);
        const struct roots_command *c = &r->commands[key.command];
        if (c->whole == 0 || may_be_root(c, root))
            continue;
        result.broken += root->count;
        tally_add(&r->broken, intern_text(&r->symbols, key.symbol), root->count, 0);
    }
    uint64_t most = 0;
    for (uint32_t i = 0; i < r->broken.names.count; i++) {
        struct span name = intern_text(&r->broken.names, i);
        if (name.len > 0 && r->broken.rows[i].count > most) {
            most = r->broken.rows[i].count;
            result.commonest = name;
        }
    }
    return result;
}

void
roots_free(struct roots *r)
{
    intern_free(&r->symbols);
    tally_free(&r->unsure);
    tally_free(&r->broken);
    free(r->commands);
    free(r->frames);
    *r = (struct roots){0};
}
