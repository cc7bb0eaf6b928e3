#include "tests/unit/test.h"

#include "common/event/ownrecord.h"
#include "common/stage/syscalls.h"
#include "common/tracepoint/syscallnames.h"
#include "tests/unit/tracedata.h"

static const char openat_format[] =
    "name: sys_enter_openat\nID: 782\nformat:\n"
    "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\n"
    "\tfield:int __syscall_nr;\toffset:8;\tsize:4;\tsigned:1;\n"
    "\tfield:int dfd;\toffset:16;\tsize:8;\tsigned:0;\n"
    "\tfield:const char * filename;\toffset:24;\tsize:8;\tsigned:0;\n"
    "\tfield:int flags;\toffset:32;\tsize:8;\tsigned:0;\n"
    "\tfield:umode_t mode;\toffset:40;\tsize:8;\tsigned:0;\n"
    "\nprint fmt: \"dfd: 0x%08lx\", ((unsigned long)(REC->dfd))\n";

static const char close_format[] =
    "name: sys_enter_close\nID: 784\nformat:\n"
    "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\n"
    "\tfield:int __syscall_nr;\toffset:8;\tsize:4;\tsigned:1;\n"
    "\tfield:unsigned int fd;\toffset:16;\tsize:8;\tsigned:0;\n"
    "\nprint fmt: \"fd: 0x%08lx\", ((unsigned long)(REC->fd))\n";

/* Numbers of x86_64, and of read(2) on i386. */
enum { READ = 0, MMAP = 9, RT_SIGRETURN = 15, NANOSLEEP = 35, CLONE = 56, EXECVE = 59, EXIT = 60 };
enum { OPENAT = 257, EXIT_GROUP = 231, GETPID = 39, READ_32 = 3 };
enum { CLOSE = 3, DUP2 = 33, CLOSE_RANGE = 436 };

static struct text came;

/* "5 us 7/8 1000 [syscall: getpid] getpid() = 7: 4b0a" for a sample; "record 4" for another. */
static void
note_record(struct recordsink *s, const struct record *r)
{
    char line[512];
    (void)s;
    if (r->type != PERF_RECORD_SAMPLE)
        snprintf(line, sizeof line, "record %u\n", r->type);
    else
        snprintf(line, sizeof line, "%llu us %u/%u %llu %.*s %.*s: %llx\n",
                 (unsigned long long)r->time / 1000, r->pid, r->tid,
                 (unsigned long long)r->sample.period, SPAN_ARG(r->sample.leaf),
                 SPAN_ARG(r->sample.raw), (unsigned long long)words_at(r->sample.callchain, 0));
    text_add(&came, span_cstr(line));
}

static struct recordsink notes = {note_record, NULL, NULL, NULL};
static struct session session;
static struct syscalls calls;
static struct text tracing;

static void
add_event(struct span name, uint64_t sample_type)
{
    struct event e = {.name = name, .type = PERF_TYPE_TRACEPOINT, .period = 1};
    e.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | sample_type;
    eventset_add(&session.events, &e, &session.names);
}

static void
begin_with(const char *format, struct span wanted)
{
    came.len = tracing.len = 0;
    tracedata_one(&tracing, 8, span_cstr(format), SPAN(""));
    session = (struct session){.tracing = text_span(&tracing), .machine = SPAN("x86_64")};
    add_event(SPAN("raw_syscalls:sys_enter"), PERF_SAMPLE_RAW);
    add_event(SPAN("raw_syscalls:sys_exit"), PERF_SAMPLE_RAW | PERF_SAMPLE_CALLCHAIN);
    CHECK(syscalls_init(&calls, &session, &notes, wanted) == NULL);
}

static void
begin(struct span wanted)
{
    begin_with(openat_format, wanted);
}

/* End the recording; check what came, and the numbers of calls that were left out. */
static void
expect(const char *lines, uint64_t unknown, uint64_t unended)
{
    calls.sink.finish(&calls.sink);
    CHECK_TEXT(text_span(&came), lines);
    CHECK(calls.unknown == unknown);
    CHECK(calls.unended == unended);
    syscalls_free(&calls);
    eventset_free(&session.events);
    arena_free(&session.names);
}

static void
pass(size_t event, uint32_t tid, uint64_t us, uint64_t abi, const uint64_t *words, size_t count)
{
    static const uint64_t chain = 0x4b0a;
    char raw[64] = {0};
    memcpy(raw + 8, words, count * sizeof *words);
    struct record r = {.type = PERF_RECORD_SAMPLE,
                       .event = &session.events.events[event],
                       .pid = 7,
                       .tid = tid,
                       .time = us * 1000,
                       .sample = {.raw = span_of(raw, 8 + count * sizeof *words),
                                  .regs_user = {.abi = abi},
                                  .callchain = {(const char *)&chain, 1}}};
    calls.sink.record(&calls.sink, &r);
}

static void
enter_32(uint32_t tid, uint64_t us, uint64_t number)
{
    const uint64_t words[7] = {number, 1, 2, 3, 4, 5, 6};
    pass(0, tid, us, 1, words, 7);
}

static void
enter_with(uint32_t tid, uint64_t us, uint64_t number, uint64_t first, uint64_t second,
           uint64_t third, uint64_t fourth)
{
    const uint64_t words[7] = {number, first, second, third, fourth, 0, 0};
    pass(0, tid, us, 2, words, 7);
}

static void
enter(uint32_t tid, uint64_t us, uint64_t number)
{
    enter_with(tid, us, number, 0, 0, 0, 0);
}

static void
leave(uint32_t tid, uint64_t us, int64_t number, int64_t result)
{
    const uint64_t words[2] = {(uint64_t)number, (uint64_t)result};
    pass(1, tid, us, 2, words, 2);
}

static void
other(uint32_t type, uint32_t tid)
{
    struct record r = {.type = type, .tid = tid};
    if (type == PERF_RECORD_EXIT)
        r.task = (struct record_task){.pid = 7, .tid = tid};
    calls.sink.record(&calls.sink, &r);
}

TEST("a call is a sample of its nanoseconds at its return, with its arguments as the format names "
     "them")
{
    begin(SPAN(""));
    enter_with(8, 10, OPENAT, (uint32_t)-100, 0x4c1010, 0x80000, 0644);
    leave(8, 15, OPENAT, 3);
    enter_with(8, 20, OPENAT, 5, 0x4c1010, 0, 0);
    leave(8, 21, OPENAT, -2);
    expect("15 us 7/8 5000 [syscall: openat] openat(dfd: AT_FDCWD, filename: 0x4c1010, flags: "
           "0x80000, mode: 0644) = 3: 4b0a\n"
           "21 us 7/8 1000 [syscall: openat] openat(dfd: 5, filename: 0x4c1010, flags: 0x0, mode: "
           "0) = -ENOENT: 4b0a\n",
           0, 0);
}

/* Note what a descriptor of process 7 stands for. */
static void
stands_for(int32_t fd, const char *path)
{
    struct text t = {0};
    struct ownrecord own = {
        .what = OWN_DESCRIPTOR, .pid = 7, .descriptor = fd, .path = span_cstr(path)};
    struct record r;
    ownrecord_write(&own, &session.events, 1, 0, &t);
    CHECK(record_decode(&session.events, text_span(&t), &r) == NULL);
    calls.sink.record(&calls.sink, &r);
    free(t.ptr);
}

/* A call of openat(2), relative to a descriptor. */
static void
open_at(uint32_t tid, uint64_t us, uint32_t fd, int64_t result)
{
    enter_with(tid, us, OPENAT, fd, 0, 0, 0);
    leave(tid, us + 1, OPENAT, result);
}

/* Check what the calls of openat(2) were relative to. */
static void
expect_descriptors(const char *wanted)
{
    struct text found = {0};
    struct span rest = text_span(&came);
    calls.sink.finish(&calls.sink);
    while (rest.len > 0) {
        struct span line = span_take(&rest, '\n');
        size_t at = span_search(line, SPAN("(dfd: "));
        if (at != SPAN_NONE)
            TEXT_ADD(&found, span_before(span_from(line, at + 6), ','), SPAN(" "));
    }
    CHECK_TEXT(text_span(&found), wanted);
    free(found.ptr);
    came.len = 0;
    expect("", 0, 0);
}

TEST("a descriptor is printed with what it stands for, until it is closed or replaced")
{
    begin(SPAN("openat"));
    stands_for(5, "/a b");
    stands_for(6, "pipe:[17]");
    open_at(8, 10, 5, 4);
    open_at(8, 12, 7, 4);
    enter_with(9, 14, CLOSE, 5, 0, 0, 0); /* another thread reuses the number before it returns */
    open_at(8, 15, 5, 5);
    stands_for(5, "/new");
    leave(9, 17, CLOSE, 0);
    open_at(8, 18, 5, 4);
    enter_with(9, 20, DUP2, 5, 6, 0, 0);
    leave(9, 21, DUP2, 6);
    open_at(8, 22, 6, 4);
    open_at(8, 24, (uint32_t)-100, 6);
    expect_descriptors("5</a b> 7 5 5</new> 6 AT_FDCWD ");
}

TEST("the call that closes a descriptor is printed with what it stood for, the next one is not")
{
    begin_with(close_format, SPAN(""));
    stands_for(5, "/a");
    enter_with(8, 1, CLOSE, 5, 0, 0, 0);
    leave(8, 2, CLOSE, 0);
    enter_with(8, 3, CLOSE, 5, 0, 0, 0);
    leave(8, 4, CLOSE, -9);
    stands_for(5, "/b");
    enter_with(8, 5, CLOSE, 5, 0, 0, 0);
    stands_for(5, "/c"); /* another thread's, which got the number meanwhile */
    leave(8, 6, CLOSE, 0);
    expect("record 20\n2 us 7/8 1000 [syscall: close] close(fd: 5</a>) = 0: 4b0a\n"
           "4 us 7/8 1000 [syscall: close] close(fd: 5) = -EBADF: 4b0a\n"
           "record 20\nrecord 20\n6 us 7/8 1000 [syscall: close] close(fd: 5) = 0: 4b0a\n",
           0, 0);
}

TEST("the descriptors of a process are forgotten when it begins or executes a program, at "
     "close_range, and where records were lost")
{
    static const struct record ends[] = {
        {.type = PERF_RECORD_COMM, .misc = PERF_RECORD_MISC_COMM_EXEC, .comm.pid = 7},
        {.type = PERF_RECORD_FORK, .task = {.pid = 7, .ppid = 6}},
        {.type = PERF_RECORD_LOST},
    };
    begin(SPAN("openat"));
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        stands_for(5, "/a");
        open_at(8, 10, 5, 4);
        calls.sink.record(&calls.sink, &ends[i]);
        open_at(8, 12, 5, 4);
    }
    stands_for(5, "/b");
    stands_for(5, "");
    open_at(8, 14, 5, 4);
    stands_for(5, "/c");
    enter_with(8, 16, CLOSE_RANGE, 3, 9, 0, 0);
    leave(8, 17, CLOSE_RANGE, 0);
    open_at(8, 18, 5, 4);
    expect_descriptors("5</a> 5 5</a> 5 5</a> 5 5 5 ");
}

/* The text at an address, for the call that thread 8 began at a time. */
static void
string_at(uint64_t us, uint64_t addr, struct span string, bool goes_on)
{
    struct text t = {0};
    struct ownrecord own = {
        .what = OWN_STRING, .pid = 7, .tid = 8, .string = {addr, string, goes_on}};
    struct record r;
    ownrecord_write(&own, &session.events, us * 1000, 0, &t);
    CHECK(record_decode(&session.events, text_span(&t), &r) == NULL);
    r.time = us * 1000;
    r.type = PERF_RECORD_TEXT_POKE;
    calls.sink.record(&calls.sink, &r);
    free(t.ptr);
}

TEST(
    "a text is printed in place of its address, quoted and marked where it was cut, if it was read "
    "for this call")
{
    begin(SPAN("openat"));
    enter_with(8, 10, OPENAT, 5, 0x10, 0, 0);
    string_at(10, 0x10, SPAN("/a \"b\\"), false);
    string_at(10, 0x20, SPAN("/other"), false);
    leave(8, 11, OPENAT, 3);
    enter_with(8, 12, OPENAT, 5, 0x10, 0, 0);
    string_at(10, 0x10, SPAN("/late"), false);
    leave(8, 13, OPENAT, 3);
    string_at(12, 0x10, SPAN("/later"), false);
    enter_with(8, 14, OPENAT, 5, 0x10, 0, 0);
    string_at(14, 0x10, SPAN("/long"), true);
    leave(8, 15, OPENAT, 3);
    expect(
        "record 20\nrecord 20\n"
        "11 us 7/8 1000 [syscall: openat] openat(dfd: 5, filename: \"/a \\\"b\\\\\", flags: 0x0, "
        "mode: 0) = 3: 4b0a\n"
        "record 20\n"
        "13 us 7/8 1000 [syscall: openat] openat(dfd: 5, filename: 0x10, flags: 0x0, mode: 0) "
        "= 3: 4b0a\n"
        "record 20\nrecord 20\n"
        "15 us 7/8 1000 [syscall: openat] openat(dfd: 5, filename: \"/long\"…, flags: 0x0, mode: "
        "0) = 3: 4b0a\n",
        0, 0);
}

TEST("texts that take too much memory are forgotten, also of calls that go on")
{
    struct text name = {0};
    begin(SPAN("openat"));
    enter_with(9, 10, OPENAT, 5, 0x10, 0, 0);
    for (uint64_t i = 0; i < 30000; i++) {
        name.len = 0;
        for (int k = 0; k < 25; k++)
            text_add(&name, SPAN_BYTES(i));
        enter_with(8, 11 + i, OPENAT, 5, 0x10, 0, 0);
        string_at(11 + i, 0x10, text_span(&name), false);
        leave(8, 11 + i, OPENAT, 3);
        came.len = 0;
    }
    CHECK(intern_size(&calls.strings) < 5 << 20);
    free(name.ptr);
    leave(9, 99999, OPENAT, 3);
    expect(
        "99999 us 7/9 99989000 [syscall: openat] openat(dfd: 5, filename: 0x10, flags: 0x0, mode: "
        "0) = 3: 4b0a\n",
        0, 0);
}

TEST("without a format the six words of a call are printed; addresses, and errors without a name, "
     "too")
{
    begin(SPAN(""));
    enter_with(8, 1, MMAP, 0, 4096, 3, 34);
    leave(8, 2, MMAP, 0x7f0000001000);
    enter(8, 3, 500);
    leave(8, 3, 500, -38);
    enter(8, 4, 100000);
    leave(8, 5, 100000, -4000);
    expect("2 us 7/8 1000 [syscall: mmap] mmap(0x0, 0x1000, 0x3, 0x22, 0x0, 0x0) = "
           "0x7f0000001000: 4b0a\n"
           "3 us 7/8 1 [syscall: unknown] syscall_500(0x0, 0x0, 0x0, 0x0, 0x0, 0x0) = -ENOSYS: "
           "4b0a\n"
           "5 us 7/8 1000 [syscall: unknown] syscall_100000(0x0, 0x0, 0x0, 0x0, 0x0, 0x0) = "
           "-4000: 4b0a\n",
           0, 0);
}

TEST("threads' calls are told apart")
{
    begin(SPAN(""));
    enter(8, 1, NANOSLEEP);
    enter(9, 2, GETPID);
    leave(9, 3, GETPID, 7);
    leave(8, 9, NANOSLEEP, 0);
    expect("3 us 7/9 1000 [syscall: getpid] getpid(0x0, 0x0, 0x0, 0x0, 0x0, 0x0) = 7: 4b0a\n"
           "9 us 7/8 8000 [syscall: nanosleep] nanosleep(0x0, 0x0, 0x0, 0x0, 0x0, 0x0) = 0: 4b0a\n",
           0, 0);
}

TEST(
    "a call that began before the recording, and one that has not returned at its end, are counted")
{
    begin(SPAN(""));
    leave(8, 1, READ, 5);
    enter(9, 2, READ);
    expect("", 1, 1);
}

TEST("a call in which a thread dies is counted, unless it was made for that; other records pass")
{
    begin(SPAN(""));
    enter(8, 1, READ);
    other(PERF_RECORD_EXIT, 8);
    enter(9, 2, EXIT);
    other(PERF_RECORD_EXIT, 9);
    enter(10, 3, EXIT_GROUP);
    expect("record 4\nrecord 4\n", 0, 1);
}

TEST("a new thread begins with a return that has no beginning, and a program's execve returns")
{
    begin(SPAN("execve,clone"));
    enter(8, 1, CLONE);
    leave(9, 2, CLONE, 0);
    leave(8, 3, CLONE, 9);
    enter(9, 4, EXECVE);
    leave(9, 6, EXECVE, 0);
    expect("3 us 7/8 2000 [syscall: clone] clone(0x0, 0x0, 0x0, 0x0, 0x0, 0x0) = 9: 4b0a\n"
           "6 us 7/9 2000 [syscall: execve] execve(0x0, 0x0, 0x0, 0x0, 0x0, 0x0) = 0: 4b0a\n",
           0, 0);
}

TEST("a signal ends a call; the calls of its handler and rt_sigreturn, whose return has no number, "
     "are their own")
{
    begin(SPAN("nanosleep,getpid,rt_sigreturn"));
    enter(8, 1, NANOSLEEP);
    leave(8, 2, NANOSLEEP, -512);
    enter(8, 3, GETPID);
    leave(8, 4, GETPID, 7);
    enter(8, 5, RT_SIGRETURN);
    leave(8, 6, -1, -512);
    leave(9, 6, -1, 0); /* its beginning was dropped by a filter of the kernel */
    enter(8, 7, NANOSLEEP);
    leave(8, 8, NANOSLEEP, -516);
    expect("2 us 7/8 1000 [syscall: nanosleep] nanosleep(0x0, 0x0, 0x0, 0x0, 0x0, 0x0) = "
           "-ERESTARTSYS: 4b0a\n"
           "4 us 7/8 1000 [syscall: getpid] getpid(0x0, 0x0, 0x0, 0x0, 0x0, 0x0) = 7: 4b0a\n"
           "6 us 7/8 1000 [syscall: rt_sigreturn] rt_sigreturn(0x0, 0x0, 0x0, 0x0, 0x0, 0x0) = "
           "-ERESTARTSYS: 4b0a\n"
           "8 us 7/8 1000 [syscall: nanosleep] nanosleep(0x0, 0x0, 0x0, 0x0, 0x0, 0x0) = "
           "-ERESTART_RESTARTBLOCK: 4b0a\n",
           0, 0);
}

TEST("calls of 32-bit programs have the numbers of i386, and only those that are wanted are passed "
     "on")
{
    begin(SPAN("read"));
    enter_32(8, 1, READ_32);
    leave(8, 2, READ_32, 0xfffffff2); /* -EFAULT in 32 bits */
    enter(8, 3, READ_32);             /* close, of 64 bits */
    leave(8, 4, READ_32, 0);
    enter(8, 5, READ);
    leave(8, 6, READ, 1);
    expect("2 us 7/8 1000 [syscall: read] read(0x1, 0x2, 0x3, 0x4, 0x5, 0x6) = -EFAULT: 4b0a\n"
           "6 us 7/8 1000 [syscall: read] read(0x0, 0x0, 0x0, 0x0, 0x0, 0x0) = 1: 4b0a\n",
           0, 0);
}

TEST("no beginning is joined with the return of another call where records were lost; both are "
     "counted")
{
    begin(SPAN(""));
    enter(8, 1, READ);
    other(PERF_RECORD_LOST, 0);
    leave(8, 2, READ, 1); /* perhaps of a later read */
    enter(8, 3, READ);
    enter(8, 4, READ);
    leave(8, 5, GETPID, 7);
    enter(8, 6, GETPID);
    leave(8, 7, GETPID, 7);
    expect("record 2\n7 us 7/8 1000 [syscall: getpid] getpid(0x0, 0x0, 0x0, 0x0, 0x0, 0x0) = 7: "
           "4b0a\n",
           4, 0);
}

TEST("payloads that are too short are no calls")
{
    const uint64_t words[2] = {READ, 0};
    begin(SPAN(""));
    pass(0, 8, 1, 2, words, 2);
    pass(1, 8, 2, 2, words, 1);
    expect("", 0, 0);
}

TEST("a recording without both tracepoints is refused, and its samples are not passed on")
{
    session = (struct session){.machine = SPAN("x86_64")};
    add_event(SPAN("raw_syscalls:sys_enter"), PERF_SAMPLE_RAW);
    add_event(SPAN("raw_syscalls:sys_exit"), 0);
    came.len = 0;
    CHECK(syscalls_init(&calls, &session, &notes, SPAN("")) == NULL);
    CHECK(calls.refused);
    enter(8, 1, READ);
    expect("", 0, 0);
}

TEST("the tables have the numbers of x86_64, i386 and arm64, and none of other machines")
{
    struct span names[SYSCALLNAMES_MAX];
    CHECK(syscallnames_of(SPAN("x86_64"), false, names));
    CHECK_TEXT(names[334], "rseq");
    CHECK_TEXT(names[335], "");
    CHECK_TEXT(names[435], "clone3");
    CHECK_TEXT(names[469], "file_setattr");
    CHECK(syscallnames_of(SPAN("x86_64"), true, names));
    CHECK_TEXT(names[359], "socket");
    CHECK_TEXT(names[422], "futex_time64");
    CHECK_TEXT(names[425], "io_uring_setup");
    CHECK(syscallnames_of(SPAN("aarch64"), false, names));
    CHECK_TEXT(names[63], "read");
    CHECK_TEXT(names[293], "rseq");
    CHECK(!syscallnames_of(SPAN("aarch64"), true, names));
    CHECK(!syscallnames_of(SPAN("riscv64"), false, names));
    CHECK_TEXT(names[63], "");
    CHECK_TEXT(syscallnames_error(133), "EHWPOISON");
    CHECK_TEXT(syscallnames_error(41), "");
    CHECK_TEXT(syscallnames_error(0), "");
    CHECK_TEXT(syscallnames_error(4000), "");
}
