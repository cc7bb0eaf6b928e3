/* cycles:u,cpu/event=0x3c,umask=0/k,sched:sched_switch,/usr/bin/node:uv_run,./a.out:f<int, char>
 *
 * The syntax is that of perf-list(1), where it describes the same kinds of events. */
#include "cmd/stackrecord/eventtext.h"

#include "cmd/stackrecord/device.h"
#include "cmd/stackrecord/eventname.h"

static bool
is_modifier(char c)
{
    return strchr("ukhp", c) != NULL && c != '\0';
}

/* The length of "cpu/event=0x3c,umask=0/", 0 where the text does not begin with a device. */
static size_t
device_length(struct span s, const char *devices)
{
    size_t slash = span_find(s, '/');
    if (slash == SPAN_NONE || !device_exists(devices, span_head(s, slash)))
        return 0;
    size_t end = span_find(span_from(s, slash + 1), '/');
    return end != SPAN_NONE ? slash + 1 + end + 1 : 0;
}

/* A comma inside of brackets belongs to the name of a function. */
static size_t
item_length(struct span list, const char *devices)
{
    size_t at = device_length(list, devices), depth = 0;
    for (; at < list.len && (list.ptr[at] != ',' || depth > 0); at++) {
        char c = list.ptr[at];
        if (c == '<' || c == '(')
            depth++;
        else if ((c == '>' || c == ')') && depth > 0)
            depth--;
    }
    return at;
}

/* Removes ":u" from the end; "A::u" is the name of a function. */
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
    } else if (eventname_find(span_head(s, colon), &e)) {
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
    /* perf excludes guests unless modifiers say something else than "u". */
    if (modifiers.len == 0 || (wanted & bit(FLAG_EXCLUDE_USER)) != 0)
        *flags |= bit(FLAG_EXCLUDE_GUEST);
    return true;
}
