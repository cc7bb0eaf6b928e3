/* The fields of samples, built one by one in the order of linux/perf_event.h. */
#include "tests/unit/record.h"

TEST("a sample's fields are decoded in the order of the kernel")
{
    struct eventset set = events_of((struct event){
        .sample_type = (PERF_SAMPLE_MAX - 1) & ~PERF_SAMPLE_WEIGHT_STRUCT,
        .branch_type = PERF_SAMPLE_BRANCH_HW_INDEX,
        .regs_user = 0x180,
        .regs_intr = 0x1,
    });
    struct text f = {0}, all = {0};
    put_u64(&f, 77); /* identifier */
    put_u64(&f, 0x401000);
    put_u32(&f, 10);
    put_u32(&f, 11);
    put_u64(&f, 5000); /* time */
    put_u64(&f, 0xadd);
    put_u64(&f, 77); /* id */
    put_u64(&f, 78); /* stream */
    put_u64(&f, 2);  /* cpu */
    put_u64(&f, 1001001);
    put_u64(&f, 42); /* counter */
    put_u64(&f, 2);  /* callchain */
    put_u64(&f, PERF_CONTEXT_USER);
    put_u64(&f, 0x401000);
    put_u32(&f, 4); /* raw */
    text_add(&f, SPAN("abcd"));
    put_u64(&f, 1); /* branches, with the hardware's index */
    put_u64(&f, 99);
    put_u64(&f, 0xf0);
    put_u64(&f, 0xf1);
    put_u64(&f, 0);
    put_u64(&f, 2); /* user registers */
    put_u64(&f, 0x57);
    put_u64(&f, 0x58);
    put_u64(&f, 16); /* user stack, of which 3 bytes are in use */
    text_add(&f, SPAN("0123456789abcdef"));
    put_u64(&f, 3);
    put_u64(&f, 61); /* weight */
    put_u64(&f, 62); /* data_src */
    put_u64(&f, 63); /* transaction */
    put_u64(&f, 1);  /* interrupt registers */
    put_u64(&f, 0x59);
    put_u64(&f, 64); /* phys_addr */
    put_u64(&f, 65); /* cgroup */
    put_u64(&f, 66); /* data_page_size */
    put_u64(&f, 67); /* code_page_size */
    put_u64(&f, 8);  /* aux */
    put_u64(&f, 0);
    struct record r = decode(&set, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, &f, &all);
    const struct record_sample *s = &r.sample;
    uint64_t value = 0;
    CHECK(r.event == &set.events[0] && r.has == set.events[0].sample_type);
    CHECK(r.pid == 10 && r.tid == 11 && r.time == 5000 && r.cpu == 2 && r.id == 77);
    CHECK(s->ip == 0x401000 && s->addr == 0xadd && s->period == 1001001);
    CHECK(s->read.count == 1 && record_counter(&r, 0).value == 42);
    CHECK(s->callchain.count == 2 && words_at(s->callchain, 0) == PERF_CONTEXT_USER);
    CHECK(words_at(s->callchain, 1) == 0x401000);
    CHECK_TEXT(s->raw, "abcd");
    CHECK(s->regs_user.abi == 2 && record_register(0x180, &s->regs_user, 8, &value) &&
          value == 0x58);
    CHECK(record_register(0x180, &s->regs_user, 7, &value) && value == 0x57);
    CHECK(!record_register(0x180, &s->regs_user, 6, &value));
    CHECK_TEXT(s->stack, "012");
    CHECK(s->weight == 61 && s->data_src == 62);
    CHECK(record_time(&set, text_span(&all)) == 5000);
    drop(&set, &f, &all);
}

/* A sample whose only field is a branch stack. */
static struct event
branch_event(uint64_t branch_type)
{
    return (struct event){.sample_type = PERF_SAMPLE_BRANCH_STACK, .branch_type = branch_type};
}

TEST("branches that are calls are given, with the words that the event has beside them")
{
    const uint64_t calls = PERF_SAMPLE_BRANCH_CALL_STACK;
    struct text f = {0}, all = {0};
    for (unsigned kind = 0; kind < 4; kind++) {
        uint64_t index = (kind & 1) != 0 ? PERF_SAMPLE_BRANCH_HW_INDEX : 0;
        uint64_t counters = (kind & 2) != 0 ? PERF_SAMPLE_BRANCH_COUNTERS : 0;
        struct eventset set = events_of(branch_event(calls | index | counters));
        put_u64(&f, 2);
        if (index != 0)
            put_u64(&f, 99);
        for (uint64_t word = 1; word <= 6; word++)
            put_u64(&f, word);
        if (counters != 0)
            put_u64(&f, 98), put_u64(&f, 97);
        struct record r = decode(&set, PERF_RECORD_SAMPLE, 0, &f, &all);
        struct words got = record_calls(&r);
        CHECK(got.count == 2 * RECORD_BRANCH && words_at(got, 0) == 1 && words_at(got, 5) == 6);
        drop(&set, &f, &all);
    }
}

TEST("a sample may end in the number of its branches, if that is 0")
{
    struct eventset set =
        events_of(branch_event(PERF_SAMPLE_BRANCH_CALL_STACK | PERF_SAMPLE_BRANCH_HW_INDEX));
    struct text f = {0}, all = {0};
    put_u64(&f, 0);
    struct record r = decode(&set, PERF_RECORD_SAMPLE, 0, &f, &all);
    CHECK(record_calls(&r).count == 0);
    drop(&set, &f, &all);
}

TEST("branches of other kinds are no calls")
{
    const uint64_t any = 8; /* PERF_SAMPLE_BRANCH_ANY */
    struct eventset set = events_of(branch_event(any));
    struct text f = {0}, all = {0};
    for (uint64_t word = 1; word <= 4; word++)
        put_u64(&f, word);
    struct record r = decode(&set, PERF_RECORD_SAMPLE, 0, &f, &all);
    CHECK(r.sample.branches.count == RECORD_BRANCH && record_calls(&r).count == 0);
    drop(&set, &f, &all);
}

TEST("a sample that claims more branches than its size holds is refused")
{
    struct eventset set =
        events_of(branch_event(PERF_SAMPLE_BRANCH_CALL_STACK | PERF_SAMPLE_BRANCH_COUNTERS));
    struct text f = {0}, all = {0};
    struct record r;
    /* of the numbers that overflow when they are multiplied by a branch's size, too */
    static const uint64_t claims[] = {1, 2, UINT64_MAX / 24 + 1, UINT64_MAX / 8 + 1, UINT64_MAX};
    for (size_t i = 0; i < sizeof claims / sizeof *claims; i++) {
        put_u64(&f, claims[i]);
        for (uint64_t word = 1; word <= 3; word++)
            put_u64(&f, word);
        all.len = 0;
        put_record(&all, PERF_RECORD_SAMPLE, 0, text_span(&f));
        CHECK_TEXT(span_cstr(record_decode(&set, text_span(&all), &r)),
                   "a sample is shorter than its fields");
        f.len = 0;
    }
    drop(&set, &f, &all);
}

TEST("a sample without registers, stack and period has none, and the event's period")
{
    struct eventset set = events_of((struct event){
        .sample_type = PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER | PERF_SAMPLE_PHYS_ADDR,
        .regs_user = 0xff,
        .period = 4000,
    });
    struct text f = {0}, all = {0};
    put_u64(&f, 0);
    put_u64(&f, 0);
    put_u64(&f, 64);
    struct record r = decode(&set, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_KERNEL, &f, &all);
    CHECK(r.sample.regs_user.values.count == 0 && r.sample.stack.len == 0);
    CHECK(r.sample.period == 4000);
    CHECK(record_time(&set, text_span(&all)) == 0);
    drop(&set, &f, &all);
}

TEST("the counters of a group are given one by one")
{
    struct eventset set = events_of((struct event){
        .sample_type = PERF_SAMPLE_READ,
        .read_format = PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED |
                       PERF_FORMAT_TOTAL_TIME_RUNNING | PERF_FORMAT_ID | PERF_FORMAT_LOST,
    });
    struct text f = {0}, all = {0};
    for (uint64_t v = 0; v < 9; v++)
        put_u64(&f, v == 0 ? 2 : v);
    struct record r = decode(&set, PERF_RECORD_SAMPLE, 0, &f, &all);
    CHECK(r.sample.read.count == 2);
    CHECK(record_counter(&r, 0).value == 3 && record_counter(&r, 0).id == 4);
    CHECK(record_counter(&r, 1).value == 6 && record_counter(&r, 1).id == 7);
    drop(&set, &f, &all);
}

TEST("a counter alone has its value before the times and its id after them")
{
    struct eventset set = events_of((struct event){
        .sample_type = PERF_SAMPLE_READ,
        .read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_ID | PERF_FORMAT_LOST,
    });
    struct text f = {0}, all = {0};
    for (uint64_t v = 1; v <= 4; v++)
        put_u64(&f, v);
    struct record r = decode(&set, PERF_RECORD_SAMPLE, 0, &f, &all);
    struct record_counter c = record_counter(&r, 0);
    CHECK(c.value == 1 && c.id == 3);
    drop(&set, &f, &all);
}

TEST("a record that claims more than its size is refused, at every size")
{
    struct eventset set = events_of(
        (struct event){.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_RAW});
    struct text f = {0}, all = {0};
    struct record r;
    put_u64(&f, 1);
    put_u64(&f, 2);
    put_u64(&f, 0);
    put_u64(&f, 0);
    put_u32(&f, 4);
    put_u32(&f, 0);
    for (size_t size = 0; size <= f.len; size++) {
        all.len = 0;
        put_record(&all, PERF_RECORD_SAMPLE, 0, span_of(f.ptr, size));
        char *exact = malloc(all.len);
        memcpy(exact, all.ptr, all.len);
        CHECK((record_decode(&set, span_of(exact, all.len), &r) == NULL) == (size == f.len));
        free(exact);
    }
    memset(f.ptr + 8, 0xff, 8); /* a callchain of 2^64 - 1 addresses */
    all.len = 0;
    put_record(&all, PERF_RECORD_SAMPLE, 0, text_span(&f));
    CHECK_TEXT(span_cstr(record_decode(&set, text_span(&all), &r)),
               "a sample is shorter than its fields");
    all.ptr[6]--;
    CHECK(record_decode(&set, text_span(&all), &r) != NULL);
    drop(&set, &f, &all);
}

TEST("fields that a later kernel added are refused, since others may follow them")
{
    struct eventset set = events_of((struct event){.sample_type = (uint64_t)1 << 25});
    struct text f = {0}, all = {0};
    struct record r;
    put_record(&all, PERF_RECORD_SAMPLE, 0, SPAN(""));
    CHECK_TEXT(span_cstr(record_decode(&set, text_span(&all), &r)),
               "a sample has fields that a later kernel added");
    drop(&set, &f, &all);
}
