/* --wall: what threads do with their time, from records that are made here. */
#include "tests/unit/test.h"

#include "common/event/ownrecord.h"
#include "common/stage/derived.h"

enum { MS = 1000000, SWITCHES = 0, CLOCK = 1 };

/* What came out: "1.012 4/5 10000 running: a b" for a sample, leaf first; "record 1" for another. */
static struct text came;
static struct session session;
static struct wall wall;

static void
note_record(struct recordsink *s, const struct record *r)
{
    char line[256];
    (void)s;
    if (r->type != PERF_RECORD_SAMPLE) {
        struct ownrecord own;
        if (ownrecord_read(r, &own))
            return;
        snprintf(line, sizeof line, "record %u\n", r->type);
        text_add(&came, span_cstr(line));
        return;
    }
    CHECK_TEXT(r->event->name, "wall");
    snprintf(line, sizeof line, "%.3f %u/%u %llu %.*s:", (double)r->time / 1e9, r->pid, r->tid,
             (unsigned long long)r->sample.period, SPAN_ARG(r->sample.raw));
    text_add(&came, span_cstr(line));
    for (size_t i = 0; i < r->sample.callchain.count; i++) {
        snprintf(line, sizeof line, " %llx", (unsigned long long)words_at(r->sample.callchain, i));
        text_add(&came, span_cstr(line));
    }
    text_add(&came, SPAN("\n"));
}

static struct recordsink notes = {.record = note_record};

/* Begins a recording with a sample at each switch, and at a clock's ticks. */
static void
begin(uint64_t least)
{
    struct event switches = {
        .type = PERF_TYPE_SOFTWARE, .config = 3, .sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME};
    struct event ticks = {.type = PERF_TYPE_SOFTWARE, .config = 0};
    event_set(&switches, FLAG_CONTEXT_SWITCH);
    event_set(&switches, FLAG_SAMPLE_ID_ALL);
    came.len = 0;
    session = (struct session){0};
    eventset_add(&session.events, &switches, &session.names);
    eventset_add(&session.events, &ticks, &session.names);
    wall_init(&wall, &session, &notes, least, 0);
    CHECK(!wall.refused);
}

static void
put(struct record *r)
{
    wall.sink.record(&wall.sink, r);
}

static void
own(struct ownrecord o, uint64_t time)
{
    struct text bytes = {0};
    struct record r;
    ownrecord_write(&o, &session.events, time, 0, &bytes);
    CHECK(record_decode(&session.events, text_span(&bytes), &r) == NULL);
    put(&r);
    free(bytes.ptr);
}

static void
began(unsigned flags, uint64_t ms)
{
    own((struct ownrecord){.what = OWN_BEGAN, .began = ms * MS, .flags = flags}, 0);
}

static void
queued(uint32_t tid, uint64_t so_far, uint64_t ms)
{
    own((struct ownrecord){.what = OWN_QUEUED, .pid = 4, .tid = tid, .queued = so_far * MS},
        ms * MS);
}

/* A sample of a thread with one address, at a switch or a tick. */
static void
sample(uint32_t tid, unsigned event, uint64_t addr, uint64_t ms)
{
    struct record r = {.type = PERF_RECORD_SAMPLE,
                       .misc = PERF_RECORD_MISC_USER,
                       .event = &session.events.events[event],
                       .time = ms * MS,
                       .pid = 4,
                       .tid = tid,
                       .sample = {.ip = addr, .callchain = {(const char *)&addr, 1}}};
    put(&r);
}

static void
change(uint32_t tid, unsigned misc, uint64_t ms)
{
    struct record r = {
        .type = PERF_RECORD_SWITCH, .misc = (uint16_t)misc, .time = ms * MS, .pid = 4, .tid = tid};
    put(&r);
}

static void
runs(uint32_t tid, uint64_t ms)
{
    change(tid, 0, ms);
}

/* The thread is switched out at an address. */
static void
waits(uint32_t tid, uint64_t addr, uint64_t ms)
{
    sample(tid, SWITCHES, addr, ms);
    change(tid, PERF_RECORD_MISC_SWITCH_OUT, ms);
}

static void
task(uint32_t type, uint32_t pid, uint32_t tid, uint32_t ptid, uint64_t ms)
{
    struct record r = {
        .type = type, .time = ms * MS, .task = {.pid = pid, .ppid = 4, .tid = tid, .ptid = ptid}};
    put(&r);
}

/* Ends the recording, and returns what came out. */
static struct span
end(uint64_t ms)
{
    if (ms > 0)
        own((struct ownrecord){.what = OWN_ENDED}, ms * MS);
    wall.sink.finish(&wall.sink);
    return text_span(&came);
}

TEST("time on a CPU belongs to the next sample, time off it to the stack at the switch")
{
    begin(0);
    runs(5, 1000);
    sample(5, CLOCK, 0xa, 1010);
    waits(5, 0xb, 1012);
    runs(5, 2000);
    sample(5, CLOCK, 0xc, 2003);
    CHECK_TEXT(end(2004), "1.010 4/5 10000 running: a\n"
                          "2.000 4/5 988000 waiting: b\n"
                          "2.003 4/5 5000 running: c\n"
                          "2.004 4/5 1000 running:\n");
}

TEST("what is left over on a CPU belongs to the stack after the longest run")
{
    begin(0);
    for (unsigned i = 0; i < 3; i++) {
        runs(5, 100 + 20 * i);
        waits(5, 0xb0 + i, 100 + 20 * i + (i == 1 ? 9 : 1));
    }
    CHECK_TEXT(end(200), "0.120 4/5 19000 waiting: b0\n"
                         "0.140 4/5 11000 waiting: b1\n"
                         "0.200 4/5 59000 waiting: b2\n"
                         "0.200 4/5 11000 running: b1\n");
}

TEST("samples of the same stack from before code got a name, and from after it, are added up apart")
{
    begin(0);
    runs(5, 1000);
    sample(5, CLOCK, 0xa, 1110);
    own((struct ownrecord){.what = OWN_CODE, .pid = 4, .code = {0xa, 1, SPAN("JS:a")}},
        1120 * (uint64_t)MS);
    sample(5, CLOCK, 0xa, 1130);
    sample(5, CLOCK, 0xa, 1140);
    CHECK_TEXT(end(1140), "1.110 4/5 110000 running: a\n1.140 4/5 30000 running: a\n");
}

TEST("a thread that could run on waits for a CPU")
{
    begin(0);
    runs(5, 100);
    sample(5, SWITCHES, 0xb, 110);
    change(5, PERF_RECORD_MISC_SWITCH_OUT | PERF_RECORD_MISC_SWITCH_OUT_PREEMPT, 110);
    runs(5, 130);
    CHECK_TEXT(end(130), "0.130 4/5 20000 ready: b\n0.130 4/5 10000 running: b\n");
}

TEST("of the waits before a count, what the thread was ready then is taken in equal parts")
{
    begin(0);
    began(0, 50);
    queued(5, 7, 0);
    runs(5, 100);
    waits(5, 0xb, 101);
    runs(5, 201);
    waits(5, 0xc, 202);
    runs(5, 302);
    queued(5, 17, 350); /* 10 ms ready in three waits: that which ends at 100 is one */
    waits(5, 0xd, 400);
    CHECK_TEXT(end(400), "0.100 4/5 50000 waiting:\n"
                         "0.201 4/5 95000 waiting: b\n"
                         "0.201 4/5 5000 ready: b\n"
                         "0.302 4/5 95000 waiting: c\n"
                         "0.302 4/5 5000 ready: c\n"
                         "0.400 4/5 100000 running: d\n");
}

TEST("preemption that the records have is not taken from the waits again")
{
    begin(0);
    queued(5, 0, 0);
    runs(5, 100);
    sample(5, SWITCHES, 0xb, 110);
    change(5, PERF_RECORD_MISC_SWITCH_OUT | PERF_RECORD_MISC_SWITCH_OUT_PREEMPT, 110);
    runs(5, 130);
    waits(5, 0xc, 140);
    runs(5, 200);
    queued(5, 26, 210);
    CHECK_TEXT(end(210), "0.100 4/5 100000 waiting:\n"
                         "0.130 4/5 20000 ready: b\n"
                         "0.200 4/5 54000 waiting: c\n"
                         "0.200 4/5 6000 ready: c\n"
                         "0.210 4/5 30000 running: c\n");
}

TEST("a thread that never runs has its whole time, with the stack that was found at the end")
{
    const uint64_t chain[] = {PERF_CONTEXT_USER, 0xabc};
    begin(0);
    began(0, 1000);
    queued(5, 0, 0);
    queued(6, 0, 0);
    own(
        (struct ownrecord){
            .what = OWN_STACK, .pid = 4, .tid = 5, .ip = 0xabc, .chain = {(const char *)chain, 2}},
        3000 * (uint64_t)MS);
    CHECK_TEXT(end(3000), "3.000 4/5 2000000 waiting: fffffffffffffe00 abc\n"
                          "3.000 4/6 2000000 waiting:\n");
}

TEST("sums are passed on at full seconds of the records' time, whatever rounds there are")
{
    begin(0);
    runs(5, 100);
    waits(5, 0xb, 200);
    runs(5, 300);
    for (int i = 0; i < 9; i++)
        sink_round(&wall.sink);
    CHECK(came.len == 0);
    waits(5, 0xb, 2100);
    CHECK_TEXT(text_span(&came), "0.300 4/5 100000 waiting: b\n");
    CHECK_TEXT(end(2100), "0.300 4/5 100000 waiting: b\n2.100 4/5 1900000 running: b\n");
}

TEST("sums are passed on before their process changes its maps")
{
    struct record map = {.type = PERF_RECORD_MMAP2, .time = 400 * MS, .mmap = {.pid = 4}};
    begin(0);
    runs(5, 100);
    waits(5, 0xb, 200);
    runs(5, 300);
    put(&map);
    map.mmap.pid = 9;
    put(&map);
    CHECK_TEXT(text_span(&came), "0.300 4/5 100000 waiting: b\nrecord 10\nrecord 10\n");
    end(400);
}

TEST("a new thread waits for a CPU until it runs, and its time ends with it")
{
    begin(0);
    task(PERF_RECORD_FORK, 4, 6, 5, 100);
    runs(6, 105);
    waits(6, 0xb, 110);
    task(PERF_RECORD_EXIT, 4, 6, 5, 130);
    CHECK_TEXT(end(500), "record 7\n"
                         "0.105 4/6 5000 ready:\n"
                         "0.130 4/6 20000 waiting: b\n"
                         "0.130 4/6 5000 running: b\n"
                         "record 4\n");
}

TEST("where other tasks' records are there too, what unknown threads start is none of ours")
{
    begin(0);
    began(OWN_OTHERS, 100);
    queued(5, 0, 0);
    task(PERF_RECORD_FORK, 9, 9, 8, 150);
    task(PERF_RECORD_FORK, 4, 6, 5, 180);
    CHECK_TEXT(end(200), "record 7\nrecord 7\n"
                         "0.200 4/5 100000 waiting:\n"
                         "0.200 4/6 20000 ready:\n");
}

TEST("waits below the least are left out and counted")
{
    begin(2000);
    runs(5, 100);
    waits(5, 0xb, 110);
    runs(5, 111);
    waits(5, 0xc, 120);
    runs(5, 123);
    CHECK_TEXT(end(123), "0.123 4/5 3000 waiting: c\n0.123 4/5 19000 running: b\n");
    CHECK(wall.too_short == 1);
}

TEST("records after the counters were stopped add no time, and without a record of that the last "
     "is the end")
{
    begin(0);
    runs(5, 100);
    waits(5, 0xb, 110);
    own((struct ownrecord){.what = OWN_ENDED}, 200 * (uint64_t)MS);
    runs(5, 230);
    CHECK_TEXT(end(0), "0.200 4/5 90000 waiting: b\n0.200 4/5 10000 running: b\n");
    begin(0);
    runs(5, 100);
    waits(5, 0xb, 110);
    runs(6, 140);
    CHECK_TEXT(end(0), "0.140 4/5 30000 waiting: b\n0.140 4/5 10000 running: b\n");
}

TEST("a recording that does not have each switch, and when threads run again, is refused")
{
    struct event e = {
        .type = PERF_TYPE_SOFTWARE, .config = 3, .sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME};
    session = (struct session){0};
    wall_init(&wall, &session, &notes, 0, 0);
    CHECK(wall.refused);
    eventset_add(&session.events, &e, &session.names);
    wall_init(&wall, &session, &notes, 0, 0);
    CHECK(wall.refused); /* no records of switches */
    event_set(&session.events.events[0], FLAG_CONTEXT_SWITCH);
    wall_init(&wall, &session, &notes, 0, 0);
    CHECK(!wall.refused);
    session.events.events[0].period = 2; /* not each switch */
    wall_init(&wall, &session, &notes, 0, 0);
    CHECK(wall.refused);
}

TEST("without --wall and --off-cpu records go on as they are, and no wait was left out")
{
    struct derived d = {0};
    const struct derive_options neither = {0};
    const struct record sample_of_any = {.type = PERF_RECORD_SAMPLE};
    const char *problem;
    CHECK(derived_too_short(&d) == 0 && derived_endless(&d) == 0 && !derived_is_refused(&d));
    session = (struct session){0};
    CHECK(derived_init(&d, &neither, &session, &notes, &problem) == &notes && problem == NULL);
    CHECK(derived_session(&d, &session) == &session && derived_takes(&d, &sample_of_any));
    derived_free(&d);
}
