#include "tests/unit/test.h"

#include "common/event/ownrecord.h"
#include "common/stage/offcpu.h"
#include "common/stage/queue.h"
#include "tests/unit/tracedata.h"

static const char switch_format[] =
    "name: sched_switch\nID: 372\nformat:\n"
    "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\n"
    "\tfield:pid_t prev_pid;\toffset:16;\tsize:4;\tsigned:1;\n"
    "\tfield:long prev_state;\toffset:8;\tsize:8;\tsigned:1;\n"
    "\tfield:pid_t next_pid;\toffset:20;\tsize:4;\tsigned:1;\n"
    "\nprint fmt: \"%d\", REC->prev_state\n";

enum { SECOND = 1000000000, MS = 1000000, SLEEPING = 1, DISK = 2, ZOMBIE = 32, PREEMPTED = 256 };

/* What came out, a line for each. */
static struct text came;

/* "1.5 12/34 2000 state S: a b" for a sample; the type for another record. */
static void
note_record(struct recordsink *s, const struct record *r)
{
    char line[256];
    (void)s;
    if (r->type != PERF_RECORD_SAMPLE) {
        snprintf(line, sizeof line, "record %u\n", r->type);
        text_add(&came, span_cstr(line));
        return;
    }
    snprintf(line, sizeof line, "%.3f %u/%u %s %llu %.*s:", (double)r->time / SECOND, r->pid,
             r->tid, span_eq(r->event->name, SPAN("off-cpu")) ? "off-cpu" : "other",
             (unsigned long long)r->sample.period, SPAN_ARG(r->sample.raw));
    text_add(&came, span_cstr(line));
    for (size_t i = 0; i < r->sample.callchain.count; i++) {
        snprintf(line, sizeof line, " %llx", (unsigned long long)words_at(r->sample.callchain, i));
        text_add(&came, span_cstr(line));
    }
    text_add(&came, SPAN("\n"));
}

static void
note_round(struct recordsink *s)
{
    (void)s;
    text_add(&came, SPAN("round\n"));
}

static void
note_finish(struct recordsink *s)
{
    (void)s;
    text_add(&came, SPAN("finish\n"));
}

static struct recordsink notes = {note_record, note_round, note_finish, NULL};
static struct session session;
static struct offcpu offcpu;
static struct text tracing;

/* The event of sched_switch, every occurrence, with SWITCH records. */
static struct event
usual(void)
{
    return (struct event){.name = SPAN("sched:sched_switch"),
                          .type = PERF_TYPE_TRACEPOINT,
                          .config = 372,
                          .period = 1,
                          .flags = 1 << FLAG_CONTEXT_SWITCH,
                          .sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU |
                                         PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_RAW};
}

/* Begins a recording with that event; `least` is in microseconds. */
static void
begin_with(struct event e, uint64_t least)
{
    struct arena names = {0};
    came.len = tracing.len = 0;
    tracedata_one(&tracing, 8, span_cstr(switch_format), SPAN(""));
    session = (struct session){.tracing = text_span(&tracing)};
    eventset_add(&session.events, &e, &names);
    CHECK(offcpu_init(&offcpu, &session, &notes, least) == NULL);
    offcpu.ended = 100 * (uint64_t)SECOND;
}

static void
begin(uint64_t least)
{
    begin_with(usual(), least);
}

static void
end(void)
{
    offcpu.sink.finish(&offcpu.sink);
    eventset_free(&session.events);
    offcpu_free(&offcpu);
}

/* The sample of a switch at so many milliseconds, with a stack of one address. */
static void
stop(uint32_t pid, uint32_t tid, uint64_t ms, uint64_t state, uint64_t addr)
{
    char raw[16] = {0};
    memcpy(raw + 8, &state, sizeof state);
    struct record r = {
        .type = PERF_RECORD_SAMPLE,
        .event = &session.events.events[0],
        .pid = pid,
        .tid = tid,
        .time = ms * MS,
        .sample = {.callchain = {(const char *)&addr, 1}, .raw = span_of(raw, sizeof raw)}};
    offcpu.sink.record(&offcpu.sink, &r);
}

/* The record of it. */
static void
leave(uint32_t tid, uint64_t ms, uint16_t misc)
{
    struct record r = {.type = PERF_RECORD_SWITCH,
                       .misc = PERF_RECORD_MISC_SWITCH_OUT | misc,
                       .tid = tid,
                       .time = ms * MS};
    offcpu.sink.record(&offcpu.sink, &r);
}

static void
out(uint32_t pid, uint32_t tid, uint64_t ms, uint64_t state, uint64_t addr)
{
    stop(pid, tid, ms, state, addr);
    leave(tid, ms, 0);
}

static void
in(uint32_t tid, uint64_t ms)
{
    struct record r = {.type = PERF_RECORD_SWITCH, .tid = tid, .time = ms * MS};
    offcpu.sink.record(&offcpu.sink, &r);
}

static void
pass(struct record r)
{
    offcpu.sink.record(&offcpu.sink, &r);
}

TEST("a wait is a sample of its microseconds, at the time when the thread runs again")
{
    begin(1);
    out(12, 34, 1000, SLEEPING, 0xa);
    in(34, 1250);
    end();
    CHECK_TEXT(text_span(&came), "1.250 12/34 off-cpu 250000 state S: a\nfinish\n");
}

TEST("a wait begins when the thread is off the CPU, after its stack was unwound")
{
    begin(1);
    stop(12, 34, 1000, SLEEPING, 0xa);
    leave(34, 1001, 0);
    in(34, 1250);
    end();
    CHECK_TEXT(text_span(&came), "1.250 12/34 off-cpu 249000 state S: a\nfinish\n");
}

TEST("waits of several threads are paired by thread, whichever CPU they come back on")
{
    begin(1);
    out(1, 2, 10, SLEEPING, 0xa);
    out(1, 3, 20, DISK, 0xb);
    in(2, 30);
    out(1, 2, 35, PREEMPTED, 0xc);
    in(3, 40);
    in(2, 41);
    end();
    CHECK_TEXT(text_span(&came), "0.030 1/2 off-cpu 20000 state S: a\n"
                                 "0.040 1/3 off-cpu 20000 state D: b\n"
                                 "0.041 1/2 off-cpu 6000 state R: c\nfinish\n");
}

TEST("waits with the same thread, state and stack are added up until a full second")
{
    begin(1);
    out(1, 2, 10, SLEEPING, 0xa);
    in(2, 30);
    sink_round(&offcpu.sink);
    out(1, 2, 40, SLEEPING, 0xa);
    in(2, 45);
    out(1, 2, 50, SLEEPING, 0xb);
    in(2, 51);
    out(1, 2, 900, SLEEPING, 0xa);
    in(2, 999);
    CHECK_TEXT(text_span(&came), "round\n");
    out(1, 2, 1000, SLEEPING, 0xa);
    CHECK_TEXT(text_span(&came), "round\n"
                                 "0.051 1/2 off-cpu 1000 state S: b\n"
                                 "0.999 1/2 off-cpu 124000 state S: a\n");
    in(2, 1001);
    end();
}

TEST("threads that wait at the end are samples too, marked so")
{
    begin(1);
    out(1, 2, 99000, SLEEPING, 0xa);
    out(1, 3, 99990, SLEEPING, 0xb);
    in(3, 99999);
    end();
    CHECK_TEXT(text_span(&came), "99.999 1/3 off-cpu 9000 state S: b\n"
                                 "100.000 1/2 off-cpu 1000000 state S, still waiting: a\nfinish\n");
}

TEST("a thread that has ended waits for nothing")
{
    begin(1);
    out(1, 2, 10, SLEEPING, 0xa);
    pass((struct record){.type = PERF_RECORD_EXIT, .time = 15 * MS, .task = {.pid = 1, .tid = 2}});
    out(1, 3, 20, ZOMBIE, 0xb);
    end();
    CHECK_TEXT(text_span(&came), "record 4\nfinish\n");
}

TEST("waits below the least are left out and counted")
{
    begin(5000);
    out(1, 2, 10, SLEEPING, 0xa);
    in(2, 14);
    out(1, 2, 20, SLEEPING, 0xa);
    in(2, 25);
    CHECK(offcpu.too_short == 1);
    end();
    CHECK_TEXT(text_span(&came), "0.025 1/2 off-cpu 5000 state S: a\nfinish\n");
}

TEST("a thread that runs again without having been seen to stop gives nothing")
{
    begin(1);
    in(2, 10);
    out(0, 0, 20, PREEMPTED, 0xa); /* the idle task */
    in(0, 30);
    end();
    CHECK_TEXT(text_span(&came), "finish\n");
}

TEST("what was added up is passed on before the process changes its names and maps")
{
    begin(1);
    out(1, 2, 10, SLEEPING, 0xa);
    in(2, 20);
    pass((struct record){.type = PERF_RECORD_MMAP2, .time = 25 * MS, .mmap = {.pid = 7}});
    pass((struct record){.type = PERF_RECORD_COMM, .time = 26 * MS, .comm = {.pid = 1, .tid = 2}});
    end();
    CHECK_TEXT(text_span(&came),
               "record 10\n0.020 1/2 off-cpu 10000 state S: a\nrecord 3\nfinish\n");
}

TEST("samples of other events pass")
{
    struct event other = {.name = SPAN("cpu-clock"), .type = PERF_TYPE_SOFTWARE};
    begin(1);
    pass((struct record){
        .type = PERF_RECORD_SAMPLE, .event = &other, .pid = 1, .tid = 2, .time = MS});
    end();
    CHECK_TEXT(text_span(&came), "0.001 1/2 other 0 :\nfinish\n");
}

TEST("memory is bounded: many different stacks are passed on early")
{
    begin(1);
    for (uint64_t i = 0; i < 100000; i++) {
        out(1, 2, i, SLEEPING, i);
        in(2, i + 1);
    }
    CHECK(came.len > 0);
    CHECK(offcpu.sums.bytes < 5 << 20);
    end();
    size_t samples = 0;
    for (size_t i = 0; i < came.len; i++)
        samples += came.ptr[i] == '\n';
    CHECK(samples == 100001);
}

TEST("without the format of sched_switch the states are not known, and the message says so")
{
    struct arena names = {0};
    struct event e = usual();
    e.config = 5;
    came.len = 0;
    session = (struct session){.tracing = text_span(&tracing)};
    eventset_add(&session.events, &e, &names);
    const char *problem = offcpu_init(&offcpu, &session, &notes, 1);
    offcpu.ended = 100 * (uint64_t)SECOND;
    CHECK(!offcpu.refused);
    CHECK(problem != NULL && strstr(problem, "prev_state") != NULL);
    out(1, 2, 10, SLEEPING, 0xa);
    in(2, 20);
    end();
    CHECK_TEXT(text_span(&came), "0.020 1/2 off-cpu 10000 state ?: a\nfinish\n");
}

/* On the whole machine, without SWITCH records: the thread `next` takes its place on the CPU. In a
 * container the ids of the header are others than those of the payload, here by 1000. */
static void
hand_over(uint32_t cpu, uint32_t tid, uint32_t next, uint64_t ms, uint64_t state, uint64_t addr)
{
    char raw[24] = {0};
    memcpy(raw + 8, &state, sizeof state);
    memcpy(raw + 16, &tid, sizeof tid);
    memcpy(raw + 20, &next, sizeof next);
    pass((struct record){
        .type = PERF_RECORD_SAMPLE,
        .event = &session.events.events[0],
        .pid = 1,
        .tid = tid + 1000,
        .cpu = cpu,
        .time = ms * MS,
        .sample = {.callchain = {(const char *)&addr, 1}, .raw = span_of(raw, sizeof raw)}});
}

static struct event
without_switches(void)
{
    struct event e = usual();
    e.flags = 0;
    return e;
}

TEST("without SWITCH records, the payloads of the whole machine say which thread runs next")
{
    begin_with(without_switches(), 1);
    hand_over(0, 2, 3, 10, SLEEPING, 0xa);
    hand_over(1, 4, 0, 15, DISK, 0xb);
    hand_over(0, 3, 2, 20, PREEMPTED, 0xc);
    hand_over(1, 0, 3, 25, PREEMPTED, 0xd);
    hand_over(0, 2, 4, 40, ZOMBIE, 0xe);
    CHECK(!offcpu.refused);
    end();
    CHECK_TEXT(text_span(&came), "0.020 1/1002 off-cpu 10000 state S: a\n"
                                 "0.025 1/1003 off-cpu 5000 state R: c\n"
                                 "0.040 1/1004 off-cpu 25000 state D: b\nfinish\n");
}

TEST("a wait whose end is missing is left out and counted, not made longer")
{
    begin(1);
    out(1, 2, 10, SLEEPING, 0xa);
    out(1, 2, 50, SLEEPING, 0xb);
    in(2, 60);
    CHECK(offcpu.endless == 1);
    out(1, 2, 70, SLEEPING, 0xc);
    leave(2, 80, 0); /* and its sample is missing, too */
    in(2, 90);
    CHECK(offcpu.endless == 2);
    end();
    CHECK_TEXT(text_span(&came), "0.060 1/2 off-cpu 10000 state S: b\nfinish\n");
}

TEST("where only some threads were recorded, payloads are not enough, and nothing is passed on")
{
    begin_with(without_switches(), 1);
    for (uint32_t i = 0; i < 10;
         i++) { /* these two run one after the other, and others in between */
        hand_over(0, 2, 3, 10 * i, SLEEPING, 0xa);
        hand_over(0, 3, 100 + i, 10 * i + 5, SLEEPING, 0xb);
    }
    end();
    CHECK_TEXT(text_span(&came), "finish\n");
    begin_with(without_switches(), 1);
    hand_over(0, 2, 0, 10, SLEEPING, 0xa); /* and here the CPU is idle */
    hand_over(0, 2, 0, 20, SLEEPING, 0xa);
    hand_over(0, 2, 3, 30, SLEEPING, 0xa);
    hand_over(0, 3, 2, 40, SLEEPING, 0xa);
    end();
    CHECK_TEXT(text_span(&came), "finish\n");
}

TEST("where an idle CPU is recorded all threads are, also if those of a supervisor are hidden")
{
    begin_with(without_switches(), 1);
    hand_over(0, 0, 9, 1, PREEMPTED, 0);
    for (uint64_t i = 1; i < 100; i++)
        hand_over(0, 2, 9, 10 * i, SLEEPING, 0xa);
    hand_over(0, 3, 2, 1000, SLEEPING, 0xb);
    end();
    CHECK_TEXT(text_span(&came), "1.000 1/1002 off-cpu 10000 state S: a\n"
                                 "100.000 1/1003 off-cpu 99000000 state S, still waiting: b\n"
                                 "finish\n");
}

TEST("context-switches needs SWITCH records, and its states are R where these say so, else unknown")
{
    struct event e = usual();
    e.type = PERF_TYPE_SOFTWARE;
    e.config = 3;
    e.name = SPAN("context-switches");
    begin_with(e, 1);
    out(1, 2, 10, SLEEPING, 0xa);
    in(2, 30);
    stop(1, 2, 40, SLEEPING, 0xa);
    leave(2, 41, PERF_RECORD_MISC_SWITCH_OUT_PREEMPT);
    in(2, 50);
    end();
    CHECK_TEXT(text_span(&came), "0.030 1/2 off-cpu 20000 state ?: a\n"
                                 "0.050 1/2 off-cpu 9000 state R: a\nfinish\n");
    e.flags = 0;
    begin_with(e, 1);
    CHECK(offcpu.refused);
    end();
}

TEST("events that are sampled at a rate, or of which no record has time or thread, are refused")
{
    struct event rate = usual(), third = usual(), timeless = usual(), other = usual();
    rate.flags |= 1 << FLAG_FREQ;
    third.period = 3;
    timeless.sample_type &= ~(uint64_t)PERF_SAMPLE_TIME;
    other.type = PERF_TYPE_HARDWARE;
    const struct event events[] = {rate, third, timeless, other};
    for (size_t i = 0; i < sizeof events / sizeof *events; i++) {
        begin_with(events[i], 1);
        CHECK(offcpu.refused);
        end();
        CHECK_TEXT(text_span(&came), "finish\n");
    }
}

TEST("the recording ends at its OWN_ENDED record, or else with its last one")
{
    begin(1);
    offcpu.ended = 0;
    out(1, 2, 10, SLEEPING, 0xa);
    pass((struct record){.type = PERF_RECORD_COMM, .time = 30 * MS, .comm = {.pid = 7}});
    end();
    CHECK_TEXT(text_span(&came),
               "record 3\n0.030 1/2 off-cpu 20000 state S, still waiting: a\nfinish\n");
    begin(1);
    offcpu.ended = 0;
    out(1, 2, 10, SLEEPING, 0xa);
    pass((struct record){.type = PERF_RECORD_TEXT_POKE,
                         .misc = PERF_RECORD_MISC_USER,
                         .time = 25 * MS,
                         .poke = {.addr = OWN_ENDED}});
    pass((struct record){.type = PERF_RECORD_COMM, .time = 30 * MS, .comm = {.pid = 7}});
    end();
    CHECK_TEXT(text_span(&came),
               "record 20\nrecord 3\n0.025 1/2 off-cpu 15000 state S, still waiting: a\nfinish\n");
}

TEST("a queue holds records until they are asked for, with what a sample has")
{
    FREED(queue_free) struct queue q;
    struct record r;
    char raw[] = "state S";
    uint64_t chain = 7;
    queue_init(&q);
    q.sink.record(&q.sink, &(struct record){.type = PERF_RECORD_SAMPLE,
                                            .sample = {.callchain = {(const char *)&chain, 1},
                                                       .raw = span_of(raw, 7)}});
    q.sink.record(&q.sink, &(struct record){.type = PERF_RECORD_EXIT});
    chain = 8;
    raw[6] = 'D';
    CHECK(queue_next(&q, &r) && words_at(r.sample.callchain, 0) == 7);
    CHECK_TEXT(r.sample.raw, "state S");
    CHECK(queue_next(&q, &r) && r.type == PERF_RECORD_EXIT);
    CHECK(!queue_next(&q, &r));
}
