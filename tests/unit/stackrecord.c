/* Parts of stackrecord that need no kernel: ring buffers, order, lists of numbers, messages. */
#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmd/stackrecord/capture/ring.h"
#include "common/machine/running.h"
#include "common/machine/command.h"
#include "common/machine/numbers.h"
#include "common/machine/perfopen.h"
#include "common/machine/refusal.h"
#include "common/stage/taskfilter.h"
#include "common/stage/timeline.h"
#include "tests/unit/bytes.h"
#include "tests/unit/test.h"

/* One event, whose records have a thread and a time. */
static struct eventset
one_event(struct arena *names)
{
    const struct event e = {.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME,
                            .flags = 1 << FLAG_SAMPLE_ID_ALL};
    struct eventset set = {0};
    eventset_add(&set, &e, names);
    return set;
}

/* A ring buffer in a file, which we fill in place of the kernel. */
struct fake {
    FILE *file;
    struct ring ring;
    char *control, *data;
    size_t size;
};

static uint64_t *
position(struct fake *f, size_t offset)
{
    return (uint64_t *)(void *)(f->control + offset);
}

static void
fake_open(struct fake *f)
{
    f->size = (size_t)sysconf(_SC_PAGESIZE);
    f->file = tmpfile();
    CHECK(f->file != NULL && ftruncate(fileno(f->file), (off_t)(2 * f->size)) == 0);
    CHECK(ring_map(&f->ring, fileno(f->file), f->size));
    f->control = f->ring.control;
    f->data = f->ring.data;
}

static void
fake_close(struct fake *f)
{
    ring_unmap(&f->ring);
    fclose(f->file);
}

/* Appends a record of `len` bytes, each of which is `fill` but for the header. */
static void
write_record(struct fake *f, uint16_t len, char fill)
{
    uint64_t *head = position(f, 1024);
    char header[RECORD_HEADER] = {PERF_RECORD_SAMPLE};
    memcpy(header + 6, &len, sizeof len);
    for (size_t i = 0; i < len; i++)
        f->data[(*head + i) % f->size] = i < sizeof header ? header[i] : fill;
    *head += len;
}

TEST("a ring buffer gives its records, and the kernel their room once the round has ended")
{
    struct fake f = {0};
    struct span r = {0};
    fake_open(&f);
    CHECK(ring_begin(&f.ring) == 0 && !ring_next(&f.ring, &r));
    write_record(&f, 16, 'a');
    write_record(&f, 32, 'b');
    CHECK(ring_begin(&f.ring) == 48);
    CHECK(ring_next(&f.ring, &r) && r.len == 16 && r.ptr[8] == 'a');
    CHECK(ring_next(&f.ring, &r) && r.len == 32 && r.ptr[31] == 'b');
    CHECK(!ring_next(&f.ring, &r));
    CHECK(*position(&f, 1032) == 0);
    ring_end(&f.ring);
    CHECK(*position(&f, 1032) == 48);
    fake_close(&f);
}

TEST("a record that wraps at the end of the buffer is given in one piece")
{
    struct fake f = {0};
    struct span r = {0};
    fake_open(&f);
    write_record(&f, (uint16_t)(f.size - 24), 'a');
    ring_begin(&f.ring);
    CHECK(ring_next(&f.ring, &r));
    ring_end(&f.ring);
    write_record(&f, 64, 'b');
    ring_begin(&f.ring);
    CHECK(ring_next(&f.ring, &r) && r.len == 64);
    for (size_t i = RECORD_HEADER; i < r.len; i++)
        CHECK(r.ptr[i] == 'b');
    fake_close(&f);
}

TEST("a round that is rewound is read again, and what came meanwhile with it")
{
    struct fake f = {0};
    struct span r = {0};
    fake_open(&f);
    write_record(&f, 16, 'a');
    ring_begin(&f.ring);
    CHECK(ring_next(&f.ring, &r) && !ring_next(&f.ring, &r));
    ring_rewind(&f.ring);
    write_record(&f, 16, 'b');
    CHECK(ring_begin(&f.ring) == 32);
    CHECK(ring_next(&f.ring, &r) && r.ptr[8] == 'a');
    CHECK(ring_next(&f.ring, &r) && r.ptr[8] == 'b');
    fake_close(&f);
}

TEST("a record that claims more bytes than there are ends the round")
{
    struct fake f = {0};
    struct span r = {0};
    fake_open(&f);
    write_record(&f, 16, 'a');
    f.data[6] = 127;
    ring_begin(&f.ring);
    CHECK(!ring_next(&f.ring, &r));
    f.data[6] = 0;
    CHECK(!ring_next(&f.ring, &r));
    fake_close(&f);
}

/* The list's numbers, each followed by a blank; "no" if it is none. */
static struct span
list_of(const char *list, bool ranges)
{
    static char text[256];
    struct numbers n = {0};
    size_t len = 0;
    bool good = numbers_parse(&n, span_cstr(list), ranges);
    for (size_t i = 0; i < n.count && len < sizeof text - 16; i++)
        len += (size_t)snprintf(text + len, sizeof text - len, "%d ", (int)n.at[i]);
    free(n.at);
    return good ? span_of(text, len) : SPAN("no");
}

TEST("lists of numbers have commas, blanks or newlines between them, and ranges where they may")
{
    CHECK_TEXT(list_of("1,20", false), "1 20 ");
    CHECK_TEXT(list_of("1\n20\n", false), "1 20 ");
    CHECK_TEXT(list_of("1, 1,2", false), "1 2 ");
    CHECK_TEXT(list_of("0-2,5", true), "0 1 2 5 ");
    CHECK_TEXT(list_of("0-2", false), "no");
    CHECK_TEXT(list_of("", true), "no");
    CHECK_TEXT(list_of("a", true), "no");
    CHECK_TEXT(list_of("3-1", true), "no");
    CHECK_TEXT(list_of("1-", true), "no");
    CHECK_TEXT(list_of("-1", true), "no");
    CHECK_TEXT(list_of("2147483648", false), "no");
    CHECK_TEXT(list_of("0-2000000000", true), "no");
}

/* The message for a refusal, which is good until the next call. */
static struct span
message(struct refusal r, struct refusal_facts facts)
{
    static struct text text;
    text.len = 0;
    facts.verb = "record";
    refusal_text(&r, &facts, &text);
    return text_span(&text);
}

static bool
has(struct span text, const char *part)
{
    if (span_search(text, span_cstr(part)) != SPAN_NONE)
        return true;
    printf("# '%s' is not in '%.*s'\n", part, SPAN_ARG(text));
    return false;
}

TEST("each refusal has a message of its own, with the setting and what to do")
{
    const struct event clock = {.name = SPAN("cpu-clock"), .type = PERF_TYPE_SOFTWARE};
    const struct event user = {.name = SPAN("cpu-clock"),
                               .type = PERF_TYPE_SOFTWARE,
                               .flags = 1ULL << FLAG_EXCLUDE_KERNEL};
    const struct event trace = {.name = SPAN("sched:sched_switch"), .type = PERF_TYPE_TRACEPOINT};
    const struct refusal_facts two = {.paranoid = 2, .limit = 1024};
    const struct refusal_facts three = {.paranoid = 3}, group = {.paranoid = 1, .cgroup = true};
#define REFUSED(error, event, task) ((struct refusal){REFUSED_COUNTER, error, event, task})
    CHECK(has(message(REFUSED(EACCES, &clock, 42), three),
              "perf_event_paranoid is 3; as root, 'sysctl kernel.perf_event_paranoid=2'"));
    CHECK(has(message(REFUSED(EACCES, &clock, 7), group), "recording a cgroup needs root"));
    CHECK(has(message(REFUSED(EINVAL, &clock, 7), group), "not the directory of a cgroup"));
    CHECK(has(message(REFUSED(EBADF, &clock, 7), group), "not the directory of a cgroup"));
    CHECK(has(message(REFUSED(EACCES, &clock, EVERY_TASK), two),
              "perf_event_paranoid at 0, and it is 2"));
    CHECK(has(message(REFUSED(EACCES, &trace, 42), two), "recording sched:sched_switch needs"));
    CHECK(has(message(REFUSED(EPERM, &trace, 42), two), "perf_event_paranoid=-1"));
    CHECK(has(message(REFUSED(EACCES, &clock, 42), two), "perf_event_paranoid at 1, and it is 2"));
    CHECK(has(message(REFUSED(EACCES, &user, 42), two), "process 42 may not be recorded"));
    const struct refusal_facts own = {.paranoid = 2, .own = true};
    const struct refusal_facts command = {.paranoid = 2, .own = true, .command = true};
    CHECK(has(message(REFUSED(EACCES, &user, 42), two), "it is another user's"));
    CHECK(has(message(REFUSED(EACCES, &user, 42), own),
              "process 42 may not be recorded, though it is yours"));
    CHECK(has(message(REFUSED(EACCES, &user, 42), command),
              "the kernel protects what this program starts"));
    const struct refusal_facts forbidden = {.paranoid = 2, .forbidden = true};
    CHECK(has(message(REFUSED(EPERM, &clock, 42), two), "cpu-clock may not be recorded"));
    CHECK(has(message(REFUSED(EPERM, &clock, 42), forbidden), "in a container, by its seccomp"));
    CHECK(has(message(REFUSED(EPERM, &clock, 42), forbidden), "start the container with"));
    CHECK(has(message(REFUSED(EPERM, &trace, 42), forbidden), "in a container, by its seccomp"));
    CHECK(has(message(REFUSED(ENOSYS, &clock, 42), two), "CONFIG_PERF_EVENTS"));
    CHECK(has(message(REFUSED(ESRCH, NULL, 42), two), "there is no process 42"));
    CHECK(has(message(REFUSED(EMFILE, &clock, 42), two), "for 1,024 open files"));
    CHECK(has(message(REFUSED(ENFILE, &clock, 42), two), "fs.file-max"));
    CHECK(has(message(REFUSED(EBUSY, &clock, 42), two), "another program"));
    CHECK(has(message(REFUSED(ENOENT, &clock, 42), two), "cpu-clock: this machine has no such"));
    CHECK(has(message(REFUSED(ENODEV, &clock, 42), two), "--list"));
    CHECK(has(message(REFUSED(EOPNOTSUPP, &clock, 42), two), "modifiers"));
    CHECK(has(message(REFUSED(EINVAL, &clock, 42), two), "settings"));
    CHECK(has(message(REFUSED(EIO, &clock, 42), two), "cpu-clock cannot be recorded: "));
    CHECK(has(message((struct refusal){REFUSED_RING, EPERM, &clock, 42}, two),
              "kernel.perf_event_mlock_kb"));
    CHECK(has(message((struct refusal){REFUSED_RING, ENOMEM, &clock, 42}, two), "--memory"));
    CHECK(has(message((struct refusal){REFUSED_RING, EIO, &clock, 42}, two), "cannot be mapped"));
#undef REFUSED
}

/* Collects the types, processes and threads of records: "9:42/43 ". */
struct collector {
    struct recordsink sink;
    char text[512];
    size_t len;
};

static void
collect(struct recordsink *sink, const struct record *r)
{
    struct collector *c = (struct collector *)sink;
    int n = snprintf(c->text + c->len, sizeof c->text - c->len, "%u:%u/%u ", (unsigned)r->type,
                     (unsigned)r->pid, (unsigned)r->tid);
    c->len += n > 0 ? (size_t)n : 0;
}

static void
mark(struct recordsink *sink)
{
    struct collector *c = (struct collector *)sink;
    c->text[c->len++] = '|';
}

static struct collector
new_collector(void)
{
    return (struct collector){.sink = {collect, mark, mark, NULL}};
}

static struct span
collected(struct collector *c)
{
    struct span s = span_of(c->text, c->len);
    c->len = 0;
    return s;
}

/* Gives a sample or, with a parent, the record of a start or end, to the sink. */
static void
give(struct rawsink *sink, uint32_t type, uint32_t pid, uint32_t parent, uint64_t time)
{
    struct text fields = {0}, all = {0};
    if (type == PERF_RECORD_SAMPLE) {
        put_u32(&fields, pid);
        put_u32(&fields, pid + 1);
        put_u64(&fields, time);
    } else {
        put_u32(&fields, pid);
        put_u32(&fields, parent);
        put_u32(&fields, pid);
        put_u32(&fields, parent);
        put_u64(&fields, time);
        put_u32(&fields, pid); /* sample_id */
        put_u32(&fields, pid);
        put_u64(&fields, time);
    }
    put_record(&all, type, 0, text_span(&fields));
    sink->record(sink, text_span(&all));
    free(fields.ptr);
    free(all.ptr);
}

TEST("records of several rings come in the order of their times, a round later")
{
    struct arena names = {0};
    struct eventset set = one_event(&names);
    struct collector c = new_collector();
    struct timeline t;
    timeline_init(&t, &set, &c.sink, 0);
    give(&t.sink, PERF_RECORD_SAMPLE, 1, 0, 100);
    give(&t.sink, PERF_RECORD_SAMPLE, 2, 0, 300);
    give(&t.sink, PERF_RECORD_SAMPLE, 3, 0, 200);
    give(&t.sink, PERF_RECORD_FORK, 4, 4, 0);
    CHECK_TEXT(collected(&c), "7:4/4 "); /* without a time: at once */
    t.sink.round(&t.sink);
    CHECK_TEXT(collected(&c), "|");
    give(&t.sink, PERF_RECORD_SAMPLE, 5, 0, 250);
    t.sink.round(&t.sink);
    CHECK_TEXT(collected(&c), "9:1/2 9:3/4 9:5/6 9:2/3 |");
    give(&t.sink, PERF_RECORD_SAMPLE, 6, 0, 400);
    t.sink.finish(&t.sink);
    CHECK_TEXT(collected(&c), "9:6/7 |");
    eventset_free(&set);
    arena_free(&names);
}

/* Adds a record that must come before the others. */
static bool
complete(void *ctx)
{
    struct timeline *t = ctx;
    give(&t->sink, PERF_RECORD_SAMPLE, 9, 0, 50);
    return true;
}

TEST("before records are passed on for want of memory, what must come before them is added")
{
    struct arena names = {0};
    struct eventset set = one_event(&names);
    struct collector c = new_collector();
    struct timeline t;
    timeline_init(&t, &set, &c.sink, 1);
    t.complete = complete;
    t.ctx = &t;
    give(&t.sink, PERF_RECORD_SAMPLE, 1, 0, 100);
    CHECK_TEXT(collected(&c), "9:9/10 9:1/2 ");
    t.sink.finish(&t.sink);
    eventset_free(&set);
    arena_free(&names);
}

static bool
is_busy(void *ctx)
{
    (void)ctx;
    return false;
}

TEST("records wait, also above the limit, while what must come before them is being added")
{
    struct arena names = {0};
    struct eventset set = one_event(&names);
    struct collector c = new_collector();
    struct timeline t;
    timeline_init(&t, &set, &c.sink, 1);
    t.complete = is_busy;
    give(&t.sink, PERF_RECORD_SAMPLE, 1, 0, 100);
    CHECK_TEXT(collected(&c), "");
    t.complete = NULL;
    give(&t.sink, PERF_RECORD_SAMPLE, 2, 0, 200);
    CHECK_TEXT(collected(&c), "9:1/2 9:2/3 ");
    t.sink.finish(&t.sink);
    eventset_free(&set);
    arena_free(&names);
}

static bool
wait_once(void *ctx)
{
    bool *waits = ctx, waited = *waits;
    *waits = false;
    return waited;
}

TEST("records that are to wait are passed on as if the round had not ended, and at the end")
{
    struct arena names = {0};
    struct eventset set = one_event(&names);
    struct collector c = new_collector();
    struct timeline t;
    bool waits = false;
    timeline_init(&t, &set, &c.sink, 0);
    t.waits = wait_once;
    t.ctx = &waits;
    give(&t.sink, PERF_RECORD_SAMPLE, 1, 0, 100);
    t.sink.round(&t.sink);
    CHECK_TEXT(collected(&c), "|");
    waits = true;
    t.sink.round(&t.sink);
    CHECK_TEXT(collected(&c), "");
    t.sink.round(&t.sink);
    CHECK_TEXT(collected(&c), "9:1/2 |");
    give(&t.sink, PERF_RECORD_SAMPLE, 2, 0, 200);
    waits = true;
    t.sink.round(&t.sink);
    t.sink.finish(&t.sink);
    CHECK_TEXT(collected(&c), "9:2/3 |");
    eventset_free(&set);
    arena_free(&names);
}

TEST("a filter passes the samples of processes and their children")
{
    struct arena names = {0};
    struct eventset set = one_event(&names);
    struct collector c = new_collector();
    struct taskfilter f;
    struct timeline t;
    taskfilter_init(&f, false, &c.sink);
    taskfilter_keep(&f, 10);
    timeline_init(&t, &set, &f.sink, 0);
    give(&t.sink, PERF_RECORD_SAMPLE, 10, 0, 1);
    give(&t.sink, PERF_RECORD_SAMPLE, 11, 0, 2);
    give(&t.sink, PERF_RECORD_SAMPLE, 12, 0, 3);
    give(&t.sink, PERF_RECORD_FORK, 12, 10, 4);
    give(&t.sink, PERF_RECORD_SAMPLE, 12, 0, 5);
    give(&t.sink, PERF_RECORD_EXIT, 10, 1, 6);
    t.sink.round(&t.sink);
    t.sink.round(&t.sink);
    CHECK_TEXT(collected(&c), "|9:10/11 7:12/12 9:12/13 4:10/10 |");
    t.sink.finish(&t.sink);
    eventset_free(&set);
    arena_free(&names);
}

TEST("a recording has ended where none of its processes runs in two rounds")
{
    struct running r = {0};
    running_add(&r, (uint32_t)getpid());
    running_add(&r, INT32_MAX); /* no process has this number */
    running_check(&r);
    running_check(&r);
    CHECK(!r.ended);
    r.ids.at[0] = INT32_MAX - 1;
    running_check(&r);
    CHECK(!r.ended);
    running_check(&r);
    CHECK(r.ended);
    free(r.ids.at);
}

TEST("a command whose process was killed before its start is an error, not a SIGPIPE")
{
    struct command c;
    char *argv[] = {(char[]){"true"}, NULL};
    CHECK(command_prepare(&c, argv, false));
    kill(c.pid, SIGKILL);
    siginfo_t info;
    CHECK(waitid(P_PID, (id_t)c.pid, &info, WEXITED | WNOWAIT) == 0);
    CHECK(command_start(&c) == EPIPE);
    CHECK(c.ended && c.status == 128 + SIGKILL);
}
