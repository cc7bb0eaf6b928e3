/* /proc/self/mounts has a line for each mount: device, folder, type, options, two numbers. A blank
 * in a path is written as \040.
 *
 *     none /sys/kernel/tracing tracefs rw,relatime 0 0
 *
 * In tracefs, available_events has a line for each tracepoint,
 *
 *     sched:sched_switch
 *
 * and events/sched/sched_switch/id and .../format describe it. */
#include "common/machine/tracefs.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "common/base/num.h"
#include "common/machine/message.h"
#include "common/machine/procfs.h"

static const char *
find_mount(struct tracefs *t, struct span mounts)
{
    while (mounts.len > 0) {
        struct span line = span_take(&mounts, '\n');
        span_take(&line, ' ');
        struct span where = span_take(&line, ' ');
        if (span_eq(span_take(&line, ' '), SPAN("tracefs")) && !span_holds(where, SPAN("\\")))
            return arena_cstr(&t->arena, where);
    }
    return NULL;
}

const char *
tracefs_open(struct tracefs *t, const char *mounts)
{
    struct text text = {0};
    if (t->path != NULL)
        return NULL;
    t->path = procfs_read(&text, mounts) ? find_mount(t, text_span(&text)) : NULL;
    free(text.ptr);
    if (t->path == NULL)
        return "tracepoints and uprobes need the file system tracefs, which is not mounted; as "
               "root: "
               "mount -t tracefs tracefs /sys/kernel/tracing";
    return NULL;
}

/* Append the contents of a file of tracefs. Return NULL, or the reason for a failure and a
 * remedy. */
static const char *
read_entry(struct tracefs *t, const char *name, struct text *out)
{
    const char *path = message(&t->arena, "%s/%s", t->path, name);
    if (procfs_read(out, path))
        return NULL;
    if (errno == EACCES || errno == EPERM)
        return message(
            &t->arena,
            "%s: %s: run this program as root, or let a group of yours read it; as root: "
            "mount -o remount,mode=750,gid=%u %s",
            path, strerror(errno), (unsigned)getegid(), t->path);
    return message(&t->arena, "%s: %s", path, strerror(errno));
}

const char *
tracefs_names(struct tracefs *t)
{
    return t->names.len > 0 ? NULL : read_entry(t, "available_events", &t->names);
}

bool
tracefs_next(const struct tracefs *t, size_t *at, struct span *name)
{
    struct span rest = span_from(text_span(&t->names), *at);
    if (rest.len == 0)
        return false;
    *name = span_take(&rest, '\n');
    *at = t->names.len - rest.len;
    return true;
}

/* Return "events/sched/sched_switch/FILE" for "sched:sched_switch". */
static const char *
entry_of(struct tracefs *t, struct span name, const char *file)
{
    size_t colon = span_find(name, ':');
    struct span system = span_head(name, colon), event = span_from(name, colon + 1);
    return message(&t->arena, "events/%.*s/%.*s/%s", SPAN_ARG(system), SPAN_ARG(event), file);
}

const char *
tracefs_id(struct tracefs *t, struct span name, uint64_t *id)
{
    struct text text = {0};
    const char *entry = entry_of(t, name, "id");
    const char *wrong = read_entry(t, entry, &text);
    if (wrong == NULL && !num_u64(span_trim(text_span(&text)), id))
        wrong = message(&t->arena, "%s/%s holds no number", t->path, entry);
    free(text.ptr);
    return wrong;
}

static void
add_number(struct text *out, uint64_t n, size_t size)
{
    uint32_t half = (uint32_t)n;
    text_add(out, size == 8 ? span_of((const char *)&n, 8) : span_of((const char *)&half, 4));
}

/* Append the size of a file of tracefs, as a number of `size` bytes, and its contents. */
static const char *
add_entry(struct tracefs *t, const char *entry, size_t size, struct text *out)
{
    struct text text = {0};
    const char *wrong = read_entry(t, entry, &text);
    if (wrong == NULL) {
        add_number(out, text.len, size);
        text_add(out, text_span(&text));
    }
    free(text.ptr);
    return wrong;
}

static struct span
system_of(struct span name)
{
    return span_head(name, span_find(name, ':'));
}

static bool
is_first_of_system(const struct span *names, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (span_eq(system_of(names[k]), system_of(names[i])))
            return false;
    return true;
}

/* Append a system's name, the number of its tracepoints, and their formats. */
static const char *
add_system(struct tracefs *t, struct span system, const struct span *names, size_t count,
           struct text *out)
{
    uint64_t formats = 0;
    for (size_t i = 0; i < count; i++)
        formats += span_eq(system_of(names[i]), system);
    TEXT_ADD(out, system, SPAN("\0"));
    add_number(out, formats, 4);
    const char *wrong = NULL;
    for (size_t i = 0; i < count && wrong == NULL; i++)
        if (span_eq(system_of(names[i]), system))
            wrong = add_entry(t, entry_of(t, names[i], "format"), 8, out);
    return wrong;
}

/* Append the tracing data. The layout is described at the top of common/tracepoint/tracing.c. */
static void
add_start(struct text *out)
{
    const uint16_t one = 1;
    char sizes[2] = {*(const char *)&one == 1 ? 0 : 1, sizeof(long)};
    TEXT_ADD(out, SPAN("\x17\x08\x44tracing0.6\0"), span_of(sizes, sizeof sizes));
    add_number(out, (uint64_t)sysconf(_SC_PAGESIZE), 4);
}

/* Append the parts after the systems. Like perf, leave out /proc/kallsyms. The last part, the names
 * of commands, is left empty: it is of no use here, and contains those of other users. */
static const char *
add_end(struct tracefs *t, struct text *out)
{
    add_number(out, 0, 4);
    const char *wrong = add_entry(t, "printk_formats", 4, out);
    add_number(out, 0, 8);
    return wrong;
}

const char *
tracefs_tracing(struct tracefs *t, const struct span *names, size_t count, struct text *out)
{
    const char *wrong;
    uint64_t systems = 0;
    for (size_t i = 0; i < count; i++)
        systems += is_first_of_system(names, i);
    add_start(out);
    text_add(out, SPAN("header_page\0"));
    if ((wrong = add_entry(t, "events/header_page", 8, out)) != NULL)
        return wrong;
    text_add(out, SPAN("header_event\0"));
    if ((wrong = add_entry(t, "events/header_event", 8, out)) != NULL)
        return wrong;
    add_number(out, 0, 4); /* no formats of the system "ftrace" in the part before */
    add_number(out, systems, 4);
    for (size_t i = 0; i < count && wrong == NULL; i++)
        if (is_first_of_system(names, i))
            wrong = add_system(t, system_of(names[i]), names, count, out);
    return wrong != NULL ? wrong : add_end(t, out);
}

void
tracefs_free(struct tracefs *t)
{
    free(t->names.ptr);
    arena_free(&t->arena);
    *t = (struct tracefs){0};
}
