/* Which texts of system calls are read, and what is passed on. The memory of the processes is made
 * here: the linker puts __wrap_helper_copy_blocks in the place of what asks the system. */
#include "cmd/stackrecord/capture/callstrings.h"

#include <errno.h>

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
    "\tfield:const char * filename;\toffset:24;\tsize:8;\tsigned:0;\n"
    "\tfield:__data_loc char[] __filename_val;\toffset:32;\tsize:4;\tsigned:0;\n"
    "\nprint fmt: \"dfd: 0x%08lx\", ((unsigned long)(REC->dfd))\n";

enum { OPENAT = 257, PAGE = 4096, BASE = 0x10000 };

/* Two pages of memory, from BASE on. */
static struct {
    char bytes[2 * PAGE];
    int error; /* why nothing can be read */
    unsigned requests;
} memory;

bool __wrap_helper_copy_blocks(int32_t pid, struct helper_block *blocks, size_t n);

bool
__wrap_helper_copy_blocks(int32_t pid, struct helper_block *blocks, size_t n)
{
    CHECK(pid == 7 || pid == 9);
    memory.requests++;
    errno = memory.error;
    for (size_t i = 0; i < n; i++) {
        struct helper_block *b = &blocks[i];
        b->ok = b->addr >= BASE && b->addr - BASE + b->len <= sizeof memory.bytes;
        if (b->ok && b->len > 0)
            memcpy(b->to, memory.bytes + (b->addr - BASE), b->len);
    }
    return memory.error == 0;
}

static struct session session;
static struct syscallkinds kinds;
static struct callstrings strings;
static struct rawsink *sink;
static struct text tracing, came; /* came: "7/8 at 10 f000 /etc", for each text */

static void
note_record(struct rawsink *s, struct span bytes)
{
    char line[512];
    struct record r;
    struct ownrecord own;
    (void)s;
    CHECK(record_decode(&session.events, bytes, &r) == NULL);
    if (!ownrecord_read(&r, &own))
        return;
    CHECK(own.what == OWN_STRING);
    snprintf(line, sizeof line, "%u/%u at %llu %llx %.*s%s\n", own.pid, own.tid,
             (unsigned long long)r.time, (unsigned long long)own.string.addr,
             SPAN_ARG(own.string.text), own.string.goes_on ? "..." : "");
    text_add(&came, span_cstr(line));
    CHECK(!callstrings_resolve(&strings)); /* not while a text is passed on */
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
    memset(&memory, 0, sizeof memory);
    tracedata_one(&tracing, 8, span_cstr(openat_format), SPAN(""));
    session = (struct session){0};
    eventset_add(&session.events, &e, &session.names);
    eventset_add_id(&session.events, 1, &session.events.events[0]);
    CHECK(syscallkinds_init(&kinds, text_span(&tracing), SPAN("x86_64"), wanted) == NULL);
    sink = callstrings_init(&strings, &session.events, &kinds, &notes);
}

static void
expect(unsigned requests, const char *wanted)
{
    CHECK(callstrings_resolve(&strings));
    CHECK_TEXT(text_span(&came), wanted);
    CHECK(memory.requests == requests);
    came.len = 0;
    memory.requests = 0;
}

static void
end(void)
{
    callstrings_free(&strings);
    syscallkinds_free(&kinds);
    eventset_free(&session.events);
    arena_free(&session.names);
}

/* A call of openat(2) by thread 8 of a process, with the path at an address. */
static void
open_at(uint32_t pid, uint64_t time, uint64_t addr)
{
    struct text record = {0};
    put_payload(&record, 1, pid, time, (uint64_t[7]){OPENAT, 5, addr}, 7);
    sink->record(sink, text_span(&record));
    free(record.ptr);
}

static void
exec(uint32_t pid, uint64_t time)
{
    struct text fields = {0}, record = {0};
    put_u32(&fields, pid);
    put_u32(&fields, pid);
    put_text(&fields, SPAN("name"));
    put_u32(&fields, pid);
    put_u32(&fields, pid);
    put_u64(&fields, time);
    put_u64(&fields, 1);
    put_record(&record, PERF_RECORD_COMM, PERF_RECORD_MISC_COMM_EXEC, text_span(&fields));
    sink->record(sink, text_span(&record));
    free(fields.ptr);
    free(record.ptr);
}

TEST("the texts of calls are read together for each process, and are of the time when the call "
     "began")
{
    begin(SPAN(""));
    strcpy(memory.bytes, "/etc");
    strcpy(memory.bytes + 16, "/tmp");
    open_at(7, 10, BASE);
    open_at(7, 11, BASE + 16);
    open_at(9, 12, BASE);
    open_at(9, 13, 0);
    expect(2, "7/8 at 10 10000 /etc\n7/8 at 11 10010 /tmp\n9/8 at 12 10000 /etc\n");
    expect(0, "");
    sink->round(sink);
    sink->finish(sink);
    expect(0, "end\nend\n");
    end();
}

TEST("a text may end before a page that cannot be read, but not in it")
{
    begin(SPAN(""));
    strcpy(memory.bytes + PAGE - 2, "/ab");
    strcpy(memory.bytes + 2 * PAGE - 5, "/end");
    open_at(7, 10, BASE + PAGE - 2);
    open_at(7, 11, BASE + 2 * PAGE - 5);
    open_at(7, 12, BASE - 5);
    open_at(7, 13, BASE + 2 * PAGE);
    expect(1, "7/8 at 10 10ffe /ab\n7/8 at 11 11ffb /end\n");
    memory.bytes[2 * PAGE - 1] = 'x';
    open_at(7, 14, BASE + 2 * PAGE - 5);
    expect(1, "");
    end();
}

TEST("a text of 256 bytes is whole, a longer one goes on, and is cut between two characters")
{
    char wanted[512];
    begin(SPAN(""));
    memset(memory.bytes, 'a', 256);
    open_at(7, 10, BASE);
    snprintf(wanted, sizeof wanted, "7/8 at 10 10000 %.256s\n", memory.bytes);
    expect(1, wanted);
    memory.bytes[256] = 'a';
    open_at(7, 10, BASE);
    snprintf(wanted, sizeof wanted, "7/8 at 10 10000 %.256s...\n", memory.bytes);
    expect(1, wanted);
    memcpy(memory.bytes + 254, "\xe2\x82\xac", 3);
    open_at(7, 10, BASE);
    snprintf(wanted, sizeof wanted, "7/8 at 10 10000 %.254s...\n", memory.bytes);
    expect(1, wanted);
    end();
}

TEST("no text is passed on of a program that has executed another one since")
{
    begin(SPAN(""));
    strcpy(memory.bytes, "/etc");
    exec(7, 11);
    open_at(7, 10, BASE);
    open_at(7, 12, BASE);
    expect(1, "7/8 at 12 10000 /etc\n");
    end();
}

TEST("of too many texts at once some are not read, which are counted; of unwanted calls none")
{
    begin(SPAN(""));
    for (uint64_t i = 0; i < CALLSTRINGS_MOST + 5; i++)
        open_at(7, 10 + i, 1);
    expect(CALLSTRINGS_MOST / 100, "");
    CHECK(strings.unread == 5);
    end();
    begin(SPAN("read"));
    open_at(7, 10, BASE);
    expect(0, "");
    end();
}

TEST("the other texts are left out after a process did not answer in time")
{
    begin(SPAN(""));
    memory.error = ETIMEDOUT;
    open_at(7, 10, BASE);
    open_at(9, 11, BASE);
    expect(1, "");
    memory.error = EPERM;
    open_at(7, 10, BASE);
    open_at(9, 11, BASE);
    expect(2, "");
    end();
}
