/* The list of events of stackrecord, but for uprobes: tests/unit/stackrecord_uprobe.c. */
#include "common/machine/events.h"

#include <inttypes.h>

#include "common/machine/device.h"
#include "common/machine/eventtext.h"
#include "common/machine/similar.h"
#include "common/tracepoint/tracing.h"
#include "tests/unit/tempfolder.h"
#include "tests/unit/test.h"

/* The event of a list with a single one. */
static struct event
parse(struct events *e, const char *list)
{
    const char *wrong = events_parse(e, span_cstr(list));
    CHECK_TEXT(span_cstr(wrong != NULL ? wrong : ""), "");
    CHECK(e->count == 1);
    return e->count > 0 ? e->events[0] : (struct event){0};
}

#define CHECK_EVENT(list, wanted_type, wanted_config)                                              \
    do {                                                                                           \
        struct events e_ = {0};                                                                    \
        struct event got_event_ = parse(&e_, list);                                                \
        CHECK_TEXT(got_event_.name, list);                                                         \
        CHECK(got_event_.named &&got_event_.period == 0);                                          \
        CHECK(got_event_.type == wanted_type && got_event_.config == wanted_config);               \
        events_free(&e_);                                                                          \
    } while (0)

TEST("the kernel's events have the types and numbers of linux/perf_event.h")
{
    CHECK_EVENT("cycles", PERF_TYPE_HARDWARE, 0);
    CHECK_EVENT("cpu-cycles", PERF_TYPE_HARDWARE, 0);
    CHECK_EVENT("branch-misses", PERF_TYPE_HARDWARE, 5);
    CHECK_EVENT("cpu-clock", PERF_TYPE_SOFTWARE, 0);
    CHECK_EVENT("cs", PERF_TYPE_SOFTWARE, 3);
    CHECK_EVENT("faults", PERF_TYPE_SOFTWARE, 2);
    CHECK_EVENT("L1-dcache-load-misses", PERF_TYPE_HW_CACHE, 0x10000);
    CHECK_EVENT("LLC-stores", PERF_TYPE_HW_CACHE, 0x102);
    CHECK_EVENT("iTLB-loads", PERF_TYPE_HW_CACHE, 4);
    CHECK_EVENT("r1a8", PERF_TYPE_RAW, 0x1a8);
}

TEST("each name that is listed is found, as the event it was listed for")
{
    struct event listed = {0}, found = {0};
    struct text name = {0};
    size_t count = 0;
    for (; eventtext_name_nth(count, &listed, &name); count++, name.len = 0) {
        CHECK(eventtext_name_find(text_span(&name), &found));
        CHECK(found.type == listed.type && found.config == listed.config);
    }
    CHECK(count == 10 + 12 + 32);
    free(name.ptr);
}

TEST("what only resembles a name of the kernel's events is none")
{
    static const char *const names[] = {"",   "cycle", "Cycles",      "cycles ",           "r",
                                        "rx", "r12g",  "iTLB-stores", "r12345678901234567"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct event e = {.type = 77, .config = 88};
        CHECK(!eventtext_name_find(span_cstr(names[i]), &e));
        CHECK(e.type == 77 && e.config == 88);
    }
}

TEST("modifiers exclude what they do not name, as perf record does")
{
    static const struct {
        const char *modifiers;
        uint64_t flags; /* by `perf evlist -v` of recordings of perf 6.1 */
    } cases[] = {
        {"", 1 << FLAG_EXCLUDE_GUEST},
        {"u", 1 << FLAG_EXCLUDE_KERNEL | 1 << FLAG_EXCLUDE_HV | 1 << FLAG_EXCLUDE_GUEST},
        {"k", 1 << FLAG_EXCLUDE_USER | 1 << FLAG_EXCLUDE_HV},
        {"uk", 1 << FLAG_EXCLUDE_HV | 1 << FLAG_EXCLUDE_GUEST},
        {"up", 1 << FLAG_EXCLUDE_KERNEL | 1 << FLAG_EXCLUDE_HV | 1 << FLAG_EXCLUDE_GUEST |
                   1 << FLAG_PRECISE_IP},
        {"ppp", 3 << FLAG_PRECISE_IP},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint64_t flags = 0;
        CHECK(eventtext_flags(span_cstr(cases[i].modifiers), &flags));
        CHECK(flags == cases[i].flags);
    }
}

/* The texts of the list's items, with '|' between them, and of each its parts. */
static void
check_items(const char *devices, const char *list, const char *wanted)
{
    char got[512] = "";
    size_t at = 0;
    struct eventtext t;
    for (struct span rest = span_cstr(list); eventtext_next(&rest, &t, devices);)
        at += (size_t)snprintf(got + at, sizeof got - at, "[%.*s|%.*s|%.*s|%.*s|%.*s|%.*s]",
                               SPAN_ARG(t.name), SPAN_ARG(t.device), SPAN_ARG(t.terms),
                               SPAN_ARG(t.before), SPAN_ARG(t.after), SPAN_ARG(t.modifiers));
    CHECK_TEXT(span_cstr(got), wanted);
}

TEST("a list is taken apart into names, devices, tracepoints and functions")
{
    tempfolder_make();
    tempfolder_write("devices/cpu/type", "4\n");
    const char *devices = tempfolder_path("devices");
    check_items(devices, "cycles:u,cs", "[cycles|||||u][cs|||||]");
    check_items(devices, "sched:sched_switch,a:b:k", "[|||sched|sched_switch|][|||a|b|k]");
    check_items(devices, "cpu/event=1,umask=2/k,cpu/x/,cs",
                "[|cpu|event=1,umask=2|||k][|cpu|x|||][cs|||||]");
    check_items(devices, "/bin/x:main,y/x:f<a, b>(c, d),cs",
                "[|||/bin/x|main|][|||y/x|f<a, b>(c, d)|][cs|||||]");
    check_items(devices, "x:A::u,x:A::f:u,x:u", "[|||x|A::u|][|||x|A::f|u][|||x|u|]");
    check_items(devices, "x:operator->,cs", "[|||x|operator->|][cs|||||]");
    tempfolder_remove();
}

static void
make_device(void)
{
    tempfolder_make();
    tempfolder_write("cpu/type", "4\n");
    tempfolder_write("cpu/format/event", "config:0-7,32-35\n");
    tempfolder_write("cpu/format/umask", "config:8-15\n");
    tempfolder_write("cpu/format/any", "config:21\n");
    tempfolder_write("cpu/format/ldlat", "config1:0-15\n");
    tempfolder_write("cpu/events/loads", "event=0xcd,umask=0x1,ldlat=3\n");
    tempfolder_write("cpu/events/loads.unit", "Joules\n");
}

TEST("the terms of a device set the bits that its format files name")
{
    static const struct {
        const char *terms;
        uint64_t config, config1, period;
    } cases[] = {
        {"event=0x3c", 0x3c, 0, 0},
        {"event=0xfff", 0xf000000ff, 0, 0},
        {"event=60,umask=0x10,any", 0x20103c, 0, 0},
        {"loads", 0x1cd, 3, 0},
        {"loads,umask=2", 0x2cd, 3, 0},
        {"config=0x1234,period=1000", 0x1234, 0, 1000},
    };
    make_device();
    struct arena a = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct event e = {0};
        const char *wrong =
            device_event(tempfolder_path(""), SPAN("cpu"), span_cstr(cases[i].terms), &e, &a);
        CHECK_TEXT(span_cstr(wrong != NULL ? wrong : ""), "");
        CHECK(e.type == 4 && e.config == cases[i].config && e.config1 == cases[i].config1 &&
              e.period == cases[i].period);
    }
    arena_free(&a);
    tempfolder_remove();
}

TEST("a term that a device does not have is reported with the nearest ones")
{
    static const struct {
        const char *terms, *wanted;
    } cases[] = {
        {"evnt=1", "the device 'cpu' has no event or field 'evnt'; did you mean 'event'?"},
        {"load", "the device 'cpu' has no event or field 'load'; did you mean 'loads'?"},
        {"", "the device 'cpu' has no event or field ''"},
        {"event=x", "'event' needs a number after the '='"},
        {"event=0x1000", "0x1000 does not fit the field 'event'"},
        {"../type", "the device 'cpu' has no event or field '../type'"},
    };
    make_device();
    struct arena a = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct event e = {0};
        const char *wrong =
            device_event(tempfolder_path(""), SPAN("cpu"), span_cstr(cases[i].terms), &e, &a);
        CHECK_TEXT(span_cstr(wrong != NULL ? wrong : "nothing"), cases[i].wanted);
    }
    arena_free(&a);
    tempfolder_remove();
}

static void
append(void *ctx, struct span name)
{
    text_add(ctx, name);
    text_add(ctx, SPAN(" "));
}

TEST("the events of all devices are listed in alphabetical order, without the files of their units")
{
    struct text names = {0};
    make_device();
    tempfolder_write("cpu/events/a", "event=1\n");
    tempfolder_write("b/events/c", "event=1\n");
    device_each(tempfolder_path(""), append, &names);
    CHECK_TEXT(text_span(&names), "b/c/ cpu/a/ cpu/loads/ ");
    free(names.ptr);
    tempfolder_remove();
}

static void
check_nearest(const char *wanted, const char *const *offered, const char *message)
{
    FREED(arena_free) struct arena a = {0};
    struct text text = {0};
    struct similar n;
    similar_start(&n, span_cstr(wanted), &a);
    for (; *offered != NULL; offered++)
        similar_offer(&n, span_cstr(*offered));
    text_add(&text, SPAN(""));
    similar_explain(&n, &text);
    CHECK_TEXT(text_span(&text), message);
    free(text.ptr);
}

TEST("of the near names the three nearest are shown, and names that contain the wanted one")
{
    static const char *const names[] = {"cycles",  "bus-cycles", "ref-cycles",   "cycle",
                                        "bicycle", "cycles",     "instructions", NULL};
    check_nearest("cicles", names, "; did you mean 'cycles' or 'cycle'?");
    check_nearest("CYCLES", names, "; did you mean 'cycles', 'cycle' or 'bus-cycles'?");
    check_nearest("struct", names, "; did you mean 'instructions'?");
    check_nearest("xyz", names, "");
    check_nearest("x", (const char *const[]){"", NULL}, ""); /* symbols without a name */
}

#define COMMON "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\n"

/* A folder that looks like tracefs, with three tracepoints of two systems; returns the file that
 * lists it as a mount. */
static const char *
make_tracefs(void)
{
    char mounts[512];
    tempfolder_make();
    tempfolder_write("trace/available_events", "a:one\nb:two\na:three\n");
    tempfolder_write("trace/printk_formats", "0xffffffff82000010 : \"text\"\n");
    tempfolder_write("trace/events/header_page", "\tfield: u64 timestamp;\n");
    tempfolder_write("trace/events/header_event", "# compressed entry header\n");
    tempfolder_write("trace/events/a/one/id", "11\n");
    tempfolder_write("trace/events/a/one/format", "name: one\nID: 11\nformat:\n" COMMON
                                                  "print fmt: \"n=%d\", REC->common_type\n");
    tempfolder_write("trace/events/b/two/id", "12\n");
    tempfolder_write("trace/events/b/two/format",
                     "name: two\nID: 12\nformat:\n" COMMON "print fmt: \"\"\n");
    tempfolder_write("trace/events/a/three/id", "none\n");
    tempfolder_write("trace/events/a/three/format",
                     "name: three\nID: 13\nformat:\n" COMMON "print fmt: \"\"\n");
    snprintf(mounts, sizeof mounts,
             "proc /proc proc rw 0 0\nnone /nowhere\\040else tracefs rw 0 0\n"
             "none %s tracefs rw,relatime 0 0\n",
             tempfolder_path("trace"));
    tempfolder_write("mounts", mounts);
    return tempfolder_path("mounts");
}

TEST("tracefs is found among the mounts, and gives the names and numbers of tracepoints")
{
    struct tracefs t = {0};
    struct span name;
    size_t at = 0;
    uint64_t id = 0;
    CHECK(tracefs_open(&t, make_tracefs()) == NULL);
    CHECK(tracefs_names(&t) == NULL);
    CHECK(tracefs_next(&t, &at, &name));
    CHECK_TEXT(name, "a:one");
    CHECK(tracefs_next(&t, &at, &name) && tracefs_next(&t, &at, &name));
    CHECK_TEXT(name, "a:three");
    CHECK(!tracefs_next(&t, &at, &name));
    CHECK(tracefs_id(&t, SPAN("b:two"), &id) == NULL && id == 12);
    tracefs_free(&t);
    tempfolder_remove();
}

TEST("what is wrong in tracefs is reported with the path")
{
    struct tracefs t = {0};
    uint64_t id;
    char wanted[512];
    CHECK(tracefs_open(&t, make_tracefs()) == NULL);
    snprintf(wanted, sizeof wanted, "%s/events/a/three/id holds no number",
             tempfolder_path("trace"));
    CHECK_TEXT(span_cstr(tracefs_id(&t, SPAN("a:three"), &id)), wanted);
    snprintf(wanted, sizeof wanted, "%s/events/a/four/id: No such file or directory",
             tempfolder_path("trace"));
    CHECK_TEXT(span_cstr(tracefs_id(&t, SPAN("a:four"), &id)), wanted);
    tracefs_free(&t);
    tempfolder_remove();
}

TEST("where tracefs is not mounted, the message says how to mount it")
{
    struct tracefs t = {0};
    tempfolder_make();
    tempfolder_write("mounts", "proc /proc proc rw 0 0\n");
    CHECK_TEXT(span_cstr(tracefs_open(&t, tempfolder_path("mounts"))),
               "tracepoints and uprobes need the file system tracefs, which is not mounted; as "
               "root: mount -t tracefs tracefs /sys/kernel/tracing");
    tracefs_free(&t);
    tempfolder_remove();
}

TEST("the tracing data holds the formats by system, and the texts of printk_formats")
{
    static const struct span names[] = {SPAN("a:one"), SPAN("b:two"), SPAN("a:three")};
    struct tracefs t = {0};
    struct tracing read = {0};
    struct text data = {0};
    struct span text;
    CHECK(tracefs_open(&t, make_tracefs()) == NULL);
    CHECK(tracefs_tracing(&t, names, 3, &data) == NULL);
    CHECK(tracing_read(&read, text_span(&data)) == NULL);
    CHECK(read.formats.n == 3 && read.long_size == sizeof(long));
    for (uint64_t id = 11; id <= 13; id++)
        CHECK(tracing_find(&read, id) != NULL);
    CHECK_TEXT(tracing_find(&read, 13)->system, "a");
    CHECK_TEXT(tracing_find(&read, 12)->system, "b");
    CHECK_TEXT(tracing_find(&read, 11)->print, "\"n=%d\", REC->common_type");
    CHECK(tracing_string(&read, 0xffffffff82000010, &text));
    CHECK_TEXT(text, "text");
    tracing_free(&read);
    tracefs_free(&t);
    free(data.ptr);
    tempfolder_remove();
}

TEST("what is wrong with a list is said after the item")
{
    static const struct {
        const char *list, *wanted;
    } cases[] = {
        {"", "the list of events is empty"},
        {"cs,cpu-clok", "cpu-clok: no such event; did you mean 'cpu-clock'?"},
        {"cs,,cs", "cs,,cs: a name is missing before or after a comma"},
        {"cycles:x", "cycles:x: the modifiers 'x' are not known: u, k, h and p are"},
        {"/nowhere/x:main", "/nowhere/x:main: there is no file '/nowhere/x'"},
        {"/bin/sh:", "/bin/sh:: a name is missing after the ':'"},
        {"cs,{cs,faults},x",
         "{cs,faults}: groups in braces are for stackstat: leave out the braces"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct events e = {0};
        const char *wrong = events_parse(&e, span_cstr(cases[i].list));
        CHECK_TEXT(span_cstr(wrong != NULL ? wrong : ""), cases[i].wanted);
        events_free(&e);
    }
}

TEST("events in braces are a group, whose modifiers each has")
{
    struct events e = {.groups = true};
    CHECK(events_parse(&e, SPAN("cs,{faults:k,cycles}:u, {cs},cs")) == NULL);
    static const size_t leaders[] = {0, 1, 1, 3, 4};
    static const char *const names[] = {"cs", "faults:ku", "cycles:u", "cs", "cs"};
    CHECK(e.count == 5);
    for (size_t i = 0; i < e.count; i++) {
        CHECK(e.leaders[i] == leaders[i]);
        CHECK_TEXT(e.events[i].name, names[i]);
    }
    CHECK(!event_flag(&e.events[1], FLAG_EXCLUDE_KERNEL));
    CHECK(event_flag(&e.events[2], FLAG_EXCLUDE_KERNEL));
    static const char *const wrong[][2] = {
        {"{cs", "{cs: a group ends with '}', or '}:' and modifiers"},
        {"{cs}u,cs", "{cs}u: a group ends with '}', or '}:' and modifiers"},
        {"cs,{}", "{}: there is no event between the braces"},
        {"{cs,cycles}:z",
         "{cs,cycles}:z: cs:z: the modifiers 'z' are not known: u, k, h and p are"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const char *said = events_parse(&e, span_cstr(wrong[i][0]));
        CHECK_TEXT(span_cstr(said != NULL ? said : ""), wrong[i][1]);
    }
    events_free(&e);
}
