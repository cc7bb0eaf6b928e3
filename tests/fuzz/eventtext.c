#include "tests/fuzz/fuzz.h"

#include "common/machine/device.h"
#include "common/machine/eventtext.h"

/* Modifiers are known only if all their letters are. */
static void
check_modifiers(struct span modifiers)
{
    uint64_t flags = 0;
    size_t known = 0;
    for (size_t i = 0; i < modifiers.len; i++)
        known += span_has(SPAN("ukhp"), modifiers.ptr[i]);
    MUST(eventtext_flags(modifiers, &flags) == (known == modifiers.len));
}

/* An event is a device's, or has a name, or a text on both sides of a colon. */
static void
check_event(const struct eventtext *t, struct span list)
{
    struct event e;
    MUST(fuzz_inside(t->whole, list) && fuzz_inside(t->modifiers, t->whole));
    MUST(fuzz_inside(t->device, t->whole) && fuzz_inside(t->terms, t->whole));
    MUST(fuzz_inside(t->before, t->whole) && fuzz_inside(t->after, t->whole));
    MUST(fuzz_inside(t->name, t->whole));
    MUST((t->device.len > 0) + (t->name.len > 0) + (t->before.len + t->after.len > 0) <= 1);
    MUST(t->name.len == 0 || t->name.len == t->whole.len || eventtext_name_find(t->name, &e));
    check_modifiers(t->modifiers);
}

static void
check_events(struct span list)
{
    struct eventtext t;
    for (struct span rest = list; rest.len > 0;) {
        size_t before = rest.len;
        MUST(eventtext_next(&rest, &t, DEVICES) && rest.len < before);
        check_event(&t, list);
    }
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct span text = fuzz_span(data, size), line;
    while (fuzz_line(&text, &line)) {
        struct eventtext_group group;
        check_events(line);
        for (struct span rest = line; rest.len > 0;) {
            size_t before = rest.len;
            if (!eventtext_group(&rest, &group)) {
                span_take(&rest, ',');
                continue;
            }
            MUST(rest.len < before && fuzz_inside(group.whole, line));
            MUST(fuzz_inside(group.members, group.whole));
            check_events(group.members);
            check_modifiers(group.modifiers);
        }
    }
    return 0;
}
