/* Event attributes, and the names that perf makes of them. */
#include "common/event/attr.h"

#include "common/event/eventset.h"
#include "tests/unit/bytes.h"
#include "tests/unit/test.h"

static const uint64_t not_guest = 1 << FLAG_EXCLUDE_GUEST,
                      only_user = 1 << FLAG_EXCLUDE_KERNEL | 1 << FLAG_EXCLUDE_HV;

/* A perf_event_attr of the size that it says. */
static struct text
attr_of(uint32_t type, uint64_t config, uint64_t sample_type, size_t size)
{
    static const char zeros[256];
    struct text t = {0};
    put_u32(&t, type);
    put_u32(&t, (uint32_t)size);
    put_u64(&t, config);
    put_u64(&t, 999);
    put_u64(&t, sample_type);
    put_u64(&t, PERF_FORMAT_ID);
    put_u64(&t, 1 << FLAG_SAMPLE_ID_ALL);
    text_add(&t, span_of(zeros, size - t.len));
    return t;
}

static struct span
name_of(struct event e)
{
    static struct text name;
    name.len = 0;
    event_name_of(&e, &name);
    return text_span(&name);
}

TEST("attributes are decoded, whatever size their version of the kernel gave them")
{
    static const size_t sizes[] = {64, 72, 104, 128, 200};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct text t = attr_of(PERF_TYPE_SOFTWARE, 2, PERF_SAMPLE_IP, sizes[i]);
        struct event e;
        CHECK(attr_decode(text_span(&t), &e) == NULL);
        CHECK(e.type == PERF_TYPE_SOFTWARE && e.config == 2 && e.period == 999);
        CHECK(e.sample_type == PERF_SAMPLE_IP && e.read_format == PERF_FORMAT_ID &&
              e.regs_intr == 0);
        CHECK(event_flag(&e, FLAG_SAMPLE_ID_ALL) && !event_flag(&e, FLAG_FREQ));
        free(t.ptr);
    }
}

TEST("attributes that are encoded are decoded to the same event")
{
    struct event e = {
        .type = PERF_TYPE_BREAKPOINT,
        .config = 1ULL << 63 | 2,
        .config1 = 3,
        .config2 = 4,
        .bp_type = 5,
        .period = 1ULL << 40 | 6,
        .sample_type = PERF_SAMPLE_MAX - 1,
        .read_format = PERF_FORMAT_LOST,
        .flags = 1ULL << FLAG_BUILD_ID | 1 << FLAG_DISABLED | 1 << FLAG_WATERMARK,
        .wakeup = 7,
        .branch_type = 8,
        .regs_user = 9,
        .regs_intr = 10,
        .stack_user = 11,
        .clockid = -12,
        .max_stack = 13,
    };
    char bytes[ATTR_SIZE + 1];
    struct event got;
    bytes[ATTR_SIZE] = 'x';
    attr_encode(&e, bytes);
    CHECK(bytes[ATTR_SIZE] == 'x');
    CHECK(load_u32(bytes + 4) == ATTR_SIZE);
    CHECK(attr_decode(span_of(bytes, ATTR_SIZE), &got) == NULL);
    CHECK(got.type == e.type && got.config == e.config && got.config1 == e.config1);
    CHECK(got.config2 == e.config2 && got.bp_type == e.bp_type && got.period == e.period);
    CHECK(got.sample_type == e.sample_type && got.read_format == e.read_format);
    CHECK(got.flags == e.flags && got.wakeup == e.wakeup && got.branch_type == e.branch_type);
    CHECK(got.regs_user == e.regs_user && got.regs_intr == e.regs_intr);
    CHECK(got.stack_user == e.stack_user && got.clockid == e.clockid);
    CHECK(got.max_stack == e.max_stack);
}

TEST("bytes after the size that attributes give are not theirs")
{
    struct text t = attr_of(PERF_TYPE_SOFTWARE, 2, PERF_SAMPLE_IP, 64);
    struct event e;
    for (uint64_t i = 1; i <= 8; i++)
        put_u64(&t, i); /* ids */
    CHECK(attr_decode(text_span(&t), &e) == NULL);
    CHECK(e.config2 == 0 && e.branch_type == 0 && e.regs_user == 0 && e.stack_user == 0);
    free(t.ptr);
}

TEST("attributes of an impossible size are refused")
{
    struct text t = attr_of(PERF_TYPE_SOFTWARE, 2, PERF_SAMPLE_IP, 64);
    struct event e;
    CHECK(attr_decode(span_of(t.ptr, 63), &e) != NULL);
    memcpy(t.ptr + 4, &(uint32_t){63}, 4);
    CHECK(attr_decode(text_span(&t), &e) != NULL);
    memcpy(t.ptr + 4, &(uint32_t){65}, 4);
    CHECK(attr_decode(text_span(&t), &e) != NULL);
    memcpy(t.ptr + 4, &(uint32_t){0}, 4);
    CHECK(attr_decode(text_span(&t), &e) == NULL);
    free(t.ptr);
}

TEST("an event without a name gets that of its type and config")
{
    CHECK_TEXT(name_of((struct event){.type = PERF_TYPE_HARDWARE, .flags = not_guest}), "cycles");
    CHECK_TEXT(name_of((struct event){.type = PERF_TYPE_HARDWARE, .config = 99}),
               "unknown-hardware:HG");
    CHECK_TEXT(name_of((struct event){.type = PERF_TYPE_SOFTWARE, .config = 9}), "dummy:HG");
    CHECK_TEXT(name_of((struct event){.type = PERF_TYPE_SOFTWARE, .config = 3, .flags = not_guest}),
               "context-switches");
    CHECK_TEXT(name_of((struct event){.type = PERF_TYPE_TRACEPOINT, .config = 3}),
               "unknown tracepoint");
    CHECK_TEXT(name_of((struct event){.type = PERF_TYPE_HW_CACHE, .config = 0, .flags = not_guest}),
               "L1-dcache-loads");
    CHECK_TEXT(
        name_of((struct event){.type = PERF_TYPE_HW_CACHE, .config = 0x10002, .flags = not_guest}),
        "LLC-load-misses");
    CHECK_TEXT(
        name_of((struct event){.type = PERF_TYPE_HW_CACHE, .config = 0x203, .flags = not_guest}),
        "dTLB-prefetches");
    CHECK_TEXT(name_of((struct event){.type = PERF_TYPE_HW_CACHE, .config = 7, .flags = not_guest}),
               "unknown-ext-hardware-cache");
    CHECK_TEXT(name_of((struct event){.type = PERF_TYPE_RAW, .config = 0x1a8, .flags = not_guest}),
               "raw 0x1a8");
    CHECK_TEXT(
        name_of((struct event){
            .type = PERF_TYPE_BREAKPOINT, .config1 = 0x4000, .bp_type = 3, .flags = not_guest}),
        "mem:0x4000:rw");
    CHECK_TEXT(name_of((struct event){.type = 12}), "unknown attr type: 12");
}

TEST("a name has the modifiers that perf prints")
{
    struct event e = {.type = PERF_TYPE_SOFTWARE, .flags = not_guest | only_user};
    CHECK_TEXT(name_of(e),
               "cpu-clock:uH"); /* as perf evlist of a killed recording of cpu-clock:u */
    e.flags = not_guest | (uint64_t)3 << FLAG_PRECISE_IP;
    CHECK_TEXT(name_of(e), "cpu-clock:pppH");
    e.flags = (uint64_t)3 << FLAG_PRECISE_IP;
    CHECK_TEXT(name_of(e), "cpu-clock:ppp");
    e.flags = 1 << FLAG_EXCLUDE_USER | 1 << FLAG_EXCLUDE_HV;
    CHECK_TEXT(name_of(e), "cpu-clock:k");
}

TEST("an event is found by its ids, among many")
{
    FREED(eventset_free) struct eventset set = {0};
    FREED(arena_free) struct arena names = {0};
    struct event e = {.type = PERF_TYPE_SOFTWARE, .name = SPAN("cs")};
    eventset_add(&set, &e, &names);
    e.name = SPAN("");
    CHECK(!eventset_add(&set, &e, &names)->named);
    CHECK(eventset_find(&set, 1) == NULL);
    for (uint64_t id = 1; id <= 1000; id++)
        eventset_add_id(&set, id * 4096, &set.events[id % 2]);
    for (uint64_t id = 1; id <= 1000; id++)
        CHECK(eventset_find(&set, id * 4096) == &set.events[id % 2]);
    CHECK(eventset_find(&set, 4095) == NULL);
    eventset_add_id(&set, 4096, &set.events[0]);
    CHECK(eventset_find(&set, 4096) == &set.events[0]);
    CHECK_TEXT(set.events[0].name, "cs");
    CHECK_TEXT(set.events[1].name, "cpu-clock:HG");
    CHECK(eventset_width(&set) == 12);
    eventset_rename(&set.events[1], SPAN("x"));
    CHECK(eventset_width(&set) == 2 && set.events[1].named);
}
