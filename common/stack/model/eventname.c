/* On a machine with several kinds of cores, perf prints the device that counts an event ("PMU")
 * before the event, and modifiers after the last slash, or, since perf 6, before it:
 *
 *     cycles  cycles:Pu  cpu_core/cycles/  cpu_atom/cycles/Pu  cpu_core/cycles:Pu/
 *     armv8_cortex_a53/cycles/  cpu_core/mem-loads,ldlat=30/P  cpu/event=0x3c,umask=0/
 *
 * See perf-list(1), "Hybrid support". */
#include "common/stack/model/eventname.h"

struct eventname {
    struct span device; /* empty: not printed, or there is only one kind of core */
    struct span event;
    struct span modifiers; /* after a colon */
    struct span more;      /* after the last slash; mostly, one of the two is empty */
};

static bool
is_modifier(char c)
{
    return span_has(SPAN("ukhGHpPSDWebIR"), c);
}

/* Remove the modifiers after the last colon from *event, if nothing else is there. Return them. */
static struct span
take_modifiers(struct span *event)
{
    size_t colon = span_rfind(*event, ':');
    struct span text = colon != SPAN_NONE ? span_from(*event, colon + 1) : SPAN("");
    if (text.len == 0 || span_run(text, 0, is_modifier) < text.len)
        return SPAN("");
    *event = span_head(*event, colon);
    return text;
}

static struct eventname
parse(struct span name)
{
    struct eventname e = {.event = name};
    size_t first = span_find(name, '/'), last = span_rfind(name, '/');
    if (first != SPAN_NONE && first < last) {
        e.device = span_head(name, first);
        e.event = span_of(name.ptr + first + 1, last - first - 1);
        e.more = span_from(name, last + 1);
    }
    e.modifiers = take_modifiers(&e.event);
    if (span_eq(e.device, SPAN("cpu")))
        e.device.len = 0;
    return e;
}

static bool
has_modifier(const struct eventname *e, char c)
{
    return span_has(e->modifiers, c) || span_has(e->more, c);
}

/* Return true if both count in the same modes. Their precision ("p", "P") may depend on the
 * core. */
static bool
have_same_modifiers(const struct eventname *a, const struct eventname *b)
{
    struct span letters = SPAN("ukhGH");
    bool same = true;
    for (size_t i = 0; i < letters.len; i++)
        same &= has_modifier(a, letters.ptr[i]) == has_modifier(b, letters.ptr[i]);
    return same;
}

bool
eventname_is_core_variant(struct span a, struct span b)
{
    struct eventname x = parse(a), y = parse(b);
    /* A number may mean something else on another kind of core: "event=0x3c". */
    bool is_number = span_has(span_before(x.event, ','), '=');
    return !span_eq(x.device, y.device) && span_eq(x.event, y.event) && x.event.len > 0 &&
           !is_number && have_same_modifiers(&x, &y);
}
