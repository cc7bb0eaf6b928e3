/* perf.data inputs: the recordings of tests/data, and what damage does to them. */
#define _GNU_SOURCE /* memfd_create */
#include "common/event/recording.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/unit/bytes.h"
#include "tests/unit/test.h"

static struct recording g;
static struct lines lines;
static char input[64 * 1024];
static size_t input_size;

static void
load(const char *name)
{
    char path[64];
    snprintf(path, sizeof path, "tests/data/%s", name);
    int fd = open(path, O_RDONLY);
    ssize_t got = fd >= 0 ? read(fd, input, sizeof input) : 0;
    CHECK(got > 0);
    input_size = got > 0 ? (size_t)got : 0;
    close(fd);
}

/* Opens the first `size` bytes of the input as a file. */
static bool
open_input(size_t size)
{
    int fd = memfd_create("perf.data", MFD_CLOEXEC);
    CHECK(fd >= 0 && write(fd, input, size) == (ssize_t)size && lseek(fd, 0, SEEK_SET) == 0);
    lines_start(&lines, fd);
    return recording_open(&g, &lines);
}

static void
close_input(void)
{
    close(lines.fd);
    recording_free(&g);
}

/* Counts records by type to the end, and checks that their times ascend. */
static size_t
count_all(size_t by_type[static 256])
{
    struct record r;
    size_t n = 0;
    uint64_t last = 0;
    memset(by_type, 0, 256 * sizeof *by_type);
    for (enum recording_item item; (item = recording_next(&g, &r)) != RECORDING_END; n++) {
        CHECK(item == RECORDING_RECORD);
        CHECK(r.time == 0 || r.time >= last);
        last = r.time > 0 ? r.time : last;
        by_type[r.type & 255]++;
    }
    return n;
}

TEST("a file gives its events, what describes it, and its records")
{
    size_t by_type[256];
    load("two-events.data");
    CHECK(open_input(input_size));
    CHECK(!g.data.pipe && !g.data.killed);
    CHECK(g.data.events.count == 2);
    CHECK_TEXT(g.data.events.events[0].name, "cpu-clock/period=300000/u");
    CHECK_TEXT(g.data.events.events[1].name, "page-faults/period=6/");
    CHECK_TEXT(g.data.os_release, "6.18");
    CHECK(g.data.nbuild_ids == 4 && g.data.build_ids[1].id.len == 20);
    CHECK(count_all(by_type) == 24);
    CHECK(by_type[PERF_RECORD_SAMPLE] == 16 && by_type[PERF_RECORD_MMAP2] == 4 &&
          by_type[PERF_RECORD_COMM] == 2);
    CHECK(g.data.fault.what == NULL && g.data.section.what == NULL);
    close_input();
}

TEST("a pipe gives its events, its tracing data and its records")
{
    size_t by_type[256];
    load("tracepoints.pipe.data");
    CHECK(open_input(input_size));
    CHECK(count_all(by_type) == 32);
    CHECK(g.data.pipe && g.data.events.count == 2);
    CHECK_TEXT(g.data.events.events[1].name, "syscalls:sys_enter_close");
    CHECK(g.data.events.events[1].type == PERF_TYPE_TRACEPOINT);
    CHECK(span_starts(g.data.tracing, SPAN("\x17\x08\x44tracing")));
    CHECK(by_type[PERF_RECORD_SAMPLE] == 15 && by_type[PERF_RECORD_FORK] == 2);
    close_input();
}

TEST("a pipe that gives one byte at a time is read as a file is")
{
    size_t by_type[256];
    int ends[2];
    load("tracepoints.pipe.data");
    CHECK(pipe(ends) == 0);
    pid_t child = fork();
    if (child == 0) {
        for (size_t i = 0; i < input_size; i++)
            if (write(ends[1], input + i, 1) != 1)
                _exit(1);
        _exit(0);
    }
    close(ends[1]);
    lines_start(&lines, ends[0]);
    CHECK(recording_open(&g, &lines));
    CHECK(count_all(by_type) == 32);
    close_input();
}

TEST("a sample of --call-graph dwarf has its stack, registers and build-ids")
{
    struct record r;
    size_t samples = 0, build_ids = 0;
    load("stack.data");
    CHECK(open_input(input_size));
    while (recording_next(&g, &r) == RECORDING_RECORD) {
        build_ids += r.type == PERF_RECORD_MMAP2 && r.mmap.build_id.len == 20;
        if (r.type != PERF_RECORD_SAMPLE)
            continue;
        uint64_t ip;
        samples++;
        CHECK(r.sample.stack.len > 0 && r.sample.stack.len <= 512);
        CHECK(record_register(r.event->regs_user, &r.sample.regs_user, 8, &ip) &&
              ip == r.sample.ip);
    }
    CHECK(samples == 25 && build_ids > 5);
    close_input();
}

TEST("a recording that was killed is read to its end, and its events are named by their attributes")
{
    size_t by_type[256];
    load("two-events.data");
    size_t end = (size_t)load_u64(input + 40) + (size_t)load_u64(input + 48);
    memset(input + 48, 0, 8); /* the size of the data */
    CHECK(open_input(end));
    CHECK(g.data.killed);
    CHECK_TEXT(g.data.events.events[0].name, "cpu-clock:uH");
    CHECK_TEXT(g.data.events.events[1].name, "page-faults");
    CHECK(count_all(by_type) == 24 && g.data.fault.what == NULL);
    close_input();
}

TEST("a file that was cut gives all records before the cut, and says where it was cut")
{
    size_t by_type[256], last = 0;
    load("two-events.data");
    size_t end = (size_t)load_u64(input + 40) + (size_t)load_u64(input + 48);
    for (size_t size = 0; size < input_size; size++) {
        if (!open_input(size)) {
            CHECK(g.data.fault.what != NULL && size < 424);
        } else {
            size_t n = count_all(by_type);
            CHECK(n == last || n == last + 1);
            CHECK(size >= end ? n == 24 && g.data.fault.what == NULL
                              : g.data.fault.what != NULL && g.data.fault.offset <= size);
            CHECK(g.data.section.what != NULL || size >= end);
            last = n;
        }
        close_input();
    }
    CHECK(last == 24);
}

TEST("a pipe that was cut gives all records before the cut, and says where it was cut")
{
    size_t by_type[256], last = 0;
    load("tracepoints.pipe.data");
    for (size_t size = 16; size < input_size; size++) {
        CHECK(open_input(size));
        size_t n = count_all(by_type);
        CHECK(n == last || n == last + 1);
        CHECK(g.data.fault.what == NULL || g.data.fault.offset <= size);
        last = n;
        close_input();
    }
    CHECK(last == 32);
}

/* Why two-events.data is refused after one byte of it was changed. */
static struct span
refusal(size_t at, char to)
{
    load("two-events.data");
    input[at] = to;
    CHECK(!open_input(input_size));
    struct span what = span_cstr(g.data.fault.what);
    close_input();
    return what;
}

TEST("what cannot be read is refused with the remedy")
{
    CHECK_TEXT(refusal(74, 1 << 2), "is a hardware trace: print it with perf script --itrace");
    CHECK_TEXT(refusal(75, 1 << 0), "is one of several files: record without --threads");
    CHECK_TEXT(refusal(0, 'p'), "is not perf.data");
    load("two-events.data");
    for (size_t i = 0; i < 4; i++) {
        char c = input[i];
        input[i] = input[7 - i];
        input[7 - i] = c;
    }
    CHECK(!open_input(input_size));
    CHECK_TEXT(span_cstr(g.data.fault.what),
               "was recorded on a machine of the other byte order: run perf script there");
    close_input();
}

TEST("a folder, and a file that comes through a pipe, are refused with the remedy")
{
    int ends[2];
    lines_start(&lines, open("tests", O_RDONLY | O_DIRECTORY));
    CHECK(!recording_open(&g, &lines));
    CHECK_TEXT(span_cstr(g.data.fault.what),
               "Is a directory: if perf record --threads made it, record without");
    close_input();
    load("two-events.data");
    CHECK(pipe(ends) == 0 && write(ends[1], input, input_size) == (ssize_t)input_size);
    close(ends[1]);
    lines_start(&lines, ends[0]);
    CHECK(!recording_open(&g, &lines));
    CHECK(span_starts(span_cstr(g.data.fault.what), SPAN("is a file sent through a pipe")));
    close_input();
}

/* Why the rest of a pipe cannot be read that ends with a record of that type and size. */
static struct span
stop_at(uint32_t type, uint16_t size)
{
    size_t by_type[256];
    load("tracepoints.pipe.data");
    memcpy(input + input_size, &(uint64_t){type}, 8);
    memcpy(input + input_size + 6, &size, 2);
    CHECK(open_input(input_size + 8));
    CHECK(count_all(by_type) == 32 && g.data.fault.offset == input_size);
    struct span what = span_cstr(g.data.fault.what);
    close_input();
    return what;
}

TEST("records that cannot be read end the reading, with their offset")
{
    CHECK_TEXT(stop_at(81, 8), "a compressed record is shorter than its contents");
    CHECK_TEXT(stop_at(83, 8), "a compressed record is shorter than its contents");
    CHECK_TEXT(stop_at(71, 8), "here begins a hardware trace: print it with perf script --itrace");
    CHECK_TEXT(stop_at(9, 7), "a record says that it has fewer than 8 bytes; the rest is not read");
    CHECK_TEXT(stop_at(9, 9), "the input ends inside a record");
}

TEST("a record that cannot be decoded is skipped, with its offset")
{
    struct record r;
    load("tracepoints.pipe.data");
    uint64_t sample[1] = {0};
    uint16_t size = sizeof sample;
    sample[0] = PERF_RECORD_SAMPLE;
    memcpy((char *)sample + 6, &size, 2);
    memcpy(input + input_size, sample, sizeof sample);
    CHECK(open_input(input_size + sizeof sample));
    size_t skipped = 0, n = 0;
    for (enum recording_item item; (item = recording_next(&g, &r)) != RECORDING_END; n++)
        if (item == RECORDING_SKIPPED) {
            skipped++;
            CHECK(g.at.what != NULL && g.at.offset == input_size);
        }
    CHECK(n == 33 && skipped == 1 && g.data.fault.what == NULL);
    close_input();
}

/* u32 size, text padded to it */
static void
put_string(struct text *t, struct span s)
{
    put_u32(t, (uint32_t)(s.len / 8 * 8 + 8));
    put_text(t, s);
}

/* What a kind of counter can: one thing with that value. */
static void
put_cap(struct text *t, struct span name, struct span value)
{
    put_u32(t, 1);
    put_string(t, name);
    put_string(t, value);
}

/* How many branches a pipe says that the processor keeps that has such a record of a feature. */
static size_t
branches_of(uint64_t feature, const struct text *caps)
{
    struct text t = {0}, fields = {0};
    struct record r;
    text_add(&t, SPAN("PERFILE2"));
    put_u64(&t, 16);
    put_u64(&fields, feature);
    text_add(&fields, text_span(caps));
    put_record(&t, PERF_RECORD_HEADER_FEATURE, 0, text_span(&fields));
    memcpy(input, t.ptr, t.len);
    CHECK(open_input(t.len) && recording_next(&g, &r) == RECORDING_END);
    size_t branches = g.data.branches;
    close_input();
    free(t.ptr);
    free(fields.ptr);
    return branches;
}

TEST("how many branches the processor keeps is read, of the kind of core that keeps the most")
{
    struct text caps = {0};
    put_cap(&caps, SPAN("branches"), SPAN("16"));
    CHECK(branches_of(HEADER_CPU_PMU_CAPS, &caps) == 16);
    caps.len = 0;
    put_u32(&caps, 3);
    put_cap(&caps, SPAN("branches"), SPAN("8"));
    put_string(&caps, SPAN("cpu_atom"));
    put_cap(&caps, SPAN("branches"), SPAN("32"));
    put_string(&caps, SPAN("cpu_core"));
    put_cap(&caps, SPAN("max_precise"), SPAN("64"));
    put_string(&caps, SPAN("ibs_op"));
    CHECK(branches_of(HEADER_PMU_CAPS, &caps) == 32);
    for (; caps.len > 0; caps.len--)
        CHECK(branches_of(HEADER_PMU_CAPS, &caps) <= 32);
    put_u32(&caps, UINT32_MAX); /* as many as cannot be there */
    CHECK(branches_of(HEADER_PMU_CAPS, &caps) == 0);
    free(caps.ptr);
}

/* A sample of thread `tid`, with the counters 100 and 101 as they stand. */
static void
put_counters(struct text *t, uint32_t tid, uint64_t first, uint64_t second)
{
    struct text fields = {0};
    uint64_t words[] = {100, (uint64_t)tid << 32 | 7, 2, first, 100, second, 101};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        put_u64(&fields, words[i]);
    put_record(t, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, text_span(&fields));
    free(fields.ptr);
}

/* A pipe with two events of one group, whose samples come by put_counters. */
static void
load_group(uint64_t flags)
{
    struct text t = {0}, fields = {0};
    text_add(&t, SPAN("PERFILE2"));
    put_u64(&t, 16);
    for (uint64_t id = 100; id < 102; id++) {
        uint64_t words[9] = {1 | 64ull << 32,
                             id - 100,
                             0,
                             PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TID | PERF_SAMPLE_READ,
                             PERF_FORMAT_ID | PERF_FORMAT_GROUP,
                             flags};
        words[8] = id;
        fields.len = 0;
        for (size_t i = 0; i < 9; i++)
            put_u64(&fields, words[i]);
        put_record(&t, 64, 0, text_span(&fields));
    }
    put_counters(&t, 7, 1000, 0);
    put_counters(&t, 8, 300, 2);
    put_counters(&t, 7, 1500, 5);
    put_counters(&t, 8, 300, 9);
    memcpy(input, t.ptr, input_size = t.len);
    free(t.ptr);
    free(fields.ptr);
}

/* Checks that the next record is a sample of that event and period. */
static void
check_growth(uint32_t tid, uint32_t event, uint64_t period)
{
    struct record r;
    CHECK(recording_next(&g, &r) == RECORDING_RECORD && r.type == PERF_RECORD_SAMPLE);
    CHECK(r.tid == tid && r.event->number == event && r.id == 100 + event);
    CHECK(r.sample.period == period);
}

TEST("a sample of a group comes for each counter that has grown, with the growth as its period")
{
    struct record r;
    load_group(0);
    CHECK(open_input(input_size));
    check_growth(7, 0, 1000);
    check_growth(8, 0, (uint64_t)300 - 1000);
    check_growth(8, 1, 2);
    check_growth(7, 0, 1200);
    check_growth(7, 1, 3);
    check_growth(8, 0, (uint64_t)300 - 1500);
    check_growth(8, 1, 4);
    CHECK(recording_next(&g, &r) == RECORDING_END);
    close_input();
}

TEST("where threads inherit the counters, each thread's grow by themselves")
{
    struct record r;
    load_group(1 << FLAG_INHERIT);
    CHECK(open_input(input_size));
    check_growth(7, 0, 1000);
    check_growth(8, 0, 300);
    check_growth(8, 1, 2);
    check_growth(7, 0, 500);
    check_growth(7, 1, 5);
    check_growth(8, 1, 7);
    CHECK(recording_next(&g, &r) == RECORDING_END);
    close_input();
}

TEST("a counter of an unknown event is skipped, and the others of its sample are not")
{
    struct record r;
    load_group(1 << FLAG_INHERIT);
    input[16 + 8 + 64] = 102; /* the first event's id: a sample of 100 is of none */
    CHECK(open_input(input_size));
    CHECK(recording_next(&g, &r) == RECORDING_SKIPPED);
    CHECK(g.at.what != NULL && g.at.offset == 16 + 2 * 80);
    close_input();
    load_group(1 << FLAG_INHERIT);
    input[16 + 2 * 80 + 8 + 4 * 8] = 102; /* the first counter of the first sample */
    CHECK(open_input(input_size));
    CHECK(recording_next(&g, &r) == RECORDING_SKIPPED);
    CHECK_TEXT(span_cstr(g.at.what), "a counter of a sample belongs to no event of the recording");
    check_growth(8, 0, 300);
    close_input();
}

/* A sample of a thread: in the kernel, and in user code by the cookie unless that is 0. */
static void
put_deferred_sample(struct text *t, uint32_t tid, uint64_t cookie)
{
    struct text fields = {0};
    const uint64_t words[] = {(uint64_t)tid << 32 | 7,    cookie != 0 ? 4 : 2,
                              PERF_CONTEXT_KERNEL,        0xffffffff81000000 + tid,
                              PERF_CONTEXT_USER_DEFERRED, cookie};
    for (size_t i = 0; i < (cookie != 0 ? 6 : 4); i++)
        put_u64(&fields, words[i]);
    put_record(t, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_KERNEL, text_span(&fields));
    free(fields.ptr);
}

static void
put_deferred_chain(struct text *t, uint32_t tid, uint64_t cookie)
{
    struct text fields = {0};
    const uint64_t words[] = {cookie, 2, 0x401000, 0x401100, (uint64_t)tid << 32 | 7};
    for (size_t i = 0; i < 5; i++)
        put_u64(&fields, words[i]);
    put_record(t, PERF_RECORD_CALLCHAIN_DEFERRED, PERF_RECORD_MISC_USER, text_span(&fields));
    free(fields.ptr);
}

/* Begins a pipe with one event, whose samples come by put_deferred_sample. */
static struct text
deferred_pipe(void)
{
    struct text t = {0}, fields = {0};
    const uint64_t words[8] = {
        1 | 64ull << 32, 0, 0, PERF_SAMPLE_TID | PERF_SAMPLE_CALLCHAIN, 0, 1 << FLAG_SAMPLE_ID_ALL};
    text_add(&t, SPAN("PERFILE2"));
    put_u64(&t, 16);
    for (size_t i = 0; i < 8; i++)
        put_u64(&fields, words[i]);
    put_record(&t, 64, 0, text_span(&fields));
    free(fields.ptr);
    return t;
}

static void
open_text(struct text *t)
{
    memcpy(input, t->ptr, input_size = t->len);
    free(t->ptr);
    CHECK(open_input(input_size));
}

/* Checks that the next record is a sample of that thread, with so many addresses and markers, and
 * with that last one. */
static void
check_chain(uint32_t tid, size_t count, uint64_t last)
{
    struct record r;
    CHECK(recording_next(&g, &r) == RECORDING_RECORD && r.type == PERF_RECORD_SAMPLE);
    CHECK(r.tid == tid && r.sample.callchain.count == count);
    CHECK(words_at(r.sample.callchain, count - 1) == last);
}

TEST("samples whose user callchain comes later come with it, all of a thread with one cookie")
{
    struct record r;
    struct text t = deferred_pipe();
    put_deferred_sample(&t, 7, 42);
    put_deferred_sample(&t, 8, 43);
    put_deferred_sample(&t, 9, 0);
    put_deferred_sample(&t, 7, 42);
    put_deferred_chain(&t, 7, 42);
    open_text(&t);
    check_chain(9, 2, 0xffffffff81000009);
    check_chain(7, 5, 0x401100);
    check_chain(7, 5, 0x401100);
    check_chain(8, 2, 0xffffffff81000008); /* the input has ended */
    CHECK(recording_next(&g, &r) == RECORDING_END);
    close_input();
}

TEST("a callchain with another cookie is not the sample's, and without end no samples are held")
{
    struct record r;
    struct text t = deferred_pipe();
    put_deferred_sample(&t, 7, 42);
    put_deferred_chain(&t, 8, 42);
    put_deferred_chain(&t, 7, 44);
    open_text(&t);
    check_chain(7, 2, 0xffffffff81000007);
    CHECK(recording_next(&g, &r) == RECORDING_END);
    close_input();
    t = deferred_pipe();
    for (uint32_t i = 0; i < DEFERRED_MAX / 2; i++)
        put_deferred_sample(&t, 100 + i, 42);
    put_deferred_chain(&t, 101, 42);
    open_text(&t);
    check_chain(101, 5, 0x401100);
    for (uint32_t i = 0; i < DEFERRED_MAX / 2; i++)
        if (i != 1)
            check_chain(100 + i, 2, 0xffffffff81000000 + 100 + i);
    CHECK(recording_next(&g, &r) == RECORDING_END);
    close_input();
}

TEST("records of types that are not known are counted, with the type of the first")
{
    struct record r;
    struct text t = deferred_pipe();
    put_record(&t, 40, 0, SPAN("12345678"));
    put_record(&t, 200, 0, SPAN(""));
    put_deferred_sample(&t, 7, 0);
    open_text(&t);
    check_chain(7, 2, 0xffffffff81000007);
    CHECK(recording_next(&g, &r) == RECORDING_END);
    CHECK(g.data.unknown == 2 && g.data.unknown_type == 40);
    close_input();
}
