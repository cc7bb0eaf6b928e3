/* Which processes are asked for names of JavaScript, when, and what happens if they do not answer. The
 * processes, their memory and the clock are made here: the linker puts the functions __wrap_... in the
 * place of those that ask the system. */
#include "cmd/stackrecord/capture/jsnames.h"

#include <errno.h>
#include <inttypes.h>
#include <time.h>

#include "cmd/stackrecord/capture/heldfiles.h"
#include "cmd/stackrecord/capture/v8file.h"
#include "common/base/clock.h"
#include "common/base/helper.h"
#include "common/event/ownrecord.h"
#include "common/machine/procfs.h"
#include "tests/unit/bytes.h"
#include "tests/unit/makeheap.h"

/* Where processes have node, and memory for code. */
enum { NODE = 0x400000, JIT = 0x50000000, SP = 0x30000000, MS = 1000000 };
enum { PIDS = 16 };

static struct makeheap heap; /* of each process */
static struct {
    uint64_t cpu;        /* processor time of this program */
    uint64_t cost[PIDS]; /* what each request takes of it, by pid */
    int error[PIDS];     /* why the memory cannot be read */
    unsigned requests[PIDS];
    bool has_map[PIDS]; /* a perf map */
    unsigned excused[PIDS], delayed[PIDS];
    enum v8file_has has; /* what /usr/bin/node has of V8 */
    unsigned files;      /* that were looked at */
} system_double;

bool __wrap_helper_copy_blocks(int32_t pid, struct helper_block *blocks, size_t n);
enum v8file_has __wrap_v8file_read(const char *path, struct v8layout *layout, const char **problem);
bool __wrap_heldfiles_open(const struct record_mmap *m, struct regular_file *f,
                           char path[static HELDFILES_PATH]);
bool __wrap_liveprocs_has_names(const struct liveprocs *l, int32_t pid);
void __wrap_liveprocs_needs_no_map(struct liveprocs *l, int32_t pid);
void __wrap_liveprocs_delay_report(struct liveprocs *l, int32_t pid);
int __wrap_clock_gettime(clockid_t clock, struct timespec *t);

bool
__wrap_helper_copy_blocks(int32_t pid, struct helper_block *blocks, size_t n)
{
    system_double.requests[pid]++;
    system_double.cpu += system_double.cost[pid];
    errno = system_double.error[pid];
    for (size_t i = 0; i < n; i++) {
        struct v8block b = {.addr = blocks[i].addr, .to = blocks[i].to, .len = blocks[i].len};
        makeheap_read(&heap, &b, 1);
        blocks[i].ok = b.ok && errno == 0;
    }
    return errno == 0;
}

enum v8file_has
__wrap_v8file_read(const char *path, struct v8layout *layout, const char **problem)
{
    CHECK(strcmp(path, "node") == 0);
    *layout = heap.layout;
    *problem = "its V8 is not known";
    system_double.files++;
    return system_double.has;
}

bool
__wrap_heldfiles_open(const struct record_mmap *m, struct regular_file *f,
                      char path[static HELDFILES_PATH])
{
    CHECK_TEXT(m->file, "/usr/bin/node");
    *f = (struct regular_file){.fd = -1};
    strcpy(path, "node");
    return true;
}

bool
__wrap_liveprocs_has_names(const struct liveprocs *l, int32_t pid)
{
    (void)l;
    return system_double.has_map[pid];
}

void
__wrap_liveprocs_needs_no_map(struct liveprocs *l, int32_t pid)
{
    (void)l;
    system_double.excused[pid]++;
}

void
__wrap_liveprocs_delay_report(struct liveprocs *l, int32_t pid)
{
    (void)l;
    system_double.delayed[pid]++;
}

int
__wrap_clock_gettime(clockid_t clock, struct timespec *t)
{
    uint64_t time = clock == CLOCK_PROCESS_CPUTIME_ID ? system_double.cpu : heap.now;
    *t = (struct timespec){(time_t)(time / CLOCK_SECOND), (long)(time % CLOCK_SECOND)};
    return 0;
}

/* What jsnames passes on. */

static struct eventset set;
static struct arena event_names;
static struct jsnames names;
static struct rawsink *sink;
static struct diag diag;
static char passed[4000]; /* the records of names: "PID LABEL;" */
static unsigned refused;  /* calls of jsnames_resolve() for such a record */
static bool calls;        /* jsnames_resolve() for each record of a name */

static void
take(struct rawsink *s, struct span bytes)
{
    struct record r;
    struct ownrecord own;
    size_t len = strlen(passed);
    (void)s;
    CHECK(record_decode(&set, bytes, &r) == NULL);
    if (!ownrecord_read(&r, &own) || own.what != OWN_CODE)
        return;
    snprintf(passed + len, sizeof passed - len, "%u %.*s;", (unsigned)own.pid,
             SPAN_ARG(own.code.label));
    refused += calls && !jsnames_resolve(&names);
}

static struct rawsink collector = {take, NULL, NULL};

static void
begin(void)
{
    static const struct event event = {.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME,
                                       .flags = 1 << FLAG_SAMPLE_ID_ALL};
    makeheap_init(&heap);
    heap.now = 1000 * (uint64_t)MS;
    memset(&system_double, 0, sizeof system_double);
    system_double.has = V8FILE_KNOWN;
    eventset_add(&set, &event, &event_names);
    diag_init(&diag, "test");
    diag.quiet = true;
    sink = jsnames_init(&names, &set, NULL, &diag, 8 << 20, false, false, &collector);
}

static void
end(void)
{
    jsnames_free(&names);
    eventset_free(&set);
    arena_free(&event_names);
}

/* Return what was passed on since the last call. */
static struct span
take_passed(void)
{
    static char last[sizeof passed];
    memcpy(last, passed, sizeof last);
    passed[0] = '\0';
    return span_cstr(last);
}

static size_t
messages(void)
{
    return diag.nkinds > 0 ? diag.kinds[0].count : 0;
}

/* Records */

static void
give(uint32_t type, uint16_t misc, struct text *fields, uint32_t pid, unsigned ms)
{
    struct text all = {0};
    put_u32(fields, pid); /* sample_id */
    put_u32(fields, pid);
    put_u64(fields, ms * (uint64_t)MS);
    put_record(&all, type, misc, text_span(fields));
    sink->record(sink, text_span(&all));
    free(fields->ptr);
    free(all.ptr);
}

static void
map(uint32_t pid, uint64_t addr, const char *file, unsigned ms)
{
    enum { PROT_RX = 5, SIZE = 0x100000 };
    struct text t = {0};
    put_u32(&t, pid);
    put_u32(&t, pid);
    put_u64(&t, addr);
    put_u64(&t, SIZE);
    for (int i = 0; i < 4; i++) /* pgoff, device, inode and its generation */
        put_u64(&t, 0);
    put_u32(&t, PROT_RX);
    put_u32(&t, 0);
    put_text(&t, span_cstr(file));
    give(PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER, &t, pid, ms);
}

/* A FORK or EXIT of a process. */
static void
task(uint32_t type, uint32_t pid, uint32_t parent, unsigned ms)
{
    struct text t = {0};
    put_u32(&t, pid);
    put_u32(&t, parent);
    put_u32(&t, pid);
    put_u32(&t, parent);
    put_u64(&t, ms * (uint64_t)MS);
    give(type, 0, &t, pid, ms);
}

static void
exec(uint32_t pid, unsigned ms)
{
    struct text t = {0};
    put_u32(&t, pid);
    put_u32(&t, pid);
    put_text(&t, SPAN("node"));
    give(PERF_RECORD_COMM, PERF_RECORD_MISC_COMM_EXEC, &t, pid, ms);
}

static void
start_node(uint32_t pid, unsigned ms)
{
    map(pid, NODE, "/usr/bin/node", ms);
    map(pid, JIT, "//anon", ms);
}

/* A function that is interpreted. */
struct made {
    uint64_t shared, bytecode, function;
};

static struct made
make(const char *name)
{
    struct made f = {.bytecode = makeheap_bytecode(&heap, 10)};
    uint64_t script = makeheap_script(&heap, "/x.js", "a\nfunction f(){}\n", 5);
    f.shared = makeheap_shared(&heap, makeheap_scope(&heap, name, 4, 12), script, f.bytecode);
    f.function = makeheap_function(&heap, f.shared);
    return f;
}

/* A copy of a stack on which a builtin, called by the interpreter, runs for the function. */
static void
sample(uint32_t pid, const struct made *f, unsigned ms)
{
    enum { LEAF = 4, FRAME = 20, WORDS = 32 };
    uint64_t words[WORDS] = {[LEAF] = SP + FRAME * 8,       [LEAF + 1] = NODE + 0x123,
                             [FRAME - 1] = f->shared, /* the context: any object */
                             [FRAME - 2] = f->function,     [FRAME - 4] = f->bytecode,
                             [FRAME - 5] = makeheap_smi(64)};
    const struct ownrecord own = {.what = OWN_STACK,
                                  .pid = pid,
                                  .tid = pid,
                                  .ip = NODE + 0x50,
                                  .sp = SP,
                                  .stack = span_of((const char *)words, sizeof words)};
    struct text t = {0};
    heap.now = ms * (uint64_t)MS;
    ownrecord_write(&own, &set, ms * (uint64_t)MS, 0, &t);
    sink->record(sink, text_span(&t));
    free(t.ptr);
}

/* Resolve at that time, and return what was passed on. */
static struct span
resolve_at(unsigned ms)
{
    heap.now = ms * (uint64_t)MS;
    jsnames_resolve(&names);
    return take_passed();
}

TEST("a process with V8 is looked at once it has memory for code, and its functions have names")
{
    begin();
    struct made f = make("f");
    map(1, NODE, "/usr/bin/node", 900);
    sample(1, &f, 995);
    CHECK_TEXT(resolve_at(1000), "");
    CHECK(system_double.files == 0 && system_double.excused[1] == 0);
    map(1, JIT, "//anon", 1001);
    CHECK(system_double.files == 1);
    sample(1, &f, 1005);
    CHECK_TEXT(resolve_at(1010), "1 JS:~f /x.js:2:11;");
    CHECK(system_double.excused[1] > 0);
    start_node(2, 1011);
    sample(2, &f, 1015);
    CHECK_TEXT(resolve_at(1020), "2 JS:~f /x.js:2:11;");
    CHECK(system_double.files == 1); /* what the file has is known */
    end();
}

TEST("names are not read while the record of a name is passed on: what is read would be freed")
{
    begin();
    struct made f = make("f");
    start_node(1, 990);
    calls = true;
    sample(1, &f, 1005);
    CHECK_TEXT(resolve_at(1010), "1 JS:~f /x.js:2:11;");
    system_double.has_map[1] = true;
    sample(1, &f, 1055); /* withdraws the name */
    CHECK_TEXT(resolve_at(1060), "1 ;");
    CHECK(refused == 2);
    calls = false;
    end();
}

TEST("samples are fetched every 10 ms until names are read, for a second at most, and while new "
     "scripts appear; every 100 ms while names are read; and as ever after that")
{
    begin();
    struct made f = make("f");
    CHECK(jsnames_round_ms(&names) == 0);
    start_node(1, 990);
    CHECK(jsnames_round_ms(&names) == 10);
    heap.now += 900 * (uint64_t)MS;
    CHECK(jsnames_round_ms(&names) == 10);
    heap.now += 200 * (uint64_t)MS;
    CHECK(jsnames_round_ms(&names) == 0);
    sample(1, &f, 2205);
    resolve_at(2210);
    CHECK(jsnames_round_ms(&names) == 10);
    sample(1, &f, 2405);
    resolve_at(2410);
    CHECK(jsnames_round_ms(&names) == 100);
    heap.now += 2000 * (uint64_t)MS;
    CHECK(jsnames_round_ms(&names) == 0);
    end();
}

TEST("a process with a perf map is not read, and if it begins one later its names are withdrawn")
{
    begin();
    struct made f = make("f");
    system_double.has_map[1] = true;
    start_node(1, 990);
    start_node(2, 990);
    sample(1, &f, 1005);
    sample(2, &f, 1005);
    CHECK_TEXT(resolve_at(1010), "2 JS:~f /x.js:2:11;");
    CHECK(system_double.requests[1] == 0);
    system_double.has_map[2] = true;
    unsigned before = system_double.requests[2];
    sample(2, &f, 1055);
    CHECK_TEXT(resolve_at(1060), "2 ;");
    CHECK(system_double.requests[2] == before);
    end();
}

TEST("another program is read anew: it has none of the names of the one before")
{
    begin();
    struct made f = make("f");
    start_node(1, 990);
    sample(1, &f, 1005);
    resolve_at(1010);
    CHECK(system_double.files == 1);
    exec(1, 1020);
    sample(1, &f, 1025);
    CHECK_TEXT(resolve_at(1030), "1 JS:~f /x.js:2:11;"); /* it had the name already */
    end();
}

TEST("a fork that is read after what the child has mapped since takes nothing away")
{
    begin();
    struct made f = make("f");
    start_node(2, 995);
    task(PERF_RECORD_FORK, 2, 1, 990);
    sample(2, &f, 1005);
    CHECK_TEXT(resolve_at(1010), "2 JS:~f /x.js:2:11;");
    end();
}

TEST("a process that has ended is forgotten, and the next one of its number looked at anew")
{
    begin();
    struct made f = make("f");
    start_node(1, 990);
    sample(1, &f, 1005);
    task(PERF_RECORD_EXIT, 1, 0, 1006);
    CHECK_TEXT(resolve_at(1010), "");
    CHECK(system_double.requests[1] == 0);
    task(PERF_RECORD_FORK, 1, 3, 1020);
    start_node(1, 1025);
    sample(1, &f, 1045);
    CHECK_TEXT(resolve_at(1050), "1 JS:~f /x.js:2:11;");
    end();
}

TEST("a process whose memory may not be read, or whose V8 is not known, is reported once")
{
    begin();
    struct made f = make("f");
    system_double.error[1] = EPERM;
    start_node(1, 990);
    for (unsigned ms = 1005; ms < 1100; ms += 10) {
        sample(1, &f, ms);
        CHECK_TEXT(resolve_at(ms + 5), "");
    }
    CHECK(messages() == 1 && system_double.requests[1] == 1);
    end();

    begin();
    system_double.has = V8FILE_UNKNOWN;
    start_node(1, 990);
    sample(1, &f, 1005);
    CHECK_TEXT(resolve_at(1010), "");
    CHECK(messages() == 1 && system_double.requests[1] == 0);
    end();
}

TEST(
    "who does not answer delays the others by one round; the second time it is left alone for 10 s")
{
    begin();
    struct made f = make("f");
    system_double.error[1] = ETIMEDOUT;
    start_node(1, 990);
    start_node(2, 990);
    sample(1, &f, 1005);
    sample(2, &f, 1005);
    CHECK_TEXT(resolve_at(1008), "");
    CHECK(system_double.requests[1] == 1 && system_double.requests[2] == 0);
    CHECK_TEXT(resolve_at(1010), "2 JS:~f /x.js:2:11;");
    sample(1, &f, 1105);
    resolve_at(1110);
    CHECK(system_double.requests[1] == 2);
    sample(1, &f, 11000);
    resolve_at(11010);
    CHECK(system_double.requests[1] == 2 && messages() == 0); /* helper_next_silent() names it */
    sample(1, &f, 11115);
    resolve_at(11120); /* once is enough now */
    CHECK(system_double.requests[1] == 3);
    sample(1, &f, 31000);
    resolve_at(31010);
    CHECK(system_double.requests[1] == 3);
    system_double.error[1] = 0;
    sample(1, &f, 31125);
    CHECK_TEXT(resolve_at(31130), "1 JS:~f /x.js:2:11;");
    end();
}

TEST("no name holds any more of a process whose memory does not answer, or may not be read")
{
    begin();
    struct made f = make("f");
    start_node(1, 990);
    start_node(2, 990);
    sample(1, &f, 1005);
    sample(2, &f, 1005);
    CHECK_TEXT(resolve_at(1010), "1 JS:~f /x.js:2:11;2 JS:~f /x.js:2:11;");
    system_double.error[1] = ETIMEDOUT;
    sample(1, &f, 1105);
    resolve_at(1110);
    sample(1, &f, 1205);
    CHECK_TEXT(resolve_at(1210), "1 ;");
    system_double.error[2] = EPERM;
    sample(2, &f, 1305);
    CHECK_TEXT(resolve_at(1310), "2 ;2 ;"); /* for this frame, and for all later ones */
    CHECK(messages() == 1);
    end();
}

TEST("once a second's time is used up nothing is read, and no name holds, until the next second")
{
    begin();
    struct made f = make("f");
    system_double.cost[1] = 100 * (uint64_t)MS;
    start_node(1, 990);
    sample(1, &f, 1005);
    CHECK_TEXT(resolve_at(1010), "1 JS:~f /x.js:2:11;");
    unsigned before = system_double.requests[1];
    sample(1, &f, 1105);
    CHECK_TEXT(resolve_at(1110), "1 ;");
    CHECK(system_double.requests[1] == before);
    sample(1, &f, 2105);
    CHECK_TEXT(resolve_at(2110), "1 JS:~f /x.js:2:11;");
    end();
}

TEST("a process that there is no time to look at is not said to have no perf map meanwhile")
{
    begin();
    struct made f = make("f");
    system_double.cost[1] = 100 * (uint64_t)MS;
    start_node(1, 990);
    sample(1, &f, 1005);
    resolve_at(1010);
    start_node(2, 1020);
    CHECK(system_double.delayed[2] > 0 && system_double.excused[2] == 0);
    sample(2, &f, 2105);
    CHECK_TEXT(resolve_at(2110), "2 JS:~f /x.js:2:11;");
    CHECK(system_double.excused[2] > 0 && system_double.delayed[1] == 0);
    end();
}

TEST("who took little so far comes first, and may use what others would not leave")
{
    begin();
    struct made f = make("f");
    system_double.cost[1] = 100 * (uint64_t)MS;
    start_node(1, 990);
    sample(1, &f, 1005);
    resolve_at(1010);
    start_node(2, 1020);
    sample(1, &f, 1105);
    sample(2, &f, 1105);
    CHECK_TEXT(resolve_at(1110), "1 ;"); /* a new process may not: others start all the time */
    system_double.cost[1] = 0;
    sample(2, &f, 2105);
    CHECK_TEXT(resolve_at(2110), "2 JS:~f /x.js:2:11;");
    system_double.cost[1] = 200 * (uint64_t)MS;
    sample(1, &f, 3205);
    sample(2, &f, 3205);
    resolve_at(3210);
    unsigned before = system_double.requests[2];
    sample(1, &f, 3305);
    sample(2, &f, 3305);
    CHECK_TEXT(resolve_at(3310), "1 ;");
    CHECK(system_double.requests[2] > before);
    end();
}
