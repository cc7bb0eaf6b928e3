#include "tests/unit/test.h"

#include "common/stack/model/eventlist.h"

/* Whether the event matches a list of its own. */
static bool
matches(const char *list, struct span event)
{
    struct eventlist l = {0};
    bool added = eventlist_add(&l, span_cstr(list));
    bool is = eventlist_matches(&l, event);
    return added && is;
}

TEST("a name matches the whole event, modifiers included")
{
    CHECK(matches("cycles", SPAN("cycles")));
    CHECK(matches("cycles:u,page-faults", SPAN("page-faults")));
    CHECK(!matches("cycles", SPAN("cycles:u")));
    CHECK(!matches("cycles:u", SPAN("cycles")));
    CHECK(!matches("cycles", SPAN("")));
    CHECK(matches("a[b", SPAN("a[b")));
}

TEST("a pattern matches by *, ? and []")
{
    CHECK(matches("syscalls:*", SPAN("syscalls:sys_enter_openat")));
    CHECK(matches("page-faults,cycles*", SPAN("cycles:u")));
    CHECK(matches("*/cycles/*", SPAN("cpu_core/cycles/Pu")));
    CHECK(matches("probe:f[12]?", SPAN("probe:f2x")));
    CHECK(!matches("syscalls:*", SPAN("sched:sched_switch")));
    CHECK(!matches("*s*", span_of("s\0x", 3)));
}

TEST("all and * match everything, even an event without a name")
{
    CHECK(matches("all", SPAN("cycles")));
    CHECK(matches("x,*", SPAN("")));
    CHECK(matches("all", span_of("s\0x", 3)));
    CHECK(!matches("all:*", SPAN("cycles")));
}

TEST("a comma between slashes is part of the name")
{
    CHECK(matches("a,cpu/event=0x3c,umask=0/,b", SPAN("cpu/event=0x3c,umask=0/")));
    CHECK(matches("cpu/event=0x3c,umask=0/,b", SPAN("b")));
    CHECK(!matches("cpu/event=0x3c,umask=0/", SPAN("umask=0/")));
}

TEST("empty items are left out, and a list of nothing else is refused")
{
    struct eventlist l = {0};
    CHECK(matches("a,,b,", SPAN("b")));
    CHECK(!matches("a,,b,", SPAN("")));
    CHECK(!eventlist_add(&l, SPAN("")));
    CHECK(!eventlist_add(&l, SPAN(",")));
    CHECK(!eventlist_matches(&l, SPAN("cycles")));
}

/* What is explained after asking about n events. */
static const char *
explained(const char *list, const char *const *events, size_t n)
{
    static char text[EVENTLIST_TEXT];
    struct eventlist l = {0};
    CHECK(eventlist_add(&l, span_cstr(list)));
    for (size_t i = 0; i < n; i++)
        CHECK(!eventlist_matches(&l, span_cstr(events[i])));
    eventlist_explain(&l, text);
    return text;
}

TEST("where nothing matched, the events of the input are named with their counts")
{
    static const char *const events[] = {"page-faults", "cycles", "cycles"};
    CHECK_TEXT(span_cstr(explained("x,y*", events, 3)),
               "no sample of 'x,y*'; the input has: cycles (2), page-faults (1)");
    CHECK_TEXT(span_cstr(explained("x", events, 0)), "no sample of 'x'; the input has: nothing");
}

TEST("of many events the most frequent are named, and long names are cut")
{
    char names[12][400];
    const char *events[13];
    for (int i = 0; i < 12; i++) {
        memset(names[i], 'a' + i, sizeof names[i] - 1);
        names[i][sizeof names[i] - 1] = '\0';
        events[i] = names[i];
    }
    events[12] = names[11];
    const char *text = explained("x", events, 13);
    CHECK(strstr(text, "the input has: llll") != NULL && strstr(text, "llll (2), aaaa") != NULL);
    CHECK(strlen(text) < 800 && strcmp(text + strlen(text) - 13, " and 4 others") == 0);
}
