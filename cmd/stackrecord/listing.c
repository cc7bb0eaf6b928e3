#define _GNU_SOURCE /* syscall */
#include "cmd/stackrecord/listing.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cmd/stackrecord/device.h"
#include "cmd/stackrecord/eventtext.h"
#include "cmd/stackrecord/tracefs.h"
#include "common/base/sort.h"

enum { NAME_WIDTH = 40 };

static void
print(struct out *out, struct span name, const char *kind)
{
    out_span(out, name);
    for (size_t at = name.len; at < NAME_WIDTH; at++)
        out_char(out, ' ');
    out_format(out, " %s\n", kind);
}

/* Tries to count the event in this process, in user mode, which needs the fewest rights. Where that
 * is not permitted, one cannot tell. */
static bool
is_supported(const struct event *e)
{
    char attr[ATTR_SIZE];
    struct event tried = *e;
    tried.flags = 1 << FLAG_DISABLED | 1 << FLAG_EXCLUDE_KERNEL | 1 << FLAG_EXCLUDE_HV;
    attr_encode(&tried, attr);
    long fd = syscall(SYS_perf_event_open, attr, 0, -1, -1, 0);
    if (fd >= 0)
        close((int)fd);
    return fd >= 0 || errno == EACCES || errno == EPERM;
}

static void
print_named(struct out *out)
{
    static const char *const kinds[] = {
        [EVENT_HARDWARE] = "hardware", [EVENT_SOFTWARE] = "software", [EVENT_HW_CACHE] = "cache"};
    struct text name = {0};
    struct event e = {0};
    for (size_t i = 0; eventtext_name_nth(i, &e, &name); i++, name.len = 0)
        if (e.type == EVENT_SOFTWARE || is_supported(&e))
            print(out, text_span(&name), kinds[e.type]);
    free(name.ptr);
}

static void
print_aliases(struct out *out)
{
    struct span alias, of;
    struct event e = {0};
    char kind[64];
    for (size_t i = 0; eventtext_name_alias(i, &alias, &of); i++) {
        snprintf(kind, sizeof kind, "the same as %.*s", SPAN_ARG(of));
        if (eventtext_name_find(of, &e) && (e.type == EVENT_SOFTWARE || is_supported(&e)))
            print(out, alias, kind);
    }
}

static void
print_device_event(void *ctx, struct span name)
{
    print(ctx, name, "device");
}

static void
print_sorted(struct out *out, const struct tracefs *t)
{
    size_t count = 0, at = 0;
    struct span name;
    while (tracefs_next(t, &at, &name))
        count++;
    struct span *names = mem_alloc((count + 1) * sizeof *names);
    uint32_t *places = mem_alloc((count + 1) * sizeof *places);
    at = 0;
    for (size_t i = 0; tracefs_next(t, &at, &names[i]); i++)
        ;
    sort_spans(names, count, places);
    for (size_t i = 0; i < count; i++)
        print(out, names[i], "tracepoint");
    free(names);
    free(places);
}

static char *
print_tracepoints(struct out *out)
{
    struct tracefs t = {0};
    const char *wrong = tracefs_open(&t, "/proc/self/mounts");
    wrong = wrong != NULL ? wrong : tracefs_names(&t);
    if (wrong == NULL)
        print_sorted(out, &t);
    char *copy = wrong != NULL ? strdup(wrong) : NULL;
    tracefs_free(&t);
    return copy;
}

char *
listing_print(struct out *out)
{
    print_named(out);
    print_aliases(out);
    device_each(DEVICES, print_device_event, out);
    print(out, SPAN("rNNN"), "raw hardware event, a hexadecimal number");
    print(out, SPAN("DEVICE/FIELD=NUMBER,.../"), "raw event of a device");
    print(out, SPAN("FILE:FUNCTION"), "uprobe: each call of a function");
    return print_tracepoints(out);
}
