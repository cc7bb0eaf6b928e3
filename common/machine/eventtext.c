/* cycles:u,cpu/event=0x3c,umask=0/k,sched:sched_switch,/usr/bin/node:uv_run,./a.out:f<int, char>
 * ./app:parse(len, request->url:string),./app:parse%return($retval),./app:main.c:42
 * {cycles,instructions}:u,{sched:*}
 *
 * The syntax is that of perf-list(1), where it describes the same kinds of events. */
#include "common/machine/eventtext.h"

#include <stdlib.h>

#include "common/base/num.h"
#include "common/machine/device.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

/* Numbers of types known to event_name_of() (PERF_COUNT_* in linux/perf_event.h). */
enum { HARDWARE = 10, SOFTWARE = 12, CACHES = 7, OPERATIONS = 3, RESULTS = 2 };

static const struct {
    struct span alias, name;
} aliases[] = {
    {SPAN("cpu-cycles"), SPAN("cycles")},
    {SPAN("branch-instructions"), SPAN("branches")},
    {SPAN("idle-cycles-frontend"), SPAN("stalled-cycles-frontend")},
    {SPAN("idle-cycles-backend"), SPAN("stalled-cycles-backend")},
    {SPAN("faults"), SPAN("page-faults")},
    {SPAN("cs"), SPAN("context-switches")},
    {SPAN("migrations"), SPAN("cpu-migrations")},
};

/* The operations of each cache as bits: load 1, store 2, prefetch 4 (perf's table
 * evsel__hw_cache_stat). */
static const unsigned char cache_operations[CACHES] = {7, 5, 7, 7, 1, 1, 7};

static bool
cache_event(size_t i, struct event *e)
{
    for (unsigned cache = 0; cache < CACHES; cache++)
        for (unsigned op = 0; op < OPERATIONS; op++)
            for (unsigned result = 0; result < RESULTS; result++)
                if ((cache_operations[cache] >> op & 1) != 0 && i-- == 0) {
                    e->type = PERF_TYPE_HW_CACHE;
                    e->config = cache | op << 8 | result << 16;
                    return true;
                }
    return false;
}

bool
eventtext_name_nth(size_t i, struct event *e, struct text *name)
{
    /* Without this flag, the name would have a modifier, "cycles:HG". */
    struct event plain = {.flags = 1 << FLAG_EXCLUDE_GUEST};
    if (i < HARDWARE) {
        plain.type = PERF_TYPE_HARDWARE;
        plain.config = i;
    } else if (i < HARDWARE + SOFTWARE) {
        plain.type = PERF_TYPE_SOFTWARE;
        plain.config = i - HARDWARE;
    } else if (!cache_event(i - HARDWARE - SOFTWARE, &plain)) {
        return false;
    }
    e->type = plain.type;
    e->config = plain.config;
    event_name_of(&plain, name);
    return true;
}

bool
eventtext_name_alias(size_t i, struct span *alias, struct span *name)
{
    if (i >= COUNT(aliases))
        return false;
    *alias = aliases[i].alias;
    *name = aliases[i].name;
    return true;
}

static bool
find_raw(struct span name, struct event *e)
{
    if (name.len < 2 || name.ptr[0] != 'r' || span_run(name, 1, is_hex) != name.len - 1 ||
        !num_hex(span_from(name, 1), &e->config))
        return false;
    e->type = PERF_TYPE_RAW;
    return true;
}

bool
eventtext_name_find(struct span name, struct event *e)
{
    struct span alias, of;
    struct text other = {0};
    struct event found;
    for (size_t i = 0; eventtext_name_alias(i, &alias, &of); i++)
        name = span_eq(name, alias) ? of : name;
    bool same = false;
    for (size_t i = 0; !same && eventtext_name_nth(i, &found, &other); i++, other.len = 0)
        same = span_eq(text_span(&other), name);
    free(other.ptr);
    if (same) {
        e->type = found.type;
        e->config = found.config;
    }
    return same || find_raw(name, e);
}

static bool
is_modifier(char c)
{
    return strchr("ukhp", c) != NULL && c != '\0';
}

/* Return the length of "cpu/event=0x3c,umask=0/", or 0 if the text does not begin with a device. */
static size_t
device_length(struct span s, const char *devices)
{
    size_t slash = span_find(span_before(s, ','), '/');
    if (slash == SPAN_NONE || !device_exists(devices, span_head(s, slash)))
        return 0;
    size_t end = span_find(span_from(s, slash + 1), '/');
    return end != SPAN_NONE ? slash + 1 + end + 1 : 0;
}

/* Return the length of the first item. A comma inside brackets belongs to a function's name, or is
 * between the arguments of a probe; the '>' of "request->url" is no bracket. */
static size_t
item_length(struct span list, const char *devices)
{
    size_t at = device_length(list, devices), depth = 0;
    for (; at < list.len && (list.ptr[at] != ',' || depth > 0); at++) {
        char c = list.ptr[at];
        if (c == '<' || c == '(')
            depth++;
        else if ((c == ')' || (c == '>' && list.ptr[at - 1] != '-')) && depth > 0)
            depth--;
    }
    return at;
}

/* Remove ":u" from the end. "A::u", however, is the name of a function. */
static void
split_modifiers(struct span *s, struct span *modifiers)
{
    size_t colon = span_rfind(*s, ':');
    if (colon == SPAN_NONE || colon == 0 || s->ptr[colon - 1] == ':' || colon + 1 == s->len ||
        span_run(*s, colon + 1, is_modifier) != s->len - colon - 1)
        return;
    *modifiers = span_from(*s, colon + 1);
    *s = span_head(*s, colon);
}

static void
split(struct eventtext *t, size_t device)
{
    struct event e;
    struct span s = t->whole;
    size_t colon = span_find(s, ':');
    if (device > 0) {
        size_t slash = span_find(s, '/');
        t->device = span_head(s, slash);
        t->terms = span_of(s.ptr + slash + 1, device - slash - 2);
        t->modifiers = span_from(s, device);
        if (t->modifiers.len > 0 && t->modifiers.ptr[0] == ':')
            t->modifiers = span_from(t->modifiers, 1);
    } else if (colon == SPAN_NONE) {
        t->name = s;
    } else if (eventtext_name_find(span_head(s, colon), &e)) {
        t->name = span_head(s, colon);
        t->modifiers = span_from(s, colon + 1);
    } else {
        t->before = span_head(s, colon);
        t->after = span_from(s, colon + 1);
        split_modifiers(&t->after, &t->modifiers);
    }
}

bool
eventtext_next(struct span *list, struct eventtext *t, const char *devices)
{
    if (list->len == 0)
        return false;
    size_t len = item_length(*list, devices);
    *t = (struct eventtext){.whole = span_trim(span_head(*list, len))};
    *list = span_from(*list, len < list->len ? len + 1 : len);
    split(t, device_length(t->whole, devices));
    return true;
}

/* Return the offset of the brace that closes the first one, or SPAN_NONE. Names of closures in C++
 * and Rust contain pairs of braces, too. */
static size_t
closing_brace(struct span list)
{
    size_t depth = 0;
    for (size_t at = 0; at < list.len; at++) {
        depth += list.ptr[at] == '{';
        if (list.ptr[at] == '}' && --depth == 0)
            return at;
    }
    return SPAN_NONE;
}

bool
eventtext_group(struct span *list, struct eventtext_group *group)
{
    struct span text = span_trim(*list);
    if (text.len == 0 || text.ptr[0] != '{')
        return false;
    *group = (struct eventtext_group){.whole = text};
    *list = SPAN("");
    size_t brace = closing_brace(text);
    if (brace == SPAN_NONE)
        return true;
    *list = span_from(text, brace + 1);
    struct span after = span_trim(span_take(list, ','));
    group->whole = span_of(text.ptr, (size_t)(after.ptr + after.len - text.ptr));
    if (after.len > 0 && after.ptr[0] != ':')
        return true;
    group->members = span_of(text.ptr + 1, brace - 1);
    group->modifiers = span_from(after, after.len > 0);
    return true;
}

static uint64_t
bit(enum event_flag flag)
{
    return (uint64_t)1 << flag;
}

bool
eventtext_flags(struct span modifiers, uint64_t *flags)
{
    uint64_t excluded = bit(FLAG_EXCLUDE_USER) | bit(FLAG_EXCLUDE_KERNEL) | bit(FLAG_EXCLUDE_HV);
    uint64_t wanted = 0, precise = 0;
    for (size_t i = 0; i < modifiers.len; i++) {
        char c = modifiers.ptr[i];
        wanted |= c == 'u'   ? bit(FLAG_EXCLUDE_USER)
                  : c == 'k' ? bit(FLAG_EXCLUDE_KERNEL)
                  : c == 'h' ? bit(FLAG_EXCLUDE_HV)
                             : 0;
        precise += c == 'p' && precise < 3;
        if (!is_modifier(c))
            return false;
    }
    *flags = (wanted != 0 ? excluded & ~wanted : 0) | precise << FLAG_PRECISE_IP;
    /* perf excludes guests without any modifier, and if "u" is one of the modifiers. */
    if (modifiers.len == 0 || (wanted & bit(FLAG_EXCLUDE_USER)) != 0)
        *flags |= bit(FLAG_EXCLUDE_GUEST);
    return true;
}
