/* --wall --turns: what threads do in each turn of their event loops, from records that are made here. */
#include "tests/unit/test.h"

#include "common/event/append.h"
#include "common/event/ownrecord.h"
#include "common/stage/derived.h"

enum { MS = 1000000, LEAST = 50, LOOP = 9 };

/* The events of the session. */
enum { SWITCHES, CLOCK, CALL, RETURN, RING_CALL, RING_RETURN, MADE };

static const char *const tracepoints[] = {
    [CALL] = "syscalls:sys_enter_epoll_pwait",
    [RETURN] = "syscalls:sys_exit_epoll_pwait",
    [RING_CALL] = "syscalls:sys_enter_io_uring_enter",
    [RING_RETURN] = "syscalls:sys_exit_io_uring_enter",
    [MADE] = "syscalls:sys_exit_epoll_create1",
};

/* What came out: "1.012 4/5 10000 wall running: a b", leaf first. Other records are left out. */
static struct text came;
static struct session session;
static struct wall wall;

static void
note_record(struct recordsink *s, const struct record *r)
{
    char line[256];
    (void)s;
    if (r->type != PERF_RECORD_SAMPLE)
        return;
    snprintf(line, sizeof line, "%.3f %u/%u %llu %.*s %.*s:", (double)r->time / 1e9, r->pid, r->tid,
             (unsigned long long)r->sample.period, SPAN_ARG(r->event->name),
             SPAN_ARG(r->sample.raw));
    text_add(&came, span_cstr(line));
    for (size_t i = 0; i < r->sample.callchain.count; i++) {
        snprintf(line, sizeof line, " %llx", (unsigned long long)words_at(r->sample.callchain, i));
        text_add(&came, span_cstr(line));
    }
    text_add(&came, SPAN("\n"));
}

static struct recordsink notes = {.record = note_record};

static void
add_event(uint32_t type, uint64_t config, const char *name)
{
    struct event e = {.name = span_cstr(name),
                      .type = type,
                      .config = config,
                      .sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME};
    event_set(&e, FLAG_SAMPLE_ID_ALL);
    if (session.events.count == SWITCHES)
        event_set(&e, FLAG_CONTEXT_SWITCH);
    eventset_add(&session.events, &e, &session.names);
}

static void
begin_with(uint64_t turn)
{
    came.len = 0;
    session = (struct session){0};
    add_event(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES, "context-switches");
    add_event(PERF_TYPE_SOFTWARE, 0, "cpu-clock");
    for (size_t i = CALL; i <= MADE; i++)
        add_event(PERF_TYPE_TRACEPOINT, i, tracepoints[i]);
    wall_init(&wall, &session, &notes, 0, turn);
    CHECK(!wall.refused && wall.has_boundaries);
}

static void
begin(void)
{
    begin_with(LEAST);
}

/* Begin a recording without tracepoints. */
static void
begin_looking(void)
{
    begin();
    wall_free(&wall);
    session.events.count = CALL;
    wall_init(&wall, &session, &notes, 0, LEAST);
    CHECK(!wall.has_boundaries);
}

static void
put(struct record *r)
{
    wall.sink.record(&wall.sink, r);
}

static void
put_own(struct ownrecord o, uint64_t ms)
{
    o.pid = 4;
    struct text bytes = {0};
    struct record r;
    ownrecord_write(&o, &session.events, ms * MS, 0, &bytes);
    CHECK(record_decode(&session.events, text_span(&bytes), &r) == NULL);
    put(&r);
    free(bytes.ptr);
}

static void
own(uint64_t what, uint32_t tid, uint64_t queued, uint64_t ms)
{
    put_own((struct ownrecord){.what = what, .tid = tid, .queued = queued * MS}, ms);
}

/* The loop of thread 5 is in the turn of that number, which began then at the latest. */
static void
looks(uint64_t turn, uint64_t began, uint64_t ms)
{
    put_own((struct ownrecord){.what = OWN_LOOP, .tid = 5, .loop = {false, turn, began * MS}}, ms);
}

/* The thread waits for events. */
static void
polls(uint64_t ms)
{
    put_own((struct ownrecord){.what = OWN_LOOP, .tid = 5, .loop = {.polls = true}}, ms);
}

/* A sample of thread 5 with one address, at a switch or a tick. */
static void
sample(unsigned event, uint64_t addr, uint64_t ms)
{
    struct record r = {.type = PERF_RECORD_SAMPLE,
                       .misc = PERF_RECORD_MISC_USER,
                       .event = &session.events.events[event],
                       .time = ms * MS,
                       .pid = 4,
                       .tid = 5,
                       .sample = {.ip = addr, .callchain = {(const char *)&addr, 1}}};
    put(&r);
}

/* A sample of a tracepoint with these four words of arguments. */
static void
boundary(unsigned event, uint64_t fd, uint64_t least, uint64_t flags, uint64_t ms)
{
    struct text payload = {0};
    append_u64(&payload, 0);
    append_u64(&payload, 0);
    append_u64(&payload, fd);
    append_u64(&payload, 0);
    append_u64(&payload, least);
    append_u64(&payload, flags);
    struct record r = {.type = PERF_RECORD_SAMPLE,
                       .event = &session.events.events[event],
                       .time = ms * MS,
                       .pid = 4,
                       .tid = 5,
                       .sample = {.raw = text_span(&payload)}};
    put(&r);
    free(payload.ptr);
}

static void
calls(uint64_t fd, uint64_t ms)
{
    boundary(CALL, fd, 0, 0, ms);
}

static void
returns(uint64_t ms)
{
    boundary(RETURN, 1, 0, 0, ms);
}

static void
change(unsigned misc, uint64_t ms)
{
    struct record r = {
        .type = PERF_RECORD_SWITCH, .misc = (uint16_t)misc, .time = ms * MS, .pid = 4, .tid = 5};
    put(&r);
}

static void
runs(uint64_t ms)
{
    change(0, ms);
}

static void
waits(uint64_t addr, uint64_t ms)
{
    sample(SWITCHES, addr, ms);
    change(PERF_RECORD_MISC_SWITCH_OUT, ms);
}

static void
task(uint32_t type, uint64_t ms)
{
    struct record r = {
        .type = type, .time = ms * MS, .task = {.pid = 4, .ppid = 4, .tid = 5, .ptid = 4}};
    put(&r);
}

/* Ends the recording, and returns what came out. */
static struct span
end(uint64_t ms)
{
    own(OWN_ENDED, 0, 0, ms);
    wall.sink.finish(&wall.sink);
    wall_free(&wall);
    return text_span(&came);
}

TEST("a turn has its own stacks, with its end as their time, and then a sample of its length")
{
    begin();
    returns(100);
    sample(CLOCK, 0xa, 110);
    waits(0xb, 112);
    runs(160);
    sample(CLOCK, 0xa, 168);
    calls(LOOP, 170);
    CHECK_TEXT(text_span(&came), "0.170 4/5 22000 wall running: a\n"
                                 "0.170 4/5 48000 wall waiting: b\n"
                                 "0.170 4/5 70000 turn ended:\n");
    came.len = 0;
    CHECK_TEXT(end(170), "");
}

TEST("shorter turns, and what is between turns, are added up")
{
    begin();
    for (unsigned i = 0; i < 3; i++) {
        returns(100 + 100 * i);
        waits(0xb, 110 + 100 * i);
        runs(130 + 100 * i);
        calls(LOOP, 149 + 100 * i);
        waits(0xe, 150 + 100 * i);
        runs(200 + 100 * i);
    }
    sample(CLOCK, 0xc, 400);
    CHECK_TEXT(end(400), "0.330 4/5 60000 wall waiting: b\n"
                         "0.400 4/5 150000 wall waiting: e\n"
                         "0.400 4/5 90000 wall running: c\n");
}

TEST("time on a CPU before a turn is no part of it")
{
    begin();
    calls(LOOP, 100);
    returns(104);
    sample(CLOCK, 0xa, 160);
    calls(LOOP, 161);
    CHECK_TEXT(end(161), "0.161 4/5 57000 wall running: a\n"
                         "0.161 4/5 57000 turn ended:\n"
                         "0.104 4/5 4000 wall running: a\n");
}

TEST("a turn that goes on when the recording ends is told, and one that a thread's end ends")
{
    begin();
    returns(100);
    sample(CLOCK, 0xa, 180);
    CHECK_TEXT(end(190), "0.190 4/5 90000 wall running: a\n"
                         "0.190 4/5 90000 turn going on:\n");
    begin();
    returns(100);
    sample(CLOCK, 0xa, 180);
    task(PERF_RECORD_EXIT, 180);
    CHECK_TEXT(end(190), "0.180 4/5 80000 wall running: a\n"
                         "0.180 4/5 80000 turn ended:\n");
}

TEST("a turn that waits for the kernel's counts is passed on before its process has another name")
{
    begin();
    own(OWN_QUEUED, 5, 0, 0);
    own(OWN_QUEUED, 5, 0, 90);
    returns(100);
    sample(CLOCK, 0xa, 160);
    calls(LOOP, 161);
    CHECK_TEXT(text_span(&came), "");
    struct record r = {.type = PERF_RECORD_COMM, .time = 162 * MS, .comm = {4, 4, SPAN("other")}};
    put(&r);
    CHECK_TEXT(text_span(&came), "0.161 4/5 61000 wall running: a\n"
                                 "0.161 4/5 61000 turn ended:\n"
                                 "0.100 4/5 100000 wall waiting:\n");
    end(170);
}

TEST("of a turn in which the thread was stopped it is told how long")
{
    begin();
    returns(100);
    waits(0xd, 110);
    own(OWN_STOPPED, 5, 0, 300);
    runs(400);
    waits(0xb, 405);
    runs(406);
    calls(LOOP, 407);
    CHECK_TEXT(end(407), "0.407 4/5 290000 wall waiting: d\n"
                         "0.407 4/5 1000 wall waiting: b\n"
                         "0.407 4/5 16000 wall running: d\n"
                         "0.407 4/5 307000 turn ended, stopped 290000 us:\n");
}

TEST("a loop that is made, and run, within a turn is part of it")
{
    begin();
    calls(LOOP, 90);
    returns(100);
    boundary(MADE, LOOP + 2, 0, 0, 110);
    boundary(RING_CALL, LOOP + 3, 4, 1, 111); /* as libuv does */
    boundary(RING_RETURN, 4, 0, 0, 112);
    for (unsigned i = 0; i < 2; i++) {
        calls(LOOP + 2, 120 + 40 * i);
        waits(0xe, 121 + 40 * i);
        runs(150 + 40 * i);
        returns(151 + 40 * i);
    }
    calls(LOOP, 200);
    returns(201);
    calls(LOOP, 251);
    CHECK_TEXT(end(260), "0.200 4/5 58000 wall waiting: e\n"
                         "0.200 4/5 42000 wall running: e\n"
                         "0.200 4/5 100000 turn ended:\n"
                         "0.251 4/5 50000 wall running:\n"
                         "0.251 4/5 50000 turn ended:\n"
                         "0.100 4/5 10000 wall running: e\n"
                         "0.260 4/5 10000 wall running:\n");
}

TEST("a loop that was there before, or has a lower number, ends the turn")
{
    begin();
    calls(LOOP, 90);
    returns(100);
    boundary(MADE, LOOP - 2, 0, 0, 110);
    calls(LOOP - 2, 120);
    returns(121);
    calls(LOOP, 160);
    returns(170);
    calls(LOOP + 5, 210);
    sample(CLOCK, 0xa, 220);
    CHECK_TEXT(end(220), "0.220 4/5 130000 wall running: a\n");
}

TEST("io_uring_enter is a boundary where it waits, and otherwise is not")
{
    begin();
    boundary(RING_CALL, 3, 1, 1, 90);
    boundary(RING_RETURN, 1, 0, 0, 100);
    boundary(RING_CALL, 3, 0, 1, 110);
    boundary(RING_RETURN, 0, 0, 0, 120);
    boundary(RING_CALL, 3, 1, 0, 130);
    boundary(RING_RETURN, 0, 0, 0, 140);
    boundary(RING_CALL, 3, 2, 1, 160);
    CHECK_TEXT(text_span(&came), "0.160 4/5 60000 wall running:\n0.160 4/5 60000 turn ended:\n");
    end(160);
}

TEST("a turn that ended waits for the next count, and its waits have their part of the delays")
{
    begin();
    own(OWN_QUEUED, 5, 0, 0);
    own(OWN_QUEUED, 5, 0, 50);
    returns(100);
    waits(0xb, 101);
    runs(181);
    calls(LOOP, 182);
    waits(0xe, 183);
    runs(200);
    CHECK(came.len == 0);
    own(OWN_QUEUED, 5, 20, 250);
    returns(251);
    CHECK_TEXT(text_span(&came), "0.182 4/5 70000 wall waiting: b\n"
                                 "0.182 4/5 2000 wall running: b\n"
                                 "0.182 4/5 10000 wall ready: b\n"
                                 "0.182 4/5 82000 turn ended:\n");
    end(252);
}

TEST("turns in which records were lost are counted, and nothing else is said of them")
{
    struct record lost = {.type = PERF_RECORD_LOST, .time = 120 * MS, .lost = 3};
    begin();
    returns(100);
    put(&lost);
    sample(CLOCK, 0xa, 180);
    calls(LOOP, 190);
    returns(191);
    returns(250); /* its call was lost */
    calls(LOOP, 260);
    CHECK(wall.cut_turns == 1);
    CHECK_TEXT(end(260), "0.180 4/5 80000 wall running: a\n0.260 4/5 80000 wall running:\n");
}

TEST("the recorder's own turns are left out")
{
    begin();
    put_own((struct ownrecord){.what = OWN_BEGAN}, 0); /* of process 4, whose turns these are */
    sample(CLOCK, 0xa, 100);
    returns(110);
    sample(CLOCK, 0xa, 170);
    calls(LOOP, 180);
    CHECK_TEXT(end(190), "0.170 4/5 70000 wall running: a\n0.190 4/5 20000 wall running:\n");
}

TEST("without --turns the boundaries are left out")
{
    begin_with(0);
    returns(100);
    runs(150);
    sample(CLOCK, 0xa, 180);
    calls(LOOP, 190);
    CHECK_TEXT(end(190), "0.180 4/5 30000 wall running: a\n0.190 4/5 10000 wall running:\n");
}

TEST("a turn in which the thread was already counts from the time that its loop's clock says")
{
    begin();
    runs(200);
    looks(7, 120, 205);
    sample(CLOCK, 0xa, 210);
    calls(LOOP, 220);
    looks(8, 220, 221);
    CHECK_TEXT(end(290), "0.220 4/5 20000 wall running: a\n"
                         "0.220 4/5 100000 turn ended:\n"
                         "0.290 4/5 70000 wall running:\n");
}

TEST("of a loop with a clock, a turn is from its beginning to the wait in which the thread is seen")
{
    begin_looking();
    runs(99);
    looks(7, 101, 105);
    sample(CLOCK, 0xa, 160);
    looks(7, 101, 165);
    waits(0xe, 170);
    polls(175);
    runs(300);
    CHECK_TEXT(text_span(&came), "0.170 4/5 59000 wall running: a\n"
                                 "0.170 4/5 10000 wall running: e\n"
                                 "0.170 4/5 69000 turn ended:\n");
    came.len = 0;
    looks(8, 300, 305);
    looks(9, 310, 311);
    looks(9, 310, 361);
    looks(11, 365, 369);
    CHECK_TEXT(end(370), "0.365 4/5 55000 wall running:\n"
                         "0.365 4/5 55000 turn ended:\n"
                         "0.101 4/5 2000 wall running: a\n"
                         "0.300 4/5 130000 wall waiting: e\n"
                         "0.370 4/5 15000 wall running:\n");
}

TEST("of a loop without a clock, a turn is from the end of the wait in which the thread was seen")
{
    begin_looking();
    runs(99);
    waits(0xe, 100);
    polls(105);
    runs(120);
    looks(0, 0, 125);
    waits(0xb, 130);
    looks(0, 0, 135);
    runs(190);
    looks(0, 0, 195);
    waits(0xe, 200);
    polls(205);
    CHECK_TEXT(end(210), "0.200 4/5 60000 wall waiting: b\n"
                         "0.200 4/5 20000 wall running: e\n"
                         "0.200 4/5 80000 turn ended:\n"
                         "0.120 4/5 1000 wall running: e\n"
                         "0.210 4/5 30000 wall waiting: e\n");
}

TEST("a turn that goes on is told once, though its loop is looked at after the recording's end")
{
    begin_looking();
    runs(99);
    looks(7, 100, 105);
    sample(CLOCK, 0xa, 150);
    own(OWN_ENDED, 0, 0, 180);
    looks(7, 100, 181);
    CHECK_TEXT(end(190), "0.180 4/5 80000 wall running: a\n"
                         "0.180 4/5 80000 turn going on:\n"
                         "0.100 4/5 1000 wall running: a\n");
}

TEST("a recording has turns if its events or its records of loops say when they are")
{
    struct event e = {.type = PERF_TYPE_SOFTWARE,
                      .config = PERF_COUNT_SW_CONTEXT_SWITCHES,
                      .sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME};
    const struct derive_options o = {.wall = true, .turns = LEAST};
    struct derived d;
    const char *problem;
    event_set(&e, FLAG_CONTEXT_SWITCH);
    event_set(&e, FLAG_SAMPLE_ID_ALL);
    session = (struct session){0};
    eventset_add(&session.events, &e, &session.names);
    struct recordsink *sink = derived_init(&d, &o, &session, &notes, &problem);
    CHECK(derived_lacks_turns(&d));
    struct text bytes = {0};
    struct record r;
    ownrecord_write(&(struct ownrecord){.what = OWN_LOOP, .pid = 4, .tid = 5}, &session.events, 7,
                    0, &bytes);
    CHECK(record_decode(&session.events, text_span(&bytes), &r) == NULL);
    sink->record(sink, &r);
    CHECK(!derived_lacks_turns(&d));
    derived_free(&d);
    free(bytes.ptr);
}
