/* When the descriptors of system calls are read, and which are passed on. The processes and the
 * clock are made here: the linker puts the functions __wrap_... in the place of those that ask the
 * system. */
#include "cmd/stackrecord/capture/calldetails.h"

#include <errno.h>
#include <time.h>

#include "common/base/clock.h"
#include "common/base/helper.h"
#include "common/event/ownrecord.h"
#include "tests/unit/bytes.h"
#include "tests/unit/test.h"
#include "tests/unit/tracedata.h"

static const char openat_format[] =
    "name: sys_enter_openat\nID: 782\nformat:\n"
    "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\n"
    "\tfield:int __syscall_nr;\toffset:8;\tsize:4;\tsigned:1;\n"
    "\tfield:int dfd;\toffset:16;\tsize:8;\tsigned:0;\n"
    "\nprint fmt: \"dfd: 0x%08lx\", ((unsigned long)(REC->dfd))\n";

/* Numbers of x86_64. */
enum { CLOSE = 3, OPENAT = 257, CLOSE_RANGE = 436 };

static struct {
    uint64_t now;
    int error;         /* why nothing can be read */
    unsigned requests; /* made so far */
    char path[64];     /* what each descriptor stands for */
} machine;

ssize_t __wrap_helper_descriptor(int32_t pid, int32_t fd, void *to, size_t n);
int __wrap_clock_gettime(clockid_t clock, struct timespec *t);

ssize_t
__wrap_helper_descriptor(int32_t pid, int32_t fd, void *to, size_t n)
{
    (void)pid;
    (void)fd;
    machine.requests++;
    errno = machine.error;
    CHECK(strlen(machine.path) <= n);
    memcpy(to, machine.path, strlen(machine.path));
    return errno == 0 ? (ssize_t)strlen(machine.path) : -1;
}

int
__wrap_clock_gettime(clockid_t clock, struct timespec *t)
{
    (void)clock;
    *t =
        (struct timespec){(time_t)(machine.now / CLOCK_SECOND), (long)(machine.now % CLOCK_SECOND)};
    return 0;
}

static struct session session;
static struct syscallkinds kinds;
static struct calldetails details;
static struct rawsink *sink;
static struct text tracing, came; /* came: "7 5 from 10: /a", for each record of a descriptor */
static bool resolves;             /* for each of them, resolve again */

static void
note_record(struct rawsink *s, struct span bytes)
{
    char line[128];
    struct record r;
    struct ownrecord own;
    (void)s;
    CHECK(record_decode(&session.events, bytes, &r) == NULL);
    if (!ownrecord_read(&r, &own) || own.what != OWN_DESCRIPTOR)
        return;
    snprintf(line, sizeof line, "%u %d from %llu: %.*s\n", own.pid, own.descriptor,
             (unsigned long long)r.time + 1, SPAN_ARG(own.path));
    text_add(&came, span_cstr(line));
    if (resolves)
        calldetails_resolve(&details);
}

static void
note_end(struct rawsink *s)
{
    (void)s;
    text_add(&came, SPAN("end\n"));
}

static struct rawsink notes = {note_record, note_end, note_end};

static void
begin(struct span wanted)
{
    struct event e = {.type = PERF_TYPE_TRACEPOINT, .period = 1};
    e.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_RAW;
    event_set(&e, FLAG_SAMPLE_ID_ALL);
    came.len = tracing.len = 0;
    machine.requests = 0;
    machine.error = 0;
    machine.now = 1000;
    strcpy(machine.path, "/a");
    resolves = false;
    tracedata_one(&tracing, 8, span_cstr(openat_format), SPAN(""));
    session = (struct session){0};
    for (uint64_t id = 1; id <= 2; id++) {
        eventset_add(&session.events, &e, &session.names);
        eventset_add_id(&session.events, id, &session.events.events[id - 1]);
    }
    CHECK(syscallkinds_init(&kinds, text_span(&tracing), SPAN("x86_64"), wanted) == NULL);
    sink = calldetails_init(&details, &session.events, &kinds, &notes);
}

/* Check what came and how many requests were made; forget both. */
static void
expect(unsigned requests, const char *wanted)
{
    CHECK_TEXT(text_span(&came), wanted);
    CHECK(machine.requests == requests);
    came.len = 0;
    machine.requests = 0;
}

static void
end(void)
{
    calldetails_free(&details);
    syscallkinds_free(&kinds);
    eventset_free(&session.events);
    arena_free(&session.names);
}

/* A sample of process 7 with these words as its payload. */
static void
sample(uint64_t id, uint64_t time, const uint64_t *words, uint32_t count)
{
    struct text record = {0};
    put_payload(&record, id, 7, time, words, count);
    sink->record(sink, text_span(&record));
    free(record.ptr);
}

static void
enter(uint64_t time, uint64_t number, uint64_t first)
{
    sample(1, time, (uint64_t[7]){number, first}, 7);
}

static void
leave(uint64_t time, uint64_t number, uint64_t result)
{
    sample(2, time, (uint64_t[2]){number, result}, 2);
}

/* A record of four numbers of 32 bits, the rest being 0, of process 7. */
static void
other(uint32_t type, uint16_t misc, uint64_t time)
{
    struct text fields = {0}, record = {0};
    put_u32(&fields, 7);
    put_u32(&fields, 6);
    put_u32(&fields, 7);
    put_u32(&fields, 6);
    put_u64(&fields, time);
    put_u32(&fields, 7);
    put_u32(&fields, 7);
    put_u64(&fields, time);
    put_u64(&fields, 1);
    put_record(&record, type, misc, text_span(&fields));
    sink->record(sink, text_span(&record));
    free(fields.ptr);
    free(record.ptr);
}

TEST("a descriptor is read once after its first use, and again after a second; AT_FDCWD is not")
{
    begin(SPAN(""));
    enter(10, OPENAT, 5);
    enter(12, OPENAT, 5);
    enter(11, OPENAT, (uint32_t)-100);
    expect(0, "");
    calldetails_resolve(&details);
    expect(1, "7 5 from 10: /a\n");
    enter(2000, OPENAT, 5);
    calldetails_resolve(&details);
    expect(0, "");
    machine.now += CLOCK_SECOND;
    enter(machine.now, OPENAT, 5);
    strcpy(machine.path, "/b");
    calldetails_resolve(&details);
    expect(1, "7 5 from 1000001000: /b\n");
    sink->round(sink);
    sink->finish(sink);
    expect(0, "end\nend\n");
    end();
}

TEST("nothing is read that was closed or replaced since its last use, in whichever order the "
     "records "
     "come")
{
    begin(SPAN(""));
    enter(10, OPENAT, 5);
    enter(11, CLOSE, 5);
    enter(11, CLOSE, 6);
    enter(10, OPENAT, 6);
    calldetails_resolve(&details);
    expect(0, "");
    enter(10, OPENAT, 7);
    enter(13, OPENAT, 7);
    enter(12, CLOSE, 7);
    calldetails_resolve(&details);
    expect(1, "7 7 from 13: /a\n");
    end();
}

TEST("a new descriptor is read at once, from the return of the call on")
{
    begin(SPAN(""));
    leave(20, OPENAT, 5);
    leave(20, OPENAT, (uint64_t)-2);
    calldetails_resolve(&details);
    expect(1, "7 5 from 21: /a\n");
    end();
}

TEST("what was read after the descriptor was closed or replaced is withdrawn")
{
    begin(SPAN(""));
    enter(10, OPENAT, 5);
    enter(10, OPENAT, 6);
    calldetails_resolve(&details);
    expect(2, "7 5 from 10: /a\n7 6 from 10: /a\n");
    enter(900, CLOSE, 5);
    expect(0, "7 5 from 10: \n");
    enter(1100, CLOSE, 6);
    expect(0, "");
    end();
}

TEST("all descriptors of a process are read again after it was started, has executed a program or "
     "closed many, and after records were lost")
{
    begin(SPAN(""));
    for (uint64_t i = 0; i < 5; i++) {
        uint64_t time = 2000 + 10 * i;
        enter(time - 1, OPENAT, 5);
        if (i == 0)
            other(PERF_RECORD_COMM, PERF_RECORD_MISC_COMM_EXEC, time);
        else if (i == 1)
            other(PERF_RECORD_FORK, 0, time);
        else if (i == 2)
            other(PERF_RECORD_LOST, 0, time);
        else if (i == 3)
            enter(time, CLOSE_RANGE, 3);
        else
            leave(time, CLOSE_RANGE, 0);
        calldetails_resolve(&details);
        expect(0, "");
        enter(time + 1, OPENAT, 5);
        calldetails_resolve(&details);
        CHECK(machine.requests == 1);
        machine.requests = 0;
        came.len = 0;
    }
    end();
}

TEST(
    "an unreadable descriptor is not asked for again for a second; the next one waits if a process "
    "does not answer in time")
{
    begin(SPAN(""));
    machine.error = EACCES;
    enter(10, OPENAT, 5);
    enter(10, OPENAT, 6);
    calldetails_resolve(&details);
    enter(20, OPENAT, 5);
    calldetails_resolve(&details);
    expect(2, "");
    machine.error = ETIMEDOUT;
    enter(30, OPENAT, 7);
    enter(30, OPENAT, 8);
    calldetails_resolve(&details);
    expect(1, "");
    machine.error = 0;
    calldetails_resolve(&details);
    expect(1, "7 8 from 30: /a\n");
    end();
}

TEST("many descriptors are read in several turns; some are left out, not more memory used")
{
    begin(SPAN(""));
    for (uint64_t fd = 0; fd < 100000; fd++)
        enter(10 + fd, OPENAT, fd);
    CHECK(details.of.n < 20000 && details.waiting.n <= 1024);
    calldetails_resolve(&details);
    CHECK(machine.requests == CALLDETAILS_MOST);
    end();
}

TEST("calls that are not wanted are no reason to read; nothing is read while a record is passed on")
{
    begin(SPAN("read"));
    enter(10, OPENAT, 5);
    calldetails_resolve(&details);
    expect(0, "");
    end();
    begin(SPAN("openat"));
    resolves = true;
    enter(10, OPENAT, 5);
    enter(10, OPENAT, 6);
    calldetails_resolve(&details);
    expect(2, "7 5 from 10: /a\n7 6 from 10: /a\n");
    end();
}
