#include "common/tracepoint/syscallkinds.h"

#include <stdlib.h>

#include "common/base/intern.h"
#include "common/base/text.h"
#include "common/tracepoint/syscallnames.h"

/* Where the kernel's function has another name than the call. */
static const struct {
    struct span call, function;
} aliases[] = {
    {SPAN("fstat"), SPAN("newfstat")},      {SPAN("lstat"), SPAN("newlstat")},
    {SPAN("sendfile"), SPAN("sendfile64")}, {SPAN("stat"), SPAN("newstat")},
    {SPAN("umount2"), SPAN("umount")},      {SPAN("uname"), SPAN("newuname")},
};

static const struct span openers[] = {
    SPAN("accept"),         SPAN("accept4"),  SPAN("creat"),        SPAN("dup"),
    SPAN("dup2"),           SPAN("dup3"),     SPAN("epoll_create"), SPAN("epoll_create1"),
    SPAN("eventfd"),        SPAN("eventfd2"), SPAN("inotify_init"), SPAN("inotify_init1"),
    SPAN("memfd_create"),   SPAN("open"),     SPAN("openat"),       SPAN("openat2"),
    SPAN("pidfd_open"),     SPAN("signalfd"), SPAN("signalfd4"),    SPAN("socket"),
    SPAN("timerfd_create"),
};

/* Of a number that has no name. */
static const struct syscall_kind nameless = {.leaf = SPAN("[syscall: unknown]"), .wanted = true};

static enum syscall_style
style_of(const struct event_field *f)
{
    static const struct span descriptors[] = {SPAN("fildes"), SPAN("mqdes"), SPAN("fd_in"),
                                              SPAN("fd_out"), SPAN("fdin"),  SPAN("fdout")};
    static const struct span bytes[] = {SPAN("buf"), SPAN("u_msg_ptr")}; /* with a length */
    if (f->is_string && !span_eq_any(f->name, bytes, sizeof bytes / sizeof *bytes))
        return STYLE_STRING;
    if (f->is_pointer || span_holds(f->name, SPAN("flag")) || span_eq(f->name, SPAN("prot")))
        return STYLE_HEX;
    if (span_eq(f->name, SPAN("mode")))
        return STYLE_OCTAL;
    bool descriptor = span_ends(f->name, SPAN("fd")) ||
                      span_eq_any(f->name, descriptors, sizeof descriptors / sizeof *descriptors);
    return descriptor ? STYLE_FD : STYLE_NUMBER;
}

/* Set the arguments of a call from the format of its tracepoint: the fields after __syscall_nr.
 * Newer kernels add fields with the contents of strings, which are dynamic arrays. */
static void
set_arguments(struct syscall_kind *k, const struct event_format *f)
{
    size_t end = f->ncommon + 1;
    while (end < f->nfields && !f->fields[end].is_dynamic)
        end++;
    k->known = end <= f->ncommon + 1 + SYSCALL_ARGUMENTS;
    for (size_t i = f->ncommon + 1; k->known && i < end; i++)
        k->arguments[k->count++] =
            (struct syscall_argument){f->fields[i].name, style_of(&f->fields[i])};
}

/* Find the format of a call among those that `formats` numbers by their names. */
static const struct event_format *
find_format(const struct tracing *t, const struct intern *formats, const uint32_t *places,
            struct span call)
{
    struct text name = {0};
    for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++)
        if (span_eq(aliases[i].call, call))
            call = aliases[i].function;
    TEXT_ADD(&name, SPAN("sys_enter_"), call);
    uint32_t number = intern_find(formats, text_span(&name));
    free(name.ptr);
    return number != INTERN_NONE ? &t->formats.at[places[number]] : NULL;
}

static enum syscall_effect
effect_of(struct span name)
{
    return span_eq(name, SPAN("close"))                                   ? EFFECT_CLOSES
           : span_eq(name, SPAN("close_range"))                           ? EFFECT_CLOSES_MANY
           : span_eq_any(name, openers, sizeof openers / sizeof *openers) ? EFFECT_OPENS
                                                                          : EFFECT_NONE;
}

static bool
is_wanted(struct span wanted, struct span name)
{
    bool found = wanted.len == 0;
    while (wanted.len > 0 && !found)
        found = span_eq(span_take(&wanted, ','), name);
    return found;
}

static void
set_kind(struct syscallkinds *k, struct syscall_kind *kind, struct span name,
         const struct event_format *format)
{
    static const struct span addresses[] = {SPAN("brk"), SPAN("mmap"), SPAN("mmap2"),
                                            SPAN("mremap"), SPAN("shmat")};
    struct text leaf = {0};
    TEXT_ADD(&leaf, SPAN("[syscall: "), name, SPAN("]"));
    kind->name = name;
    kind->leaf = arena_copy(&k->names, text_span(&leaf));
    kind->hex = span_eq_any(name, addresses, sizeof addresses / sizeof *addresses);
    kind->effect = effect_of(name);
    free(leaf.ptr);
    if (format != NULL)
        set_arguments(kind, format);
}

const char *
syscallkinds_init(struct syscallkinds *k, struct span tracing, struct span machine,
                  struct span wanted)
{
    struct span names[2][SYSCALLNAMES_MAX];
    struct intern formats = {0};
    *k = (struct syscallkinds){.kinds = mem_alloc(2 * SYSCALLNAMES_MAX * sizeof *k->kinds)};
    const char *problem = tracing.len > 0 ? tracing_read(&k->tracing, tracing) : NULL;
    uint32_t *places = mem_alloc((k->tracing.formats.n + 1) * sizeof *places);
    for (uint32_t i = 0; i < k->tracing.formats.n; i++)
        places[intern_add(&formats, k->tracing.formats.at[i].name)] = i;
    for (size_t i = 0; i < 2; i++)
        syscallnames_of(machine, i > 0, names[i]);
    for (size_t i = 0; i < 2 * SYSCALLNAMES_MAX; i++) {
        bool compat = i >= SYSCALLNAMES_MAX;
        struct span name = names[compat][i % SYSCALLNAMES_MAX];
        k->kinds[i] = nameless;
        k->kinds[i].wanted = is_wanted(wanted, name);
        if (name.len > 0)
            set_kind(k, &k->kinds[i], name,
                     compat ? NULL : find_format(&k->tracing, &formats, places, name));
    }
    intern_free(&formats);
    free(places);
    return problem;
}

const struct syscall_kind *
syscallkinds_of(const struct syscallkinds *k, int64_t number, bool compat)
{
    return number >= 0 && number < SYSCALLNAMES_MAX
               ? &k->kinds[(compat ? SYSCALLNAMES_MAX : 0) + number]
               : &nameless;
}

void
syscallkinds_free(struct syscallkinds *k)
{
    free(k->kinds);
    tracing_free(&k->tracing);
    arena_free(&k->names);
    *k = (struct syscallkinds){0};
}
