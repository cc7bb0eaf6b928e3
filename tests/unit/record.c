/* Records of the kernel that are not samples, and the events that records belong to. */
#include "tests/unit/record.h"

#include "common/event/ownrecord.h"

/* sample_id of events with TID, TIME, CPU and IDENTIFIER. */
static const uint64_t id_type =
    PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER;

static void
put_id(struct text *t)
{
    put_u32(t, 10);
    put_u32(t, 11);
    put_u64(t, 123456789);
    put_u32(t, 3);
    put_u32(t, 0);
    put_u64(t, 77);
}

static void
check_id(const struct record *r)
{
    CHECK(r->has == (id_type & ~(uint64_t)PERF_SAMPLE_IP));
    CHECK(r->pid == 10 && r->tid == 11 && r->time == 123456789 && r->cpu == 3 && r->id == 77);
}

TEST("lines of a perf map are written as a record that gives them again")
{
    struct eventset set = events_of((struct event){.sample_type = id_type});
    const char *const texts[] = {"1000 10 a\n", "1000 10 ab\n2000 10 JS:*f /x.js:1:2\n", ""};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct ownrecord again,
            lines = {.what = OWN_LINES, .lines = {42, i == 1, span_cstr(texts[i])}};
        struct text t = {0};
        struct record r;
        ownrecord_write(&lines, &set, 123456789, 0, &t);
        CHECK(t.len % 8 == 0);
        CHECK(record_decode(&set, text_span(&t), &r) == NULL);
        CHECK(r.time == 123456789 && record_time(&set, text_span(&t)) == 123456789);
        CHECK(ownrecord_read(&r, &again) && again.what == OWN_LINES);
        CHECK(again.lines.pid == 42 && again.lines.begins == (i == 1));
        CHECK_TEXT(again.lines.lines, texts[i]);
        r.misc = PERF_RECORD_MISC_KERNEL;
        CHECK(!ownrecord_read(&r, &again));
        free(t.ptr);
    }
}

TEST("what a thread waited for a CPU, its stack, and when counting began and ended are records too")
{
    struct eventset set = events_of((struct event){.sample_type = id_type});
    const uint64_t chain[] = {PERF_CONTEXT_USER, 0x401000};
    const struct ownrecord written[] = {
        {.what = OWN_QUEUED, .pid = 4, .tid = 5, .queued = 6},
        {.what = OWN_STACK,
         .pid = 4,
         .tid = 5,
         .ip = 0x401000,
         .sp = 0x7ffc0000,
         .chain = {(const char *)chain, 2},
         .stack = SPAN("of this")},
        {.what = OWN_BEGAN, .pid = 3, .began = 7, .flags = OWN_OTHERS},
        {.what = OWN_ENDED},
        {.what = OWN_CODE, .pid = 4, .code = {0x1000, 64, SPAN("JS:*f file:///x.js:1:2")}},
        {.what = OWN_CODE, .pid = 4, .code = {0, UINT64_MAX, SPAN("")}},
        {.what = OWN_DESCRIPTOR, .pid = 4, .descriptor = 3, .path = SPAN("/etc/passwd")},
        {.what = OWN_STRING, .pid = 4, .tid = 5, .string = {0x10, SPAN("/etc"), true}},
        {.what = OWN_INLINED, .pid = 4, .code = {0x1010, 1, SPAN("JS:*g file:///x.js:3:4")}},
        {.what = OWN_SRCLINES, .pid = 4, .code = {0x1010, 1, SPAN("/x.js:3\n/x.js:5")}},
        {.what = OWN_TRAMPOLINE, .pid = 4, .trampoline = 0x2000},
    };
    for (size_t i = 0; i < sizeof written / sizeof *written; i++) {
        struct text t = {0};
        struct record r;
        struct ownrecord o;
        ownrecord_write(&written[i], &set, 123456789, RECORD_MISC_CUT, &t);
        CHECK(t.len % 8 == 0 && record_decode(&set, text_span(&t), &r) == NULL);
        CHECK(r.time == 123456789 && (r.misc & RECORD_MISC_CUT) != 0);
        CHECK(ownrecord_read(&r, &o) && o.what == written[i].what);
        CHECK(o.pid == written[i].pid && o.tid == written[i].tid && o.queued == written[i].queued);
        CHECK(o.ip == written[i].ip && o.sp == written[i].sp);
        CHECK(o.chain.count == written[i].chain.count && span_eq(o.stack, written[i].stack));
        CHECK(o.chain.count == 0 || words_at(o.chain, 1) == 0x401000);
        CHECK(o.began == written[i].began && o.flags == written[i].flags);
        CHECK(o.code.start == written[i].code.start && o.code.size == written[i].code.size);
        CHECK(span_eq(o.code.label, written[i].code.label));
        CHECK(o.trampoline == written[i].trampoline);
        CHECK(o.string.addr == written[i].string.addr);
        CHECK(o.string.goes_on == written[i].string.goes_on);
        CHECK(span_eq(o.string.text, written[i].string.text));
        CHECK(o.descriptor == written[i].descriptor && span_eq(o.path, written[i].path));
        free(t.ptr);
    }
}

TEST("a label that does not fit into a record loses its end")
{
    struct eventset set = events_of((struct event){.sample_type = id_type});
    struct text label = {0}, t = {0};
    struct record r;
    struct ownrecord o;
    for (size_t i = 0; i <= UINT16_MAX; i++)
        text_add(&label, SPAN("x"));
    o = (struct ownrecord){.what = OWN_CODE, .code = {1, 2, text_span(&label)}};
    ownrecord_write(&o, &set, 123456789, 0, &t);
    CHECK(record_decode(&set, text_span(&t), &r) == NULL && r.time == 123456789);
    CHECK(ownrecord_read(&r, &o) && o.code.size == 2 && o.code.label.len == OWNCODE_LABEL);
    free(label.ptr);
    free(t.ptr);
}

TEST("code that ends after the last address has no name")
{
    struct eventset set = events_of((struct event){.sample_type = id_type});
    struct ownrecord o = {.what = OWN_CODE, .code = {16, UINT64_MAX - 15, SPAN("f")}};
    struct text t = {0};
    struct record r;
    ownrecord_write(&o, &set, 1, 0, &t);
    CHECK(record_decode(&set, text_span(&t), &r) == NULL && !ownrecord_read(&r, &o));
    o.code.size--;
    ownrecord_write(&o, &set, 1, 0, &t);
    CHECK(record_decode(&set, text_span(&t), &r) == NULL && ownrecord_read(&r, &o));
    free(t.ptr);
}

TEST("a change of the kernel's code has no lines, nor has one that is too short")
{
    struct eventset set = events_of((struct event){.sample_type = id_type});
    struct text f = {0}, all = {0};
    struct ownrecord own;
    put_u64(&f, OWN_LINES + 1);
    text_add(&f, SPAN("\10\0\0\0abcdefgh\0\0\0\0"));
    put_id(&f);
    struct record r = decode(&set, PERF_RECORD_TEXT_POKE, PERF_RECORD_MISC_USER, &f, &all);
    CHECK(r.poke.addr == OWN_LINES + 1);
    CHECK_TEXT(r.poke.old, "abcdefgh");
    CHECK(!ownrecord_read(&r, &own));
    put_u64(&f, OWN_LINES);
    text_add(&f, SPAN("\4\0\0\0\1\0\0\0"));
    put_id(&f);
    r = decode(&set, PERF_RECORD_TEXT_POKE, PERF_RECORD_MISC_USER, &f, &all);
    CHECK(!ownrecord_read(&r, &own));
}

TEST("MMAP2 has an inode or a build-id, and sample_id after its file")
{
    struct eventset set = events_of((struct event){.sample_type = id_type});
    struct text f = {0}, all = {0};
    for (int with_build_id = 0; with_build_id < 2; with_build_id++) {
        put_u32(&f, 10);
        put_u32(&f, 12);
        put_u64(&f, 0x400000);
        put_u64(&f, 0x1000);
        put_u64(&f, 0x2000);
        text_add(&f, with_build_id ? SPAN("\4\0\0\0ABCDefghijklmnopqrst")
                                   : SPAN("\1\0\0\0\2\0\0\0\3\0\0\0\0\0\0\0\4\0\0\0\0\0\0\0"));
        put_u32(&f, 5);
        put_u32(&f, 2);
        put_text(&f, SPAN("/usr/bin/node"));
        put_id(&f);
        struct record r =
            decode(&set, PERF_RECORD_MMAP2,
                   with_build_id ? PERF_RECORD_MISC_USER | PERF_RECORD_MISC_MMAP_BUILD_ID
                                 : PERF_RECORD_MISC_USER,
                   &f, &all);
        CHECK(r.mmap.pid == 10 && r.mmap.tid == 12 && r.mmap.addr == 0x400000);
        CHECK(r.mmap.len == 0x1000 && r.mmap.pgoff == 0x2000);
        CHECK(r.mmap.prot == 5 && r.mmap.flags == 2);
        CHECK_TEXT(r.mmap.file, "/usr/bin/node");
        CHECK_TEXT(r.mmap.build_id, with_build_id ? "ABCD" : "");
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
        CHECK(with_build_id || (r.mmap.major == 1 && r.mmap.minor == 2 && r.mmap.inode == 3 &&
                                r.mmap.inode_generation == 4));
#endif
        check_id(&r);
        CHECK(record_time(&set, text_span(&all)) == 123456789);
    }
    drop(&set, &f, &all);
}

TEST("MMAP, COMM, FORK and EXIT are decoded")
{
    struct eventset set = events_of((struct event){.sample_type = id_type});
    struct text f = {0}, all = {0};
    put_u32(&f, UINT32_MAX);
    put_u32(&f, 0);
    put_u64(&f, 0x1);
    put_u64(&f, 0x2);
    put_u64(&f, 0x3);
    put_text(&f, SPAN("[kernel.kallsyms]_text"));
    put_id(&f);
    struct record r = decode(&set, PERF_RECORD_MMAP, PERF_RECORD_MISC_KERNEL, &f, &all);
    CHECK(r.mmap.pid == UINT32_MAX && r.mmap.addr == 1 && r.mmap.len == 2 && r.mmap.pgoff == 3);
    CHECK_TEXT(r.mmap.file, "[kernel.kallsyms]_text");
    check_id(&r);
    put_u32(&f, 10);
    put_u32(&f, 12);
    put_text(&f, SPAN("V8 Worker"));
    put_id(&f);
    r = decode(&set, PERF_RECORD_COMM, PERF_RECORD_MISC_COMM_EXEC, &f, &all);
    CHECK(r.comm.pid == 10 && r.comm.tid == 12);
    CHECK_TEXT(r.comm.comm, "V8 Worker");
    for (uint32_t i = 1; i <= 4; i++)
        put_u32(&f, i);
    put_u64(&f, 5);
    put_id(&f);
    r = decode(&set, PERF_RECORD_FORK, 0, &f, &all);
    CHECK(r.task.pid == 1 && r.task.ppid == 2 && r.task.tid == 3 && r.task.ptid == 4);
    check_id(&r);
    drop(&set, &f, &all);
}

TEST("LOST, LOST_SAMPLES and KSYMBOL are decoded, and sample_id of SWITCH")
{
    struct eventset set = events_of((struct event){.sample_type = id_type});
    struct text f = {0}, all = {0};
    put_u64(&f, 6);
    put_u64(&f, 1234);
    put_id(&f);
    struct record r = decode(&set, PERF_RECORD_LOST, 0, &f, &all);
    CHECK(r.lost == 1234);
    check_id(&r);
    put_u64(&f, 99);
    put_id(&f);
    r = decode(&set, PERF_RECORD_LOST_SAMPLES, 0, &f, &all);
    CHECK(r.lost == 99);
    put_u64(&f, 0xffffffffc0000000);
    put_u32(&f, 64);
    put_u16(&f, 1);
    put_u16(&f, 1);
    put_text(&f, SPAN("bpf_prog_1"));
    put_id(&f);
    r = decode(&set, PERF_RECORD_KSYMBOL, 0, &f, &all);
    CHECK(r.ksymbol.addr == 0xffffffffc0000000 && r.ksymbol.len == 64 && r.ksymbol.flags == 1);
    CHECK_TEXT(r.ksymbol.name, "bpf_prog_1");
    put_id(&f);
    r = decode(&set, PERF_RECORD_SWITCH, 0, &f, &all);
    check_id(&r);
    drop(&set, &f, &all);
}

TEST("a record of an unknown type has its sample_id; one that perf added has none")
{
    struct eventset set = events_of((struct event){.sample_type = id_type});
    struct text f = {0}, all = {0};
    put_u64(&f, 1);
    put_id(&f);
    struct record r = decode(&set, 40, 0, &f, &all);
    check_id(&r);
    put_id(&f);
    r = decode(&set, PERF_RECORD_FINISHED_ROUND, 0, &f, &all);
    CHECK(r.has == 0 && r.time == 0 && record_time(&set, text_span(&all)) == 0);
    drop(&set, &f, &all);
}

TEST("the event of a record is found by IDENTIFIER, or by ID where samples have that")
{
    static const uint64_t types[] = {PERF_SAMPLE_IP | PERF_SAMPLE_TIME | PERF_SAMPLE_IDENTIFIER,
                                     PERF_SAMPLE_IP | PERF_SAMPLE_ID | PERF_SAMPLE_CPU};
    for (size_t i = 0; i < 2; i++) {
        struct eventset set = events_of((struct event){.sample_type = types[i]});
        struct event e = {.sample_type = types[i], .flags = 1 << FLAG_SAMPLE_ID_ALL};
        struct text f = {0}, all = {0};
        eventset_add(&set, &e, &names);
        eventset_add_id(&set, 100, &set.events[0]);
        eventset_add_id(&set, 200, &set.events[1]);
        put_u64(&f, i == 0 ? 200 : 0x400000); /* a sample: identifier, ip, time; or ip, id, cpu */
        put_u64(&f, i == 0 ? 0x400000 : 200);
        put_u64(&f, 1);
        struct record r = decode(&set, PERF_RECORD_SAMPLE, 0, &f, &all);
        CHECK(r.event == &set.events[1] && r.sample.ip == 0x400000);
        put_u64(&f, i == 0 ? 1 : 200); /* sample_id: time, identifier; or id, cpu */
        put_u64(&f, i == 0 ? 200 : 1);
        r = decode(&set, PERF_RECORD_SWITCH, 0, &f, &all);
        CHECK(r.event == &set.events[1] && r.id == 200);
        put_u64(&f, 0); /* as in records that perf made itself */
        put_u64(&f, 0);
        r = decode(&set, PERF_RECORD_SWITCH, 0, &f, &all);
        CHECK(r.event == &set.events[0]);
        drop(&set, &f, &all);
    }
}

TEST("a sample with the id of no event cannot be decoded")
{
    struct eventset set = events_of((struct event){.sample_type = PERF_SAMPLE_IDENTIFIER});
    struct event e = {.sample_type = PERF_SAMPLE_IDENTIFIER};
    struct text f = {0}, all = {0};
    struct record r;
    eventset_add(&set, &e, &names);
    put_u64(&f, 300);
    put_record(&all, PERF_RECORD_SAMPLE, 0, text_span(&f));
    CHECK_TEXT(span_cstr(record_decode(&set, text_span(&all), &r)),
               "a sample belongs to no event of the recording");
    drop(&set, &f, &all);
}
