/* The room capture/ of stackrecord, as far as it needs no counters of the kernel. */
#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmd/stackrecord/capture/attach.h"
#include "cmd/stackrecord/capture/laststack.h"
#include "cmd/stackrecord/capture/mapkeeper.h"
#include "cmd/stackrecord/capture/sampler.h"
#include "cmd/stackrecord/capture/threads.h"
#include "common/base/helper.h"
#include "common/event/ownrecord.h"
#include "common/machine/procfs.h"
#include "tests/unit/bytes.h"
#include "tests/unit/tempfolder.h"

/* What came: "record 3", "began 7", "queued 5", "lines one" and so on. */
static struct text came;
static struct session session;

static void
note_record(struct rawsink *s, struct span bytes)
{
    char line[128];
    struct record r;
    struct ownrecord own;
    (void)s;
    CHECK(record_decode(&session.events, bytes, &r) == NULL);
    if (!ownrecord_read(&r, &own))
        snprintf(line, sizeof line, "record %u\n", r.type);
    else if (own.what == OWN_BEGAN)
        snprintf(line, sizeof line, "began %llu\n", (unsigned long long)own.began);
    else if (own.what == OWN_QUEUED)
        snprintf(line, sizeof line, "%s %u\n", r.time == 0 ? "there" : "queued", own.tid);
    else if (own.what == OWN_STOPPED)
        snprintf(line, sizeof line, "stopped %u\n", own.tid);
    else if (own.what == OWN_LINES)
        snprintf(line, sizeof line, "lines %.*s", SPAN_ARG(own.lines.lines));
    else
        snprintf(line, sizeof line, "%s %llu\n", own.what == OWN_ENDED ? "ended" : "stack",
                 (unsigned long long)r.time);
    text_add(&came, span_cstr(line));
}

static void
note_round(struct rawsink *s)
{
    (void)s;
    text_add(&came, SPAN("round\n"));
}

static void
note_finish(struct rawsink *s)
{
    (void)s;
    text_add(&came, SPAN("finish\n"));
}

static struct rawsink notes = {note_record, note_round, note_finish};

static void
begin(void)
{
    struct event e = {.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME};
    event_set(&e, FLAG_SAMPLE_ID_ALL);
    session = (struct session){0};
    eventset_add(&session.events, &e, &session.names);
    came.len = 0;
}

/* Gives the sink a record with its sample_id: of a thread, at a time. */
static void
put(struct rawsink *sink, uint32_t type, uint16_t misc, struct text *fields, uint32_t tid,
    uint64_t time)
{
    struct text record = {0};
    put_u32(fields, 4);
    put_u32(fields, tid);
    put_u64(fields, time);
    put_record(&record, type, misc, text_span(fields));
    sink->record(sink, text_span(&record));
    free(record.ptr);
    fields->len = 0;
}

static void
put_comm(struct rawsink *sink, uint32_t pid, uint32_t tid, uint64_t time)
{
    struct text f = {0};
    put_u32(&f, pid);
    put_u32(&f, tid);
    put_text(&f, SPAN("name"));
    put(sink, PERF_RECORD_COMM, 0, &f, tid, time);
    free(f.ptr);
}

static void
put_task(struct rawsink *sink, uint32_t type, const uint32_t ids[4], uint64_t time)
{
    struct text f = {0};
    for (int i = 0; i < 4; i++)
        put_u32(&f, ids[i]);
    put_u64(&f, time);
    put(sink, type, 0, &f, ids[2], time);
    free(f.ptr);
}

static void
put_switch(struct rawsink *sink, uint32_t tid, uint16_t misc, uint64_t time)
{
    struct text f = {0};
    put(sink, PERF_RECORD_SWITCH, misc, &f, tid, time);
    free(f.ptr);
}

TEST("threads that were there before are written as such, and when counting began and ended")
{
    struct threads t;
    const struct target target = {.kind = TARGET_SYSTEM};
    begin();
    struct rawsink *sink = threads_init(&t, &session.events, &target, false, true, &notes);
    threads_begin(&t, 7);
    put_comm(sink, 0x7ffffff0, 0x7ffffff1, 0);
    put_comm(sink, 0x7ffffff0, 0x7ffffff2, 50);
    CHECK(threads_stop(&t, 99) == 0); /* the thread has ended: it has no stack */
    sink->finish(sink);
    CHECK_TEXT(text_span(&came), "began 7\n"
                                 "record 3\nthere 2147483633\n"
                                 "record 3\n"
                                 "ended 99\nfinish\n");
}

TEST("of single threads, only these are there, and of processes also what they start")
{
    struct threads t;
    int32_t id = 40;
    struct target target = {.kind = TARGET_THREADS, .ids = {&id, 1, 1}};
    begin();
    struct rawsink *sink = threads_init(&t, &session.events, &target, false, true, &notes);
    put_comm(sink, 40, 40, 0);
    put_comm(sink, 40, 41, 0);
    sink->finish(sink);
    CHECK_TEXT(text_span(&came), "record 3\nthere 40\nrecord 3\nfinish\n");
    came.len = 0;
    target.kind = TARGET_PROCESSES;
    sink = threads_init(&t, &session.events, &target, true, true, &notes);
    put_task(sink, PERF_RECORD_FORK, (uint32_t[]){50, 40, 50, 40}, 9);
    put_comm(sink, 50, 51, 0);
    put_comm(sink, 60, 60, 0);
    sink->finish(sink);
    CHECK_TEXT(text_span(&came), "record 7\nrecord 3\nthere 51\nrecord 3\nfinish\n");
}

TEST("a thread that has waited is asked about once in a quarter of a second, until it ends")
{
    struct threads t;
    const struct target target = {.kind = TARGET_SYSTEM};
    struct text file = {0};
    char wanted[64];
    const uint32_t own = (uint32_t)getpid();
    begin();
    struct rawsink *sink = threads_init(&t, &session.events, &target, false, true, &notes);
    put_comm(sink, own, own, 0);
    came.len = 0;
    sink->round(sink); /* asks, and nobody has waited */
    CHECK_TEXT(text_span(&came), "round\n");
    t.asked = 0;
    put_switch(sink, own, PERF_RECORD_MISC_SWITCH_OUT, 5);
    came.len = 0;
    sink->round(sink);
    sink->round(sink);
    bool counts = procfs_queued(&file, (int32_t)own) > 0; /* kernels may not */
    snprintf(wanted, sizeof wanted, "queued %u\nround\nround\n", own);
    CHECK_TEXT(text_span(&came), counts ? wanted : "round\nround\n");
    put_task(sink, PERF_RECORD_EXIT, (uint32_t[]){own, 1, own, 1}, 9);
    put_switch(sink, own, PERF_RECORD_MISC_SWITCH_OUT, 10);
    t.asked = 0;
    came.len = 0;
    sink->round(sink);
    CHECK_TEXT(text_span(&came), "round\n");
    sink->finish(sink);
    free(file.ptr);
}

/* Start a process that stops itself. Return its number when it has. */
static pid_t
start_stopped(void)
{
    int status;
    pid_t pid = fork();
    if (pid == 0) {
        raise(SIGSTOP);
        _exit(0);
    }
    CHECK(pid > 0 && waitpid(pid, &status, WUNTRACED) == pid && WIFSTOPPED(status));
    return pid;
}

TEST("with --turns, a thread that is stopped is said to be so once, until it has run again")
{
    struct threads t;
    const struct target target = {.kind = TARGET_SYSTEM};
    struct text file = {0};
    char wanted[64];
    const uint32_t stopped = (uint32_t)start_stopped(), own = (uint32_t)getpid();
    bool is_known =
        procfs_is_stopped(&file, (int32_t)stopped); /* not by all kernels, to all users */
    begin();
    struct rawsink *sink = threads_init(&t, &session.events, &target, false, true, &notes);
    t.turns = true;
    put_comm(sink, own, own, 0);
    put_comm(sink, stopped, stopped, 0);
    for (int i = 0; i < 2; i++) {
        t.asked = 0;
        put_switch(sink, own, PERF_RECORD_MISC_SWITCH_OUT, 5);
        if (i == 0)
            put_switch(sink, stopped, PERF_RECORD_MISC_SWITCH_OUT, 6);
        came.len = 0;
        sink->round(sink);
        snprintf(wanted, sizeof wanted, "stopped %u\n", stopped);
        CHECK(span_holds(text_span(&came), span_cstr(wanted)) == (is_known && i == 0));
        snprintf(wanted, sizeof wanted, "stopped %u\n", own);
        CHECK(!span_holds(text_span(&came), span_cstr(wanted)));
    }
    sink->finish(sink);
    free(file.ptr);
    kill((pid_t)stopped, SIGKILL);
    waitpid((pid_t)stopped, NULL, 0);
}

TEST("ended threads are forgotten, but not those that ended in this round")
{
    struct threads t;
    const struct target target = {.kind = TARGET_SYSTEM};
    begin();
    struct rawsink *sink = threads_init(&t, &session.events, &target, false, true, &notes);
    for (uint32_t i = 1; i <= 10000; i++) {
        put_task(sink, PERF_RECORD_FORK, (uint32_t[]){i, 1, i, 1}, i);
        put_task(sink, PERF_RECORD_EXIT, (uint32_t[]){i, 1, i, 1}, i);
        if (i == 9000)
            sink->round(sink);
    }
    CHECK(threadtable_count(&t.table) == 10000);
    sink->round(sink);
    CHECK(threadtable_count(&t.table) == 1000 && t.table.ended == 1000);
    sink->finish(sink);
}

TEST("lines of a perf map are written and looked up at the same time")
{
    struct mapkeeper k;
    struct diag diag = {0};
    struct jitname name;
    struct record r = {.type = PERF_RECORD_COMM, .comm = {.pid = (uint32_t)getpid()}};
    begin();
    tempfolder_make();
    tempfolder_write("map", "1000 100 one\n2000 100 two\n");
    struct liveprocs *live = liveprocs_new(&diag, 0);
    CHECK(liveprocs_give_map(live, getpid(), tempfolder_path("map")) == NULL);
    struct rawsink *sink = mapkeeper_init(&k, &session.events, live, &notes);
    mapkeeper_add_lines(&k, true);
    liveprocs_see(live, &r);
    liveprocs_poll(live, 50);
    liveprocs_poll(live, 60);
    CHECK_TEXT(text_span(&came), "lines 1000 100 one\n2000 100 two\n");
    struct jitplace place = {getpid(), getpid(), 0x2010, SPAN("[unknown]")};
    struct jitnames *names = liveprocs_names(live);
    CHECK(names->find(names, &place, &name));
    CHECK_TEXT(name.text, "two");
    put_comm(sink, 4, 4, 0);
    sink->round(sink);
    sink->finish(sink);
    CHECK_TEXT(text_span(&came), "lines 1000 100 one\n2000 100 two\nrecord 3\nround\nfinish\n");
    liveprocs_free(live);
    tempfolder_remove();
}

/* Appends a record to the ring buffer, in place of the kernel; its sample_id has zeros. */
static void
append(const struct ring *ring, uint32_t type, const uint64_t *words, size_t n)
{
    char *control = ring->control;
    uint64_t *head = (uint64_t *)(void *)(control + 1024);
    struct text fields = {0}, record = {0};
    for (size_t i = 0; i < n + 2; i++)
        put_u64(&fields, i < n ? words[i] : 0);
    put_record(&record, type, 0, text_span(&fields));
    memcpy(control + ring->size + *head, record.ptr, record.len);
    *head += record.len;
    free(fields.ptr);
    free(record.ptr);
}

/* A ring buffer of one page, which append() fills. */
static FILE *
make_ring(struct ring *ring)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    FILE *file = tmpfile();
    CHECK(file != NULL && ftruncate(fileno(file), (off_t)(2 * page)) == 0);
    CHECK(ring_map(ring, fileno(file), page));
    return file;
}

TEST("the loop passes on what is in the ring buffers, counts it, and ends with its counters")
{
    struct sampler s;
    struct ring ring;
    FILE *file = make_ring(&ring);
    struct counters counters = {.rings = &ring, .nrings = 1, .sampled = 1};
    begin();
    append(&ring, PERF_RECORD_THROTTLE, (uint64_t[]){0, 0, 0}, 3);
    append(&ring, PERF_RECORD_LOST, (uint64_t[]){1, 17}, 2);
    /* process 9, which process 4 starts */
    append(&ring, PERF_RECORD_FORK, (uint64_t[]){(uint64_t)4 << 32 | 9, (uint64_t)4 << 32 | 9, 0},
           3);
    CHECK(sampler_init(&s, &notes, &counters, NULL));
    s.processes = 1;
    CHECK(sampler_run(&s) == END_TARGET);
    sampler_finish(&s);
    CHECK_TEXT(text_span(&came), "record 5\nrecord 2\nrecord 7\nround\nfinish\n");
    CHECK(s.lost == 17 && s.throttled == 1 && s.processes == 2 && s.samples == 0);
    CHECK(s.stopped > 0 && sampler_is_over(&s));
    ring_unmap(&ring);
    fclose(file);
}

/* Return what came of a throttle record among the samples and a fork record in the second ring
 * buffer, while symbols were read. `apart`: bytes read from the second one before. */
static struct span
came_while_reading(bool of_command, uint64_t apart)
{
    struct sampler s;
    struct ring rings[2];
    FILE *files[] = {make_ring(&rings[0]), make_ring(&rings[1])};
    struct counters counters = {
        .rings = rings, .nrings = 2, .sampled = 1, .of_command = of_command};
    begin();
    append(&rings[0], PERF_RECORD_THROTTLE, (uint64_t[]){0, 0, 0}, 3);
    append(&rings[1], PERF_RECORD_FORK, (uint64_t[]){9, 9, 0}, 3);
    CHECK(sampler_init(&s, &notes, &counters, NULL));
    s.apart = apart;
    s.drained = 0;
    CHECK(!sampler_relieve(&s));
    close(s.poll);
    for (int i = 0; i < 2; i++) {
        ring_unmap(&rings[i]);
        fclose(files[i]);
    }
    return text_span(&came);
}

TEST("new code is known while symbols are read, unless all processes are recorded and there is a "
     "flood of records without samples")
{
    const uint64_t flood = 256 << 10;
    CHECK_TEXT(came_while_reading(true, flood), "record 7\nrecord 5\n");
    CHECK_TEXT(came_while_reading(false, 1000), "record 7\nrecord 5\n");
    CHECK_TEXT(came_while_reading(false, flood), "record 5\n");
}

TEST("the stack of a thread that waits is read from /proc, and copied where stacks are")
{
    enum { MOST = 100000 };
    struct laststack l = {.events = &session.events, .time = 9};
    struct text bytes = {0};
    struct record r;
    struct ownrecord own = {0};
    begin();
    session.events.events[0].sample_type |= PERF_SAMPLE_CALLCHAIN;
    helper_init(true);
    pid_t child = fork();
    if (child == 0)
        for (;;)
            pause();
    bool found = false; /* it may still run, or may not be looked at */
    for (int i = 0; i < MOST && !found && procfs_ask(&bytes, child, "syscall"); i++) {
        sched_yield();
        found = laststack_read(&l, (uint32_t)child, (uint32_t)child, &bytes);
    }
    if (found) {
        CHECK(record_decode(&session.events, text_span(&bytes), &r) == NULL && r.time == 9);
        CHECK(ownrecord_read(&r, &own) && own.what == OWN_STACK && own.tid == (uint32_t)child);
        CHECK(own.chain.count == 2 && words_at(own.chain, 1) == own.ip && own.ip != 0);
        CHECK(own.sp == 0 && own.stack.len == 0);
        session.events.events[0].sample_type |= PERF_SAMPLE_STACK_USER;
        CHECK(laststack_read(&l, (uint32_t)child, (uint32_t)child, &bytes));
        CHECK(record_decode(&session.events, text_span(&bytes), &r) == NULL);
        CHECK(ownrecord_read(&r, &own));
        CHECK((own.sp > UINT32_MAX) == (own.stack.len > 0));
    } else {
        SKIP("processes may not look at their children's stacks here");
    }
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    CHECK(!laststack_read(&l, (uint32_t)child, (uint32_t)child, &bytes));
    laststack_free(&l);
    free(bytes.ptr);
}

TEST("cycles and clocks count time, and events with registers and stacks are unwound")
{
    const struct event cycles = {.type = PERF_TYPE_HARDWARE}, clock = {.type = PERF_TYPE_SOFTWARE},
                       faults = {.type = PERF_TYPE_SOFTWARE, .config = 2};
    CHECK(attach_counts_time(&cycles) && attach_counts_time(&clock));
    CHECK(!attach_counts_time(&faults));
    begin();
    CHECK(!attach_copies_stacks(&session.events));
    session.events.events[0].sample_type |= PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
    CHECK(attach_copies_stacks(&session.events));
}
