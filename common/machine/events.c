#include "common/machine/events.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "common/base/columns.h"
#include "common/base/intern.h"
#include "common/base/sort.h"
#include "common/machine/device.h"
#include "common/machine/eventtext.h"
#include "common/machine/function.h"
#include "common/machine/probe.h"
#include "common/machine/message.h"
#include "common/machine/perfopen.h"
#include "common/machine/similar.h"

static const char mounts[] = "/proc/self/mounts";

static struct event *
add(struct events *e, struct span name, uint64_t flags, struct span tracepoint)
{
    e->events = mem_grow(e->events, &e->cap, e->count + 1, sizeof *e->events);
    e->leaders = mem_grow(e->leaders, &e->leaders_cap, e->count + 1, sizeof *e->leaders);
    e->tracepoints =
        mem_grow(e->tracepoints, &e->tracepoints_cap, e->count + 1, sizeof *e->tracepoints);
    e->fields = mem_grow(e->fields, &e->fields_cap, e->count + 1, sizeof *e->fields);
    struct event *event = &e->events[e->count];
    *event = (struct event){.name = name,
                            .named = true,
                            .number = (uint32_t)e->count,
                            .type = PERF_TYPE_TRACEPOINT,
                            .period = tracepoint.len > 0,
                            .flags = flags};
    e->leaders[e->count] = e->count;
    e->fields[e->count] = SPAN("");
    e->tracepoints[e->count++] = tracepoint;
    return event;
}

static void
note(struct events *e, const char *text)
{
    MEM_ADD(e->notes, e->nnotes, e->notes_cap, text);
}

static void
offer(void *ctx, struct span name)
{
    similar_offer(ctx, name);
}

static void
offer_names(struct similar *n)
{
    struct event e;
    struct text name = {0};
    struct span alias, of;
    for (size_t i = 0; eventtext_name_nth(i, &e, &name); i++, name.len = 0)
        similar_offer(n, text_span(&name));
    for (size_t i = 0; eventtext_name_alias(i, &alias, &of); i++)
        similar_offer(n, alias);
    device_each(DEVICES, offer, n);
    free(name.ptr);
}

/* Read the names of tracepoints. Return NULL, or the reason for a failure. */
static const char *
open_tracefs(struct events *e)
{
    const char *wrong = tracefs_open(&e->tracefs, mounts);
    return wrong != NULL ? wrong : tracefs_names(&e->tracefs);
}

/* Return a message such as "no such event; did you mean 'cpu-clock'?" */
static const char *
unknown(struct events *e, const char *what, struct span name)
{
    struct similar n;
    struct text text = {0};
    struct span tracepoint;
    similar_start(&n, name, &e->arena);
    offer_names(&n);
    if (open_tracefs(e) == NULL)
        for (size_t at = 0; tracefs_next(&e->tracefs, &at, &tracepoint);)
            similar_offer(&n, tracepoint);
    similar_explain(&n, &text);
    if (n.count == 0)
        text_add(&text, SPAN("; --list prints the events of this machine"));
    const char *wrong = message(&e->arena, "no such %s%.*s", what, SPAN_ARG(text_span(&text)));
    free(text.ptr);
    return wrong;
}

/* Return true if the system has tracepoints, or if it is a pattern. */
static bool
has_system(struct events *e, struct span system)
{
    struct span name;
    if (span_has(system, '*'))
        return true;
    for (size_t at = 0; tracefs_next(&e->tracefs, &at, &name);)
        if (name.len > system.len && span_starts(name, system) && name.ptr[system.len] == ':')
            return true;
    return false;
}

/* Add a tracepoint, or all that match a pattern. */
static const char *
add_tracepoints(struct events *e, const struct eventtext *t, uint64_t flags)
{
    size_t before = e->count;
    struct span name, wanted = span_of(t->before.ptr, t->before.len + 1 + t->after.len);
    char *pattern = arena_cstr(&e->arena, wanted);
    for (size_t at = 0; tracefs_next(&e->tracefs, &at, &name);)
        if (fnmatch(pattern, arena_cstr(&e->arena, name), 0) == 0)
            add(e, name, flags, name);
    return e->count > before ? NULL : unknown(e, "tracepoint", wanted);
}

/* Return "node:uv_run" for "/usr/bin/node" and "uv_run", without blanks: in the header line of a
 * sample, the event's name ends at a blank. */
static struct span
short_name(struct events *e, const char *file, struct span function)
{
    const char *slash = strrchr(file, '/');
    char *name = arena_cstr(
        &e->arena, span_cstr(message(&e->arena, "%s:%.*s", slash != NULL ? slash + 1 : file,
                                     SPAN_ARG(function))));
    size_t len = 0;
    for (const char *at = name; *at != '\0'; at++)
        if (!is_space(*at))
            name[len++] = *at;
    return span_of(name, len);
}

static const char *
add_uprobe(struct events *e, const struct eventtext *t, uint64_t flags)
{
    struct probe p;
    const char *wrong = probe_find(&p, t->before, t->after, &e->arena);
    for (size_t i = 0; wrong == NULL && i < p.count; i++) {
        const struct probe_event *event = &p.events[i];
        const struct uprobe uprobe = {.name = p.name,
                                      .file = p.file,
                                      .offsets = event->offsets,
                                      .symbol = p.symbol,
                                      .fetch = event->fetch,
                                      .count = event->count,
                                      .returns = p.returns};
        const char *file = p.file != NULL ? p.file : "kernel";
        add(e, short_name(e, file, p.name), flags, uprobes_add(&e->uprobes, &uprobe));
        e->fields[e->count - 1] = event->types;
    }
    for (size_t i = 0; wrong == NULL && i < p.nnotes; i++)
        note(e, p.notes[i]);
    if (wrong != NULL) {
        const char *path = p.file != NULL ? p.file : arena_cstr(&e->arena, t->before);
        e->refused = access(path, R_OK) != 0 && errno == EACCES;
    }
    probe_free(&p);
    return wrong;
}

/* Add "sched:sched_switch" or "/usr/bin/node:uv_run". If tracefs has no such tracepoints, a name
 * without '/' is looked up among programs and libraries. */
static const char *
add_pair(struct events *e, const struct eventtext *t, uint64_t flags)
{
    if (t->after.len == 0)
        return "a name is missing after the ':'";
    if (span_has(t->before, '/') || span_eq(t->before, PROBE_KERNEL))
        return add_uprobe(e, t, flags);
    const char *wrong = open_tracefs(e);
    if (wrong == NULL && has_system(e, t->before))
        return add_tracepoints(e, t, flags);
    if (function_file(t->before, &e->arena) != NULL)
        return add_uprobe(e, t, flags);
    e->refused = wrong != NULL;
    return wrong != NULL ? wrong : unknown(e, "event", t->whole);
}

static const char *
add_device_event(struct events *e, const struct eventtext *t, uint64_t flags)
{
    struct event *event = add(e, t->whole, flags, SPAN(""));
    return device_event(DEVICES, t->device, t->terms, event, &e->arena);
}

static const char *
add_item(struct events *e, const struct eventtext *t)
{
    struct event named;
    uint64_t flags;
    if (t->whole.len == 0)
        return "a name is missing before or after a comma";
    if (!eventtext_flags(t->modifiers, &flags))
        return message(&e->arena, "the modifiers '%.*s' are not known: u, k, h and p are",
                       SPAN_ARG(t->modifiers));
    if (t->device.len > 0)
        return add_device_event(e, t, flags);
    if (t->name.len == 0)
        return add_pair(e, t, flags);
    if (!eventtext_name_find(t->name, &named))
        return unknown(e, "event", t->name);
    struct event *event = add(e, t->whole, flags, SPAN(""));
    event->type = named.type;
    event->config = named.config;
    return NULL;
}

/* Add the group's modifiers to those of a member: "cycles:k" in a group with "u" becomes
 * "cycles:ku". */
static void
add_modifiers(struct events *e, struct eventtext *t, struct span modifiers)
{
    if (t->whole.len == 0 || modifiers.len == 0)
        return;
    const char *text = message(&e->arena, "%.*s%s%.*s", SPAN_ARG(t->whole),
                               t->modifiers.len > 0 ? "" : ":", SPAN_ARG(modifiers));
    struct span list = span_cstr(text);
    eventtext_next(&list, t, DEVICES);
}

static const char *
add_group(struct events *e, const struct eventtext_group *group)
{
    size_t leader = e->count;
    struct span rest = group->members;
    struct eventtext t;
    if (!e->groups)
        return "groups in braces are for stackstat: leave out the braces";
    if (rest.ptr == NULL)
        return "a group ends with '}', or '}:' and modifiers";
    if (rest.len == 0)
        return "there is no event between the braces";
    while (eventtext_next(&rest, &t, DEVICES)) {
        add_modifiers(e, &t, group->modifiers);
        const char *wrong = add_item(e, &t);
        if (wrong != NULL)
            return t.whole.len > 0 ? message(&e->arena, "%.*s: %s", SPAN_ARG(t.whole), wrong)
                                   : wrong;
    }
    for (size_t i = leader; i < e->count; i++)
        e->leaders[i] = leader;
    return NULL;
}

const char *
events_parse(struct events *e, struct span list)
{
    struct span rest = arena_copy(&e->arena, list);
    struct eventtext_group group;
    struct eventtext t = {0};
    if (rest.len == 0)
        return "the list of events is empty";
    while (rest.len > 0) {
        bool is_group = eventtext_group(&rest, &group);
        if (!is_group)
            eventtext_next(&rest, &t, DEVICES);
        const char *wrong = is_group ? add_group(e, &group) : add_item(e, &t);
        struct span whole = is_group ? group.whole : t.whole;
        if (wrong != NULL)
            return message(&e->arena, "%.*s: %s", SPAN_ARG(whole.len > 0 ? whole : list), wrong);
    }
    return NULL;
}

static bool
has_field(struct span fields, struct span name)
{
    while (fields.len > 0)
        if (span_eq(span_before(span_take(&fields, ' '), ':'), name))
            return true;
    return false;
}

/* Return true if the filter names the field; text in quotes does not count. */
static bool
names_field(struct span filter, struct span field)
{
    while (filter.len > 0) {
        struct span word = span_take_run(&filter, is_word);
        if (word.len > 0 && span_eq(word, field))
            return true;
        char c = filter.len > 0 ? filter.ptr[0] : '\0';
        filter = span_from(filter, filter.len > 0);
        if (c == '"' || c == '\'')
            span_take(&filter, c);
    }
    return false;
}

/* Return true if the filter names a field that the event lacks, but another one of its name has. */
static bool
lacks_field(const struct events *e, size_t event, size_t first, struct span filter)
{
    for (size_t i = first; i < e->count; i++) {
        struct span fields = e->fields[i];
        if (!span_eq(e->events[i].name, e->events[event].name))
            continue;
        while (fields.len > 0) {
            struct span name = span_before(span_take(&fields, ' '), ':');
            if (names_field(filter, name) && !has_field(e->fields[event], name))
                return true;
        }
    }
    return false;
}

void
events_set_filter(struct events *e, size_t first, const char *filter)
{
    static const char never[] = "common_type == 0"; /* the types of events begin at 1 */
    for (size_t i = first; i < e->count; i++) {
        bool lacks = lacks_field(e, i, first, span_cstr(filter));
        e->events[i].filter = lacks ? never : filter;
        if (lacks)
            note(e, message(&e->arena,
                            "places of '%.*s' that have no value for the filter are not sampled",
                            SPAN_ARG(e->events[i].name)));
    }
}

/* Set the names of the tracepoints, without repetitions. Return their number. */
static size_t
different_tracepoints(const struct events *e, struct span *names)
{
    struct intern seen = {0};
    size_t count = 0;
    uint32_t number;
    for (size_t i = 0; i < e->count; i++)
        if (e->tracepoints[i].len > 0 && intern_put(&seen, e->tracepoints[i], &number))
            names[count++] = e->tracepoints[i];
    intern_free(&seen);
    return count;
}

/* Add the names of tracepoints that are only in `formats`. */
static size_t
add_unrecorded(const struct events *e, struct span *names, size_t count)
{
    struct span name;
    for (size_t at = 0; e->formats.len > 0 && tracefs_next(&e->tracefs, &at, &name);)
        if (span_starts(name, e->formats))
            names[count++] = name;
    return count;
}

static const char *
read_formats(struct events *e)
{
    struct span name;
    size_t all = 0;
    for (size_t at = 0; tracefs_next(&e->tracefs, &at, &name);)
        all++;
    struct span *names = mem_alloc((e->count + all + 1) * sizeof *names);
    size_t count = different_tracepoints(e, names);
    const char *wrong = NULL;
    for (size_t i = 0; i < e->count && wrong == NULL; i++)
        if (e->tracepoints[i].len > 0)
            wrong = tracefs_id(&e->tracefs, e->tracepoints[i], &e->events[i].config);
    count = add_unrecorded(e, names, count);
    if (wrong == NULL && count > 0)
        wrong = tracefs_tracing(&e->tracefs, names, count, &e->tracing);
    free(names);
    return wrong;
}

const char *
events_prepare(struct events *e)
{
    const char *wrong = tracefs_open(&e->tracefs, mounts);
    if (wrong == NULL)
        uprobes_remove_leftovers(e->tracefs.path);
    else if (e->uprobes.count > 0)
        return wrong;
    wrong = uprobes_create(&e->uprobes, e->tracefs.path);
    return wrong != NULL ? wrong : read_formats(e);
}

const char *
events_remove_uprobes(struct events *e)
{
    return uprobes_remove(&e->uprobes);
}

void
events_free(struct events *e)
{
    uprobes_free(&e->uprobes);
    tracefs_free(&e->tracefs);
    free(e->events);
    free(e->leaders);
    free(e->tracepoints);
    free(e->tracing.ptr);
    free(e->fields);
    free(e->notes);
    arena_free(&e->arena);
    *e = (struct events){0};
}

enum { NAME_WIDTH = 40 };

static void
print(struct out *out, struct span name, const char *kind)
{
    columns_left(out, NAME_WIDTH, name);
    out_format(out, " %s\n", kind);
}

/* Return true if the event can be counted, or if counting is not permitted, so that this is
 * unknown. */
static bool
is_supported(const struct event *e)
{
    int error = perfopen_try_own(e);
    return error == 0 || error == EACCES || error == EPERM;
}

static void
print_named(struct out *out)
{
    static const char *const kinds[] = {[PERF_TYPE_HARDWARE] = "hardware",
                                        [PERF_TYPE_SOFTWARE] = "software",
                                        [PERF_TYPE_HW_CACHE] = "cache"};
    struct text name = {0};
    struct event e = {0};
    for (size_t i = 0; eventtext_name_nth(i, &e, &name); i++, name.len = 0)
        if (e.type == PERF_TYPE_SOFTWARE || is_supported(&e))
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
        if (eventtext_name_find(of, &e) && (e.type == PERF_TYPE_SOFTWARE || is_supported(&e)))
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
events_print(struct out *out)
{
    print_named(out);
    print_aliases(out);
    device_each(DEVICES, print_device_event, out);
    print(out, SPAN("rNNN"), "raw hardware event, a hexadecimal number");
    print(out, SPAN("DEVICE/FIELD=NUMBER,.../"), "raw event of a device");
    print(out, SPAN("FILE:FUNCTION(ARGUMENT,...)"), "uprobe: each call of a function");
    print(out, SPAN("FILE:FUNCTION%return($retval)"), "uprobe: each return of a function");
    print(out, SPAN("FILE:SOURCE:LINE(ARGUMENT,...)"), "uprobe: a source line");
    print(out, SPAN("kernel:FUNCTION(ARGUMENT,...)"), "kprobe: the same in the kernel");
    return print_tracepoints(out);
}
